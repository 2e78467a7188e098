/** Names the fields of the user's questions that nothing reads. */
import { didYouMean } from '../../core/naming/nearest.ts';
import type { Entry } from './data-set-file.ts';

/** Fields of a question, as the page on evaluation lists them. */
const READ: readonly string[] = [
  ...['id', '_id', 'question', 'query', 'text', 'type', 'question_type'],
  ...['answer', 'answers', 'answer_aliases'],
  ...['evidence', 'gold', 'gold_ids', 'gold_titles'],
  ...['question_decomposition', 'evidences'],
];
/** Notes of the writer; nothing looks like them but they themselves. */
const IGNORED: readonly string[] = ['comment', 'note', 'notes', 'source'];
/** Names of the same thing in other data sets. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  evidence_list: 'evidence',
  supporting_facts: 'gold_titles',
  facts: 'evidence',
  contexts: 'evidence',
  ground_truth: 'answer',
  ground_truths: 'answers',
  expected: 'answer',
};

/** Returns a problem for each field that is not read, with the number of questions that have it. */
export function unreadFields(entries: readonly Entry[]): string[] {
  const counts = new Map<string, number>();
  for (const { fields } of entries)
    for (const field of Object.keys(fields))
      if (!READ.includes(field) && !IGNORED.includes(field))
        counts.set(field, (counts.get(field) ?? 0) + 1);
  return [...counts].map(([field, count]) => {
    const known = OTHER_NAMES[field];
    const near = known === undefined ? didYouMean(field, READ) : `Did you mean ${known}?`;
    const hint = near === '' ? `Fields that are read: ${READ.join(', ')}` : near;
    const of = count === 1 ? '1 question' : `${count} questions`;
    return `the field ${JSON.stringify(field)} of ${of} is not read. ${hint}`;
  });
}
