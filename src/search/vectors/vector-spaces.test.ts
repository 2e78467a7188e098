/**
 * The spaces of the embedded engine beyond their laws: what is embedded when, what is refused of an
 * embedder, and what a failure leaves behind.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Document } from '../../core/corpus/document.ts';
import { PortError } from '../../core/errors.ts';
import { freeCall } from '../../core/trace/call.ts';
import type { Embedder } from '../../models/embedder.ts';
import { FIXTURE_DOCUMENTS } from '../../testing/fixture-corpus.ts';
import { type HashedEmbedder, hashedEmbedder } from '../../testing/hashed-embedder.ts';
import { EmbeddedEngine, type EmbeddedOptions } from '../embedded-engine.ts';

const call = freeCall();
const [first, second, third] = FIXTURE_DOCUMENTS as readonly [Document, Document, Document];
const engineWith = (embedders: readonly Embedder[], more: EmbeddedOptions = {}): EmbeddedEngine =>
  new EmbeddedEngine({ embedders, chunker: 'sentences', ...more });
const textsOf = ({ calls }: HashedEmbedder, as: string): string[] =>
  calls.filter(asked => asked.as === as).flatMap(({ texts }) => texts);
const search = (
  engine: EmbeddedEngine,
  text: string,
  space: string,
  unit: 'document' | 'passage' | 'sentence' = 'passage',
) => engine.current.search({ unit, space, k: 3, queries: [{ text }] }, call);

describe('embedding', () => {
  test('passages at put, with their header; a search embeds the query alone', async () => {
    const embedder = hashedEmbedder();
    const engine = engineWith([embedder]);
    await engine.put([first], call);
    assert.equal(textsOf(embedder, 'passage').length, 4);
    assert.equal(
      textsOf(embedder, 'passage')[1],
      'Harrow Point lighthouse is sold, Coast Courier, 2024-03-02\nIts buyer is the glass maker Ines Quill, who founded the Quill Works in Tarn.',
    );
    await search(engine, 'Who is the buyer?', 'hashed');
    assert.deepEqual(
      [textsOf(embedder, 'passage').length, textsOf(embedder, 'query')],
      [4, ['Who is the buyer?']],
    );
  });

  test('unchanged documents are not embedded again', async () => {
    const embedder = hashedEmbedder();
    const engine = engineWith([embedder]);
    await engine.put([first, second], call);
    const before = textsOf(embedder, 'passage').length;
    await engine.put([structuredClone(first), structuredClone(second)], call);
    await engine.put([{ ...second, text: 'One sentence now.' }, structuredClone(first)], call);
    await engine.remove([second.id], call);
    await search(engine, 'lighthouse', 'hashed');
    assert.deepEqual(
      textsOf(embedder, 'passage')
        .slice(before)
        .map(text => text.split('\n')[1]),
      ['One sentence now.'],
    );
  });

  test('documents and sentences on demand, once; documents that the engine began with when first searched', async () => {
    const embedder = hashedEmbedder();
    const engine = engineWith([embedder], { documents: [first, second], chunker: 'whole' });
    assert.equal(embedder.calls.length, 0);
    for (const _ of [1, 2]) await search(engine, 'lighthouse', 'hashed', 'document');
    assert.equal(textsOf(embedder, 'passage').length, 2);
    for (const _ of [1, 2]) await search(engine, 'lighthouse', 'hashed', 'sentence');
    assert.equal(textsOf(embedder, 'passage').length, 2 + 4 + 4);
    await Promise.all([search(engine, 'lighthouse', 'hashed'), search(engine, 'lamp', 'hashed')]);
    assert.equal(textsOf(embedder, 'passage').length, 2 + 4 + 4 + 2);
  });

  test('in batches of 64', async () => {
    const embedder = hashedEmbedder();
    const text = Array.from({ length: 150 }, (_, i) => `Sentence number ${i} stands here.`).join(
      ' ',
    );
    await engineWith([embedder]).put([{ id: 'long', title: '', text, metadata: {} }, second], call);
    assert.deepEqual(
      embedder.calls.map(({ texts }) => texts.length),
      [64, 64, 26],
    );
  });

  test('every query of a search in one call, and none for an empty engine or a blank query', async () => {
    const embedder = hashedEmbedder();
    const engine = engineWith([embedder]);
    assert.deepEqual(await search(engine, 'lighthouse', 'hashed'), [[]]);
    assert.equal(embedder.calls.length, 0);
    await engine.put([first], call);
    const queries = [{ text: 'a' }, { text: ' ' }, { vector: new Float32Array(64) }, { text: 'b' }];
    await engine.current.search({ unit: 'passage', space: 'hashed', k: 1, queries }, call);
    assert.deepEqual(embedder.calls.slice(1), [{ texts: ['a', 'b'], as: 'query' }]);
  });
});

describe('invalid output of embedders', () => {
  const breaking = (
    change: (vectors: Float32Array[]) => Float32Array[],
    as = 'passage',
  ): Embedder => {
    const inner = hashedEmbedder('frail', 4);
    return {
      ...inner,
      embed: async (texts, role, of) =>
        (role === as ? change : (x: Float32Array[]) => x)(await inner.embed(texts, role, of)),
    };
  };
  const cases: readonly (readonly [string, RegExp, (vectors: Float32Array[]) => Float32Array[]])[] =
    [
      ['wrong-count', /"frail".*expected 4 vectors, received 3/, vectors => vectors.slice(1)],
      [
        'wrong-dimensions',
        /"frail".*expected 4 dimensions, received 5 dimensions/,
        vectors => vectors.map(() => new Float32Array(5)),
      ],
      [
        'not-finite',
        /received NaN/,
        vectors => vectors.map(vector => vector.map((value, i) => (i === 2 ? Number.NaN : value))),
      ],
      [
        'not-finite',
        /received Infinity/,
        vectors => vectors.map(vector => vector.map(() => Number.POSITIVE_INFINITY)),
      ],
      [
        'not-normalised',
        /length 1, received length 1\.99/,
        vectors => vectors.map(vector => vector.map(value => 2 * value)),
      ],
      [
        'not-normalised',
        /length 1, received length 0/,
        vectors => vectors.map(() => new Float32Array(4)),
      ],
    ];
  for (const [code, message, change] of cases) {
    test(`${code}, ${message.source}: a PortError, and nothing is stored`, async () => {
      const engine = engineWith([breaking(change)]);
      await assert.rejects(engine.put([first], call), {
        name: 'PortError',
        port: 'embedder',
        code,
        message,
      });
      assert.equal((await engine.snapshot()).documents.length, 0);
    });
  }
  test('queries are validated alike', async () => {
    const engine = engineWith(
      [breaking(vectors => vectors.map(() => new Float32Array(3)), 'query')],
      { documents: [first] },
    );
    await assert.rejects(search(engine, 'x', 'frail'), { code: 'wrong-dimensions' });
  });
});

describe('failures and aborts', () => {
  test('vectors computed before a failure are kept for the next try', async () => {
    const inner = hashedEmbedder();
    let left = 1;
    const flaky: Embedder = {
      ...inner,
      async embed(texts, as, of) {
        if (left-- === 0)
          throw new PortError('embedder', 'down', 'It is down', { retryable: true });
        return inner.embed(texts, as, of);
      },
    };
    const long = (id: string): Document => ({
      id,
      title: '',
      text: Array.from({ length: 64 }, (_, i) => `Sentence ${i} of ${id} stands here.`).join(' '),
      metadata: {},
    });
    const engine = engineWith([flaky]);
    const batch = [long('a'), long('b')];
    await assert.rejects(engine.put(batch, call), { code: 'down' });
    assert.equal((await engine.snapshot()).documents.length, 0);
    assert.equal((await engine.put(batch, call)).added, 2);
    assert.equal(textsOf(inner, 'passage').length, 128);
  });

  test('an abort between batches stores nothing, and a search that was aborted does not spoil the next', async () => {
    const inner = hashedEmbedder();
    const controller = new AbortController();
    const aborting: Embedder = {
      ...inner,
      async embed(texts, as, of) {
        const vectors = await inner.embed(texts, as, of);
        if (inner.calls.length === 1) controller.abort();
        return vectors;
      },
    };
    const engine = engineWith([aborting], { documents: [first, second] });
    const [aborted, other] = await Promise.allSettled([
      engine.current.search(
        { unit: 'sentence', space: 'hashed', k: 1, queries: [{ text: 'lighthouse' }] },
        freeCall(controller.signal),
      ),
      search(engine, 'lighthouse', 'hashed', 'sentence'),
    ]);
    assert.equal(aborted.status === 'rejected' && (aborted.reason as Error).name, 'AbortError');
    assert.equal(other.status === 'fulfilled' && other.value[0]!.length, 3);
    await assert.rejects(engine.put([third], freeCall(controller.signal)), { name: 'AbortError' });
    assert.equal((await engine.snapshot()).documents.length, 2);
  });

  test('a write during the embedding of another is not lost', async () => {
    const engine = engineWith([hashedEmbedder()]);
    await Promise.all([
      engine.put([first], call),
      engine.put([second], call),
      engine.put([third], call),
    ]);
    assert.deepEqual(
      (await engine.snapshot()).documents.map(({ id }) => id),
      [first.id, third.id, second.id].sort(),
    );
  });
});

describe('names', () => {
  test('an unknown space is named with the nearest', async () => {
    const engine = engineWith([hashedEmbedder('bge-small-en-v1.5')], { documents: [first] });
    await assert.rejects(search(engine, 'x', 'bge-small-en'), {
      code: 'unknown-space',
      message: /expected one of bge-small-en-v1\.5.*Did you mean bge-small-en-v1\.5\?/,
    });
  });

  test('two embedders of one id, and no dimensions are refused', () => {
    assert.throws(() => engineWith([hashedEmbedder(), hashedEmbedder()]), {
      code: 'duplicate-name',
    });
    assert.throws(() => engineWith([{ ...hashedEmbedder(), dimensions: 0 }]), {
      code: 'bad-dimensions',
    });
  });
});
