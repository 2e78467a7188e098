/**
 * Checks adapters of AI SDK models against fake models: limits are honoured, usage is metered,
 * faults are typed and retried in the one loop.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { freeCall } from '../src/core/trace/call.ts';
import type { Usage } from '../src/core/trace/usage.ts';
import { aiEmbedder } from '../src/providers/ai-embedder.ts';
import type { AiEmbeddingModel, AiRerankingModel } from '../src/providers/ai-models.ts';
import { aiReranker } from '../src/providers/ai-reranker.ts';
import { embedderLaws } from '../src/testing/embedder-laws.ts';
import { hashedEmbedder } from '../src/testing/hashed-embedder.ts';
import { apiCallError, FakeTime, failureOf } from './providers-server.ts';

type Embed = AiEmbeddingModel['doEmbed'];
const words = hashedEmbedder('x', 64);
const sound: Embed = async ({ values }) => ({
  embeddings: (await words.embed(values, 'passage', freeCall())).map(vector => [...vector]),
  usage: { tokens: values.length * 2 },
});

/** Records each request before it answers. */
const recording =
  (note: (options: Parameters<Embed>[0]) => unknown, answer: Embed = sound): Embed =>
  options => {
    note(options);
    return answer(options);
  };

function modelOf(doEmbed: Embed, more: Partial<AiEmbeddingModel> = {}): AiEmbeddingModel {
  return {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'm',
    maxEmbeddingsPerCall: 3,
    supportsParallelCalls: false,
    doEmbed,
    ...more,
  };
}

for (const version of ['v2', 'v3', 'v4'] as const)
  test(`laws of embedders, over a model of specification ${version}`, async t => {
    const embedder = await aiEmbedder(modelOf(sound, { specificationVersion: version }));
    for (const { name, run } of embedderLaws(embedder, { tolerance: 0 })) await t.test(name, run);
  });

describe('an embedding model', () => {
  test('receives at most its limit of texts per call, and parallel calls only if it supports them', async () => {
    for (const [parallel, wanted] of [
      [false, 1],
      [true, 4],
      [Promise.resolve(true), 4],
    ] as const) {
      const sizes: number[] = [];
      let [now, most] = [0, 0];
      const counting: Embed = async options => {
        sizes.push(options.values.length);
        most = Math.max(most, ++now);
        await new Promise(resolve => setTimeout(resolve, 5));
        now--;
        return sound(options);
      };
      const model = modelOf(counting, {
        maxEmbeddingsPerCall: Promise.resolve(2),
        supportsParallelCalls: parallel,
      });
      const embedder = await aiEmbedder(model, { dimensions: 64 });
      const texts = Array.from({ length: 13 }, (_, at) => `text ${at}`);
      const vectors = await embedder.embed(texts, 'passage', freeCall());
      assert.deepEqual(sizes, [2, 2, 2, 2, 2, 2, 1]);
      assert.equal(most, wanted);
      assert.deepEqual(
        vectors,
        await (await aiEmbedder(modelOf(sound))).embed(texts, 'passage', freeCall()),
      );
    }
  });

  test('without a limit receives bounded requests', async () => {
    for (const maxEmbeddingsPerCall of [undefined, Number.POSITIVE_INFINITY, 2048]) {
      const sizes: number[] = [];
      const embedder = await aiEmbedder(
        modelOf(
          recording(options => sizes.push(options.values.length)),
          { maxEmbeddingsPerCall },
        ),
        { dimensions: 64 },
      );
      await embedder.embed(Array(130).fill('x'), 'passage', freeCall());
      assert.deepEqual(sizes, [64, 64, 2]);
    }
  });

  test('is metered by its usage', async () => {
    const used: Usage[] = [];
    const embedder = await aiEmbedder(modelOf(sound));
    await embedder.embed(['a', 'b', 'c', 'd'], 'query', {
      ...freeCall(),
      begin: () => usage => void used.push(usage),
    });
    assert.deepEqual(used, [
      { modelCalls: 1, modelTokens: 6 },
      { modelCalls: 1, modelTokens: 2 },
    ]);
  });

  test('receives the role through provider options', async () => {
    const seen: unknown[] = [];
    const providerOptions = {
      query: { cohere: { inputType: 'search_query' } },
      passage: { cohere: { inputType: 'search_document' } },
    };
    const embedder = await aiEmbedder(
      modelOf(recording(options => seen.push(options.providerOptions))),
      { dimensions: 64, providerOptions },
    );
    await embedder.embed(['a'], 'query', freeCall());
    await embedder.embed(['a'], 'passage', freeCall());
    assert.deepEqual(seen, [providerOptions.query, providerOptions.passage]);
    // Other options change the vectors: a cache or store must not confuse them.
    const plain = await aiEmbedder(modelOf(sound), { dimensions: 64 });
    const other = await aiEmbedder(modelOf(sound), {
      dimensions: 64,
      providerOptions: { query: { cohere: { inputType: 'clustering' } } },
    });
    assert.equal(new Set([plain.id, embedder.id, other.id]).size, 3);
  });

  test('of another version, or none, is refused', async () => {
    for (const wrong of [
      modelOf(sound, { specificationVersion: 'v1' as 'v2' }),
      'openai:small',
      undefined,
      null,
      {},
    ])
      await assert.rejects(aiEmbedder(wrong as AiEmbeddingModel), { code: 'bad-model' });
  });

  const faults: readonly (readonly [what: string, doEmbed: Embed, code: string, calls: number])[] =
    [
      ['401', () => Promise.reject(apiCallError(401)), 'unauthorized', 1],
      ['500', () => Promise.reject(apiCallError(500)), 'server', 3],
      ['one that hears nothing', () => new Promise(() => {}), 'timeout', 1],
      ['too few', async () => ({ embeddings: [] }), 'wrong-count', 1],
      ['other dimensions', async () => ({ embeddings: [[1, 2]] }), 'wrong-dimensions', 1],
      ['NaN', async () => ({ embeddings: [[...Array(63).fill(1), Number.NaN]] }), 'not-finite', 1],
      ['nothing', async () => undefined as never, 'malformed', 1],
      ['texts', async () => ({ embeddings: ['abc'] as never }), 'malformed', 1],
    ];
  for (const [what, doEmbed, code, calls] of faults)
    test(`${what}: ${code}, ${calls} calls`, async () => {
      let count = 0;
      const embedder = await aiEmbedder(modelOf(recording(() => count++, doEmbed)), {
        dimensions: 64,
        totalMs: 50,
        retries: new FakeTime().retries,
      });
      const embedding = () => embedder.embed(['x'], 'query', freeCall());
      assert.equal((await failureOf('embedder', embedding)).code, code);
      assert.equal(count, calls);
    });
});

