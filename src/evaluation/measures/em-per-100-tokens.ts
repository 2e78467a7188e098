/** EMPer100Tokens: retrieval-conditioned EM per 100 context tokens (budgeted-agent paper). */
import { evidenceSuffices } from '../evidence-rule.ts';
import { type MeasureMember, measureMember } from '../measure-member.ts';

export const emPer100Tokens: MeasureMember = measureMember({
  name: 'EMPer100Tokens',
  summary:
    '100 x mean RetrievalConditionedEM(answerable) / mean ContextTokens, over the same answerable questions',
  unit: 'count',
  table: 'cost',
  printed: { answers: ['EMPer100Tokens'] },
  // A ratio averages as the sum of numerators over the sum of denominators, which is mean EM over
  // mean tokens.
  score(example, trace) {
    const suffices = evidenceSuffices(example, trace);
    if (suffices === undefined) return undefined;
    return { numerator: suffices ? 100 : 0, denominator: trace.context.tokens };
  },
});
