/**
 * Re-ranking: the model's order down to the depth, the first order below it, and every way in which
 * a model can break its word.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Document } from '../../core/corpus/document.ts';
import { PortError } from '../../core/errors.ts';
import { freeCall } from '../../core/trace/call.ts';
import type { Reranker } from '../../models/reranker.ts';
import { lookupIn } from '../../models/resources.ts';
import { askEvents } from '../../run/ask.ts';
import { hashedEmbedder } from '../../testing/hashed-embedder.ts';
import { checkOrder } from '../../testing/ranking-checks.ts';
import { EmbeddedEngine } from '../embedded-engine.ts';
import { retrievers } from '../retrievers.ts';

const call = freeCall();
/** BM25 puts the shorter first: d1, d2, ... d9. */
const documents: Document[] = Array.from({ length: 9 }, (_, i) => ({
  id: `d${i + 1}`,
  title: `T${i + 1}`,
  text: `ferry ${'filler '.repeat(i + 1)}`.trim(),
  metadata: { source: 'Courier' },
}));
const engine = new EmbeddedEngine({ documents });

interface Recording extends Reranker {
  readonly calls: { readonly query: string; readonly texts: readonly string[] }[];
}

function rerankerOf(scoreOf: (text: string) => number): Recording {
  const calls: Recording['calls'] = [];
  return {
    id: 'toy',
    calls,
    async score(query, texts) {
      calls.push({ query, texts });
      return Float32Array.from(texts, scoreOf);
    },
  };
}

const search = async (name: string, reranker: Reranker, k = 9) =>
  (
    await retrievers
      .create(name)
      .bind(engine.current, lookupIn({ reranker: [reranker] }))
      .retrieve([{ text: 'ferry' }], k, call)
  )[0]!;
const ids = (ranking: readonly { readonly id: string }[]): string =>
  ranking.map(({ id }) => id.slice(1)).join('');
/** The longer the better. */
const long = (text: string): number => text.length / 1000 - 5;

test('the first are in the order of the model, those below the depth keep theirs behind them', async () => {
  assert.equal(ids(await search('lexical', rerankerOf(long))), '123456789');
  assert.equal(ids(await search('reranked(lexical, toy)', rerankerOf(long))), '987654321');
  const ranking = await search('reranked(lexical, toy, depth=4)', rerankerOf(long));
  assert.equal(ids(ranking), '432156789');
  checkOrder(ranking, 9, 'a re-ranked list');
  assert.equal(ranking[0]!.score, Math.fround(long(`T4, Courier\n${documents[3]!.text}`)));
});

test('ties are broken by id, and scores of any size keep the rest behind', async () => {
  assert.equal(
    ids(await search('reranked(reranked(lexical, toy), toy, depth=3)', rerankerOf(long))),
    '987654321',
  );
  for (const score of [0, -0, 3e38, -3e38, 1e-40]) {
    const ranking = await search(
      'reranked(lexical, toy, depth=3)',
      rerankerOf(() => score),
    );
    assert.equal(ids(ranking), '123456789');
    checkOrder(ranking, 9, `scores of ${score}`);
  }
});

test('the model reads at most `depth` hits, once per query, for any requested number of hits', async () => {
  const reranker = rerankerOf(long);
  for (const k of [1, 3, 9])
    assert.equal(
      ids(await search('reranked(lexical, toy, depth=4)', reranker, k)),
      '432156789'.slice(0, k),
    );
  assert.deepEqual(
    reranker.calls.map(({ texts }) => texts.length),
    [4, 4, 4],
  );
  assert.equal(reranker.calls[0]!.texts[0], `T1, Courier\n${documents[0]!.text}`);
  await search('reranked(lexical, toy)', reranker, 0);
  assert.equal(reranker.calls.length, 3, 'no request for hits, no call of the model');
});

