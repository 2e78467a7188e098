/**
 * Measures the fact reader beside its control with the evidence of another question, on questions
 * that its weights were not fitted on.
 */
import { isRight } from '../../../src/evaluation/answer-rules.ts';
import { clusterResamples } from '../../../src/evaluation/clusters.ts';
import { estimateOf } from '../../../src/evaluation/control-summaries.ts';
import { givenAnswer } from '../../../src/evaluation/given-answer.ts';
import { isNull } from '../../../src/evaluation/gold-evidence.ts';
import { drawResamples } from '../../../src/evaluation/resamples.ts';
import type { FactReaderSettings } from '../../../src/readers/fact-reader.ts';
import { answerAt, type HeldOut } from './fact-validation.ts';

/** Mean, and the bounds of the plain and of the clustered interval, from 0 to 1. */
export type HeldOutFigure = readonly number[];

/** Figures by row, then by type of question or `all`. */
export type HeldOutControls = Readonly<Record<string, Readonly<Record<string, HeldOutFigure>>>>;

/**
 * Returns strict accuracy, the share of questions that get an answer, and strict accuracy of these
 * answers; then accuracy without abstention with the question's own evidence, with that of another
 * question, and their difference on the same answerable questions.
 */
export function heldOutControls(
  unchanged: readonly HeldOut[],
  swapped: readonly HeldOut[],
  threshold: number,
): HeldOutControls {
  const examples = unchanged.map(({ sample }) => sample.example);
  const [plain, clustered] = [drawResamples(examples.length), clusterResamples(examples)];
  const figures = (scores: readonly (number | undefined)[]): Record<string, HeldOutFigure> => {
    const types = ['all', ...new Set(examples.map(({ type = 'untyped' }) => type).sort())];
    return Object.fromEntries(
      types.flatMap(type => {
        const of = scores.map((score, index) =>
          type === 'all' || (examples[index]!.type ?? 'untyped') === type ? score : undefined,
        );
        const found = estimateOf(of, plain, clustered);
        if (!found) return [];
        const { mean, low, high, clustered: wide } = found;
        return [[type, [mean, low, high, ...(wide ? [wide.low, wide.high] : [])].map(rounded)]];
      }),
    );
  };
  const partners = new Map(swapped.map(item => [item.sample.example.id, item]));
  const always = { support: 0, form: false };
  const before = unchanged.map(item => rightness(item, always));
  const after = unchanged.map(({ sample: { example } }) => {
    const partner = partners.get(example.id);
    return partner && !isNull(example) ? rightness(partner, always) : undefined;
  });
  const rule = { support: threshold, form: false };
  const right = unchanged.map(item => rightness(item, rule));
  const answered = unchanged.map(item => Number(answerAt(item, rule).kind === 'answered'));
  return {
    'fact-reader': figures(right),
    'fact-reader, answered': figures(answered),
    'fact-reader, right of answered': figures(
      right.map((score, index) => (answered[index] === 1 ? score : undefined)),
    ),
    'own-evidence': figures(before),
    'swapped-evidence': figures(after),
    EvidenceReliance: figures(
      after.map((score, index) => (score === undefined ? undefined : before[index]! - score)),
    ),
  };
}

const DIGITS = 4;
const rounded = (value: number): number => Number(value.toFixed(DIGITS));

const rightness = (item: HeldOut, rule: FactReaderSettings): number =>
  Number(isRight('strict', givenAnswer(answerAt(item, rule)) ?? '', item.sample.example.answers));
