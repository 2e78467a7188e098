/** Tests taggers as recognisers, and the cache before them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryVectorCache } from '../../test/memory-vector-cache.ts';
import { PortError } from '../core/errors.ts';
import { freeCall } from '../core/trace/call.ts';
import { cachedTagger, type SpanTagger, spanRecogniser, type TaggedSpan } from './span-tagger.ts';

const call = freeCall();

/** Finds capitals; `asked` holds every text that it read. */
function capitals(): SpanTagger & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    id: 'capitals',
    asked,
    async tag(texts) {
      asked.push(...texts);
      return texts.map(text =>
        [...text.matchAll(/[A-Z]\w*/g)].map(({ 0: word, index }) => ({
          start: index,
          end: index + word.length,
        })),
      );
    },
  };
}

test('names are cut out of their sentences, document by document', async () => {
  const documents = [
    { title: 'T', sentences: ['Orla met Reed.', 'no one'] },
    { title: '', sentences: [] },
    { title: '', sentences: ['To Vell'] },
  ];
  assert.deepEqual(await spanRecogniser(capitals()).recognise(documents, call), [
    { sentences: [['Orla', 'Reed'], []] },
    { sentences: [] },
    { sentences: [['To', 'Vell']] },
  ]);
});

test('a cached text is read once, by this and by later taggers of the same id', async () => {
  const [cache, first] = [memoryVectorCache(), capitals()];
  const texts = ['Orla', 'none', 'Orla', 'a Reed'];
  const expected = await capitals().tag(texts, call);
  const cached = cachedTagger(first, cache, text => text);
  assert.equal(cached.id, 'capitals');
  assert.deepEqual(await cached.tag(texts, call), expected);
  assert.deepEqual(first.asked, ['Orla', 'none', 'a Reed']);
  const later = capitals();
  const again = cachedTagger(later, cache, text => text);
  assert.deepEqual(await again.tag([...texts, 'New'], call), [...expected, [{ start: 0, end: 3 }]]);
  assert.deepEqual(later.asked, ['New']);
});

test('texts are stored in batches, so that an interrupt loses one', async () => {
  const cache = memoryVectorCache();
  const abort = new AbortController();
  const inner = capitals();
  const tagger: SpanTagger = {
    id: inner.id,
    async tag(texts, received) {
      if (inner.asked.length > 0) abort.abort(new Error('enough'));
      received.signal.throwIfAborted();
      return inner.tag(texts, received);
    },
  };
  const texts = Array.from({ length: 100 }, (_, at) => `Text ${at}`);
  const read = cachedTagger(tagger, cache, text => text).tag(texts, freeCall(abort.signal));
  await assert.rejects(read, /enough/);
  assert.equal(cache.stored.size, 64);
});

test('damaged numbers are read anew', async () => {
  for (const numbers of [
    [],
    [1],
    [1, 0],
    [1, 2, 2],
    [1, 0, 99],
    [2, 3, 4, 0, 1],
    [0, 0],
    [1, 0.5, 2],
    [Number.NaN],
  ]) {
    const [cache, tagger] = [memoryVectorCache(), capitals()];
    cache.stored.set('capitals\nentities Orla', Float32Array.from(numbers));
    const found = await cachedTagger(tagger, cache, text => text).tag(['Orla'], call);
    assert.deepEqual(found, [[{ start: 0, end: 4 }]], numbers.join());
    assert.deepEqual(tagger.asked, ['Orla'], numbers.join());
  }
});

test('invalid spans are a PortError, and are not stored', async () => {
  const answers: readonly (readonly (readonly TaggedSpan[])[])[] = [
    [],
    [[], []],
    [[{ start: 0, end: 5 }]],
    [[{ start: 1, end: 1 }]],
    [[{ start: -1, end: 1 }]],
    [
      [
        { start: 0, end: 2 },
        { start: 1, end: 3 },
      ],
    ],
    [[{ start: 0.5, end: 2 }]],
  ];
  for (const answer of answers) {
    const cache = memoryVectorCache();
    const tagger: SpanTagger = { id: 'odd', tag: async () => answer };
    const read = cachedTagger(tagger, cache, text => text).tag(['Orla'], call);
    await assert.rejects(read, PortError.is, JSON.stringify(answer));
    assert.equal(cache.stored.size, 0);
  }
});
