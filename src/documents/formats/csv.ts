/**
 * CSV and TSV: the first row names the fields, every other row is a record; read as a stream in
 * bounded memory.
 */
import { InputError } from '../../core/errors.ts';
import { decodeLine } from '../files/decode.ts';
import { type Limits, printBytes, type Source } from '../files/source.ts';
import type { DetectedFormat, Format } from '../format.ts';
import { splitLines } from '../records/lines.ts';
import { documentFromRecord, TEXT_FIELDS } from '../records/record.ts';

export const csv: Format = {
  name: 'csv',
  extensions: ['csv'],
  records: true,
  summary:
    'comma-separated values with a header row; one document a row, an empty cell is a missing field',
  read: (source, limits) => readRows(source, limits, ','),
};

export const tsv: Format = {
  name: 'tsv',
  extensions: ['tsv'],
  records: true,
  summary: 'tab-separated values with a header row; otherwise as csv',
  read: (source, limits) => readRows(source, limits, '\t'),
};

interface Row {
  readonly line: number;
  readonly text: string;
}

/** Rows parsed in one call of the CSV library; parsing each row alone costs a parser each. */
const BATCH_ROWS = 256;
const BATCH_CHARACTERS = 1024 * 1024;

async function* readRows(
  source: Source,
  limits: Limits,
  delimiter: string,
): AsyncGenerator<DetectedFormat, void, void> {
  const parse = await rowParser(source.path, delimiter);
  let header: readonly string[] | undefined;
  let waiting: Row[] = [];
  let characters = 0;
  let rows = 0;
  const flush = (): DetectedFormat[] => {
    const batch = waiting;
    [waiting, characters] = [[], 0];
    return parse(batch).map((cells, index) => rowDocument(header!, cells, batch[index]!.line));
  };
  for await (const { line, bytes, size } of splitLines(
    source.stream(),
    limits.documentBytes,
    true,
  )) {
    const text = bytes === undefined ? { skipped: tooLarge(size, limits) } : decodeLine(bytes);
    if (typeof text !== 'string') {
      yield { type: 'skipped', line, reason: text.skipped };
      if (header === undefined) return;
    } else if (header === undefined) {
      header = (parse([{ line, text }])[0] ?? []).map(name => name.trim());
      if (!header.some(name => TEXT_FIELDS.includes(name)))
        return yield { type: 'skipped', line, reason: `no column named ${TEXT_FIELDS.join(', ')}` };
    } else {
      rows++;
      waiting.push({ line, text });
      if (waiting.length >= BATCH_ROWS || (characters += text.length) > BATCH_CHARACTERS)
        yield* flush();
    }
  }
  yield* flush();
  if (header === undefined)
    yield {
      type: 'skipped',
      reason: source.size === 0 ? 'empty file' : 'no text: nothing but white space',
    };
  else if (rows === 0) yield { type: 'skipped', reason: 'a header row and no others' };
}

function tooLarge(size: number, limits: Limits): string {
  return `a row of ${printBytes(size)}: larger than ${printBytes(limits.documentBytes)}; is a quote left open?`;
}

/** Parses rows. Throws `InputError('bad-csv')` naming file and line. */
async function rowParser(
  path: string,
  delimiter: string,
): Promise<(rows: readonly Row[]) => string[][]> {
  const { CsvError, parse } = await import('csv-parse/sync');
  const parseRows = (rows: readonly Row[]): string[][] =>
    parse(rows.map(row => row.text).join('\n'), {
      delimiter,
      relax_column_count: true,
      skip_empty_lines: false,
      record_delimiter: '\n',
    });
  return rows => {
    if (rows.length === 0) return [];
    try {
      return parseRows(rows);
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      const wrong = rows.find(row => !parses(() => parseRows([row]))) ?? rows[0]!;
      throw new InputError(
        'bad-csv',
        `${JSON.stringify(path)} is not valid CSV in the row that begins on line ${wrong.line}`,
        {
          received: error.message,
          cause: error,
        },
      );
    }
  };
}

function parses(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}

function rowDocument(
  header: readonly string[],
  cells: readonly string[],
  line: number,
): DetectedFormat {
  if (cells.length > header.length)
    return {
      type: 'skipped',
      line,
      reason: `${cells.length} cells under ${header.length} headings`,
    };
  const record = Object.fromEntries(
    header.map((name, index) => [name, cells[index] ?? '']).filter(([, cell]) => cell !== ''),
  );
  const loaded = documentFromRecord(record);
  return 'skipped' in loaded
    ? { type: 'skipped', line, reason: loaded.skipped }
    : { type: 'document', ...loaded, line };
}
