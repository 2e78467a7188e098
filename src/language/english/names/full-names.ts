/** Finds the full names that texts give to last names. */

import { namesIn } from './entity-names.ts';
import { longerNames } from './persons.ts';

/** No name, nor a word that extends one, goes past these. */
const MARKS = '.!?';

/**
 * Returns the full name of a last name that some text writes in full: Ilse Tarrandine for
 * "Tarrandine"; undefined if none does.
 */
export function writtenInFull(last: string, texts: readonly string[]): string | undefined {
  const mentions = texts.flatMap(text => piecesNaming(text, last)).flatMap(namesIn);
  return longerNames(mentions.map(({ text }) => text)).get(last);
}

/**
 * Returns the pieces of a text between marks that hold a last name behind a word with a capital,
 * each once. Searches for the name first: few pieces of a text hold it.
 */
function piecesNaming(text: string, last: string): string[] {
  const pieces = new Map<number, string>();
  for (let at = text.indexOf(last); at >= 0; at = text.indexOf(last, at + 1)) {
    const start = lastMark(text, at) + 1;
    if (pieces.has(start)) continue;
    const before = text.slice(Math.max(start, at - LONGEST_WORD), at);
    if (!/\p{Lu}\S*\s+$/u.test(before)) continue;
    const end = nextMark(text, at);
    if (end >= at + last.length) pieces.set(start, text.slice(start, end));
  }
  return [...pieces.values()];
}

/** Returns the place of the last mark before an offset, or -1. */
function lastMark(text: string, before: number): number {
  let at = before - 1;
  while (at >= 0 && !MARKS.includes(text[at]!)) at--;
  return at;
}

/** Returns the place of the first mark from an offset on, or the text's length. */
function nextMark(text: string, from: number): number {
  let at = from;
  while (at < text.length && !MARKS.includes(text[at]!)) at++;
  return at;
}

/** UTF-16 units before a last name that are read: longer than a name (`findNames`). */
const LONGEST_WORD = 100;
