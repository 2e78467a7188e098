/** Reads the lines of a text file whose every line must be valid, for formats of evaluations. */
import { stat } from 'node:fs/promises';
import { InputError } from '../../errors.ts';
import { decodeLine } from './decode.ts';
import { splitLines } from './lines.ts';
import { fileSource, memorySource, type Source } from './source.ts';
import { checkPaths } from './walk.ts';

/** Bytes of the longest line that is read. */
const LINE_BYTES = 1024 * 1024;

export interface TextLine {
  /** Number in the file, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Names a file, or a text with the name that errors give it. */
export type TextFile = string | { readonly name: string; readonly text: string };

export const textFileName = (file: TextFile): string =>
  typeof file === 'string' ? file : file.name;

/**
 * Yields the lines that are not blank. Throws `InputError` if there is no such file, or a line is
 * too long or no UTF-8.
 */
export async function* textLines(file: TextFile): AsyncGenerator<TextLine, void, void> {
  for await (const { line, bytes } of splitLines((await sourceOf(file)).stream(), LINE_BYTES)) {
    const text = bytes === undefined ? { skipped: 'a line of over 1 MiB' } : decodeLine(bytes);
    if (typeof text !== 'string')
      throw badLine(file, line, { expected: 'a line of text', received: text.skipped });
    yield { line, text };
  }
}

async function sourceOf(file: TextFile): Promise<Source> {
  if (typeof file !== 'string') return memorySource(file.name, file.text);
  await checkPaths([file]);
  return fileSource(file, file, (await stat(file)).size);
}

/** Returns the error of a line that cannot be read, with its number. */
export function badLine(
  file: TextFile,
  line: number,
  { code = 'bad-line', expected, received }: { code?: string; expected: string; received: string },
): InputError {
  return new InputError(code, `Cannot read line ${line} of ${JSON.stringify(textFileName(file))}`, {
    expected,
    received: received.length > 120 ? `${received.slice(0, 120)}...` : received,
  });
}

/** Splits at the white space that the C programs of TREC split at: ASCII alone. */
export const asciiFields = (text: string): string[] =>
  text.split(/[ \t\v\f\r]+/).filter(field => field !== '');
