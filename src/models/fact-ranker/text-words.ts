/** What is read of a text once: an engine that keeps its texts gives the same objects again, and questions meet the same sentences. */
import { capitalisedWords, contentStems } from '../../text/stems.ts';
import { countWords } from '../../text/words.ts';

export interface TextWords {
  readonly stems: ReadonlySet<string>;
  readonly capitals: ReadonlySet<string>;
  /** Word runs. */
  readonly count: number;
  readonly lower: string;
}

const known = new WeakMap<object, TextWords>();

/** `key`: the object that holds the text, as long as the text stays the same. */
export function wordsOfText(key: object, text: string): TextWords {
  let words = known.get(key);
  if (!words) {
    words = { stems: contentStems(text), capitals: capitalisedWords(text), count: countWords(text), lower: text.toLowerCase() };
    known.set(key, words);
  }
  return words;
}
