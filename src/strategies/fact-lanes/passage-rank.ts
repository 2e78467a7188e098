/**
 * Ranks candidates of short documents without learned weights: documents by the sum of features of
 * equal weight, each divided by its greatest score (CombSUM: Lee, SIGIR 1997, doi
 * 10.1145/258525.258587), and by likeness to the first documents of that sum; sentences of a
 * document by how well they fit. Linear weights that were learned on other domains ranked worse.
 */
import type { AnalysisCache } from '../../core/corpus/analysis-cache.ts';
import type { Document } from '../../core/corpus/document.ts';
import type { Ranking } from '../../core/ranking/ranking.ts';
import {
  bestLanes,
  firstLane,
  type LaneScores,
  laneFit,
} from '../../models/fact-ranker/question-view.ts';
import { CandidateStems, stemmingOf } from './document-stems.ts';
import type { ContentHits } from './lane-searches.ts';
import type { Ranked } from './rank.ts';
import type { LanesView } from './view.ts';

/** The first documents that others are compared with, as many as Recall@5 counts. */
const FEEDBACK_DOCUMENTS = 5;

export interface PassageSignals {
  /** ISO 639-1, of the question. */
  readonly language: string;
  /** Scores of documents by the words of the whole question. */
  readonly asked: ReadonlyMap<string, number>;
  /** By lane: hits of searches by its content words. */
  readonly content: readonly ContentHits[];
  /** Keeps the stems of documents. */
  readonly analysis: AnalysisCache;
}

/** The documents of the candidates with their scores. */
export interface ScoredDocuments extends DocumentIndex {
  readonly scores: readonly number[];
  /** The place of the candidate of each document that fits best. */
  readonly best: readonly number[];
}

/** Returns the score of each document. */
export function scoreDocuments(
  view: LanesView,
  { language, asked, content, analysis }: PassageSignals,
): ScoredDocuments {
  const { documents, at: of } = documentIndex(view);
  const stems = new CandidateStems(
    documents,
    view.vocabulary,
    analysis,
    stemmingOf(language, 'passages'),
  );
  const question = view.lanes[0]!;
  const first = total([
    documents.map(({ id }) => asked.get(id) ?? 0),
    scoresIn(documents, content[0]?.documents ?? []),
    hybridOf(documents, content, firstLane(view)),
    stems.bm25(question),
    stems.sharedPairs(question),
    ...(view.vectors.some(row => row.some(score => score > 0))
      ? [bestOfDocuments(view.vectors, view, of)]
      : []),
  ]);
  const like = scaled(stems.likeness(first, FEEDBACK_DOCUMENTS));
  const scores = first.map((score, at) => score + like[at]!);
  return { documents, at: of, scores, best: bestOfEach(fitOf(view).scores, of) };
}

/** Ranks the candidates by their documents, those of one document by how well they fit. */
export function rankPassages(
  view: LanesView,
  { at: of, scores: ranked, best }: ScoredDocuments,
): Ranked {
  const { lanes, scores: fits } = fitOf(view);
  const scores = fits.map((score, at) => {
    const document = of[at]!;
    return ranked[document]! + score - fits[best[document]!]!;
  });
  return { scores, lanes };
}

/** Returns how well each candidate fits its best lane. */
function fitOf(view: LanesView): Ranked {
  const fit = laneFit(view);
  const lanes = bestLanes(view, fit);
  return { lanes, scores: Float64Array.from(lanes, (lane, at) => fit[lane]![at]!) };
}

/** Returns the place of the candidate of each document that fits best. */
function bestOfEach(fits: Float64Array, of: Int32Array): number[] {
  const best: number[] = [];
  for (const [at, document] of of.entries())
    if (fits[at]! > (fits[best[document]!] ?? Number.NEGATIVE_INFINITY)) best[document] = at;
  return best;
}

/**
 * Returns the sum of three scores by content words, each scaled from its lowest hit to its best:
 * the whole question, the best clause, and the best sentence of a clause, as `hybrid` sums them.
 */
function hybridOf(
  documents: readonly Document[],
  content: readonly ContentHits[],
  first: number,
): number[] {
  const within = (hits: Ranking): number[] => stretched(scoresIn(documents, hits));
  const clauses = content.slice(first);
  const rows = [
    within(content[0]?.documents ?? []),
    bestOf(clauses.map(clause => within(clause.documents))),
    bestOf(clauses.map(clause => within(clause.sentences))),
  ];
  return documents.map((_, at) => rows.reduce((sum, row) => sum + (row[at] ?? 0), 0));
}

/** Returns the best score of each document among its hits; 0 if it has none. */
function scoresIn(documents: readonly Document[], hits: Ranking): number[] {
  const best = new Map<string, number>();
  for (const { documentId, score } of hits)
    best.set(documentId, Math.max(best.get(documentId) ?? 0, score));
  return documents.map(({ id }) => best.get(id) ?? 0);
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

/** Sums members, each divided by its greatest score. */
export function total(members: readonly (readonly number[])[]): number[] {
  const rows = members.map(scaled);
  return (rows[0] ?? []).map((_, at) => rows.reduce((sum, row) => sum + row[at]!, 0));
}

interface DocumentIndex {
  readonly documents: readonly Document[];
  /** The index of each candidate's document. */
  readonly at: Int32Array;
}

function documentIndex({ documentsOf }: LanesView): DocumentIndex {
  const numbers = new Map<Document, number>();
  const at = Int32Array.from(documentsOf, document => {
    const number = numbers.get(document) ?? numbers.size;
    numbers.set(document, number);
    return number;
  });
  return { documents: [...numbers.keys()], at };
}

/** Returns the best score of each document over the clauses and its candidates, at least 0. */
function bestOfDocuments(rows: LaneScores, view: LanesView, of: Int32Array): number[] {
  const best: number[] = [];
  for (const number of of) best[number] = 0;
  for (const row of rows.slice(firstLane(view)))
    for (const [at, number] of of.entries()) best[number] = Math.max(best[number]!, row[at]!);
  return best;
}

/** Divides by the greatest; all 0 if none is positive. */
export function scaled(scores: readonly number[]): number[] {
  const most = scores.reduce((top, score) => Math.max(top, score), 0);
  return scores.map(score => (most > 0 ? score / most : 0));
}
