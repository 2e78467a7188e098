/** Makes pools of candidates to judge rankers by: the first of BM25, and which have what. */
import { sampleQuestions } from '../../../src/evaluation/question-sample.ts';
import { Candidates } from './candidates.ts';
import type { JudgedQuestion, JudgedSet } from './domains.ts';
import type { WrittenPool } from './pool-file.ts';

/**
 * Yields the pools of at most `count` questions, drawn evenly of the sets. Leaves out questions
 * of which no passage of the corpus has a part: no ranking of passages could show it.
 */
export async function* judgedPools(
  sets: readonly JudgedSet[],
  count: number,
): AsyncGenerator<WrittenPool, void, void> {
  for (const set of sets) {
    const candidates = await Candidates.of(set.documents);
    const findable = set.questions.filter(question => isFindable(question, candidates));
    const size = Math.min(findable.length, Math.ceil(count / sets.length));
    if (size === 0) continue;
    for (const question of sampleQuestions(findable, size).examples)
      yield await poolOf(question, set, candidates);
  }
}

const isFindable = ({ facets }: JudgedQuestion, candidates: Candidates): boolean =>
  facets.every(has =>
    candidates.passages.some(each => has(each, candidates.documents.get(each.documentId)!)),
  );

async function poolOf(
  { id, text, facets }: JudgedQuestion,
  { unit }: JudgedSet,
  candidates: Candidates,
): Promise<WrittenPool> {
  const found = await candidates.search(text);
  const numbers = new Map<string, number>();
  const groups = found.map(each => {
    const key = unit === 'document' ? each.documentId : each.id;
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key)!;
  });
  return {
    id,
    kind: 'judged',
    question: text,
    candidates: found.map(each => candidates.text(each, 'title')),
    groups,
    facets: facets.map(has =>
      found.flatMap((each, at) =>
        has(each, candidates.documents.get(each.documentId)!) ? [at] : [],
      ),
    ),
  };
}
