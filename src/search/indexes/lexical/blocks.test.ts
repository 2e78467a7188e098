/**
 * Tests indexes of more items than a block of postings holds against segments of one block each.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { readByNeed } from '../../../../test/oracles/read-by-need.ts';
import { type CollectionPart, LexicalCollection } from './collection.ts';
import { termBytes } from './dictionary.ts';
import { BLOCK_SIZE } from './inverted.ts';
import type { LexicalItem } from './lexical-index.ts';
import { mergeSegments } from './merge-segments.ts';
import { scorers } from './scorers.ts';
import { LexicalSegment } from './segment.ts';
import { SegmentView } from './segment-view.ts';

const SIZE = BLOCK_SIZE + 14_464;
const PARTS = 4;
const WORDS = ['apple', 'pear', 'plum', 'fig', 'lime', 'date', 'sloe', 'nut'];
const bm25 = scorers.create('bm25');

const overflow = (number: number): string =>
  'nut '.repeat(number < BLOCK_SIZE ? 300 : 400) + 'fig '.repeat(number < BLOCK_SIZE ? 500 : 600);
const isLive = (number: number): boolean => number % 1_000 !== 0;
/** Word i is in about every (3 ** i)th item; frequencies of two words overflow in both blocks. */
const textOf = (number: number): string => {
  const words = WORDS.filter((_, at) => (number * 2_654_435_761) % 3 ** at < 1);
  const often = number % BLOCK_SIZE === 77 ? overflow(number) : '';
  return `${words.join(' ')} ${often}${'filler '.repeat(number % 7)}`;
};
const items: LexicalItem[] = Array.from({ length: SIZE }, (_, number) => ({
  id: `d${String(number).padStart(6, '0')}`,
  title: '',
  text: textOf(number),
  metadata: {},
}));

/** Items by their number modulo `PARTS`, so that merging interleaves them. */
const numbersOf = (part: number): number[] =>
  items.flatMap((_, number) => (number % PARTS === part ? [number] : []));

const partOf = (segment: LexicalSegment, numbers: readonly number[]): CollectionPart => ({
  view: new SegmentView(
    segment,
    Uint8Array.from(numbers, number => (isLive(number) ? 1 : 0)),
  ),
  idOf: item => items[numbers[item]!]!.id,
});

describe('an index of two blocks', () => {
  const all = items.map((_, number) => number);
  const live = all.filter(isLive);
  const indexes = new Map<string, { parts: CollectionPart[]; numbers: number[][] }>();
  before(() => {
    const split = Array.from({ length: PARTS }, (_, part) => numbersOf(part));
    const segments = split.map(numbers =>
      LexicalSegment.build(
        numbers.map(number => items[number]!),
        'plain',
      ),
    );
    const places = new Map(live.map((number, place) => [number, place]));
    const merged = mergeSegments(
      segments.map((segment, part) => ({
        segment,
        places: Int32Array.from(split[part]!, number => places.get(number) ?? -1),
      })),
      live.length,
    );
    const built = LexicalSegment.build(items, 'plain');
    const read = LexicalSegment.unpack(readByNeed(built.pack()));
    const again = mergeSegments(
      [{ segment: read, places: Int32Array.from(all, number => places.get(number) ?? -1) }],
      live.length,
    );
    assert.deepEqual([built.inverted.blocks, merged.inverted.blocks], [2, 2]);
    assert.ok(segments.every(({ inverted }) => inverted.blocks === 1));
    indexes.set('segments', {
      parts: segments.map((segment, part) => partOf(segment, split[part]!)),
      numbers: split,
    });
    indexes.set('built', { parts: [partOf(built, all)], numbers: [all] });
    indexes.set('read by need', { parts: [partOf(read, all)], numbers: [all] });
    indexes.set('merged again', { parts: [partOf(again, live)], numbers: [live] });
    indexes.set('merged', { parts: [partOf(merged, live)], numbers: [live] });
  });

  for (const name of ['built', 'read by need', 'merged', 'merged again'])
    test(`${name} finds and scores what segments of one block do`, () => {
      const found = (which: string): unknown => {
        const { parts, numbers } = indexes.get(which)!;
        const masks = numbers.map(list =>
          Uint8Array.from(list, number => (isLive(number) && number % 3 > 0 ? 1 : 0)),
        );
        const queries = ['nut', 'apple nut fig', 'filler plum', 'date date sloe'].flatMap(text => [
          { text },
          { text, allowed: masks },
        ]);
        const collection = new LexicalCollection('plain', parts);
        // The second search uses compiled postings.
        return [1, 2].map(() =>
          collection.search(queries, 200, bm25, (part, item, score) => [
            parts[part]!.idOf(item),
            score,
          ]),
        );
      };
      assert.deepEqual(found(name), found('segments'));
    });

  for (const name of ['segments', 'built', 'read by need', 'merged', 'merged again'])
    test(`${name}: document frequencies count live items alone`, () => {
      const counts = new Map<string, number>();
      for (const number of live)
        for (const word of new Set(items[number]!.text.split(' ').filter(word => word !== '')))
          counts.set(word, (counts.get(word) ?? 0) + 1);
      const sums = new Map<string, number>();
      for (const { view } of indexes.get(name)!.parts) {
        const { dictionary, terms } = view.segment.inverted;
        const frequencies = view.frequencies();
        for (let term = 0; term < terms; term++) {
          const { bytes, start, end } = termBytes(dictionary, term);
          const word = Buffer.from(bytes.subarray(start, end)).toString();
          assert.equal(view.frequency(term), frequencies[term], word);
          sums.set(word, (sums.get(word) ?? 0) + frequencies[term]!);
        }
      }
      assert.deepEqual(new Map([...sums].sort()), new Map([...counts].sort()));
    });
});
