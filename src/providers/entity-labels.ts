/**
 * Reads labels of tokens as entities. A word has the label of its first token, as token classifiers
 * are trained (Devlin et al., BERT, NAACL 2019, arXiv 1810.04805, section 5.3).
 */
import type { PlacedTokens } from './placed-tokens.ts';

/** UTF-16 offsets in a text, and the type of the entity there, such as `PER`. */
export interface EntitySpan {
  readonly start: number;
  readonly end: number;
  readonly type: string;
}

/** A word of a text: its offsets, and its first token. */
export interface LabelledWord {
  readonly start: number;
  readonly end: number;
  readonly token: number;
}

const LETTER = '[[\\p{L}\\p{N}\\p{M}]--\\p{Script=Han}]';
/**
 * Letters with single marks between them (Jean-Pierre, U.N), the `'s` behind a word, one mark, or
 * one character of a script that writes no blanks: words as CoNLL 2003 has them.
 */
const WORD = new RegExp(
  `['’]s(?!${LETTER})|${LETTER}+(?:(?!['’]s(?!${LETTER}))[^\\s\\p{L}\\p{N}\\p{M}]${LETTER}+)*|\\S`,
  'gv',
);

/** Returns the words of a text that have tokens. */
export function labelledWords(text: string, { starts, ends }: PlacedTokens): LabelledWord[] {
  const words: LabelledWord[] = [];
  let token = 0;
  for (const { 0: word, index: start } of text.matchAll(WORD)) {
    const end = start + word.length;
    // A token may cover several words, where a tokenizer splits only at blanks.
    while (token < starts.length && ends[token]! <= start) token++;
    if (token < starts.length && starts[token]! < end) words.push({ start, end, token });
  }
  return words;
}

/**
 * Joins words to entities by labels `B-TYPE`, `I-TYPE` and `O`, and those of the schemes BIOES and
 * BILOU. An `I` that continues nothing begins an entity, as conlleval counts; a label without a
 * scheme is an `I`.
 */
export function entitySpans(
  words: readonly Pick<LabelledWord, 'start' | 'end'>[],
  labels: readonly string[],
): EntitySpan[] {
  const spans: EntitySpan[] = [];
  let open: EntitySpan | undefined;
  const close = (): void => {
    if (open) spans.push(open);
    open = undefined;
  };
  for (const [at, { start, end }] of words.entries()) {
    const [, place = 'I', type = ''] = /^(?:([BIOELSU])(?:[-_]|$))?(.*)$/s.exec(labels[at]!)!;
    const continues = place !== 'B' && place !== 'S' && place !== 'U' && open?.type === type;
    if (!continues) close();
    if (place === 'O') continue;
    open = { start: open?.start ?? start, end, type };
    if (place === 'E' || place === 'L' || place === 'S' || place === 'U') close();
  }
  close();
  return spans;
}
