/**
 * The planner `source-anchored` (P1): plans the full question, then windows of it that start at
 * each named source.
 */
import { type Member, member } from '../core/naming/family.ts';
import { findMentions } from '../language/mentions.ts';
import { ClauseList, type Planner } from './planner.ts';

const MIN_WORDS = 10; // fitted to the paper's tables (docs/papers/budgeted-agent.md)
const MIN_FALLBACK_WORDS = 4;

export const sourceAnchored: Member<Planner> = member({
  name: 'source-anchored',
  summary:
    'The full question, then a window from each source name to the next; commas and "and" if no source is named',
  paper:
    'Su, Chen, Zhao: Budgeted Multi-Hop Retrieval Agent; fitted in place of its unpublished splitter (docs/papers)',
  create: (_settings, name) => ({
    name,
    plan(question, cap, sources) {
      const list = new ClauseList();
      list.add(question, MIN_WORDS);
      for (const segment of segments(question, sources)) list.add(segment, MIN_WORDS);
      if (list.clauses.length < 2)
        for (const part of question.split(/,|\band\b/i)) list.add(part, MIN_FALLBACK_WORDS);
      return list.queries(cap, question);
    },
  }),
});

function segments(question: string, sources: readonly string[]): string[] {
  const mentions = findMentions(question, sources);
  if (mentions.length === 0) return [question];
  const starts = mentions.map(mention => mention.start);
  return [
    question.slice(0, starts[0]),
    ...starts.map((start, index) => question.slice(start, starts[index + 1])),
  ];
}
