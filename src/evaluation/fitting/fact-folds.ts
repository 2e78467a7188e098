/**
 * Assigns questions to folds such that those with a gold fact in common, the same gold documents,
 * the same gold entity or nearly the same words are in one fold.
 */

import { normHotpot } from '../../core/text/normalise.ts';
import { contentWords } from '../../language/english/words/content-words.ts';
import type { Example } from '../example.ts';
import { goldDocuments } from '../gold-evidence.ts';
import { groupedFolds } from './grouped-folds.ts';

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
  for (const [a, own] of words.entries())
    for (let b = 0; b < a; b++)
      if (overlap(own, words[b]!) >= NEARLY_SAME) {
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
