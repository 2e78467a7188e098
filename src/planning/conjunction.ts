/**
 * Planner P2: the full question, then its parts between conjunctions (budgeted-agent sheet, 4.3).
 */
import { type Member, member } from '../naming/family.ts';
import { ClauseList, type Planner } from './planner.ts';

const BOUNDARY =
  /\bwhile\b|\bwhereas\b|\bbut\b|\bcompared (?:to|with)\b|\bin contrast to\b|\bversus\b|;|, and\b|\band the\b/i;
const MIN_WORDS = 4;

export const conjunction: Member<Planner> = member({
  name: 'conjunction',
  summary:
    'P2: the full question, then its parts between while, whereas, but, compared to, versus, ";", ", and", "and the"',
  paper: 'budgeted-agent sheet 4.3',
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
