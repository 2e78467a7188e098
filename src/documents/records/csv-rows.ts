/**
 * Rows of separated values, which may go over several lines inside quotes. A quote that opens a
 * cell and is never closed costs no more than its own line, which is then read as it stands.
 */
import type { Skipped } from '../files/decode.ts';

/** A line of the file with its line end, or why it is not read. */
export interface CsvLine {
  readonly line: number;
  readonly text: string | Skipped;
}

/** The lines of one row, joined. */
export interface CsvRow extends CsvLine {
  /** Offset of a quote that opens a cell and is never closed. */
  readonly strayAt?: number;
}

/** Returns the cells of rows, in one call: a call costs as much as hundreds of rows. */
export type CsvParser = (rows: readonly string[], hasQuotes?: boolean) => string[][];

export async function csvParser(delimiter: string): Promise<CsvParser> {
  const { parse } = await import('csv-parse/sync');
  return (rows, hasQuotes = true) =>
    parse(rows.join('\n'), {
      delimiter,
      quote: hasQuotes ? '"' : false,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: false,
      record_delimiter: '\n',
    });
}

/** Rows parsed in one call. */
const BATCH_ROWS = 256;
const BATCH_CHARACTERS = 1024 * 1024;

export interface ParsedRow {
  readonly line: number;
  readonly cells: readonly string[] | Skipped;
  /** It holds a quote that is never closed. */
  readonly isStray: boolean;
}

/** Yields the cells of rows. */
export async function* parsedRows(
  rows: AsyncIterable<CsvRow>,
  parse: CsvParser,
): AsyncGenerator<ParsedRow, void, void> {
  let waiting: CsvRow[] = [];
  let characters = 0;
  for await (const row of rows) {
    waiting.push(row);
    characters += typeof row.text === 'string' ? row.text.length : 0;
    if (waiting.length < BATCH_ROWS && characters <= BATCH_CHARACTERS) continue;
    yield* parsedBatch(waiting, parse);
    [waiting, characters] = [[], 0];
  }
  yield* parsedBatch(waiting, parse);
}

function* parsedBatch(rows: readonly CsvRow[], parse: CsvParser): Generator<ParsedRow, void, void> {
  const whole = rows.filter(
    ({ text, strayAt }) => typeof text === 'string' && strayAt === undefined,
  );
  const parsed = parse(whole.map(({ text }) => text as string)).values();
  for (const row of rows) {
    const { line, text, strayAt } = row;
    if (typeof text !== 'string') yield { line, cells: text, isStray: false };
    else if (strayAt === undefined) yield { line, cells: parsed.next().value!, isStray: false };
    else yield { line, cells: cellsOf(row, parse), isStray: true };
  }
}

/** Returns the cells of one row. */
export function cellsOf({ text, strayAt }: CsvRow, parse: CsvParser): string[] {
  if (typeof text !== 'string') return [];
  if (strayAt === undefined) return parse([text])[0] ?? [];
  // The separator before the open cell ends an empty one.
  const before = strayAt === 0 ? [] : parse([text.slice(0, strayAt)])[0]!.slice(0, -1);
  return [...before, ...parse([text.slice(strayAt)], false)[0]!];
}

/**
 * Yields the rows of lines; blank ones do not come. A row of several lines counts only if it closes
 * its quotes within `cap` bytes and has as many cells as the first row, where its first line alone
 * has not.
 */
export async function* csvRows(
  lines: AsyncIterable<CsvLine>,
  delimiter: string,
  cap: number,
): AsyncGenerator<CsvRow, void, void> {
  const ahead = new Lines(lines);
  let width: number | undefined;
  for (let first = await ahead.next(); first; first = await ahead.next()) {
    if (typeof first.text !== 'string') {
      yield first;
      continue;
    }
    const text = withoutEnd(first.text);
    if (text.trim() === '') continue;
    const { openAt, cells } = scanQuotes(text, delimiter);
    let row: CsvRow = { line: first.line, text };
    let count = cells;
    if (openAt !== undefined) {
      const alone = cells + countOf(text, delimiter, openAt);
      const rest = await linesToClose(ahead, delimiter, cap);
      const whole = cells + rest.cells - 1;
      const isWhole = rest.count > 0 && (width === undefined || alone !== width || whole === width);
      count = isWhole ? whole : alone;
      row = isWhole
        ? { ...row, text: withoutEnd([first.text, ...ahead.take(rest.count)].join('')) }
        : { ...row, strayAt: openAt };
    }
    width ??= count;
    yield row;
  }
}

