/** Tests that no result of a tool is longer than its bound, and that it says what it leaves out. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { boundedRecord, type LeftOut, sizeOf } from '../../src/mcp/bounded-record.ts';
import { MOST_RESULT, toolResult } from '../../src/mcp/tool-result.ts';
import { type Connected, calledTool, connectStore } from './client.ts';

const text = fc.string({ unit: 'binary', maxLength: 3000 });
const record = fc.record({
  title: text,
  list: fc.array(fc.record({ text, id: fc.string() }), { maxLength: 30 }),
  inner: fc.record({
    text,
    table: fc.dictionary(fc.string({ maxLength: 20 }), text, { maxKeys: 9 }),
  }),
});
const CUTS = [
  { path: ['list'], readOn: 'list', least: 1 },
  { path: ['inner', 'table'], readOn: 'table' },
  { path: ['inner', 'text'], readOn: 'text' },
  { path: ['missing', 'field'], readOn: 'nothing' },
];

describe('a bounded record', () => {
  test('fits, and names what it left out', () => {
    fc.assert(
      fc.property(record, fc.integer({ min: 4000, max: 40_000 }), (fields, most) => {
        const bounded = boundedRecord(fields, CUTS, most);
        assert.ok(sizeOf(bounded) <= most);
        if (sizeOf(fields) <= most) return assert.deepEqual(bounded, fields);
        const left = (bounded['leftOut'] ?? []) as LeftOut[];
        const [list] = left.filter(({ field }) => field === 'list');
        assert.equal((bounded['list'] as unknown[]).length, list?.left ?? fields.list.length);
        assert.ok(left.every(one => one.left < one.of));
        // Fields give way in their order.
        if (left.some(({ field }) => field === 'inner.text') && fields.list.length > 1)
          assert.equal(list?.left, 1);
      }),
      { numRuns: 200 },
    );
  });

  test('a whole result fits, whatever its text', () => {
    fc.assert(
      fc.property(record, text, fc.integer({ min: 4000, max: 40_000 }), (fields, words, most) => {
        const reply = { fields, cuts: CUTS, text: () => words.repeat(20) };
        const result = toolResult(reply, most);
        assert.ok(JSON.stringify(result).length <= most);
        const [content] = result.content as { text: string }[];
        if (content!.text.length < words.length * 20)
          assert.match(content!.text, /left out|ends here/i);
      }),
      { numRuns: 200 },
    );
  });
});

describe('results over long documents', () => {
  const long = (word: string): string => `The ${word} ${'runs on and on '.repeat(600)}to the sea.`;
  const escaped = '\u0001\u0002"\\😀\n'.repeat(20_000);
  let connected: Connected;
  before(async () => {
    connected = await connectStore([
      ...Array.from({ length: 40 }, (_, index) => ({
        id: `river-${index}`,
        title: `River ${index}: ${'a long title '.repeat(40)}`,
        text: long(`river ${index}`),
        metadata: { note: 'x'.repeat(5000) },
      })),
      { id: 'escaped', title: 'Escapes', text: escaped },
    ]);
  });
  after(() => connected[Symbol.asyncDispose]());

  const calls: readonly (readonly [string, Record<string, unknown>])[] = [
    ['search', { query: 'which river runs to the sea', k: 40 }],
    ['ask', { question: 'Which river runs to the sea?', strategy: 'fixed-top-k(k=40)' }],
    ['retrieve', { question: 'Which river runs to the sea?', strategy: 'fixed-top-k(k=40)' }],
  ];
  for (const [name, args] of calls)
    test(`${name} says what it leaves out`, async () => {
      const { fields, text: words, size } = await calledTool(connected.client, name, args);
      assert.ok(size <= MOST_RESULT, String(size));
      const leftOut = fields['leftOut'] as LeftOut[];
      assert.ok(leftOut.length > 0);
      assert.match(words, /^Left out for length: /);
      assert.ok(
        leftOut.every(({ field, readOn }) => words.includes(field) && words.includes(readOn)),
      );
    });

  test('read_document gives less where the text takes many escapes, and all in the end', async () => {
    let whole = '';
    for (let offset: unknown = 0; offset !== undefined; ) {
      const args = { id: 'escaped', offset, limit: 100_000 };
      const { fields, size } = await calledTool(connected.client, 'read_document', args);
      assert.ok(size <= MOST_RESULT, String(size));
      whole += fields['text'];
      offset = fields['next'];
    }
    assert.equal(whole, escaped);
  });
});
