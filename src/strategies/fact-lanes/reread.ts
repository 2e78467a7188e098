/**
 * Runs the third stage of `fact-lanes`: a cross-encoder scores the best sentences of each lane
 * against the lane's text.
 */

import type { Call } from '../../core/trace/call.ts';
import { scoresOf, type Weights } from '../../models/fact-ranker/fact-ranker.ts';
import type { Features } from '../../models/fact-ranker/features.ts';
import type { Reranker } from '../../models/reranker.ts';
import type { LanesView } from './view.ts';

/** A score and a lane for each candidate. */
export interface Scored {
  readonly scores: Float64Array;
  readonly lanes: Int32Array;
}

export interface RereadOptions {
  readonly reranker: Reranker;
  /** Pairs to score for each lane. */
  readonly pairs: number;
  /**
   * Known answers by `pairKey`: known pairs are not scored again, new ones are added. For callers
   * that rank one question several times.
   */
  readonly answers?: Map<string, number>;
}

export interface Answers {
  /**
   * `score`: of the stages before; `answer`: from 0 (no) to 1 (yes), 0 for a pair that was not
   * scored; `read`: 1 for a pair that was.
   */
  readonly features: Features;
  /** True if the run's limit on pairs left some of them unscored. */
  readonly short: boolean;
}

/**
 * Used if no weights were learnt. Scores are log-odds, so a sure yes adds odds of e to 1, which
 * reorders near-equals only. `read` has no weight: otherwise a scored pair and the unscored one
 * behind it would differ by more than the reranker's answer.
 */
export const DEFAULT_WEIGHTS: Weights = { score: 1, answer: 1, read: 0 };

type Readable = Pick<LanesView, 'lanes' | 'found' | 'texts' | 'documentsOf'>;

/**
 * Ranks by the third stage; `short` is true if the run's limit on pairs left some of them unscored.
 */
export async function reread<T extends Scored>(
  view: Readable,
  ranked: T,
  {
    weights = DEFAULT_WEIGHTS,
    ...options
  }: RereadOptions & { readonly weights?: Weights | undefined },
  call: Call,
): Promise<T & { readonly short: boolean }> {
  const { features, short } = await answersOf(view, ranked, options, call);
  const scores = scoresOf(features, weights, ranked.scores.length);
  return { ...ranked, scores, short };
}

/**
 * Scores the best pairs of each lane, in one call a lane. If the run's limit admits fewer, scores
 * the best pairs over all lanes.
 */
export async function answersOf(
  view: Readable,
  { scores, lanes }: Scored,
  { reranker, pairs, answers = new Map() }: RereadOptions,
  call: Call,
): Promise<Answers> {
  const best = bestOfLanes({ scores, lanes }, pairs);
  const open = best.filter(at => !answers.has(pairKey(view, lanes, at)));
  const room = Math.max(0, Math.floor(call.left().rerankedPairs ?? open.length));
  for (const [lane, own] of byLane(open.slice(0, room), lanes)) {
    const read = await reranker.score(
      view.lanes[lane]!,
      own.map(at => pairText(view, at)),
      call,
    );
    for (const [index, at] of own.entries())
      answers.set(pairKey(view, lanes, at), sigmoid(read[index]!));
  }
  const [known, answer] = [new Float64Array(scores.length), new Float64Array(scores.length)];
  for (const at of best) {
    const score = answers.get(pairKey(view, lanes, at));
    if (score !== undefined) [known[at], answer[at]] = [1, score];
  }
  return { features: { score: scores, answer, read: known }, short: room < open.length };
}

/** Returns the best of each lane, sorted by score, ties by position. */
function bestOfLanes({ scores, lanes }: Scored, pairs: number): number[] {
  const order = Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const taken = new Map<number, number>();
  return order.filter(at => {
    const count = (taken.get(lanes[at]!) ?? 0) + 1;
    taken.set(lanes[at]!, count);
    return count <= pairs;
  });
}

function byLane(candidates: readonly number[], lanes: Int32Array): Map<number, number[]> {
  const rows = new Map<number, number[]>();
  for (const at of candidates) {
    const row = rows.get(lanes[at]!);
    if (row) row.push(at);
    else rows.set(lanes[at]!, [at]);
  }
  return rows;
}

/** Prefixes the title, since a single sentence often says "he" or "the company". */
function pairText({ texts, documentsOf }: Readable, at: number): string {
  const { title } = documentsOf[at]!;
  return title === '' ? texts[at]!.text : `${title}. ${texts[at]!.text}`;
}

const pairKey = (view: Readable, lanes: Int32Array, at: number): string =>
  JSON.stringify([view.lanes[lanes[at]!], view.found[at]!.hit.id]);

/** Maps a cross-encoder's logit to the probability that it was trained to predict. */
const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));
