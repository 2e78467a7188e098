/** Tells the separator and the header of separated values, and makes records of their rows. */
import { type CsvParser, csvParser } from './csv-rows.ts';
import { type Fields, knownNames, TEXT_FIELDS } from './record.ts';

export interface CsvTable {
  readonly delimiter: string;
  /** Names of the columns; undefined if the first row is one of data. */
  readonly header: readonly string[] | undefined;
  /** Position of the column of the text; -1 if all columns are the text. */
  readonly text: number;
  /** Number of lines before the first row: `sep=;`, which Excel writes. */
  readonly before: number;
  /** Tells why no row makes a document. */
  readonly skipped?: string;
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

function columnsOf([first = [], ...rows]: readonly string[][]): Omit<
  CsvTable,
  'delimiter' | 'before'
> {
  const header = knownNames(first);
  const text = textColumn(header);
  if (text >= 0) return { header, text };
  const isNamed = looksLikeHeader(first);
  if (holdsWords(isNamed ? rows : [first, ...rows]))
    return { header: isNamed ? header : undefined, text };
  const names = TEXT_FIELDS.join(', ');
  return { header, text, skipped: `no column named ${names}, and none that holds words` };
}

/** Tells whether a row names columns: by words that differ and are no sentences. */
const looksLikeHeader = (row: readonly string[]): boolean =>
  new Set(row).size === row.length &&
  row.every(cell => /\p{L}/u.test(cell) && !/[.!?。！？]\s*$/u.test(cell));

/** Tells whether most cells of a column hold several words: a table of numbers is no text. */
const holdsWords = (rows: readonly (readonly string[])[]): boolean =>
  (rows[0] ?? []).some((_, column) => {
    const cells = rows.map(row => row[column] ?? '').filter(cell => cell !== '');
    return 2 * cells.filter(cell => WORDS.test(cell)).length > cells.length;
  });

const WORDS = /\p{L}{2}\P{L}+\p{L}{2}|\p{Lo}{4}/u;

/**
 * Makes a record of a row, or says why there is none. A text in the last column takes the cells
 * behind it as its own.
 */
export function rowRecord(
  { header, text, delimiter }: CsvTable,
  cells: readonly string[],
): Fields | string {
  if (header === undefined) return { text: cells.filter(cell => cell !== '').join('\n') };
  const named = header.map((name, index): [string, string] => [name, cells[index] ?? '']);
  const further = cells.slice(header.length);
  if (text === header.length - 1) named[text]![1] = cells.slice(text).join(delimiter);
  else if (further.some(cell => cell.trim() !== ''))
    return `${cells.length} cells under ${header.length} headings`;
  const filled = named.filter(([, cell]) => cell !== '');
  if (text >= 0) return Object.fromEntries(filled);
  const lines = filled.filter(([name]) => name !== 'id').map(([name, cell]) => `${name}: ${cell}`);
  return { ...Object.fromEntries(filled), text: lines.join('\n') };
}
