/**
 * Control rows for answers: what a reader must beat before its accuracy means anything. They see
 * questions and predicted types, never a document.
 */

import type { Trace } from '../core/trace/trace.ts';
import { mulberry32 } from '../search/indexes/mulberry32.ts';
import { emptyTrace } from './empty-trace.ts';
import type { Row } from './evaluation-result.ts';
import type { Example } from './example.ts';
import { shuffled } from './fitting/shuffled.ts';
import { ABSTENTION } from './given-answer.ts';
import { BOOTSTRAP } from './resamples.ts';

/**
 * Answers the questions of a data set in order. `predictedTypes` has one entry a question,
 * undefined where no type was predicted.
 */
export type Control = (
  examples: readonly Example[],
  predictedTypes: readonly (string | undefined)[],
) => string[];

/** "Yes" to everything: most verdict questions of MultiHop-RAG have it as gold. */
export const alwaysYes: Control = examples => examples.map(() => 'Yes');

/**
 * Every word that is a verdict somewhere in the benchmark, then the most common words of names.
 * `QaAccuracy(official)` asks for one shared word, so this is right on every question whose gold
 * answer has one of them: it shows what that measure is worth, and `QaAccuracy(strict)` gives it 0.
 */
export const CUE_WORDS =
  'yes no true false consistent inconsistent agree agreement disagree similar different same before after insufficient information. the of and';
export const allCueWords: Control = examples => examples.map(() => CUE_WORDS);

/** Folds of the cross-validation of `majorityByType`. */
const FOLDS = 5;

/** A fold for each of n questions: a seeded shuffle dealt out in turn. */
export function foldsOf(n: number, folds: number = FOLDS, seed: number = BOOTSTRAP.seed): number[] {
  const random = mulberry32(seed);
  const fold = new Array<number>(n);
  for (const [position, index] of shuffled(fold.keys(), random).entries())
    fold[index] = position % folds;
  return fold;
}

/** The most frequent text, the one that sorts first among equals. */
function mostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]?.[0];
}

/**
 * The most frequent gold answer among the questions of the same predicted type in the other folds,
 * so that no question is fitted on itself. A type that the other folds do not have gets their most
 * frequent answer over all types; the words of abstention when they have none.
 */
export const majorityByType: Control = (examples, predictedTypes) => {
  const folds = foldsOf(examples.length);
  const fitted = new Map<string, string>();
  return examples.map((_, index) => {
    const key = `${folds[index]} ${predictedTypes[index]}`;
    let answer = fitted.get(key);
    if (answer === undefined) {
      const others = examples.flatMap((_, i) => (folds[i] === folds[index] ? [] : [i]));
      const gold = (indices: readonly number[]): string[] =>
        indices.flatMap(i => examples[i]!.answers.slice(0, 1));
      answer =
        mostFrequent(gold(others.filter(i => predictedTypes[i] === predictedTypes[index]))) ??
        mostFrequent(gold(others)) ??
        ABSTENTION;
      fitted.set(key, answer);
    }
    return answer;
  });
};

/** The controls that stand beside every reader. */
export const CONTROLS: Readonly<Record<string, Control>> = {
  'always-yes': alwaysYes,
  'majority-by-predicted-type': majorityByType,
  'all-cue-words': allCueWords,
};

/** A row for `evaluate`: only its answers mean anything, so score it on answer measures alone. */
export const controlRow = (name: string): Row => ({
  id: name,
  strategy: 'none',
  retriever: 'none',
  context: 'none',
  reader: name,
  budget: {},
});

/** Tells whether a row is a control: it answers without reading, or repeats another row. */
export const isControl = (row: Pick<Row, 'strategy' | 'control'>): boolean =>
  row.strategy === 'none' || row.control !== undefined;

/** A trace that found nothing and says the control's answer. */
export function controlTrace(name: string, example: Example, text: string): Trace {
  const answer: Trace['answer'] =
    text === ABSTENTION
      ? { kind: 'abstained', reason: 'majority' }
      : { kind: 'answered', text, citations: [] };
  return { ...emptyTrace(example.question, controlRow(name)), answer };
}
