/** Milliseconds: wall time of a question, as mean or percentile. */
import { type Member, member } from '../../core/naming/family.ts';
import type { Measure } from '../example.ts';

const quantiles: Readonly<Record<string, number>> = { p50: 0.5, p95: 0.95 };

export const milliseconds: Member<Measure> = member({
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
  create: (settings, canonical) => {
    const of = settings.of;
    const at = quantiles[of];
    return {
      name: canonical,
      summary: `Wall time of a question (${of})`,
      unit: 'milliseconds',
      better: 'lower',
      ...(at === undefined ? {} : { aggregate: { kind: 'quantile', at } }),
      score: (_, trace) => trace.ms,
    };
  },
});
