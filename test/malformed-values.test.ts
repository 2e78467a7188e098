/** Tests that values of a wrong shape from programs without types are refused by name. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Document } from '../src/core/corpus/document.ts';
import { checkFilter, type Filter } from '../src/core/corpus/filter.ts';
import { InputError } from '../src/core/errors.ts';
import { ask, ingest } from '../src/session/verbs.ts';

const anything = fc.oneof(
  fc.anything(),
  fc.record(
    {
      op: fc.constantFrom('eq', 'in', 'nin', 'range', 'and', 'or', 'not', '__proto__'),
      field: fc.oneof(fc.constantFrom('source', 'id', '__proto__', 'constructor'), fc.anything()),
      value: fc.anything(),
      values: fc.oneof(fc.array(fc.anything()), fc.anything()),
      filters: fc.oneof(fc.array(fc.anything()), fc.anything()),
      filter: fc.anything(),
    },
    { requiredKeys: ['op'] },
  ),
);

const isFilter = (value: unknown): boolean => {
  try {
    checkFilter(value);
    return true;
  } catch {
    return false;
  }
};

describe('malformed values', () => {
  test('a filter of ask is one, or an InputError before any work', async () => {
    const engine = await ingest([{ text: 'Ada wrote it.', source: 'Ledger' }]);
    await fc.assert(
      fc.asyncProperty(anything, async filter => {
        fc.pre(filter !== undefined);
        const run = ask('Who wrote it?', {
          engine,
          reader: 'evidence-only',
          filter: filter as Filter,
        });
        try {
          const { stopped } = await run;
          assert.ok(isFilter(filter));
          assert.equal(stopped, undefined);
        } catch (error) {
          assert.ok(InputError.is(error), String(error));
        }
      }),
    );
  });

  test('parts of a document are of their types, or an InputError says which', async () => {
    for (const [given, expected] of [
      [{ text: 'a', id: 3 }, /an id as text, received 3/],
      [{ text: 'a', id: '' }, /an id as text/],
      [{ text: 'a', title: 5 }, /a title as text, received 5/],
      [{ text: 'a', title: null }, /a title as text/],
      [{ text: 'a', metadata: 5 }, /metadata as an object/],
      [{ text: 'a', metadata: ['x'] }, /metadata as an object/],
      [{ text: 'a', metadata: { deep: { er: 1 } } }, /"deep" as a text/],
    ] as const)
      await assert.rejects(
        async () => ingest([given as unknown as Document]),
        error =>
          InputError.is(error) && error.code === 'bad-document' && expected.test(error.message),
      );
  });
});