interface Rest {
  /** Number of further lines that close the open quote; 0 if none do. */
  readonly count: number;
  /** Cells that end on these lines. */
  readonly cells: number;
}

async function linesToClose(ahead: Lines, delimiter: string, cap: number): Promise<Rest> {
  let size = 0;
  let all = 1;
  for (let count = 1; ; count++) {
    const text = (await ahead.at(count - 1))?.text;
    if (typeof text !== 'string' || (size += text.length) > cap) return { count: 0, cells: 0 };
    const { openAt, isStray, cells } = scanQuotes(withoutEnd(text), delimiter, true);
    if (isStray) return { count: 0, cells: 0 };
    all += cells - 1;
    if (openAt === undefined) return { count, cells: all };
  }
}

function countOf(text: string, delimiter: string, from: number): number {
  let count = 0;
  for (let at = text.indexOf(delimiter, from); at >= 0; at = text.indexOf(delimiter, at + 1))
    count++;
  return count;
}

/** Returns a line without its end. */
function withoutEnd(text: string): string {
  if (!text.endsWith('\n')) return text;
  return text.slice(0, text.endsWith('\r\n') ? -2 : -1);
}

interface Scan {
  /** Offset of the quote that is open at the end, -1 for that of a line before. */
  readonly openAt: number | undefined;
  /** Something else than a separator follows the quote that was open before. */
  readonly isStray: boolean;
  /** Number of cells that begin or go on in the line. */
  readonly cells: number;
}

/** Follows the quotes of a line, of which one may be open from the line before. */
export function scanQuotes(text: string, delimiter: string, isInside = false): Scan {
  let openAt = isInside ? -1 : undefined;
  if (!text.includes('"'))
    return { openAt, isStray: false, cells: isInside ? 1 : 1 + countOf(text, delimiter, 0) };
  let [at, cells] = [0, 1];
  const pass = (): void => {
    const found = text.indexOf(delimiter, at);
    if (found >= 0) cells++;
    at = found < 0 ? Number.POSITIVE_INFINITY : found + delimiter.length;
  };
  while (at <= text.length) {
    if (openAt === undefined) {
      if (text[at] === '"') openAt = at++;
      else pass();
      continue;
    }
    const quote = text.indexOf('"', at);
    if (quote < 0) break;
    at = quote + 1;
    if (text[at] === '"') at++;
    else {
      const isStray = at < text.length && !text.startsWith(delimiter, at);
      if (isStray && openAt < 0) return { openAt, isStray, cells };
      // The parser takes a cell as it stands whose quote closes too early.
      openAt = undefined;
      pass();
    }
  }
  return { openAt, isStray: false, cells };
}

/** Lines that may be looked at before they are read. */
class Lines {
  private readonly iterator: AsyncIterator<CsvLine>;
  private waiting: CsvLine[] = [];
  /** Position in `waiting` of the next line. */
  private from = 0;

  constructor(lines: AsyncIterable<CsvLine>) {
    this.iterator = lines[Symbol.asyncIterator]();
  }

  async next(): Promise<CsvLine | undefined> {
    const found = await this.at(0);
    if (found) this.drop(1);
    return found;
  }

  /** Returns the line at a position from the next one; undefined behind the last. */
  async at(position: number): Promise<CsvLine | undefined> {
    while (this.waiting.length <= this.from + position) {
      const step = await this.iterator.next();
      if (step.done) return undefined;
      this.waiting.push(step.value);
    }
    return this.waiting[this.from + position];
  }

  /** Reads lines that were looked at. */
  take(count: number): string[] {
    const lines = this.waiting.slice(this.from, this.from + count);
    this.drop(count);
    return lines.map(({ text }) => text as string);
  }

  private drop(count: number): void {
    this.from += count;
    if (this.from < this.waiting.length) return;
    this.waiting = [];
    this.from = 0;
  }
}
