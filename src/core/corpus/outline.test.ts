/** Tests outlines: searches, validation, and packing, each against a slow, obvious form. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { defined } from '../defined.ts';
import type { Block } from './document.ts';
import {
  blockAt,
  headingAt,
  outlineDigest,
  outlineProblem,
  packedProblem,
  packOutline,
  placeAt,
  sameOutline,
  unpackOutline,
  withPackedOutline,
} from './outline.ts';

const TEXT = 'x'.repeat(200);

const blocks: fc.Arbitrary<Block[]> = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 1, max: 199 }), { maxLength: 12 }),
    fc.array(
      fc.record(
        {
          heading: fc.array(fc.constantFrom('Options', 'bodyLimit', '', '😂'), { maxLength: 3 }),
          kind: fc.constantFrom('prose', 'heading', 'code', 'option', 'table-row'),
          line: fc.integer({ min: 1, max: 9000 }),
          page: fc.integer({ min: 1, max: 2000 }),
          links: fc.array(fc.string(), { maxLength: 2 }),
        },
        { requiredKeys: ['heading'] },
      ),
      { minLength: 13, maxLength: 13 },
    ),
  )
  .map(([starts, facts]) =>
    [0, ...starts.sort((a, b) => a - b)].map((start, at) => ({ start, ...facts[at]! }) as Block),
  );

test('the block of an offset is the last one that starts at or before it', () => {
  fc.assert(
    fc.property(blocks, fc.integer({ min: -2, max: 210 }), (outline, offset) => {
      const expected = outline.findLast(({ start }) => start <= offset);
      assert.equal(blockAt({ outline }, offset), expected);
      assert.deepEqual(headingAt({ outline }, offset), expected?.heading ?? []);
      const { line, page } = expected ?? {};
      assert.deepEqual(placeAt({ outline }, offset), defined({ line, page }));
    }),
  );
});

test('a document without an outline has no headings and no place', () => {
  assert.equal(blockAt({}, 0), undefined);
  assert.deepEqual(headingAt({}, 0), []);
  assert.deepEqual(placeAt({}, 0), {});
  assert.deepEqual(outlineDigest({}), []);
  assert.equal(blockAt({ outline: [] }, 3), undefined);
});

test('an outline is valid, and equal after packing, JSON and unpacking', () => {
  fc.assert(
    fc.property(blocks, outline => {
      assert.equal(outlineProblem({ outline, text: TEXT }), undefined);
      const stored = JSON.parse(JSON.stringify(packOutline(outline)));
      assert.deepEqual(unpackOutline(stored), outline);
    }),
  );
});

test('each heading path is stored once', () => {
  const heading = ['Options', 'bodyLimit'];
  const outline = Array.from({ length: 50 }, (_, at) => ({ start: at * 3, heading: [...heading] }));
  const packed = packOutline(outline);
  assert.deepEqual(packed.headings, [heading]);
  const restored = unpackOutline(packed);
  assert.equal(restored[0]!.heading, restored[49]!.heading, 'and kept once in memory');
});

test('outlines are the same if their blocks are', () => {
  fc.assert(
    fc.property(blocks, blocks, (a, b) => {
      assert.equal(sameOutline({ outline: a }, { outline: structuredClone(a) }), true);
      const equal = JSON.stringify(packOutline(a)) === JSON.stringify(packOutline(b));
      assert.equal(sameOutline({ outline: a }, { outline: b }), equal);
      assert.equal(sameOutline({ outline: a }, {}), false);
    }),
  );
});

const WRONG: Readonly<Record<string, readonly [outline: unknown, expected: RegExp]>> = {
  'no list': ['Contents', /a list of blocks/],
  'a block without headings': [[{ start: 0 }], /\{ start, heading/],
  'a heading that is a number': [[{ start: 0, heading: [1] }], /\{ start, heading/],
  'an unknown kind': [[{ start: 0, heading: [], kind: 'poem' }], /kind/],
  'a line from 0': [[{ start: 0, heading: [], line: 0 }], /line/],
  'half a page': [[{ start: 0, heading: [], page: 1.5 }], /page/],
  'links as one text': [[{ start: 0, heading: [], links: 'a.md' }], /links/],
  'a first block after 0': [[{ start: 1, heading: [] }], /the first at 0/],
  'two blocks at one place': [
    [
      { start: 0, heading: [] },
      { start: 0, heading: [] },
    ],
    /ascend/,
  ],
  'a block past the end': [
    [
      { start: 0, heading: [] },
      { start: 4, heading: [] },
    ],
    /within the text/,
  ],
};
for (const [what, [outline, expected]] of Object.entries(WRONG))
  test(`refused: ${what}`, () =>
    assert.match(outlineProblem({ outline: outline as Block[], text: 'four' })!, expected));

const PACKED = { headings: [['A']], blocks: [0, 0, 1, 3, 0, 2, 0, 0, 0, 0], links: [[1, 'b.md']] };
const WRONG_PACKED: Readonly<Record<string, readonly [packed: unknown, problem: RegExp]>> = {
  'no object': [5, /headings/],
  'a path that is a text': [{ ...PACKED, headings: ['A'] }, /headings/],
  'a cut block': [{ ...PACKED, blocks: [0, 0, 0, 0] }, /cut/],
  'a text as a number': [{ ...PACKED, blocks: [0, 0, 0, '3', 0] }, /counts/],
  'a negative line': [{ ...PACKED, blocks: [0, 0, 0, -3, 0] }, /counts/],
  'a first block after 0': [{ ...PACKED, blocks: [1, 0, 0, 0, 0] }, /ascend/],
  'two blocks at one place': [{ ...PACKED, blocks: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }, /ascend/],
  'a block past the end': [{ ...PACKED, blocks: [0, 0, 0, 0, 0, 4, 0, 0, 0, 0] }, /past the end/],
  'an unknown heading': [{ ...PACKED, blocks: [0, 1, 0, 0, 0] }, /heading/],
  'an unknown kind': [{ ...PACKED, blocks: [0, 0, 9, 0, 0] }, /kind/],
  'a link without block': [{ ...PACKED, links: [['b.md']] }, /links/],
};
for (const [what, [packed, problem]] of Object.entries(WRONG_PACKED))
  test(`a packed outline is refused: ${what}`, () => {
    assert.equal(packedProblem(PACKED, 4), undefined);
    assert.match(packedProblem(packed, 4)!, problem);
  });

test('whatever is packed has no problem, and is unpacked at its first use', () => {
  fc.assert(
    fc.property(blocks, outline => {
      const packed = JSON.parse(JSON.stringify(packOutline(outline)));
      assert.equal(packedProblem(packed, TEXT.length), undefined);
      const document = { id: 'a', title: '', text: TEXT, metadata: {} };
      const lazy = withPackedOutline(document, packed);
      assert.deepEqual({ ...lazy }, { ...document, outline });
      assert.equal(lazy.outline, lazy.outline, 'once');
    }),
  );
});