describe('a reranking model', () => {
  type Version = AiRerankingModel['specificationVersion'];
  const modelOf = (
    doRerank: AiRerankingModel['doRerank'],
    specificationVersion: Version = 'v4',
  ): AiRerankingModel => ({ specificationVersion, provider: 'test', modelId: 'r', doRerank });
  const rerankerOf = (doRerank: AiRerankingModel['doRerank'], version?: Version) =>
    aiReranker(modelOf(doRerank, version), { totalMs: 50, retries: new FakeTime().retries });
  const rankingOf = (...scores: readonly number[]) => ({
    ranking: scores.map((relevanceScore, index) => ({ index, relevanceScore })).reverse(),
  });

  test('returns scores in the order of the texts for any ranking', async () => {
    for (const version of ['v3', 'v4'] as const) {
      const seen: unknown[] = [];
      const reranker = rerankerOf(async ({ abortSignal: _, ...options }) => {
        seen.push(options);
        return rankingOf(0.5, 0.9);
      }, version);
      assert.deepEqual(
        await reranker.score('q', ['a', 'b'], freeCall()),
        Float32Array.of(0.5, 0.9),
      );
      assert.deepEqual(seen, [
        { documents: { type: 'text', values: ['a', 'b'] }, query: 'q', topN: 2 },
      ]);
      assert.equal(reranker.id, 'test:r');
    }
    const model = modelOf(async () => rankingOf());
    const ids = [1, 2, 3].map(depth => aiReranker(model, { providerOptions: { a: { depth } } }).id);
    assert.equal(new Set(['test:r', ...ids]).size, 4, 'other options, other scores');
  });

  test('is metered by an estimate, because it returns no usage', async () => {
    const used: Usage[] = [];
    const reranker = rerankerOf(async () => rankingOf(1, 2));
    await reranker.score('four', ['12345678', '1234'], {
      ...freeCall(),
      begin: () => usage => void used.push(usage),
    });
    // 12 bytes of texts and twice the 4 of the query, four to a token.
    assert.deepEqual(used, [{ modelCalls: 1, modelTokens: 5 }]);
  });

  test('that truncates its ranking, or fails, is a typed error', async () => {
    for (const [doRerank, code] of [
      [async () => ({ ranking: [] }), 'wrong-count'],
      [() => Promise.reject(apiCallError(401)), 'unauthorized'],
      [() => new Promise<never>(() => {}), 'timeout'],
    ] as const) {
      const scoring = () => rerankerOf(doRerank).score('q', ['a'], freeCall());
      assert.equal((await failureOf('reranker', scoring)).code, code);
    }
    assert.throws(() => rerankerOf(undefined as never), { code: 'bad-model' });
  });
});
