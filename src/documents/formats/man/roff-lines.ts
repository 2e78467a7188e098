/** Lines of a manual page that have text: conditions decided, definitions and tables taken out. */

/** A line, or a row of a table as cells. */
export interface RoffLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  readonly cells?: readonly string[];
}

/**
 * Yields the lines of a page as a terminal shows it: `.if n` holds, any other condition does not.
 */
export function* roffLines(text: string): Generator<RoffLine, void, void> {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  let took = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (/^[.'][ \t]*(?:de1?|am|ig)\b/.test(line)) at = afterDefinition(lines, at);
    else if (/^\.TS\b/.test(line)) {
      const end = endOf(lines, at, /^\.TE\b/);
      yield* tableRows(lines, at, end);
      at = end;
    } else {
      const condition = /^[.'][ \t]*(if|ie|el)\b[ \t]*(.*)$/.exec(line);
      if (!condition) {
        yield { number: at + 1, text: line.replace(/\\\}\s*$/, '') };
        continue;
      }
      const [, name, rest] = condition as unknown as [string, string, string];
      const holds: boolean = name === 'el' ? !took : /^(?:n|!t|!\(?\\n\(\.g)/.test(rest);
      if (name === 'ie') took = holds;
      const body = name === 'el' ? rest : afterTest(rest);
      if (holds) yield { number: at + 1, text: body.replace(/\\[{}]/g, '') };
      else at = afterBlock(lines, at, body);
    }
  }
}

/** Returns what follows the test of a condition. */
function afterTest(rest: string): string {
  return rest.replace(/^!?(?:'[^']*'[^']*'|\([^)]*\)|\\\S+|\S+)[ \t]*/, '');
}

/** Returns the last line of a block `\{ ... \}` that is passed; without a block the line itself. */
function afterBlock(lines: readonly string[], from: number, first: string): number {
  let depth = 0;
  for (let at = from; at < lines.length; at++) {
    const line = at === from ? first : lines[at]!;
    depth += line.split('\\{').length - line.split('\\}').length;
    if (depth <= 0) return at;
  }
  return lines.length;
}

function afterDefinition(lines: readonly string[], from: number): number {
  return endOf(lines, from, /^[.'][ \t]*\.[ \t]*$/);
}

/** Returns the first line from there that matches, or the last line of the page. */
function endOf(lines: readonly string[], from: number, end: RegExp): number {
  for (let at = from + 1; at < lines.length; at++) if (end.test(lines[at]!)) return at;
  return lines.length - 1;
}

/** Yields the rows of a table between `.TS` and `.TE`. */
function* tableRows(
  lines: readonly string[],
  from: number,
  to: number,
): Generator<RoffLine, void, void> {
  let at = from + 1;
  let tab = '\t';
  // Options end with a semicolon, formats of columns with a full stop.
  if (/;\s*$/.test(lines[at] ?? '')) tab = /tab\s*\((.)\)/.exec(lines[at++]!)?.[1] ?? '\t';
  while (at < to && !/\.\s*$/.test(lines[at]!)) at++;
  at++;
  let open: { cells: string[]; number: number } | undefined;
  let inText = false;
  for (; at < to; at++) {
    const line = lines[at]!;
    if (!inText && (/^[.'_=]/.test(line) || line.trim() === '')) continue;
    if (inText && !line.startsWith('T}')) {
      if (!/^[.']/.test(line)) open?.cells.push(`${open.cells.pop() ?? ''} ${line}`.trim());
      else
        open?.cells.push(`${open.cells.pop() ?? ''} ${line.replace(/^[.']\s*\w+\s*/, '')}`.trim());
      continue;
    }
    const parts = (inText ? line.slice(2).replace(tab, '') : line).split(tab);
    if (!inText || open === undefined) open = { cells: [], number: at + 1 };
    if (!(inText && line.trim() === 'T}'))
      open.cells.push(...parts.map(part => (part.trim() === 'T{' ? '' : part)));
    inText = /T\{\s*$/.test(line);
    if (!inText) yield { number: open.number, text: '', cells: open.cells };
  }
}
