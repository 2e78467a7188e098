/**
 * CSV and TSV: the first row names the fields, every other row is a record; read as a stream in
 * bounded memory.
 */
import { decodeLine, readHead } from '../files/decode.ts';
import { type Limits, printBytes, type Source } from '../files/source.ts';
import type { DetectedFormat, Format } from '../format.ts';
import {
  type CsvLine,
  type CsvParser,
  type CsvRow,
  cellsOf,
  csvParser,
  csvRows,
} from '../records/csv-rows.ts';
import { type CsvTable, csvTable, rowRecord } from '../records/csv-table.ts';
import { splitLines } from '../records/lines.ts';
import { documentFromRecord } from '../records/record.ts';

export const csv: Format = {
  name: 'csv',
  extensions: ['csv'],
  records: true,
  summary:
    'rows of values separated by comma, semicolon, tab or bar, with a header row; one document a row, an empty cell is a missing field',
  read: (source, limits) => readRows(source, limits, ','),
};

export const tsv: Format = {
  name: 'tsv',
  extensions: ['tsv', 'tab'],
  records: true,
  summary: 'tab-separated values with a header row; otherwise as csv',
  read: (source, limits) => readRows(source, limits, '\t'),
};

/** Bytes and lines of the beginning that tell separator and header. */
const HEAD_BYTES = 1 << 16;
const HEAD_LINES = 100;
/** Rows parsed in one call of the CSV library; parsing each row alone costs a parser each. */
const BATCH_ROWS = 256;
const BATCH_CHARACTERS = 1024 * 1024;

async function* readRows(
  source: Source,
  limits: Limits,
  usual: string,
): AsyncGenerator<DetectedFormat, void, void> {
  const table = await csvTable(await headLines(source), usual);
  const parse = await csvParser(table.delimiter);
  const rows = csvRows(textLines(source, limits, table), table.delimiter, limits.documentBytes);
  let waiting: CsvRow[] = [];
  let [characters, count] = [0, 0];
  for await (const row of rows) {
    if (count++ === 0 && typeof row.text === 'string') {
      if (table.skipped !== undefined)
        return yield { type: 'skipped', line: row.line, reason: table.skipped };
      if (table.header) continue;
    }
    if (typeof row.text !== 'string') {
      yield { type: 'skipped', line: row.line, reason: row.text.skipped };
      if (count === 1) return;
      continue;
    }
    waiting.push(row);
    characters += row.text.length;
    if (waiting.length < BATCH_ROWS && characters <= BATCH_CHARACTERS) continue;
    yield* documentsOf(waiting, table, parse);
    [waiting, characters] = [[], 0];
  }
  yield* documentsOf(waiting, table, parse);
  if (count === 0)
    yield {
      type: 'skipped',
      reason: source.size === 0 ? 'empty file' : 'no text: nothing but white space',
    };
  else if (count === 1 && table.header)
    yield { type: 'skipped', reason: 'a header row and no others' };
}

/** Returns the first whole lines of a file. */
async function headLines(source: Source): Promise<string[]> {
  const bytes = await readHead(source, HEAD_BYTES);
  const lines = new TextDecoder().decode(bytes).split(/\r?\n/, HEAD_LINES + 1);
  const isCut = bytes.length === HEAD_BYTES || lines.length > HEAD_LINES;
  return isCut && lines.length > 1 ? lines.slice(0, -1) : lines;
}

/** Yields the lines behind those that stand before the first row, with their line ends. */
async function* textLines(
  source: Source,
  limits: Limits,
  { before }: CsvTable,
): AsyncGenerator<CsvLine, void, void> {
  for await (const { line, bytes, size } of splitLines(source.stream(), limits.documentBytes, {
    whole: true,
  }))
    if (line > before)
      yield { line, text: bytes ? decodeLine(bytes) : { skipped: tooLarge(size, limits) } };
}

const tooLarge = (size: number, limits: Limits): string =>
  `a row of ${printBytes(size)}: larger than ${printBytes(limits.documentBytes)}`;

const STRAY = ['holds rows with a quote that is never closed, read as they stand'];

function* documentsOf(
  rows: readonly CsvRow[],
  table: CsvTable,
  parse: CsvParser,
): Generator<DetectedFormat, void, void> {
  const whole = rows.filter(({ strayAt }) => strayAt === undefined);
  const parsed = parse(whole.map(({ text }) => text as string)).values();
  for (const row of rows) {
    const { line, strayAt } = row;
    const cells = strayAt === undefined ? parsed.next().value! : cellsOf(row, parse);
    const record = rowRecord(table, cells);
    const loaded = typeof record === 'string' ? { skipped: record } : documentFromRecord(record);
    const notes = strayAt === undefined ? undefined : STRAY;
    if ('skipped' in loaded) yield { type: 'skipped', line, reason: loaded.skipped };
    else yield { type: 'document', ...loaded, line, notes };
  }
}
