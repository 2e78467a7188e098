/** Deals questions into folds. */

import { mulberry32 } from '../../core/mulberry32.ts';
import { normHotpot } from '../../core/text/normalise.ts';
import { contentWords } from '../../language/english/words/content-words.ts';
import type { Example } from '../example.ts';
import { goldDocuments } from '../gold-evidence.ts';
import { BOOTSTRAP } from '../resamples.ts';

const FOLDS = 5;

/** A fold for each of n questions: a seeded shuffle dealt out in turn. */
export function foldsOf(n: number, folds: number = FOLDS, seed: number = BOOTSTRAP.seed): number[] {
  const random = mulberry32(seed);
  const fold = new Array<number>(n);
  for (const [position, index] of shuffled(fold.keys(), random).entries())
    fold[index] = position % folds;
  return fold;
}

export function shuffled<T>(items: Iterable<T>, random: () => number): T[] {
  const order = [...items];
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}

/**
 * Returns the fold of each item, from 0. Shuffles groups by the seed and puts each into the
 * smallest fold.
 */
export function groupedFolds(
  keys: readonly (readonly string[])[],
  folds: number,
  seed: number,
): Int32Array {
  const sizes = new Array<number>(folds).fill(0);
  const fold = new Int32Array(keys.length);
  for (const group of shuffled(groupsOf(keys), mulberry32(seed))) {
    const to = sizes.indexOf(Math.min(...sizes));
    sizes[to]! += group.length;
    for (const item of group) fold[item] = to;
  }
  return fold;
}

/** Returns groups of item indexes that common keys connect, directly or transitively. */
function groupsOf(keys: readonly (readonly string[])[]): number[][] {
  const above = keys.map((_, index) => index);
  const top = (index: number): number => {
    let at = index;
    while (above[at] !== at) at = above[at] = above[above[at]!]!;
    return at;
  };
  const first = new Map<string, number>();
  for (const [index, keysOf] of keys.entries())
    for (const key of keysOf) {
      const other = first.get(key);
      if (other === undefined) first.set(key, index);
      else above[top(index)] = top(other);
    }
  const groups = new Map<number, number[]>();
  for (const index of keys.keys())
    groups.set(top(index), [...(groups.get(top(index)) ?? []), index]);
  return [...groups.values()];
}

/**
 * Least share of common content words (intersection over union) of two questions that count as the
 * same.
 */
const NEARLY_SAME = 0.6;
const SEED = 20231226;

export function factFolds(examples: readonly Example[], folds: number): Int32Array {
  const words = examples.map(({ question }) => contentWords(question.text));
  const keys = examples.map((example, index): string[] => {
    const documents = goldDocuments(example).sort().join(' ');
    const entity =
      example.type === 'inference'
        ? example.answers.map(answer => `answer ${normHotpot(answer)}`)
        : [];
    const facts = example.gold.map(({ documentId, span }) => `fact ${documentId} ${span}`);
    return [documents === '' ? `question ${index}` : `documents ${documents}`, ...facts, ...entity];
  });
  for (const [a, first] of words.entries())
    for (let b = 0; b < a; b++)
      if (overlap(first, words[b]!) >= NEARLY_SAME) {
        keys[a]!.push(`near ${b} ${a}`);
        keys[b]!.push(`near ${b} ${a}`);
      }
  return groupedFolds(keys, folds, SEED);
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (large.size === 0 || small.size / large.size < NEARLY_SAME) return 0;
  let common = 0;
  for (const word of small) if (large.has(word)) common++;
  return common / (a.size + b.size - common);
}
