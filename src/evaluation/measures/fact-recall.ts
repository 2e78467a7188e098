/** FactRecall and AllFacts: the gold facts that stand verbatim in the words that are passed on. */
import { type Member, member } from '../../core/naming/family.ts';
import type { Measure } from '../example.ts';
import { statedFacts } from '../gold-evidence.ts';
import { share } from '../proportions.ts';

export const factRecall: Member<Measure> = member({
  name: 'FactRecall',
  summary:
    'Share of gold facts that stand verbatim in the context (whitespace and punctuation folded, whole words); a fact listed twice counts twice',
  create: (_, canonical) => ({
    name: canonical,
    summary: 'Gold facts that stand in the context',
    unit: 'share',
    score: (example, trace) => {
      const facts = statedFacts(example, trace);
      return share(facts.filter(fact => fact.stated).length, facts.length);
    },
  }),
});

export const allFacts: Member<Measure> = member({
  name: 'AllFacts',
  summary: 'Share of questions all of whose gold facts stand verbatim in the context',
  create: (_, canonical) => ({
    name: canonical,
    summary: 'All gold facts stand in the context',
    unit: 'share',
    score: (example, trace) => {
      const facts = statedFacts(example, trace);
      return facts.length === 0 ? undefined : Number(facts.every(fact => fact.stated));
    },
  }),
});
