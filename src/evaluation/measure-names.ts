/** Names the measures, for editors and compilers. */
/** Lists the names of measures, which editors complete; a test holds it equal to the family. */
export const MEASURE_NAMES = [
  'FactRecall',
  'AllFacts',
  'GroundedEM',
  'GroundedRecall',
  'RetrievalConditionedEM',
  'RetrievalConditionedF1',
  'EvidenceRecall',
  'EvidenceRecall@k',
  'ReciprocalRank',
  'Recall@k',
  'AllRecall@k',
  'NDCG@k',
  'Precision@k',
  'Hops',
  'Retrievals',
  'RerankedPairs',
  'Documents',
  'Passages',
  'ContextTokens',
  'EMPer100Tokens',
  'ModelCalls',
  'ModelTokens',
  'Usd',
  'Milliseconds',
  'Hits@k',
  'MAP@k',
  'MRR@k',
  'PassageRecall@k',
  'PassageF1@k',
  'HopPrecision@r',
  'HopRecall@r',
  'HopF1@r',
  'AnswerEM',
  'AnswerF1',
  'QaAccuracy',
  'AbstainedNull',
  'RefusedAnswerable',
  'UnsupportedAnswers',
  'JudgeAccuracy',
  'JudgeUnparsed',
  'JudgeAgreement',
  'JudgeKappa',
  'TypeF1',
  'SentenceRecall',
  'TitleRecall@k',
  'ParagraphRecall@k',
  'FilterAccuracy',
] as const;

export type MeasureName = (typeof MEASURE_NAMES)[number];

/** A measure with its cut-off in place of the letter: `'MAP@10'`. */
export type CutMeasure = Cut<MeasureName>;

type Cut<N extends string> = N extends `${infer Base}@${string}` ? `${Base}@${number}` : N;
