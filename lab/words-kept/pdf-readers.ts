/** Compares readers of PDF with `pdftotext`: words, their order, rows of tables, time. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { InputError } from '../../src/core/errors.ts';
import { DEFAULT_LIMITS, memorySource } from '../../src/documents/files/source.ts';
import { pdf } from '../../src/documents/formats/pdf/pdf.ts';
import { packageAddress } from '../../src/documents/whole-file.ts';
import { placesOnlyIn } from './aligned-words.ts';
import { lostWords } from './lost-words.ts';
import { wordsOf } from './words.ts';

/** Reads a PDF as text; undefined if it has none. */
export type PdfReader = (bytes: Uint8Array) => Promise<string | undefined>;

export const READERS: Readonly<Record<string, () => Promise<PdfReader>>> = {
  multihop: async () => async bytes => {
    for await (const found of pdf.read(memorySource('a.pdf', bytes), DEFAULT_LIMITS))
      if (found.type === 'document') return `${found.document.title}\n${found.document.text}`;
    return undefined;
  },
  liteparse: liteparse,
};

/** The part of liteparse that is used. */
interface LiteParse {
  readonly LiteParse: new (
    options: object,
  ) => { parse(bytes: Uint8Array): Promise<{ readonly text: string }> };
}

async function liteparse(): Promise<PdfReader> {
  const name = '@llamaindex/liteparse';
  const address = packageAddress(name);
  if (address === undefined)
    throw new InputError('no-liteparse', `The package ${name} is not installed`, {
      hint: `npm install ${name}, in the folder where the command runs`,
    });
  const { LiteParse } = (await import(address)) as LiteParse;
  const options = { ocrEnabled: false, outputFormat: 'markdown', imageMode: 'off', quiet: true };
  const parser = new LiteParse(options);
  return async bytes => (await parser.parse(bytes)).text || undefined;
}

export interface ComparedPdf {
  /** Words that `pdftotext` finds. */
  readonly words: number;
  readonly lost: number;
  /** Words that are joined or split otherwise. */
  readonly cut: number;
  /** Words that an alignment of both texts leaves without a partner. */
  readonly outOfOrder: number;
  /** Lines of three cells or more that `pdftotext -layout` draws. */
  readonly rows: number;
  /** Those whose words follow on each other. */
  readonly rowsKept: number;
  readonly ms: number;
}

/** Reads a file by one reader; undefined if it or `pdftotext` finds no text. */
export async function comparePdf(path: string, read: PdfReader): Promise<ComparedPdf | undefined> {
  const began = performance.now();
  const text = await read(new Uint8Array(readFileSync(path))).catch(() => undefined);
  const ms = performance.now() - began;
  const other = pdftotext([path, '-']);
  const words = wordsOf(other);
  if (text === undefined || words.length === 0) return undefined;
  const held = wordsOf(text);
  const { lost, cut } = lostWords(other, text);
  const stream = ` ${held.join(' ')} `;
  const rows = rowsOf(pdftotext(['-layout', path, '-']));
  const rowsKept = rows.filter(row => stream.includes(` ${row} `)).length;
  const outOfOrder = placesOnlyIn(words, held).length;
  return { words: words.length, lost, cut, outOfOrder, rows: rows.length, rowsKept, ms };
}

/** Returns the words of each line that has wide gaps at two places or more. */
function rowsOf(layout: string): string[] {
  const rows = layout.split('\n').filter(line => line.trim().split(/ {3,}/).length >= 3);
  return rows.map(line => wordsOf(line).join(' ')).filter(row => row.includes(' '));
}

const pdftotext = (args: readonly string[]): string =>
  execFileSync('pdftotext', args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
