/**
 * Measures the whole loop on held-out questions: recall and K, beside the first K of the same
 * search, Direct-R.
 */

import { drain } from '../../../src/core/steps.ts';
import type { Trace } from '../../../src/core/trace/trace.ts';
import type { TokenClassifiers } from '../../../src/models/efficient-rag/token-classifiers.ts';
import { askEvents } from '../../../src/run/ask.ts';
import type { SearchEngine } from '../../../src/search/engine.ts';

export interface LoopScores {
  readonly questions: number;
  /** Macro average, by document. */
  readonly recall: number;
  /** Number of distinct chunks; and with repetitions, as the paper counts them. */
  readonly k: number;
  readonly rawK: number;
  readonly rounds: number;
  /**
   * Recall of the first K of the first search: of the mean K (interpolated between integers), and
   * of each question's own K.
   */
  readonly directAtMeanK: number;
  readonly directAtOwnK: number;
}

export interface LoopOutcome {
  readonly recall: number;
  readonly k: number;
  readonly rawK: number;
  readonly rounds: number;
  readonly directAtOwnK: number;
  /** Recall of the first n of the first search, by n. */
  readonly direct: readonly number[];
}

export function runLoop(
  question: string,
  engine: SearchEngine,
  options: {
    readonly strategy: string;
    readonly retriever: string;
    readonly classifiers: TokenClassifiers;
  },
): Promise<Trace> {
  const { strategy, retriever, classifiers } = options;
  const run = askEvents(
    question,
    {
      engine,
      strategy,
      retriever,
      reader: 'evidence-only',
      resources: { 'token-classifiers': classifiers },
    },
    () => 0,
  );
  return drain(run);
}

/** Returns the outcome of a trace of `efficient-rag`. `gold` must not be empty. */
export function loopOutcome({ hops }: Trace, gold: ReadonlySet<string>): LoopOutcome {
  const share = (ids: readonly string[]): number =>
    new Set(ids.filter(id => gold.has(id))).size / gold.size;
  const kept = hops.flatMap(hop => hop.kept.map(({ documentId }) => documentId));
  const repeats = hops.reduce(
    (sum, { rejected }) => sum + rejected.filter(({ why }) => why === 'repeated').length,
    0,
  );
  const first = (hops[0]?.searches[0]?.hits ?? []).map(({ documentId }) => documentId);
  const direct = Array.from({ length: first.length + 1 }, (_, k) => share(first.slice(0, k)));
  return {
    recall: share(kept),
    k: kept.length,
    rawK: kept.length + repeats,
    rounds: hops.length,
    directAtOwnK: share(first.slice(0, kept.length)),
    direct,
  };
}

export function loopScores(outcomes: readonly LoopOutcome[]): LoopScores {
  const mean = (value: (outcome: LoopOutcome) => number): number =>
    outcomes.reduce((sum, each) => sum + value(each), 0) / outcomes.length;
  const k = mean(outcome => outcome.k);
  const whole = Math.floor(k);
  const directAt = (n: number): number =>
    mean(({ direct }) => direct[Math.min(n, direct.length - 1)]!);
  return {
    questions: outcomes.length,
    recall: mean(each => each.recall),
    k,
    rawK: mean(each => each.rawK),
    rounds: mean(each => each.rounds),
    directAtMeanK: directAt(whole) * (1 - (k - whole)) + directAt(whole + 1) * (k - whole),
    directAtOwnK: mean(each => each.directAtOwnK),
  };
}
