/** EMPer100Tokens: retrieval-conditioned EM per 100 context tokens (budgeted-agent paper). */
import { type Member, member } from '../../core/naming/family.ts';
import { evidenceSuffices } from '../evidence-rule.ts';
import type { Measure } from '../example.ts';

export const emPer100Tokens: Member<Measure> = member({
  name: 'EMPer100Tokens',
  summary:
    '100 x mean RetrievalConditionedEM(answerable) / mean ContextTokens, over the same answerable questions',
  create: (_, canonical) => ({
    name: canonical,
    summary: 'Retrieval-conditioned EM per 100 context tokens',
    unit: 'count',
    // A ratio averages as the sum of numerators over the sum of denominators, which is mean EM over
    // mean tokens.
    score: (example, trace) => {
      const suffices = evidenceSuffices(example, trace);
      return suffices === undefined
        ? undefined
        : { numerator: suffices ? 100 : 0, denominator: trace.context.tokens };
    },
  }),
});
