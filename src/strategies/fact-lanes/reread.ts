/**
 * The third stage of `fact-lanes`: the best sentences of each lane, read by a cross-encoder
 * together with what the lane asks.
 */
import { scoresOf, type Weights } from '../../models/fact-ranker/fact-ranker.ts';
import type { Features } from '../../models/fact-ranker/features.ts';
import type { Reranker } from '../../models/reranker.ts';
import type { Call } from '../../trace/call.ts';
import type { LanesView } from './view.ts';

/** What has a score and a lane for each candidate. */
export interface Scored {
  readonly scores: Float64Array;
  readonly lanes: Int32Array;
}

export interface RereadOptions {
  readonly reranker: Reranker;
  /** Of each lane. */
  readonly pairs: number;
  /**
   * What is known already, by `pairKey`: it is not asked again, and what is asked is added. For who
   * reads one question twice.
   */
  readonly answers?: Map<string, number>;
}

export interface Answers {
  /**
   * `score`: until now; `answer`: from 0 (no) to 1 (yes), 0 where nothing was read; `read`: 1 where
   * it was.
   */
  readonly features: Features;
  /** Whether the run's limit on pairs left some of them unread. */
  readonly short: boolean;
}

/**
 * Where no weights were learnt. Scores are log-odds, so that a sure yes is worth odds of e to 1:
 * enough to turn near equals round and to lift nothing far. That it was read tells nothing by
 * itself, or what lies just behind the last that was read would differ from it by more than the
 * reranker said.
 */
export const PLAIN_WEIGHTS: Weights = { score: 1, answer: 1, read: 0 };

type Readable = Pick<LanesView, 'lanes' | 'found' | 'texts' | 'documentsOf'>;

/** Ranks by the third stage; `short` where the run's limit on pairs left some of them unread. */
export async function reread<T extends Scored>(
  view: Readable,
  ranked: T,
  {
    weights = PLAIN_WEIGHTS,
    ...options
  }: RereadOptions & { readonly weights?: Weights | undefined },
  call: Call,
): Promise<T & { readonly short: boolean }> {
  const { features, short } = await answersOf(view, ranked, options, call);
  const scores = scoresOf(features, weights, ranked.scores.length);
  return { ...ranked, scores, short };
}

/**
 * Reads the best of each lane, in one call a lane. Of all lanes' pairs the best are read, where the
 * run may not read them all.
 */
export async function answersOf(
  view: Readable,
  { scores, lanes }: Scored,
  { reranker, pairs, answers = new Map() }: RereadOptions,
  call: Call,
): Promise<Answers> {
  const best = bestOfLanes({ scores, lanes }, pairs);
  const asked = best.filter(at => !answers.has(pairKey(view, lanes, at)));
  const room = Math.max(0, Math.floor(call.left().rerankedPairs ?? asked.length));
  for (const [lane, own] of byLane(asked.slice(0, room), lanes)) {
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
    const said = answers.get(pairKey(view, lanes, at));
    if (said !== undefined) [known[at], answer[at]] = [1, said];
  }
  return { features: { score: scores, answer, read: known }, short: room < asked.length };
}

/** The best of each lane, the best of all first; the earliest of equals. */
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

/** A sentence out of its document often says "he" or "the company": the title says who. */
function pairText({ texts, documentsOf }: Readable, at: number): string {
  const { title } = documentsOf[at]!;
  return title === '' ? texts[at]!.text : `${title}. ${texts[at]!.text}`;
}

const pairKey = (view: Readable, lanes: Int32Array, at: number): string =>
  JSON.stringify([view.lanes[lanes[at]!], view.found[at]!.hit.id]);

/** A cross-encoder's logit as the probability that it was trained to give. */
const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));
