/** Cells of AsciiDoc tables. */

interface Row {
  readonly cells: readonly string[];
  /** Position of its first line among the lines of the table. */
  readonly line: number;
}

/** Reads the lines between two delimiters. `style`: attributes above, as `[cols="1,2"]`. */
export function asciidocCells(
  lines: readonly string[],
  style: string,
  kind: string,
): { readonly heads: readonly string[]; readonly rows: readonly Row[] } {
  const cells: { text: string; line: number }[] = [];
  let width = columnsOf(style);
  let firstLine = 0;
  for (const [number, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const parts =
      kind === ',' ? line.split(',') : line.split(/(?<!\\)(?:\d*(?:\.\d+)?[+*])?[<^>.]*[a-z]?\|/);
    const before = kind === ',' ? undefined : parts.shift();
    const open = cells.at(-1);
    if (before?.trim() && open !== undefined) open.text += ` ${before.trim()}`;
    for (const text of parts)
      cells.push({ text: text.trim().replaceAll('\\|', '|'), line: number });
    if (firstLine === 0 && cells.length > 0) firstLine = cells.length;
  }
  if (width === 0) width = firstLine;
  const rows: Row[] = [];
  for (let at = 0; at < cells.length && width > 0; at += width) {
    const own = cells.slice(at, at + width);
    rows.push({ cells: own.map(({ text }) => text), line: own[0]!.line });
  }
  const blank = lines.findIndex(line => line.trim() === '');
  const headed =
    /header/.test(style) ||
    (blank > 0 && blank <= (rows[1]?.line ?? 0) && firstLine === width && lines[0]?.trim() !== '');
  const heads = headed && rows.length > 1 ? rows.shift()!.cells : [];
  return { heads, rows };
}

/** Returns the number of columns that `cols` states, or 0. */
function columnsOf(style: string): number {
  const stated = /cols\s*=\s*(?:"([^"]*)"|([^,\]]*))/.exec(style);
  const text = (stated?.[1] ?? stated?.[2] ?? '').trim();
  if (text === '') return 0;
  return text
    .split(/[,;]/)
    .reduce((sum, part) => sum + Math.min(100, Number(/^\s*(\d+)\*/.exec(part)?.[1] ?? 1)), 0);
}
