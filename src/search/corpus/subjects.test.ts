import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Block, Document } from '../../core/corpus/document.ts';
import { subjectAt } from '../../core/corpus/outline.ts';
import { defined } from '../../core/defined.ts';
import { subjectsInOrder } from './subjects.ts';

const headings = [['Server'], ['Server', 'bodyLimit'], []];
const document$: fc.Arbitrary<Document> = fc
  .tuple(fc.constantFrom('docs/theServer.md', 'b'), fc.constantFrom('', 'Title'), fc.boolean())
  .map(([id, title, outlined]) => {
    const outline = headings.map((heading, at): Block => ({ start: 10 * at, heading }));
    return defined({
      id,
      title,
      text: 'x'.repeat(40),
      metadata: {},
      outline: outlined ? outline : undefined,
    });
  });

test('subjects with a memory equal those without, in any order of documents and offsets', () => {
  const asked$ = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.integer({ min: -1, max: 39 })));
  fc.assert(
    fc.property(fc.array(document$, { minLength: 4, maxLength: 4 }), asked$, (documents, asked) => {
      const subjectOf = subjectsInOrder();
      for (const [at, offset] of asked) {
        const document = documents[at]!;
        assert.equal(subjectOf(document, offset), subjectAt(document, offset));
      }
    }),
  );
});

test('items under one heading share one string', () => {
  const outline = [{ start: 0, heading: ['Server'] }];
  let reads = 0;
  const document = {
    get id() {
      reads++;
      return 'a.md';
    },
    title: 'Title',
    outline,
  };
  const subjectOf = subjectsInOrder();
  for (const offset of [0, 5, 9]) assert.equal(subjectOf(document, offset), 'a Title > Server');
  assert.equal(reads, 1);
});
