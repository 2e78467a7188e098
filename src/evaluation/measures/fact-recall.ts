/** FactRecall and AllFacts: the gold facts that stand verbatim in the words that are passed on. */
import { statedFacts } from '../gold-evidence.ts';
import { type MeasureMember, measureMember } from '../measure-member.ts';
import { share } from '../proportions.ts';

export const factRecall: MeasureMember = measureMember({
  name: 'FactRecall',
  summary:
    'Share of gold facts that stand verbatim in the context (whitespace and punctuation folded, whole words); a fact listed twice counts twice',
  table: 'facts',
  printed: { answers: ['FactRecall'] },
  compared: { answers: ['FactRecall'] },
  score(example, trace) {
    const facts = statedFacts(example, trace);
    return share(facts.filter(fact => fact.stated).length, facts.length);
  },
});

export const allFacts: MeasureMember = measureMember({
  name: 'AllFacts',
  summary: 'Share of questions all of whose gold facts stand verbatim in the context',
  table: 'facts',
  printed: { answers: ['AllFacts'] },
  compared: { answers: ['AllFacts'] },
  score(example, trace) {
    const facts = statedFacts(example, trace);
    return facts.length === 0 ? undefined : Number(facts.every(fact => fact.stated));
  },
});
