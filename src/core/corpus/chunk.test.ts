import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { InputError } from '../errors.ts';
import { countWords } from '../text/words.ts';
import { chunkers, sentencesOf } from './chunk.ts';
import type { Document, Passage } from './document.ts';

const document = (text: string): Document => ({ id: 'd', title: 'T', text, metadata: {} });
const words = fc.constantFrom(
  'one',
  'two',
  'Mr.',
  'end.',
  'end!',
  'é',
  '😂',
  '...',
  '”',
  '\n',
  '\n\n',
  '- ',
  '。',
  '42',
  '\ud800',
);
const texts = fc.oneof(
  fc.array(words, { maxLength: 80 }).map(list => list.join(' ')),
  fc.string({ unit: 'binary', maxLength: 200 }),
);
const sizes = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.nat(11))
  .map(([size, overlap]) => ({ size, overlap: Math.min(overlap, size - 1) }));
const names = fc.oneof(
  fc.constantFrom('whole', 'sentences', 'tokens'),
  fc.integer({ min: 1, max: 5 }).map(per => `sentences(per=${per})`),
  sizes.map(({ size, overlap }) => `tokens(size=${size}, overlap=${overlap})`),
);

function checkLaws(text: string, passages: readonly Passage[]): void {
  const covered = new Uint8Array(text.length);
  for (const [index, passage] of passages.entries()) {
    const before = passages[index - 1];
    assert.ok(
      before === undefined ||
        (passage.start > before.start && passage.end > before.end && passage.id > before.id),
      'spans and ids ascend',
    );
    assert.equal(passage.text, text.slice(passage.start, passage.end));
    assert.notEqual(passage.text.trim(), '');
    covered.fill(1, passage.start, passage.end);
  }
  for (let at = 0; at < text.length; at++)
    assert.ok(covered[at] === 1 || /\s/.test(text[at]!), `character ${at} is covered`);
}

test('every chunker obeys the laws', () => {
  fc.assert(
    fc.property(names, texts, (name, text) => {
      const chunker = chunkers.create(name);
      assert.equal(chunkers.canonical(chunker.name), chunker.name);
      const passages = chunker.chunk(document(text));
      checkLaws(text, passages);
      assert.deepEqual(chunker.chunk(document(text)), passages);
    }),
    { numRuns: 4000 },
  );
});

test('sentencesOf obeys them too, with other ids', () => {
  fc.assert(fc.property(texts, text => checkLaws(text, sentencesOf(document(text)))));
  assert.deepEqual(
    sentencesOf(document('One. Two.')).map(sentence => [sentence.id, sentence.text]),
    [
      ['d#s0000', 'One.'],
      ['d#s0001', 'Two.'],
    ],
  );
});

test('tokens: passages respect size and overlap, and keep sentences whole', () => {
  fc.assert(
    fc.property(sizes, texts, ({ size, overlap }, text) => {
      const passages = chunkers
        .create(`tokens(size=${size}, overlap=${overlap})`)
        .chunk(document(text));
      for (const [index, passage] of passages.entries()) {
        assert.ok(countWords(passage.text) <= size);
        const before = passages[index - 1];
        if (before)
          assert.ok(
            countWords(text.slice(passage.start, Math.max(passage.start, before.end))) <= overlap,
          );
      }
      for (const sentence of sentencesOf(document(text)))
        if (countWords(sentence.text) <= size)
          assert.ok(
            passages.some(
              passage => passage.start <= sentence.start && passage.end >= sentence.end,
            ),
          );
    }),
    { numRuns: 4000 },
  );
});

test('tokens, by hand: greedy filling, overlap of whole sentences, cutting of a long sentence', () => {
  const chunk = (name: string, text: string): string[] =>
    chunkers
      .create(name)
      .chunk(document(text))
      .map(passage => passage.text);
  // 2 + 2 words fill a passage of 5; the last sentence of 2 words fits into an overlap of 2 and
  // starts the next passage.
  assert.deepEqual(chunk('tokens(size=5, overlap=2)', 'A one. B two. C three. D four.'), [
    'A one. B two.',
    'B two. C three.',
    'C three. D four.',
  ]);
  assert.deepEqual(chunk('tokens(size=5, overlap=1)', 'A one. B two. C three. D four.'), [
    'A one. B two.',
    'C three. D four.',
  ]);
  assert.deepEqual(chunk('tokens(size=3, overlap=1)', 'Short. Aa b c d e f g, end.'), [
    'Short.',
    'Aa b c',
    'd e f',
    'g, end.',
  ]);
  assert.equal(chunkers.create('tokens').name, 'tokens(size=256, overlap=32)');
});

test('refuses an overlap that is not smaller than the size', () => {
  assert.throws(
    () => chunkers.create('tokens(size=32)'),
    error => InputError.is(error) && error.code === 'bad-parameter',
  );
  assert.throws(
    () => chunkers.create('tokens(tokenizer=gpt)'),
    error => InputError.is(error) && error.code === 'bad-parameter',
  );
});

test('ids sort in document order beyond ten thousand passages; a document without text has no passages', () => {
  const ids = chunkers
    .create('sentences')
    .chunk(document('A b.\n\n'.repeat(10_001)))
    .map(passage => passage.id);
  assert.equal(ids[0], 'd#p00000');
  assert.deepEqual([...ids].sort(), ids);
  for (const name of ['whole', 'sentences', 'tokens'])
    assert.deepEqual(chunkers.create(name).chunk(document(' \n')), []);
});
