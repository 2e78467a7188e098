/** Examples, measures, comparison with confidence intervals. */
// Inside the room: answer-rules.ts, empty-trace.ts, evidence-rule.ts, given-answer.ts,
// gold-evidence.ts, groups.ts, kept-texts.ts, measure-fixtures.ts, measures/, proportions.ts,
// ranked-passages.ts, report/, resamples.ts, verdicts.ts
export {
  abstentionCurve,
  type CurvePoint,
  type Judged,
  judgedOutcomes,
} from './abstention-curve.ts';
export {
  type Interval,
  interval,
  type PairedDifference,
  pairedDifference,
  resampledValues,
  type Series,
} from './bootstrap.ts';
export {
  allCueWords,
  alwaysYes,
  CONTROLS,
  type Control,
  CUE_WORDS,
  controlRow,
  controlTrace,
  foldsOf,
  isControl,
  majorityByType,
} from './controls.ts';
export {
  ANSWER_MEASURES,
  answerMeasures,
  DEFAULT_MEASURES,
  defaultMeasures,
  MAIN_MEASURES,
} from './default-measures.ts';
export type {
  Estimate,
  Evaluation,
  EvaluationResult,
  Outcome,
  Pair,
  RetrieverCost,
  Row,
  RowResult,
  Scores,
  Values,
} from './evaluation-result.ts';
export type {
  Aggregate,
  DataSet,
  Example,
  Gold,
  Measure,
  MeasureUnit,
  QuestionType,
  Ratio,
  Records,
  Score,
  Sums,
  Verdict,
} from './example.ts';
export { type Judge, type JudgeOptions, judgeBy, readVerdict } from './judge.ts';
export { judgeMeasures } from './judging.ts';
export { type Agreement, cohensKappa, observedAgreement } from './kappa.ts';
export { dominanceLaw, type Law, type MeasureClaims, measureLaws } from './measure-laws.ts';
export { listMeasures, measure, measures } from './measures.ts';
export {
  BUDGETED_AGENT_PAPER,
  type PublishedPaper,
  type PublishedRow,
  type PublishedValues,
} from './published.ts';
export {
  type QuestionSample,
  SAMPLE_SEED,
  type SampleDescription,
  sampleQuestions,
} from './question-sample.ts';
export { htmlReport, htmlTable } from './report/html-report.ts';
export { markdownReport, markdownTable } from './report/markdown-report.ts';
export { breakable, isLeft, type ReportTable } from './report/report-table.ts';
export { textReport, textTable } from './report/text-report.ts';
export { type EvaluateOptions, evaluate, type Progress } from './run.ts';
export { SCRIPTED_JUDGE, scriptedJudge } from './scripted-judge.ts';
export { type AnswerRule, answerF1, exactMatch, tokenF1 } from './token-overlap.ts';
export {
  addSums,
  isRatio,
  microMean,
  quantile,
  type Value,
  valueOfScores,
} from './value-of-scores.ts';
