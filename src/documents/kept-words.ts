/** Counts which words of a file its document keeps. */
import type { Document } from '../core/corpus/document.ts';
import { wordsIn } from '../core/text/matched-words.ts';
import { countWords } from '../core/text/words.ts';

/** Words of a document, and of all that its file shows before anything was left out. */
export interface KeptWords {
  readonly kept: number;
  /** `kept` where the loader leaves nothing out. */
  readonly visible: number;
}

/** Facts of a loader about a file, beside its document. */
export interface LoaderNotes {
  /** All text that people see in the file, in any order; missing where all of it is kept. */
  readonly visibleText?: string | undefined;
  /** Text that people see in the file beside that of the document, where nothing else is lost. */
  readonly leftOutText?: string | undefined;
  /** Sentences without a full stop, such as "read as windows-1251 (a guess)". */
  readonly notes?: readonly string[] | undefined;
}

/**
 * Counts each visible word that the title or the text has as often: a document that repeats the
 * heads of a table in its rows keeps no more words for it.
 */
export function keptWords(
  { title, text }: Pick<Document, 'title' | 'text'>,
  { visibleText = text, leftOutText = '' }: LoaderNotes = {},
): KeptWords {
  if (visibleText === text) {
    const all = countWords(text);
    return { kept: all, visible: all + countWords(leftOutText) };
  }
  const left = new Map<string, number>();
  for (const part of [title, text])
    for (const word of wordsIn(part)) left.set(word, (left.get(word) ?? 0) + 1);
  let [kept, visible] = [0, 0];
  for (const word of wordsIn(visibleText)) {
    visible++;
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    kept++;
  }
  return { kept, visible };
}

/** Tells if more than half of the visible words are missing. */
export const losesMost = ({ kept, visible }: KeptWords): boolean => kept * 2 < visible;
