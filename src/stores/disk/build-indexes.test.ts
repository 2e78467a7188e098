/** Tests that a second thread changes neither the indexes of documents nor how their work ends. */
import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Document } from '../../core/corpus/document.ts';
import { pausesFor } from '../../platform/clock.ts';
import type { PackedUnit } from '../../search/corpus/pack-segment.ts';
import { type BuiltIndexes, indexesOf } from './build-indexes.ts';
import { IndexThread } from './index-thread.ts';

const CHUNKER = 'tokens(size=6, overlap=2)';
const needsCores = { skip: availableParallelism() < 2 && 'needs two cores' };

/** Ids of which some continue others; metadata with a name that objects have of their own. */
const documents$: fc.Arbitrary<Document[]> = fc.uniqueArray(
  fc
    .record({
      id: fc.string({ unit: fc.constantFrom('a', '!', '#', 'é'), minLength: 1, maxLength: 3 }),
      text: fc
        .array(fc.constantFrom('The Linnet sails.', 'No!', '', 'Her engine is new.\n\nShe waits.'))
        .map(parts => parts.join(' ')),
      metadata: fc.constantFrom({}, { source: 'Log' }, JSON.parse('{"__proto__": "a"}')),
    })
    .map(document => ({ ...document, title: document.id })),
  { selector: ({ id }) => id, minLength: 1, maxLength: 6 },
);

/** A file that is large enough to be shared, of few documents. */
const large = (documents: readonly Document[]) => {
  const stored = { file: 'documents.jsonl', bytes: 1 << 30, sha256: '', documents: 1 };
  return { file: stored, documents };
};
const built = (documents: readonly Document[], thread?: IndexThread): Promise<BuiltIndexes> =>
  indexesOf(large(documents), CHUNKER, pausesFor(), thread);

test('indexes are those of one thread, in the same order', needsCores, async () => {
  let packs = 0;
  class Counted extends IndexThread {
    override async pack(...args: Parameters<IndexThread['pack']>): Promise<PackedUnit> {
      const packed = await super.pack(...args);
      packs++;
      return packed;
    }
  }
  await using thread = new Counted();
  await fc.assert(
    fc.asyncProperty(documents$, async documents => {
      const [alone, shared] = [await built(documents), await built(documents, thread)];
      assert.deepEqual([...shared.lexical], [...alone.lexical]);
      assert.deepEqual(Object.entries(shared.items), Object.entries(alone.items));
    }),
    { numRuns: 30 },
  );
  assert.ok(packs >= 30, `${packs} units in the thread`);
});

const ONE: Document = { id: 'a', title: 'A', text: 'One. Two.', metadata: {} };

test('a unit is packed in the first thread if the second one fails', needsCores, async () => {
  await using thread = new IndexThread();
  const alone = await built([ONE]);
  // Cutting a document without text throws, there as here.
  await assert.rejects(thread.pack([{ ...ONE, text: undefined as never }], 'passage', CHUNKER));
  assert.deepEqual(await built([ONE], thread), alone, 'after the thread has ended');
});

test('an abort ends the work of both threads', needsCores, async () => {
  const documents = Array.from({ length: 50 }, (_, at) => ({
    ...ONE,
    id: `${at}`,
    text: 'One ship. '.repeat(2000),
  }));
  const stop = new AbortController();
  await using thread = new IndexThread();
  const work = indexesOf(large(documents), CHUNKER, pausesFor(stop.signal), thread);
  setTimeout(() => stop.abort(new Error('enough')), 20);
  await assert.rejects(work, /enough/);
});
