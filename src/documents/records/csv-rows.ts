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
  const parse = await csvParser(delimiter);
  const ahead = new Lines(lines);
  let width = 0;
  for (let first = await ahead.next(); first; first = await ahead.next()) {
    if (typeof first.text !== 'string') {
      yield first;
      continue;
    }
    const text = withoutEnd(first.text);
    if (text.trim() === '') continue;
    const { openAt } = scanQuotes(text, delimiter);
    let row: CsvRow = { line: first.line, text };
    if (openAt !== undefined) {
      const alone = { ...row, strayAt: openAt };
      const count = await linesToClose(ahead, delimiter, cap);
      const joined = [first.text, ...ahead.seen(count)].join('');
      const whole = { ...row, text: withoutEnd(joined) };
      const isWhole =
        count > 0 &&
        (width === 0 ||
          cellsOf(alone, parse).length !== width ||
          cellsOf(whole, parse).length === width);
      if (isWhole) ahead.drop(count);
      row = isWhole ? whole : alone;
    }
    if (width === 0) width = cellsOf(row, parse).length;
    yield row;
  }
}

/** Returns the number of further lines that close the open quote; 0 if none do. */
async function linesToClose(ahead: Lines, delimiter: string, cap: number): Promise<number> {
  let size = 0;
  for (let count = 1; ; count++) {
    const text = (await ahead.at(count - 1))?.text;
    if (typeof text !== 'string' || (size += text.length) > cap) return 0;
    const { openAt, isStray } = scanQuotes(withoutEnd(text), delimiter, true);
    if (isStray) return 0;
    if (openAt === undefined) return count;
  }
}

const withoutEnd = (text: string): string => text.replace(/\r?\n$/, '');

interface Scan {
  /** Offset of the quote that is open at the end, -1 for that of a line before. */
  readonly openAt: number | undefined;
  /** Something else than a separator follows the quote that was open before. */
  readonly isStray: boolean;
}

/** Follows the quotes of a line, of which one may be open from the line before. */
export function scanQuotes(text: string, delimiter: string, isInside = false): Scan {
  let openAt = isInside ? -1 : undefined;
  if (!text.includes('"')) return { openAt, isStray: false };
  let at = 0;
  while (at <= text.length) {
    if (openAt === undefined) {
      if (text[at] === '"') openAt = at++;
      else at = after(text, delimiter, at);
      continue;
    }
    const quote = text.indexOf('"', at);
    if (quote < 0) break;
    at = quote + 1;
    if (text[at] === '"') at++;
    else {
      const isStray = at < text.length && !text.startsWith(delimiter, at);
      if (isStray && openAt < 0) return { openAt, isStray };
      // The parser takes a cell as it stands whose quote closes too early.
      openAt = undefined;
      at = after(text, delimiter, at);
    }
  }
  return { openAt, isStray: false };
}

/** Returns the offset behind the next separator. */
function after(text: string, delimiter: string, from: number): number {
  const found = text.indexOf(delimiter, from);
  return found < 0 ? Number.POSITIVE_INFINITY : found + delimiter.length;
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

  /** Returns the texts of lines that were looked at. */
  seen(count: number): string[] {
    return this.waiting.slice(this.from, this.from + count).map(({ text }) => text as string);
  }

  drop(count: number): void {
    this.from += count;
    if (this.from < this.waiting.length) return;
    this.waiting = [];
    this.from = 0;
  }
}
