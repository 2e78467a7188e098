/**
 * Checks local models against recorded values: vectors, logits, pooling, truncation, independence
 * of the batch.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { freeCall } from '../src/core/trace/call.ts';
import { resolveModel } from '../src/providers/resolve-model.ts';
import {
  type LocalEmbedder,
  transformersEmbedder,
} from '../src/providers/transformers-embedder.ts';
import {
  type LocalReranker,
  transformersReranker,
} from '../src/providers/transformers-reranker.ts';
import { embedderLaws } from '../src/testing/embedder-laws.ts';
import { rerankerLaws } from '../src/testing/reranker-laws.ts';

const MODELS = process.env.MULTIHOP_MODELS ?? '';
const skip = (name: string): string | false => {
  if (MODELS === '') return 'MULTIHOP_MODELS is not set';
  return existsSync(join(MODELS, name)) ? false : `MULTIHOP_MODELS holds no ${name}`;
};
const load = (): Promise<unknown> => import('@huggingface/transformers');

const QUESTION = 'What is the capital of France?';
const PARIS = 'Paris is the capital and largest city of France.';
const CELL = 'The mitochondrion is the powerhouse of the cell.';
const LONG = Array.from({ length: 700 }, (_, at) => `harbour ${at % 10}`).join(' ');

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, at) => sum + value * b[at]!, 0);
const near = (actual: number, expected: number, within: number): void =>
  assert.ok(
    Math.abs(actual - expected) <= within,
    `${actual} is not within ${within} of ${expected}`,
  );

for (const model of ['bge-small-en-v1.5', 'all-MiniLM-L6-v2'])
  test(`${model} obeys the laws of embedders, to the bit`, { skip: skip(model) }, async t => {
    for (const { name, run } of embedderLaws(await embedder(model), { tolerance: 0 }))
      await t.test(name, run);
  });

const open: { close(): Promise<void> }[] = [];
after(async () => {
  for (const model of open) await model.close();
});
async function embedder(model: string, options: object = {}): Promise<LocalEmbedder> {
  const made = await transformersEmbedder({ model, folder: join(MODELS, model), load, ...options });
  open.push(made);
  return made;
}
async function reranker(options: object = {}): Promise<LocalReranker> {
  const model = 'ms-marco-MiniLM-L-12-v2';
  const made = await transformersReranker({ model, folder: join(MODELS, model), load, ...options });
  open.push(made);
  return made;
}

describe('bge-small-en-v1.5', { skip: skip('bge-small-en-v1.5') }, () => {
  test('reproduces the recorded cosines 0.818 and 0.388 in one batch, without the prefix', async () => {
    const bge = await embedder('bge-small-en-v1.5', { batch: 3, prefixes: { query: '' } });
    const [q, paris, cell] = await bge.embed([QUESTION, PARIS, CELL], 'query', freeCall());
    near(dot(q!, paris!), 0.818, 0.006);
    near(dot(q!, cell!), 0.388, 0.006);
  });

  test('has unit vectors of 384 dimensions, CLS pooled, with its prefix on queries only', async () => {
    const bge = await embedder('bge-small-en-v1.5');
    const bare = await embedder('bge-small-en-v1.5', { prefixes: { query: '' } });
    assert.equal(bge.dimensions, 384);
    assert.match(bge.id, /^bge-small-en-v1\.5@q8-[0-9a-f]{12}$/);
    assert.notEqual(bge.id, bare.id);
    const [query] = await bge.embed([QUESTION], 'query', freeCall());
    const [passage] = await bge.embed([QUESTION], 'passage', freeCall());
    const [byHand] = await bare.embed(
      [`Represent this sentence for searching relevant passages: ${QUESTION}`],
      'query',
      freeCall(),
    );
    assert.deepEqual(query, byHand);
    assert.notDeepEqual(query, passage);
    near(dot(query!, query!), 1, 1e-6);
    const pooled = await embedder('bge-small-en-v1.5', { pooling: 'mean' });
    const [mean] = await pooled.embed([QUESTION], 'passage', freeCall());
    assert.ok(dot(mean!, passage!) < 0.999, 'mean and CLS pooling differ');
  });

  test('returns the same bits for a text in any batch and order', async () => {
    const bge = await embedder('bge-small-en-v1.5');
    const texts = [PARIS, CELL, LONG, QUESTION, 'a', ''];
    const together = await bge.embed(texts, 'passage', freeCall());
    const reversed = (await bge.embed(texts.toReversed(), 'passage', freeCall())).toReversed();
    assert.deepEqual(together, reversed);
    for (const [at, text] of texts.entries())
      assert.deepEqual((await bge.embed([text], 'passage', freeCall()))[0], together[at]);
  });

  test('cuts a long text, reports how much, and keeps its last special token', async () => {
    const bge = await embedder('bge-small-en-v1.5');
    const before = { ...bge.truncated };
    const [long] = await bge.embed([LONG], 'passage', freeCall());
    assert.equal(bge.truncated.texts - before.texts, 1);
    // 1,400 word pieces and two special tokens, of which the model reads 512.
    assert.equal(bge.truncated.tokens - before.tokens, 1402 - 512);
    const fits = LONG.split(' ').slice(0, 510).join(' ');
    assert.deepEqual((await bge.embed([fits], 'passage', freeCall()))[0], long);
    assert.equal(bge.truncated.texts - before.texts, 1);
  });

  test('counts its tokens: seven word pieces and two special tokens', async () => {
    const bge = await embedder('bge-small-en-v1.5');
    const used: unknown[] = [];
    const call = { ...freeCall(), begin: () => (usage: unknown) => void used.push(usage) };
    await bge.embed([QUESTION], 'passage', call);
    // what is the capital of france ? = 7 word pieces, [CLS] and [SEP].
    assert.deepEqual(used, [{ modelCalls: 1, modelTokens: 9 }]);
  });

  test('is found by its name', async () => {
    const bge = await resolveModel('embedder', 'bge-small-en-v1.5', {
      env: { MULTIHOP_MODELS: MODELS },
      load,
    });
    assert.equal(bge.id, (await embedder('bge-small-en-v1.5')).id);
  });

  test('stops between texts on abort', async () => {
    const bge = await embedder('bge-small-en-v1.5');
    const stop = new AbortController();
    const embedding = bge.embed(Array(200).fill(PARIS), 'passage', freeCall(stop.signal));
    setTimeout(() => stop.abort(), 100);
    await assert.rejects(embedding, { name: 'AbortError' });
  });
});

describe('all-MiniLM-L6-v2', { skip: skip('all-MiniLM-L6-v2') }, () => {
  test('is mean pooled, without prefix, and close to the values of its model card', async () => {
    const mini = await embedder('all-MiniLM-L6-v2');
    assert.equal(mini.dimensions, 384);
    const [card] = await mini.embed(['This is an example sentence'], 'passage', freeCall());
    assert.deepEqual(
      (await mini.embed(['This is an example sentence'], 'query', freeCall()))[0],
      card,
    );
    // fp32 yields 0.0677, 0.0635, 0.0487, 0.0793; a cosine of 0.985 between int8 and fp32 allows
    // each number a difference of some 0.01.
    for (const [at, value] of [0.0677, 0.0635, 0.0487, 0.0793].entries())
      near(card![at]!, value, 0.02);
  });

  test('reads 256 tokens', async () => {
    const mini = await embedder('all-MiniLM-L6-v2');
    const [long] = await mini.embed([LONG], 'passage', freeCall());
    assert.deepEqual(mini.truncated, { texts: 1, tokens: 1402 - 256 });
    assert.deepEqual(
      (await mini.embed([LONG.split(' ').slice(0, 254).join(' ')], 'passage', freeCall()))[0],
      long,
    );
  });
});

describe('ms-marco-MiniLM-L-12-v2', { skip: skip('ms-marco-MiniLM-L-12-v2') }, () => {
  test('reproduces the recorded logits 8.08 and -11.02', async () => {
    const both = await reranker({ batch: 2 });
    const scores = await both.score(QUESTION, [PARIS, CELL], freeCall());
    // Rounding of products of 8-bit codes depends on the processor: with AVX-512 VNNI the first is
    // 8.37.
    near(scores[0]!, 8.08, 0.5);
    near(scores[1]!, -11.02, 0.5);
  });

  test('returns the same bits for a pair in any batch', async () => {
    const cross = await reranker();
    const texts = [CELL, PARIS, LONG, ''];
    const scores = await cross.score(QUESTION, texts, freeCall());
    for (const [at, text] of texts.entries())
      assert.equal((await cross.score(QUESTION, [text], freeCall()))[0], scores[at]);
    assert.equal((await cross.score(QUESTION, [], freeCall())).length, 0);
  });

  test('cuts the longer part of a pair and keeps the special tokens', async () => {
    const cross = await reranker();
    const long = await cross.score(QUESTION, [LONG], freeCall());
    // 7 word pieces of the question, 1,400 of the text and three special tokens, of which the model
    // reads 512.
    assert.deepEqual(cross.truncated, { texts: 1, tokens: 1410 - 512 });
    assert.deepEqual(
      await cross.score(QUESTION, [LONG.split(' ').slice(0, 502).join(' ')], freeCall()),
      long,
    );
    await cross.score(LONG, [PARIS], freeCall());
    assert.equal(cross.truncated.texts, 2);
  });

  test('keeps the laws', async t => {
    for (const { name, run } of rerankerLaws(await reranker())) await t.test(name, run);
  });

  test('is found by its name', async () => {
    const cross = await resolveModel('reranker', 'ms-marco-MiniLM-L-12-v2', {
      env: { MULTIHOP_MODELS: MODELS },
      load,
    });
    assert.equal(cross.id, (await reranker()).id);
  });
});
