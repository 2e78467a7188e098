/**
 * Which measures a MultiHop-RAG run prints, and which of them are compared row by row. Those that
 * have no value for a run stay away.
 */
import type { Measure } from './example.ts';
import { measure } from './measures.ts';

/**
 * The words that are passed on come first: document-level EM says nothing once a system chooses how
 * much of a document to pass on.
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

/**
 * The measures that read nothing but the answer; rows that only answer (controls) are scored on
 * these alone.
 */
export const ANSWER_MEASURES: ReadonlySet<string> = new Set([
  ...['AnswerEM', 'AnswerF1', 'QaAccuracy', 'AbstainedNull', 'RefusedAnswerable'],
  ...['JudgeAccuracy', 'JudgeUnparsed', 'JudgeAgreement', 'JudgeKappa'],
]);

export const defaultMeasures = (): Measure[] => DEFAULT_MEASURES.map(measure);

/** Those of the measures that read nothing but the answer. */
export const answerMeasures = (all: readonly Measure[]): Measure[] =>
  all.filter(one => ANSWER_MEASURES.has(one.name.split('(')[0]!));
