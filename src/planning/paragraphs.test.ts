/** Tests paragraphs of hits: texts and headings from their documents, in the order of the hits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Document } from '../core/corpus/document.ts';
import { freeCall } from '../core/trace/call.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import { firstWords, firstWordsOf, readParagraphs } from './paragraphs.ts';

test('reads the slice of the document, source and day, in the order of the hits', async () => {
  const documents: readonly Document[] = [
    {
      id: 'a',
      title: 'A',
      text: 'One two. Three four.',
      metadata: { source: 'Gazette', published_at: '2024-02-11T06:30:00' },
    },
    { id: 'b', title: '', text: 'Five.', metadata: {} },
  ];
  const hits = [
    { id: 'b#0', documentId: 'b', start: 0, end: 5, score: 3 },
    { id: 'a#1', documentId: 'a', start: 9, end: 20, score: 2 },
    { id: 'a#0', documentId: 'a', start: 0, end: 8, score: 1 },
  ];
  const read = await readParagraphs(hits, new EmbeddedEngine({ documents }).current, freeCall());
  assert.deepEqual(read, [
    { id: 'b#0', documentId: 'b', title: '', about: '', text: 'Five.', start: 0, end: 5 },
    {
      id: 'a#1',
      documentId: 'a',
      title: 'A',
      about: 'Gazette, 2024-02-11',
      text: 'Three four.',
      start: 9,
      end: 20,
    },
    {
      id: 'a#0',
      documentId: 'a',
      title: 'A',
      about: 'Gazette, 2024-02-11',
      text: 'One two.',
      start: 0,
      end: 8,
    },
  ]);
  assert.deepEqual(
    await readParagraphs([], new EmbeddedEngine({ documents: [] }).current, freeCall()),
    [],
  );
  assert.deepEqual(firstWordsOf(read[1]!, 1), { title: 'A', about: 'Gazette,', text: 'Three' });
});

test('returns the first words joined by single spaces; a short text unchanged', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\t') }),
      fc.integer({ min: 1, max: 6 }),
      (text, count) => {
        const words = text.split(/\s+/).filter(Boolean);
        assert.equal(
          firstWords(text, count),
          words.length <= count ? text : words.slice(0, count).join(' '),
        );
      },
    ),
  );
});
