/** Lines of an indented format: their indentation, and how far a block of them reaches. */

/** Splits a text into lines without white space at their ends, tabs as 8 columns. */
export function indentedLines(text: string): string[] {
  return text
    .replace(/\r\n?|[\f\v]/g, '\n')
    .split('\n')
    .map(line => expanded(line.trimEnd()));
}

function expanded(line: string): string {
  if (!line.includes('\t')) return line;
  let shown = '';
  for (const [at, part] of line.split('\t').entries())
    shown += at === 0 ? part : ' '.repeat(8 - (shown.length % 8)) + part;
  return shown;
}

/** Returns the number of spaces that a line begins with; infinite for a blank line. */
export function indentOf(line: string): number {
  const found = line.search(/\S/);
  return found < 0 ? Number.POSITIVE_INFINITY : found;
}

/** A range of lines, from the first to before the end, and the column at which they begin. */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly indent: number;
}

/** Returns the end of the lines from `from` that are blank or indented by `indent` at least. */
export function endOfIndented(
  lines: readonly string[],
  from: number,
  { to, indent }: Range,
): number {
  let end = from;
  let last = from;
  while (end < to && indentOf(lines[end]!) >= indent) {
    if (lines[end] !== '') last = end + 1;
    end++;
  }
  return last;
}

/** Returns the least indentation of lines, or `otherwise` if all are blank. */
export function leastIndent(
  lines: readonly string[],
  from: number,
  to: number,
  otherwise: number,
): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = from; at < to; at++) least = Math.min(least, indentOf(lines[at]!));
  return Number.isFinite(least) ? least : otherwise;
}

/** Returns the end of the lines from `from` that are not blank. */
export function endOfParagraph(lines: readonly string[], from: number, to: number): number {
  let end = from;
  while (end < to && lines[end] !== '') end++;
  return end;
}
