/**
 * Lists the measures that an evaluation prints by default, and those that are compared row by row.
 * A measure without a value for a run is not printed.
 */
import type { Example, Measure } from './example.ts';
import { measure } from './measures.ts';

/**
 * Defaults for questions with answers. Measures of the context come first: document-level EM says
 * nothing once a system chooses how much of a document to pass on. `EvidenceRecall@k` and
 * `ReciprocalRank` read the order of the paper of the strategy, so that rows of published systems
 * stay comparable with their papers; `Recall@k`, `AllRecall@k` and `NDCG@k` read the order in which
 * every system hands over its documents.
 */
export const DEFAULT_MEASURES: readonly string[] = [
  'FactRecall',
  'AllFacts',
  'GroundedEM',
  'GroundedRecall',
  'RetrievalConditionedEM(paper)',
  'RetrievalConditionedEM(honest)',
  'RetrievalConditionedEM(answerable)',
  'RetrievalConditionedF1(paper)',
  'EvidenceRecall',
  'EvidenceRecall@1',
  'EvidenceRecall@2',
  'EvidenceRecall@4',
  'EvidenceRecall@6',
  'EvidenceRecall@8',
  'ReciprocalRank',
  'Recall@5',
  'Recall@10',
  'AllRecall@10',
  'NDCG@10',
  'Hops',
  'Retrievals',
  'RerankedPairs',
  'Documents',
  'ContextTokens',
  'EMPer100Tokens',
  'ModelCalls',
  'ModelTokens',
  'Usd',
  'Milliseconds',
  'Milliseconds(p50)',
  'Milliseconds(p95)',
  'HopPrecision@1',
  'HopRecall@1',
  'HopF1@1(macro)',
  'HopF1@1(of-means)',
  'HopPrecision@2',
  'HopRecall@2',
  'HopF1@2(macro)',
  'HopF1@2(of-means)',
  'HopPrecision@3',
  'HopRecall@3',
  'HopF1@3(macro)',
  'HopF1@3(of-means)',
  'Hits@4',
  'Hits@10',
  'MAP@10(official)',
  'MAP@10(standard)',
  'MRR@10',
  'QaAccuracy(official)',
  'QaAccuracy(strict)',
  'QaAccuracy(clean)',
  'AnswerEM(hotpot)',
  'AnswerF1(hotpot)',
  'AbstainedNull',
  'RefusedAnswerable',
  'UnsupportedAnswers',
  'TypeF1(macro)',
  'TypeF1(weighted)',
];

/** Defaults for retrieval-only data sets, whose questions have no answers: the field's names. */
export const RETRIEVAL_MEASURES: readonly string[] = [
  'Recall@5',
  'Recall@10',
  'AllRecall@5',
  'AllRecall@10',
  'NDCG@10',
  'Precision@5',
  'ReciprocalRank(ranking)',
  'EvidenceRecall',
  'Hops',
  'Retrievals',
  'RerankedPairs',
  'Documents',
  'ContextTokens',
  'ModelCalls',
  'ModelTokens',
  'Usd',
  'Milliseconds',
  'Milliseconds(p50)',
  'Milliseconds(p95)',
];

/** Defaults for scored run files, which hold rankings and nothing else. */
export const RUN_FILE_MEASURES: readonly string[] = RETRIEVAL_MEASURES.slice(0, 7);

/** Paired differences are printed for these. */
export const MAIN_MEASURES: readonly string[] = [
  'FactRecall',
  'AllFacts',
  'GroundedEM',
  'GroundedRecall',
  'RetrievalConditionedEM(answerable)',
  'EvidenceRecall',
  'ContextTokens',
  'QaAccuracy(official)',
  'QaAccuracy(strict)',
];

/** Paired differences of retrieval-only data sets are printed for these. */
export const MAIN_RETRIEVAL_MEASURES: readonly string[] = [
  'Recall@5',
  'Recall@10',
  'AllRecall@10',
  'NDCG@10',
  'ContextTokens',
];

/** Holds the measures that read nothing but the answer; controls are scored on these alone. */
export const ANSWER_MEASURES: ReadonlySet<string> = new Set([
  ...['AnswerEM', 'AnswerF1', 'QaAccuracy', 'AbstainedNull', 'RefusedAnswerable'],
  ...['JudgeAccuracy', 'JudgeUnparsed', 'JudgeAgreement', 'JudgeKappa'],
]);

const RANKING_MEASURE = /^(?:(?:Evidence|All)?Recall|NDCG|Precision)@(?!.*passage)|^ReciprocalRank/;

/** Tells whether a measure reads nothing but the document ranking. */
export const readsRankingOnly = (name: string): boolean => RANKING_MEASURE.test(name);

/** Tells whether no question has an accepted answer: measures of answers have no value then. */
export const isRetrievalOnly = (examples: readonly Example[]): boolean =>
  examples.every(({ answers }) => answers.length === 0);

/** Returns the names of the measures that are printed if none is asked for. */
export const defaultMeasureNames = (examples: readonly Example[]): readonly string[] =>
  isRetrievalOnly(examples) ? RETRIEVAL_MEASURES : DEFAULT_MEASURES;

/**
 * Returns the names of the measures that are compared row by row: those of `measures` that always
 * are, or all of them if none is.
 */
export function mainMeasureNames(
  examples: readonly Example[],
  measures: readonly Measure[],
): readonly string[] {
  const usual = isRetrievalOnly(examples) ? MAIN_RETRIEVAL_MEASURES : MAIN_MEASURES;
  return measures.some(({ name }) => usual.includes(name)) ? usual : measures.map(one => one.name);
}

export const defaultMeasures = (): Measure[] => DEFAULT_MEASURES.map(measure);

/** Returns those of the measures that read nothing but the answer. */
export const answerMeasures = (all: readonly Measure[]): Measure[] =>
  all.filter(one => ANSWER_MEASURES.has(one.name.split('(')[0]!));
