/** The planner `conjunction` (P2): plans the full question, then its parts between conjunctions. */
import { type Member, member } from '../core/naming/family.ts';
import { ClauseList, type Planner } from './planner.ts';

const BOUNDARY =
  /\bwhile\b|\bwhereas\b|\bbut\b|\bcompared (?:to|with)\b|\bin contrast to\b|\bversus\b|;|, and\b|\band the\b/i;
const MIN_WORDS = 4;

export const conjunction: Member<Planner> = member({
  name: 'conjunction',
  summary:
    'The full question, then its parts between while, whereas, but, compared to, versus, ";", ", and", "and the"',
  paper: 'Su, Chen, Zhao: Budgeted Multi-Hop Retrieval Agent; a splitter of our own (docs/papers)',
  create: (_settings, name) => ({
    name,
    plan(question, cap) {
      const list = new ClauseList();
      list.add(question, 1);
      for (const part of question.split(BOUNDARY)) list.add(part, MIN_WORDS);
      return list.queries(cap, question);
    },
  }),
});
