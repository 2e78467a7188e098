/** Reads the lines of a text file whose every line must be valid, for formats of evaluations. */
import { stat } from 'node:fs/promises';
import { InputError } from '../../core/errors.ts';
import { decodeLine } from '../files/decode.ts';
import { fileSource, memorySource, type Source } from '../files/source.ts';
import { textSource } from '../files/text-source.ts';
import { checkPaths } from '../files/walk.ts';
import { splitLines } from '../records/lines.ts';

/** Bytes of the longest line that is read. */
const LINE_BYTES = 1024 * 1024;

export interface TextLine {
  /** Number in the file, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Names a file, or a text with the name that errors give it. */
export type TextFile = string | { readonly name: string; readonly text: string };

/** Returns the name of the file, as errors quote it. */
export const quotedName = (file: TextFile): string =>
  JSON.stringify(typeof file === 'string' ? file : file.name);

/**
 * Yields the lines that are not blank. Throws `InputError` if there is no such file, or a line is
 * too long or no UTF-8.
 */
export async function* textLines(file: TextFile): AsyncGenerator<TextLine, void, void> {
  for await (const { line, bytes } of splitLines(
    textSource(await sourceOf(file)).stream(),
    LINE_BYTES,
  )) {
    const text = bytes === undefined ? { skipped: 'a line of over 1 MiB' } : decodeLine(bytes);
    if (typeof text !== 'string')
      throw new InputError('bad-line', `Cannot read line ${line} of ${quotedName(file)}`, {
        expected: 'a line of text in UTF-8',
        received: text.skipped,
      });
    yield { line, text };
  }
}

async function sourceOf(file: TextFile): Promise<Source> {
  if (typeof file !== 'string') return memorySource(file.name, file.text);
  await checkPaths([file]);
  return fileSource(file, file, (await stat(file)).size);
}

/** Returns the start of a line, as errors quote it. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}...` : text);

/** Splits at the white space that the C programs of TREC split at: ASCII alone. */
export const asciiFields = (text: string): string[] =>
  text.split(/[ \t\v\f\r]+/).filter(field => field !== '');
