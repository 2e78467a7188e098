/** Reads a part of a long text, by offsets in UTF-16 units. */

import { defined } from '../core/defined.ts';
import { wholeCharacters } from './bounded-record.ts';

export interface TextPart {
  readonly offset: number;
  readonly text: string;
  /** UTF-16 units of the whole text. */
  readonly characters: number;
  /** Offset of the next part; missing at the end. */
  readonly next?: number;
}

/** Returns at most `limit` units from `offset`, and at least one character if any is left. */
export function partOf(whole: string, offset: number, limit: number): TextPart {
  const characters = whole.length;
  const start = wholeCharacters(whole, Math.min(offset, characters));
  const cut = wholeCharacters(whole, Math.min(start + limit, characters));
  const end = cut > start ? cut : Math.min(start + 2, characters);
  const text = whole.slice(start, end);
  return defined({ offset: start, text, characters, next: end < characters ? end : undefined });
}
