/**
 * TypeF1: F1 of the question type that a run states, per class, then averaged (the longitudinal
 * study, Table 2, whose total fits the mean weighted by support).
 */
import type { Sums } from '../example.ts';
import { type MeasureMember, measureMember } from '../measure-member.ts';
import { harmonicMean } from '../proportions.ts';

const HIT = 'hit ';
const GOLD = 'gold ';
const PREDICTED = 'predicted ';

/**
 * Class by class P = TP/(TP+FP), R = TP/(TP+FN). Averaged over the classes that questions have; a
 * class without a true positive scores 0.
 */
function averageF1(sums: Sums, weighted: boolean): number {
  const count = (key: string): number => sums[key] ?? 0;
  const labels = new Set(Object.keys(sums).map(key => key.slice(key.indexOf(' ') + 1)));
  let total = 0;
  let weights = 0;
  for (const label of labels) {
    const [hit, gold, predicted] = [
      count(HIT + label),
      count(GOLD + label),
      count(PREDICTED + label),
    ];
    if (gold === 0) continue;
    const f1 = hit === 0 ? 0 : harmonicMean(hit / predicted, hit / gold);
    const weight = weighted ? gold : 1;
    total += weight * f1;
    weights += weight;
  }
  return weights === 0 ? 0 : total / weights;
}

export const typeF1: MeasureMember = measureMember({
  name: 'TypeF1',
  summary:
    'F1 of the question type that a reader or a strategy states with its answer; no value for runs that state none: macro is the mean over classes, weighted the mean by support',
  paper: 'longitudinal study',
  parameters: [
    {
      name: 'averaging',
      type: 'text',
      default: 'macro',
      choices: ['macro', 'weighted'],
      positional: true,
      shown: true,
      summary: 'how classes count',
    },
  ],
  printed: { answers: ['TypeF1(macro)', 'TypeF1(weighted)'] },
  by: ({ averaging }) => ({
    aggregate: { kind: 'sums', value: sums => averageF1(sums, averaging === 'weighted') },
  }),
  score({ type }, { answer: { questionType: predicted } }) {
    if (type === undefined || predicted === undefined) return undefined;
    const asked = { [GOLD + type]: 1, [PREDICTED + predicted]: 1 };
    return type === predicted ? { ...asked, [HIT + type]: 1 } : asked;
  },
});
