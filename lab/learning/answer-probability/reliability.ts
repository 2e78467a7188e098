/**
 * Compares stated probabilities with the share of answers that are right: expected calibration
 * error over bins of equal count (Nguyen and O'Connor, EMNLP 2015, arXiv 1508.05154).
 */
import { answerProbability } from '../../../src/models/answer-probability/answer-probability.ts';
import { fitCurves, type GradedAnswer } from './fit-curves.ts';

/** An answer with the probability that curves of other domains state. */
export interface StatedAnswer {
  readonly domain: string;
  readonly probability: number;
  readonly right: boolean;
}

export interface ReliabilityBin {
  readonly answers: number;
  /** Mean stated probability. */
  readonly said: number;
  /** Share that is right. */
  readonly right: number;
}

export interface Reliability extends ReliabilityBin {
  /** Expected calibration error, from 0 to 1. */
  readonly error: number;
  readonly bins: readonly ReliabilityBin[];
}

const BINS = 10;

/** States each answer's probability by curves that were fitted on all other domains. */
export function statedByOthers(answers: readonly GradedAnswer[]): StatedAnswer[] {
  const domains = [...new Set(answers.map(({ domain }) => domain))];
  return domains.flatMap(held => {
    const model = fitCurves(answers.filter(({ domain }) => domain !== held));
    return answers
      .filter(({ domain }) => domain === held)
      .map(({ domain, confidence, right }) => {
        return { domain, right, probability: answerProbability(confidence, model) };
      });
  });
}

/** Returns the reliability over ten bins of equal count, fewer for fewer answers. */
export function reliabilityOf(answers: readonly StatedAnswer[]): Reliability {
  const sorted = answers.toSorted((a, b) => a.probability - b.probability);
  const count = Math.min(BINS, sorted.length);
  const bins = Array.from({ length: count }, (_, bin) => {
    const from = Math.floor((bin * sorted.length) / count);
    return binOf(sorted.slice(from, Math.floor(((bin + 1) * sorted.length) / count)));
  });
  const error = bins.reduce(
    (sum, bin) => sum + (bin.answers / sorted.length) * Math.abs(bin.said - bin.right),
    0,
  );
  return { ...binOf(sorted), error, bins };
}

function binOf(answers: readonly StatedAnswer[]): ReliabilityBin {
  const mean = (value: (answer: StatedAnswer) => number): number =>
    answers.reduce((sum, answer) => sum + value(answer), 0) / Math.max(1, answers.length);
  return {
    answers: answers.length,
    said: mean(({ probability }) => probability),
    right: mean(({ right }) => Number(right)),
  };
}

/** Returns the answers that are shown if `least` is asked for. */
export const shownAt = (answers: readonly StatedAnswer[], least: number): ReliabilityBin =>
  binOf(answers.filter(({ probability }) => probability >= least));
