/**
 * Judges the reader of HTML by pages whose main text somebody else stated: folders with
 * `source.html` and `expected.html`, as in the tests of Readability.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocuments } from '../../src/documents/read-documents.ts';
import { textsOfHtml } from './html-text.ts';
import { missingFrom, wordsOf } from './words.ts';

export interface JudgedPage {
  readonly name: string;
  /** Paragraphs of the expected text. */
  readonly paragraphs: number;
  /** Those that the document does not hold. */
  readonly lost: readonly string[];
  readonly expectedWords: number;
  /** Words of the document beyond those of the expected text and of alternatives of images. */
  readonly beyond: number;
}

/** Shorter texts are labels and dates, which stand elsewhere on a page by chance. */
const PARAGRAPH_WORDS = 5;

/** Returns the names of the folders that hold a page and its expected text. */
export const pagesIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter(name => existsSync(join(folder, name, 'expected.html')))
    .sort();

export async function judgePage(folder: string, name: string): Promise<JudgedPage> {
  const htmlOf = (file: string): string => readFileSync(join(folder, name, file), 'utf8');
  const expected = textsOfHtml(htmlOf('expected.html'));
  // The text of an image may stay where the expected text leaves the image out.
  const alternatives: string[] = [];
  textsOfHtml(htmlOf('source.html'), alternatives);
  const words = wordsOf(await shownText(join(folder, name, 'source.html')));
  // A paragraph is one run of letters, so that a reader may cut words as it likes.
  const letters = words.join('');
  const paragraphs = expected.filter(text => wordsOf(text).length >= PARAGRAPH_WORDS);
  const expectedWords = expected.flatMap(wordsOf);
  const allowed = [...expectedWords, ...alternatives.flatMap(wordsOf)];
  return {
    name,
    paragraphs: paragraphs.length,
    lost: paragraphs.filter(text => !letters.includes(wordsOf(text).join(''))),
    expectedWords: expectedWords.length,
    beyond: missingFrom(words, allowed).filter(Boolean).length,
  };
}

async function shownText(path: string): Promise<string> {
  const texts: string[] = [];
  for await (const event of readDocuments([path]))
    if (event.type === 'document') texts.push(event.document.title, event.document.text);
  return texts.join('\n');
}
