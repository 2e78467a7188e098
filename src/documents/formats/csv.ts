/**
 * CSV and TSV, read as a stream: rows that state a text or an id are records, others are the rows
 * of a table, which is one document.
 */
import { BlockWriter } from '../blocks/block-writer.ts';
import { rowText } from '../blocks/table-rows.ts';
import { decodeLine, readHead } from '../files/decode.ts';
import { type Limits, printBytes, type Source } from '../files/source.ts';
import { type DetectedFormat, type Format, fileDocument } from '../format.ts';
import {
  type CsvLine,
  csvParser,
  csvRows,
  type ParsedRow,
  parsedRows,
} from '../records/csv-rows.ts';
import { type CsvTable, csvTable, holdsRecords, rowRecord } from '../records/csv-table.ts';
import { splitLines } from '../records/lines.ts';
import { documentFromRecord } from '../records/record.ts';

export const csv: Format = {
  name: 'csv',
  extensions: ['csv'],
  records: true,
  summary:
    'rows of values separated by comma, semicolon, tab or bar; with a column of text or of ids one document a row, otherwise a table, which is one document',
  read: (source, limits) => readRows(source, limits, ','),
};

export const tsv: Format = {
  name: 'tsv',
  extensions: ['tsv', 'tab'],
  records: true,
  summary: 'tab-separated values; otherwise as csv',
  read: (source, limits) => readRows(source, limits, '\t'),
};

/** Bytes and lines of the beginning that tell separator and header. */
const HEAD_BYTES = 1 << 16;
const HEAD_LINES = 100;

async function* readRows(
  source: Source,
  limits: Limits,
  usual: string,
): AsyncGenerator<DetectedFormat, void, void> {
  const table = await csvTable(await headLines(source), usual);
  const parse = await csvParser(table.delimiter);
  const lines = textLines(source, limits, table);
  const rows = parsedRows(csvRows(lines, table.delimiter, limits.documentBytes), parse);
  let count = 0;
  async function* dataRows(): AsyncGenerator<ParsedRow, void, void> {
    for await (const row of rows)
      if (count++ > 0 || !table.header || 'skipped' in row.cells) yield row;
  }
  if (holdsRecords(table)) yield* rowDocuments(dataRows(), table);
  else yield* tableDocument(dataRows(), table, source, limits);
  if (count === 1 && table.header) yield { type: 'skipped', reason: 'a header row and no others' };
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

async function* rowDocuments(
  rows: AsyncIterable<ParsedRow>,
  table: CsvTable,
): AsyncGenerator<DetectedFormat, void, void> {
  for await (const { line, cells, isStray } of rows) {
    const record = 'skipped' in cells ? cells.skipped : rowRecord(table, cells);
    const loaded = typeof record === 'string' ? { skipped: record } : documentFromRecord(record);
    const notes = isStray ? STRAY : undefined;
    if ('skipped' in loaded) yield { type: 'skipped', line, reason: loaded.skipped };
    else yield { type: 'document', ...loaded, line, notes };
  }
}

async function* tableDocument(
  rows: AsyncIterable<ParsedRow>,
  { header = [] }: CsvTable,
  source: Source,
  limits: Limits,
): AsyncGenerator<DetectedFormat, void, void> {
  const writer = new BlockWriter(source.id, [...csv.extensions, ...tsv.extensions]);
  const notes = new Set<string>();
  let [size, count] = [0, 0];
  for await (const { line, cells, isStray } of rows) {
    count++;
    if ('skipped' in cells) {
      yield { type: 'skipped', line, reason: cells.skipped };
      // A file that begins like that is binary as a whole.
      if (line === 1) return;
      continue;
    }
    const text = rowText(header, cells);
    writer.block(text, { kind: 'table-row', line });
    if (isStray) notes.add(STRAY[0]!);
    size += text.length;
    if (size > limits.documentBytes) {
      const reason = `a table of more than ${printBytes(limits.documentBytes)} without a column of text`;
      return yield { type: 'skipped', reason };
    }
  }
  if (count > 0) yield fileDocument(source, writer.finish(), {}, { notes: [...notes] });
  else if (source.size === 0 || header.length === 0)
    yield {
      type: 'skipped',
      reason: source.size === 0 ? 'empty file' : 'no text: nothing but white space',
    };
}
