/** Gathered items are what cutting all live documents at once gives. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chunkers } from '../../core/corpus/chunk.ts';
import type { Document } from '../../core/corpus/document.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import { finish } from '../../core/steps.ts';
import { GatheredItems } from './gathered-items.ts';
import { type Cut, compareIds, cutBy, cutItems } from './items.ts';
import { LiveSegment } from './live-segment.ts';
import { Segment } from './segment.ts';

const cut = cutBy(chunkers.create('tokens(size=4, overlap=1)'));

// Ids that continue each other: their items sort otherwise than they do.
const id$ = fc.constantFrom('a', 'a!', 'a#', 'a#p', 'a#s0001', 'a~', 'b', 'b!', 'c');
const documents$ = fc.uniqueArray(
  fc.record({
    id: id$,
    segment: fc.nat({ max: 3 }),
    live: fc.boolean(),
    sentences: fc.nat({ max: 4 }),
  }),
  { selector: ({ id }) => id },
);

test('gathered items equal those that are cut of all live documents at once', () => {
  fc.assert(
    fc.property(
      documents$,
      fc.constantFrom<Unit>('document', 'passage', 'sentence'),
      (all, unit) => {
        const documents = all
          .map(({ id, sentences, ...rest }) => ({
            document: {
              id,
              title: '',
              text: 'The ferry left at noon. '.repeat(sentences),
              metadata: {},
            },
            ...rest,
          }))
          .sort((a, b) => compareIds(a.document, b.document));
        const segments = [0, 1, 2, 3].map(number => {
          const members = documents.filter(({ segment }) => segment === number);
          const live = Uint8Array.from(members, each => Number(each.live));
          return new LiveSegment(
            new Segment(
              members.map(({ document }) => document),
              cut,
            ),
            live,
          );
        });
        const left: Document[] = documents
          .filter(({ live }) => live)
          .map(({ document }) => document);
        const expected = finish(cutItems(left, unit, cut));
        const gathered = new GatheredItems(segments, unit, left);
        assert.equal(gathered.size, expected.size);
        assert.deepEqual(gathered.items, expected.items);
        assert.deepEqual(gathered.documentOf, expected.documentOf);
        assert.deepEqual(gathered.placeOf, expected.placeOf);
        for (const { id } of [...expected.items, { id: 'nobody' }])
          assert.equal(gathered.positionOf(id), expected.positionOf(id));
      },
    ),
  );
});

test('items of a chunker whose ids do not begin with those of documents ascend by id', () => {
  const cut: Cut = (_unit, { id }) =>
    [0, 1].map(at => ({ id: `${at}/${id}`, documentId: id, start: 0, end: 1, text: 'x' }));
  const documents = ['a', 'b'].map(id => ({ id, title: '', text: 'x', metadata: {} }));
  const segments = documents.map(document => new LiveSegment(new Segment([document], cut)));
  const gathered = new GatheredItems(segments, 'passage', documents);
  const expected = finish(cutItems(documents, 'passage', cut));
  assert.deepEqual(gathered.items, expected.items);
  for (const { id } of expected.items)
    assert.equal(gathered.positionOf(id), expected.positionOf(id));
});

test('gathering passages that were cut reads no text', () => {
  const text = 'The ferry left at noon.';
  let read = 0;
  const documents = ['a', 'b'].map(id => ({
    id,
    title: '',
    metadata: {},
    get text() {
      read++;
      return text;
    },
  }));
  const segments = documents.map(document => new LiveSegment(new Segment([document], cut)));
  for (const { segment } of segments) segment.items('passage');
  read = 0;
  const gathered = new GatheredItems(segments, 'passage', documents);
  assert.deepEqual([gathered.size, gathered.positionOf('b#p0001'), read], [4, 3, 0]);
});
