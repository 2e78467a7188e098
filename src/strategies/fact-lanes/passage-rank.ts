/**
 * Ranks candidates of short documents without learnt weights: documents by the sum of members of
 * equal weight (CombSUM: Lee, Analyses of Multiple Evidence Combination, SIGIR 1997, doi
 * 10.1145/258525.258587), each divided by its greatest score; sentences behind the best of their
 * document by how much worse they fit. Linear weights learnt on other domains ranked worse.
 */
import type { AnalysisCache, AnalysisKind } from '../../corpus/analysis-cache.ts';
import type { RankerWeights } from '../../models/fact-ranker/fact-ranker.ts';
import {
  bestLanes,
  firstLane,
  type LaneScores,
  laneFit,
} from '../../models/fact-ranker/question-view.ts';
import type { Ranking } from '../../ranking/ranking.ts';
import { stemPairs } from '../../text/stem-pairs.ts';
import type { Ranked } from './rank.ts';
import type { ContentHits } from './search.ts';
import type { LanesView } from './view.ts';

/** Takes sentences in the order of their scores. */
export const PASSAGE_PACKING: RankerWeights['packing'] = { lane: 0, source: 0, price: 0 };

const PAIRS: AnalysisKind<ReadonlySet<string>> = {
  name: 'stem pairs of documents',
  bytes: pairs => 64 * pairs.size,
};

/**
 * Ranks the candidates. `content`: hits of searches by the content words of each lane; `analysis`:
 * keeps the stem pairs of documents.
 */
export function rankPassages(
  view: LanesView,
  content: readonly ContentHits[],
  analysis: AnalysisCache,
): Ranked {
  const fit = laneFit(view);
  const lanes = bestLanes(view, fit);
  const own = Float64Array.from(lanes, (lane, at) => fit[lane]![at]!);
  const of = documentIndex(view);
  const whole = scaled(scoresIn(of, content[0]?.documents ?? []));
  const clauses = content.slice(firstLane(view));
  const members = [
    stretched(whole),
    bestOf(clauses.map(({ documents }) => stretched(scoresIn(of, documents)))),
    bestOf(clauses.map(({ sentences }) => stretched(scoresIn(of, sentences)))),
    ...(view.vectors.some(row => row.some(score => score > 0))
      ? [scaled(bestOfDocuments(view.vectors, view, of.at))]
      : []),
  ];
  const hybrid = scaled(of.ids.map((_, at) => sum(members.map(scores => scores[at] ?? 0))));
  const phrases = scaled(sharedPairs(view, of, analysis));
  const best = new Float64Array(of.ids.length).fill(Number.NEGATIVE_INFINITY);
  for (const [at, document] of of.at.entries())
    best[document] = Math.max(best[document]!, own[at]!);
  const scores = own.map((score, at) => {
    const document = of.at[at]!;
    return whole[document]! + hybrid[document]! + phrases[document]! + score - best[document]!;
  });
  return { scores, lanes };
}

/** Returns the best score of each document among its hits; 0 if it has none. */
function scoresIn({ numbers }: DocumentIndex, hits: Ranking): number[] {
  const scores: number[] = Array.from({ length: numbers.size }, () => 0);
  for (const { documentId, score } of hits) {
    const at = numbers.get(documentId);
    if (at !== undefined) scores[at] = Math.max(scores[at]!, score);
  }
  return scores;
}

/** Scales positive scores from 0, the lowest of them, to 1. */
function stretched(scores: readonly number[]): number[] {
  const found = scores.filter(score => score > 0);
  const [least, most] = [Math.min(...found), Math.max(...found)];
  return scores.map(score =>
    score <= 0 ? 0 : most > least ? (score - least) / (most - least) : 1,
  );
}

/** Returns the greatest of each column. */
const bestOf = (rows: readonly (readonly number[])[]): number[] =>
  (rows[0] ?? []).map((_, at) => Math.max(...rows.map(row => row[at]!)));

interface DocumentIndex {
  readonly numbers: ReadonlyMap<string, number>;
  readonly ids: readonly string[];
  /** The document of each candidate. */
  readonly at: Int32Array;
}

function documentIndex({ candidates }: LanesView): DocumentIndex {
  const numbers = new Map<string, number>();
  const at = Int32Array.from(candidates, ({ documentId }) => {
    const number = numbers.get(documentId) ?? numbers.size;
    numbers.set(documentId, number);
    return number;
  });
  return { numbers, ids: [...numbers.keys()], at };
}

/** Returns the best score of each document over the clauses and its candidates, at least 0. */
function bestOfDocuments(rows: LaneScores, view: LanesView, of: Int32Array): number[] {
  const best: number[] = [];
  for (const number of of) best[number] = 0;
  for (const row of rows.slice(firstLane(view)))
    for (const [at, number] of of.entries()) best[number] = Math.max(best[number]!, row[at]!);
  return best;
}

/**
 * Returns for each document the share of the question's stem pairs that it contains, each weighted
 * by ln(1 + n / (1 + df)) over the n documents.
 */
function sharedPairs(
  { lanes, documentsOf }: LanesView,
  { ids, at }: DocumentIndex,
  analysis: AnalysisCache,
): number[] {
  const wanted = [...stemPairs(lanes[0]!)];
  const documents = [...new Map(documentsOf.map((document, index) => [at[index]!, document]))];
  const pairs = documents.map(([, { id, title, text }]) =>
    analysis.of(PAIRS, id, () => stemPairs(`${title} ${text}`)),
  );
  const weights = wanted.map(pair => {
    const frequency = pairs.filter(own => own.has(pair)).length;
    return Math.log(1 + ids.length / (1 + frequency));
  });
  const total = sum(weights);
  return pairs.map(own =>
    total === 0 ? 0 : sum(weights.filter((_, index) => own.has(wanted[index]!))) / total,
  );
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Divides by the greatest; all 0 if none is positive. */
function scaled(scores: readonly number[]): number[] {
  const most = scores.reduce((top, score) => Math.max(top, score), 0);
  return scores.map(score => (most > 0 ? score / most : 0));
}
