/** Computes exact match and token F1 between an answer and the accepted answers. */
import { normHotpot } from '../core/text/normalise.ts';
import { harmonicMean } from './proportions.ts';

/**
 * Rules of a scorer: `hotpot` of HotpotQA's official script and ChainRAG, `squad` of IRCoT,
 * `longbench` of LongBench and LongRAG.
 */
export type AnswerRule = 'hotpot' | 'squad' | 'longbench';

const verdicts = new Set(['yes', 'no', 'noanswer']);

/** Counts the tokens that two lists have in common, as multisets. */
function commonTokens(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const token of b) left.set(token, (left.get(token) ?? 0) + 1);
  let common = 0;
  for (const token of a) {
    const count = left.get(token) ?? 0;
    if (count > 0) common++;
    left.set(token, count - 1);
  }
  return common;
}

const tokensOf = (normal: string): string[] => (normal === '' ? [] : normal.split(' '));

/** Token F1 of two normalised texts: precision c/|P|, recall c/|G|, their harmonic mean. */
export function tokenF1(predicted: string, gold: string): number {
  const p = tokensOf(predicted);
  const g = tokensOf(gold);
  const common = commonTokens(p, g);
  return common === 0 ? 0 : harmonicMean(common / p.length, common / g.length);
}

/**
 * Tells whether two sides that may be empty after normalisation count: only under `squad`, and only
 * if both are empty.
 */
const emptyScore = (p: string, g: string, rule: AnswerRule): number =>
  rule === 'squad' && p === g ? 1 : 0;

/**
 * 1 when the normal forms are equal, else 0.
 *
 * Two empty normal forms ("the" against "The") match under `squad` alone: the others give them F1
 * 0, and EM may not exceed F1.
 */
export function exactMatch(predicted: string, gold: string, rule: AnswerRule): number {
  const p = normHotpot(predicted);
  const g = normHotpot(gold);
  return p === '' || g === '' ? emptyScore(p, g, rule) : Number(p === g);
}

/**
 * Token F1 under a rule. `hotpot`: 0 when either side is yes, no or noanswer and the two differ.
 */
export function answerF1(predicted: string, gold: string, rule: AnswerRule): number {
  const p = normHotpot(predicted);
  const g = normHotpot(gold);
  if (p === '' || g === '') return emptyScore(p, g, rule);
  if (rule === 'hotpot' && p !== g && (verdicts.has(p) || verdicts.has(g))) return 0;
  return tokenF1(p, g);
}