describe('scoring clauses, reading sentences', () => {
  const [tale, log, other]: Document[] = [
    [
      'tale',
      'The ferry left the harbour at dawn. Nobody saw the keeper. Rain fell on the lighthouse of the point.',
    ],
    [
      'log',
      'Supplies came late. The keeper lit the lighthouse lamp himself. The ferry was not seen.',
    ],
    ['other', 'Salt and rope were sold on the quay, and a ferry whistled.'],
  ].map(
    ([id, text]): Document => ({ id: id!, title: id!.toUpperCase(), text: text!, metadata: {} }),
  ) as [Document, Document, Document];
  const small = new EmbeddedEngine({
    documents: [tale, log, other],
    embedders: [hashedEmbedder()],
  });
  const question = 'When did the ferry leave the harbour, and who lit the lighthouse lamp himself?';
  const asked = async (name: string, reranker: Reranker, text = question) =>
    (
      await retrievers
        .create(name)
        .bind(small.current, lookupIn({ reranker: [reranker] }))
        .retrieve([{ text }], 9, call)
    )[0]!;

  test('each clause is scored with the best sentence of each hit that holds a word of it', async () => {
    const reranker = rerankerOf(long);
    await asked('reranked(lexical, toy, ask=clauses, read=sentence)', reranker);
    assert.deepEqual(
      reranker.calls.map(({ query, texts }) => [query, [...texts].sort()]),
      [
        [
          'When did the ferry leave the harbour',
          [
            'LOG\nThe ferry was not seen.',
            'OTHER\nSalt and rope were sold on the quay, and a ferry whistled.',
            'TALE\nThe ferry left the harbour at dawn.',
          ],
        ],
        [
          'who lit the lighthouse lamp himself?',
          [
            'LOG\nThe keeper lit the lighthouse lamp himself.',
            'TALE\nRain fell on the lighthouse of the point.',
          ],
        ],
      ],
    );
  });

  test('reads the part of a long sentence that is in the passage', async () => {
    const words = (name: string): string =>
      Array.from({ length: 30 }, (_, at) => `${name}${at}`).join(' ');
    const text = `The ferry ${words('before')} lit the lighthouse lamp himself ${words('after')}.`;
    const cut = new EmbeddedEngine({
      documents: [{ ...log, text }, tale],
      chunker: 'tokens(size=20, overlap=0)',
    });
    const liking = rerankerOf(part => (/lamp himself/.test(part) ? 3 : 0));
    const [ranking] = await retrievers
      .create('reranked(lexical(unit=passage), toy, read=sentence)')
      .bind(cut.current, lookupIn({ reranker: [liking] }))
      .retrieve([{ text: question }], 9, call);
    assert.equal(ranking![0]!.score, 3);
    assert.match(text.slice(ranking![0]!.start, ranking![0]!.end), /lamp himself/);
    const [passage] = await cut.current.read('passage', [ranking![0]!.id], call);
    assert.ok(liking.calls.some(({ texts }) => texts.includes(`LOG\n${passage!.text}`)));
  });

  test('a hit has the score of its best clause, and unread hits rank last', async () => {
    const liking = rerankerOf(text => (/lamp/.test(text) ? 3 : /dawn/.test(text) ? 2 : -1));
    const ranking = await asked('reranked(lexical, toy, ask=clauses, read=sentence)', liking);
    assert.deepEqual(
      ranking.map(({ id, score }) => [id, score]),
      [
        ['log', 3],
        ['tale', 2],
        ['other', -1],
      ],
    );
    const lamp = await asked('reranked(dense(hashed), toy, read=sentence)', liking, 'lamp');
    assert.equal(lamp[0]!.id, 'log');
    assert.deepEqual(
      lamp.slice(1).map(({ score }) => score),
      [2, 1],
      'steps below the one that was read',
    );
  });

  test('interpolation: both scores from 0 to 1, weighed', async () => {
    const first = await search('lexical', rerankerOf(long));
    const ranking = await search('reranked(lexical, toy, interpolate=3)', rerankerOf(long));
    const scaled = (value: number, of: readonly number[]): number =>
      (value - Math.min(...of)) / (Math.max(...of) - Math.min(...of));
    const model = new Map(
      first.map(({ id }) => [
        id,
        Math.fround(long(`T${id.slice(1)}, Courier\n${documents[Number(id.slice(1)) - 1]!.text}`)),
      ]),
    );
    for (const { id, score } of ranking) {
      const expected =
        0.25 * scaled(model.get(id)!, [...model.values()]) +
        0.75 *
          scaled(
            first.find(hit => hit.id === id)!.score,
            first.map(hit => hit.score),
          );
      assert.ok(Math.abs(score - expected) < 1e-12, `${id}: ${score} and ${expected}`);
    }
    assert.equal(ids(ranking), '123456789');
  });
});

describe('a model', () => {
  const failing = (score: () => Promise<Float32Array>): Reranker => ({ id: 'toy', score });
  test('that gives another count, or no number, is a typed error', async () => {
    const none = failing(async () => new Float32Array(2));
    await assert.rejects(search('reranked(lexical, toy)', none), {
      name: 'PortError',
      code: 'wrong-count',
      message: /9 scores.*2/,
    });
    const nan = failing(async () => new Float32Array(9).fill(Number.NaN));
    await assert.rejects(search('reranked(lexical, toy)', nan), { code: 'not-finite' });
  });

  test('that is missing is refused before any work, with the nearest name', () => {
    assert.throws(() => retrievers.create('reranked(lexical)'), { code: 'missing-parameter' });
    assert.throws(
      () =>
        retrievers
          .create('fused(lexical, reranked(lexical, toi))')
          .bind(engine.current, lookupIn({ reranker: [rerankerOf(long)] })),
      { code: 'missing-resource', message: /Did you mean toy\?/ },
    );
    assert.throws(() => retrievers.create('reranked(lexical, toy)').bind(engine.current), {
      code: 'missing-resource',
    });
  });
});

describe('in a run', () => {
  const traceOf = async (reranker: Reranker) => {
    const options = {
      engine,
      strategy: 'fixed-top-k(k=3)',
      retriever: 'reranked(lexical, toy, depth=4)',
      resources: { reranker },
    };
    const events = askEvents('ferry?', options, () => 0);
    for (let step = await events.next(); ; step = await events.next())
      if (step.done) return step.value;
  };
  test('it is one retrieval a query, and a pair a hit that the model reads', async () => {
    const trace = await traceOf(rerankerOf(long));
    assert.equal(trace.spent.retrievals, 1);
    assert.equal(trace.spent.rerankedPairs, 4);
    assert.equal(trace.retriever, 'reranked(lexical, toy, depth=4)');
    assert.equal(ids(trace.hops[0]!.searches[0]!.hits), '432156789');
  });

  test('a model that fails ends it, and is named', async () => {
    const down = new PortError('reranker', 'rate-limited', 'Too many', { retryable: true });
    const trace = await traceOf({ id: 'toy', score: () => Promise.reject(down) });
    assert.match(JSON.stringify(trace.stopped), /reranker/);
  });
});
