/**
 * Planner P3: the full question, then the question without source names, once within each source it
 * names (budgeted-agent sheet, 4.3).
 */
import { type Member, member } from '../naming/family.ts';
import { distinctNames, findMentions } from './mentions.ts';
import { type PlannedQuery, type Planner, trimClause } from './planner.ts';

export const sourceRestricted: Member<Planner> = member({
  name: 'source-restricted',
  summary:
    'P3: the full question, then one query a named source: the source, and the question with all source names deleted',
  paper: 'budgeted-agent sheet 4.3 and section 9; best for recall',
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
      // A question that begins with its only source and names it nowhere else would be asked twice.
      const others = perSource.filter(({ text }) => text.toLowerCase() !== full.text.toLowerCase());
      return [full, ...others].slice(0, cap);
    },
  }),
});
