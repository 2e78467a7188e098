/**
 * Draws negatives that the question itself finds: paragraphs nearest to it that are not gold. Our
 * addition to the published negatives.
 */
import { VectorIndex } from '../../../src/search/indexes/vector/vector-index.ts';
import type { TrainingExample } from './training-set.ts';
import { rowOf, type TrainingVectors } from './training-vectors.ts';

/**
 * The examples with so many more negatives for each update, the nearest first; those among its
 * negatives already do not count again.
 */
export function withHardNegatives(
  examples: readonly TrainingExample[],
  { d, questions, paragraphs }: TrainingVectors,
  count: number,
): readonly TrainingExample[] {
  if (count === 0) return examples;
  const index = VectorIndex.build(paragraphs, d);
  // One by one: a whole train split has more questions than a call takes arguments.
  const most = examples.reduce(
    (so, { records }) =>
      Math.max(so, records.length + Math.max(...records.map(({ negatives }) => negatives.length))),
    0,
  );
  const found = index.search(
    examples.map((_, at) => ({ vector: rowOf(questions, at, d) })),
    Math.min(index.size, count + most),
  );
  return examples.map((example, at) => {
    const gold = new Set(example.records.map(({ positive }) => positive));
    const records = example.records.map(record => {
      const near = found[at]!.map(({ item }) => item).filter(
        item => !gold.has(item) && !record.negatives.includes(item),
      );
      const more = near.slice(0, count);
      // A set of few paragraphs may not have as many: all updates of a batch need the same number.
      while (more.length < count)
        more.push(record.negatives[more.length % record.negatives.length]!);
      return { ...record, negatives: [...record.negatives, ...more] };
    });
    return { ...example, records };
  });
}
