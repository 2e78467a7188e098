/** Tells the separator and the header of separated values, and makes records of their rows. */
import { type CsvParser, csvParser } from './csv-rows.ts';
import { type Fields, ID_FIELDS, knownNames, TEXT_FIELDS } from './record.ts';

export interface CsvTable {
  readonly delimiter: string;
  /** Names of the columns; undefined if the first row is one of data. */
  readonly header: readonly string[] | undefined;
  /** Position of the column of the text; -1 if all columns are the text. */
  readonly text: number;
  /** Number of lines before the first row: `sep=;`, which Excel writes. */
  readonly before: number;
}

const DELIMITERS = [',', ';', '\t', '|'];
/** Goes by the first lines of a file; `usual` is the separator of its format. */
export async function csvTable(head: readonly string[], usual: string): Promise<CsvTable> {
  const stated = /^sep=(.)$/i.exec(head[0] ?? '')?.[1];
  const before = stated === undefined ? 0 : 1;
  const lines = head.slice(before).filter(line => line.trim() !== '');
  const choices = stated === undefined ? [...new Set([usual, ...DELIMITERS])] : [stated];
  let best: { readonly delimiter: string; readonly rows: string[][] } | undefined;
  let most = -1;
  for (const delimiter of choices) {
    const rows = sampleRows(lines, await csvParser(delimiter));
    const score = scoreOf(rows);
    if (score > most) [best, most] = [{ delimiter, rows }, score];
  }
  const { delimiter, rows } = best!;
  return { ...columnsOf(rows), delimiter, before };
}

/** Returns rows of one line: a line that leaves a quote open says nothing of the separator. */
const sampleRows = (lines: readonly string[], parse: CsvParser): string[][] =>
  lines.flatMap(line => {
    try {
      return parse([line]);
    } catch {
      return [];
    }
  });

/** Scores a separator by a column of text, else by the rows that are as long as the first. */
function scoreOf([first = [], ...rows]: readonly string[][]): number {
  if (textColumn(knownNames(first)) >= 0) return Number.POSITIVE_INFINITY;
  return first.length < 2 ? 0 : 1 + rows.filter(row => row.length === first.length).length;
}

const textColumn = (header: readonly string[]): number =>
  header.indexOf(TEXT_FIELDS.find(name => header.includes(name)) ?? '\0');

function columnsOf([first = []]: readonly string[][]): Pick<CsvTable, 'header' | 'text'> {
  const header = knownNames(first);
  const text = textColumn(header);
  return { header: text >= 0 || looksLikeHeader(first) ? header : undefined, text };
}

/** Tells whether a row names columns: by words that differ and are no sentences. */
const looksLikeHeader = (row: readonly string[]): boolean =>
  row.some(cell => cell !== '') &&
  new Set(row).size === row.length &&
  row.every(cell => cell === '' || (/\p{L}/u.test(cell) && !/[.!?。！？]\s*$/u.test(cell)));

/** Tells whether rows are records, by a text or an id; others are rows of one table. */
export const holdsRecords = ({ header = [], text }: CsvTable): boolean =>
  text >= 0 || header.some(name => ID_FIELDS.includes(name));

/**
 * Makes a record of a row, or says why there is none. A text in the last column takes the cells
 * behind it as its own.
 */
export function rowRecord(
  { header = [], text, delimiter }: CsvTable,
  cells: readonly string[],
): Fields | string {
  const named = header.map((name, index): [string, string] => [name, cells[index] ?? '']);
  const further = cells.slice(header.length);
  if (text === header.length - 1) named[text]![1] = cells.slice(text).join(delimiter);
  else if (further.some(cell => cell.trim() !== ''))
    return `${cells.length} cells under ${header.length} headings`;
  const filled = named.filter(([, cell]) => cell !== '');
  if (text >= 0) return Object.fromEntries(filled);
  const shown = filled.filter(([name]) => !ID_FIELDS.includes(name));
  const lines = shown.map(([name, cell]) => `${name}: ${cell}`);
  return { ...Object.fromEntries(filled), text: lines.join('\n') };
}
