/** Chooses the pages that all languages translate, and writes them as one folder a language. */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { partsOf } from './parts.ts';

/** Paragraphs with fewer words are names and keys, which translations leave as they are. */
const LEAST_WORDS = 5;
/** A page with fewer words holds nothing to ask for. */
const LEAST_PAGE = 60;
/** Share of the letters of a page's paragraphs that every language translates. */
const TRANSLATED = 0.9;

const wordsIn = (text: string): number => text.split(' ').length;

/** Returns the pages below the first folder that all others translate, sorted. */
export function alignedPages([english, ...others]: readonly string[]): string[] {
  return readdirSync(english!, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.html'))
    .map(({ parentPath, name }) => join(parentPath, name).slice(english!.length + 1))
    .map(path => path.replaceAll('\\', '/'))
    .sort()
    .filter(page => isAligned(page, english!, others));
}

function isAligned(page: string, english: string, others: readonly string[]): boolean {
  const parts = partsIn(english, page);
  const words = [...parts.values()].reduce((sum, text) => sum + wordsIn(text), 0);
  const long = [...parts].filter(([, text]) => wordsIn(text) >= LEAST_WORDS);
  const all = long.reduce((sum, [, { length }]) => sum + length, 0);
  return (
    words >= LEAST_PAGE &&
    others.every(folder => {
      const translated = partsIn(folder, page);
      const done = long.filter(([id, text]) => (translated.get(id) ?? text) !== text);
      return done.reduce((sum, [, { length }]) => sum + length, 0) >= TRANSLATED * all;
    })
  );
}

const partsIn = (folder: string, page: string): Map<string, string> =>
  partsOf(readFileSync(join(folder, page), 'utf8'));

/** Copies pages from one folder to another. */
export function copyPages(pages: readonly string[], from: string, to: string): void {
  for (const page of pages) cpSync(join(from, page), join(to, page));
}
