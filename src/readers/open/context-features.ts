/** Computes features of a span by the words around it. */

import type { Mention } from '../../language/english/names/mentions.ts';
import type { AddFeature } from '../features.ts';
import type { OpenSentence } from './open-sentence.ts';
import type { OpenReading } from './reading.ts';

const WINDOW = 60;

/** Adds the words around the span, whose stems `stemOf` gives. */
export function contextFeatures(
  { asked, unbound }: OpenReading,
  sentence: OpenSentence,
  { mention, stemOf }: { readonly mention: Mention; readonly stemOf: (word: string) => string },
  add: AddFeature,
): void {
  const { text } = sentence;
  const left = text.slice(Math.max(0, mention.start - WINDOW), mention.start);
  const right = text.slice(mention.end, mention.end + WINDOW);
  const near = (words: readonly string[]): number => {
    let sum = 0;
    for (const [index, word] of words.entries()) {
      const weight = unbound.get(stemOf(word));
      if (weight !== undefined) sum += weight * Math.exp(-index / 3);
    }
    return sum;
  };
  const wordsOf = (part: string): string[] => part.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const before = wordsOf(left).reverse();
  const following = wordsOf(right);
  add('near:left', near(before) / 3);
  add('near:right', near(following) / 3);
  add(`L:${asked.kind}:${before[0] ?? '^'}`, 1);
  add(`R:${asked.kind}:${following[0] ?? '$'}`, 1);
  add(`L:${mention.kind}:${/(\S)\s*$/u.exec(left)?.[1]?.replace(/[\p{L}\p{N}]/u, 'w') ?? '^'}`, 1);
  add(`R:${mention.kind}:${/^\s*(\S)/u.exec(right)?.[1]?.replace(/[\p{L}\p{N}]/u, 'w') ?? '$'}`, 1);
  add(
    'head:near',
    [...asked.head].some(stem =>
      before
        .slice(0, 5)
        .concat(following.slice(0, 5))
        .some(word => stemOf(word) === stem),
    ),
  );
  add('at start', mention.start === 0);
  // "How many parts": a number before the noun that is counted, at most two words away.
  add(
    `counted:${mention.kind}`,
    stemOf(mention.text.toLowerCase().split(' ').at(-1)!) === asked.noun ||
      following.slice(0, 3).some(word => stemOf(word) === asked.noun),
  );
  const open = left.lastIndexOf('(') > left.lastIndexOf(')');
  add(`parenthesis:${asked.kind}`, open);
}
