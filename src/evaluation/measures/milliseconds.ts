/** Milliseconds: wall time of a question, as mean or percentile. */
import { type MeasureMember, measureMember } from '../measure-member.ts';

const QUANTILES = { mean: undefined, p50: 0.5, p95: 0.95 } as const;
const PRINTED = ['Milliseconds', 'Milliseconds(p50)', 'Milliseconds(p95)'];

export const milliseconds: MeasureMember = measureMember({
  name: 'Milliseconds',
  summary: 'Wall time of a question; never compare it with the papers, whose hardware was another',
  parameters: [
    {
      name: 'of',
      type: 'text',
      default: 'mean',
      choices: ['mean', 'p50', 'p95'],
      positional: true,
      summary: 'the mean, the median or the 95th percentile over questions',
    },
  ],
  unit: 'milliseconds',
  better: 'lower',
  table: 'time',
  printed: { answers: PRINTED, rankings: PRINTED },
  by({ of }) {
    const at = QUANTILES[of];
    return { aggregate: at === undefined ? undefined : { kind: 'quantile', at } };
  },
  score: (_example, trace) => trace.ms,
});
