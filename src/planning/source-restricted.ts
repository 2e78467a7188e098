/**
 * The planner `source-restricted` (P3): plans the full question, then the question without source
 * names, once with each source that it names.
 */
import { type Member, member } from '../core/naming/family.ts';
import { distinctNames, findMentions } from '../language/mentions.ts';
import { type PlannedQuery, type Planner, trimClause } from './planner.ts';

export const sourceRestricted: Member<Planner> = member({
  name: 'source-restricted',
  summary:
    'The full question, then one query per named source: the source, and the question with all source names deleted',
  paper:
    'Su, Chen, Zhao: Budgeted Multi-Hop Retrieval Agent; a splitter of our own (docs/papers), best for recall',
  create: (_settings, name) => ({
    name,
    plan(question, cap, sources) {
      const mentions = findMentions(question, sources);
      let rest = '';
      let at = 0;
      for (const { start, end } of mentions) {
        rest += question.slice(at, start);
        at = end;
      }
      rest = trimClause(`${rest}${question.slice(at)}`.replace(/\s+/g, ' '));
      const full: PlannedQuery = { text: trimClause(question) || question };
      const perSource =
        rest === ''
          ? []
          : distinctNames(mentions).map((source): PlannedQuery => ({ text: `${source} ${rest}` }));
      // A question that only starts with its only source would be planned twice.
      const others = perSource.filter(({ text }) => text.toLowerCase() !== full.text.toLowerCase());
      return [full, ...others].slice(0, cap);
    },
  }),
});
