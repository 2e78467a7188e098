/**
 * Evaluation of strategies on examples: measures, judges, intervals, reports.
 *
 * @module multihop/evaluation
 */
export { DEFAULT_MEASURES } from './default-measures.ts';
export type { Estimate, EvaluationResult } from './evaluation-result.ts';
export type { DataSet, Gold, Records, Score, Verdict } from './example.ts';
export { type Judge, judgeBy } from './judge.ts';
export { measure, measures } from './measures.ts';
export { htmlReport } from './report/html-report.ts';
export { markdownReport } from './report/markdown-report.ts';
export { textReport } from './report/text-report.ts';
export { type EvaluateOptions, evaluate } from './run.ts';
export { exactMatch, tokenF1 } from './token-overlap.ts';
