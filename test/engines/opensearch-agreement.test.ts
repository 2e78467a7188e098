/**
 * OpenSearch finds what the embedded engine finds with lengths in one byte, as Lucene keeps them:
 * the same hits in the same order, with scores of 32 bits.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Document, MetadataValue } from '../../src/core/corpus/document.ts';
import type { Filter } from '../../src/core/corpus/filter.ts';
import { defined } from '../../src/core/defined.ts';
import { mulberry32 } from '../../src/core/mulberry32.ts';
import type { Ranking } from '../../src/core/ranking/ranking.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import type { Trace } from '../../src/core/trace/trace.ts';
import type { Score } from '../../src/evaluation/example.ts';
import { measure } from '../../src/evaluation/measures.ts';
import { valueOfScores } from '../../src/evaluation/value-of-scores.ts';
import { recordsOf } from '../../src/experiments/stored-records.ts';
import { EmbeddedEngine } from '../../src/search/embedded-engine.ts';
import { VECTORS } from '../../src/search/vectors-port.ts';
import { ask } from '../../src/session/verbs.ts';
import { strategies } from '../../src/strategies/strategies.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../../src/testing/fixture-corpus.ts';
import { hashedEmbedder } from '../../src/testing/hashed-embedder.ts';
import { anyCluster, NEEDS_OPENSEARCH, newIndex, OpenedEngines } from './opensearch-server.ts';
import { roundLengths } from './rounded-lengths.ts';
import { someOfMultihopRag } from './some-of-multihop-rag.ts';

const call = freeCall();
const UNITS = ['document', 'passage', 'sentence'] as const;
const data = process.env['MULTIHOP_DATA'];
/** Questions of MultiHop-RAG: some for every change, more by hand. */
const QUESTIONS = Number(process.env['MULTIHOP_ENGINE_QUESTIONS'] ?? 40);

/**
 * Requests of a question beside its hops: the state twice, the point in time twice, and the
 * passages of the evidence.
 */
const BESIDE = 5;

/** Documents whose words have the frequencies of natural text, few of them rare. */
function naturalDocuments(count: number): Document[] {
  const random = mulberry32(7);
  const word = (): string => `w${Math.floor(3000 ** random())}`;
  const sentence = (): string => `${Array.from({ length: 12 }, word).join(' ')}.`;
  return Array.from({ length: count }, (_, at) => ({
    id: `doc-${at}`,
    title: word(),
    metadata: { source: `s${at % 5}` },
    text: Array.from({ length: 10 }, sentence).join(' '),
  }));
}

/** Rounding of a sum of 32-bit floats: a score is the sum of at most 100 terms. */
const ROUNDING = 1e-5;

/** Compares hits by order and place, and their scores within rounding. */
function sameRankings(actual: readonly Ranking[], expected: readonly Ranking[], what = ''): void {
  const placesOf = (rankings: readonly Ranking[]): unknown =>
    rankings.map(ranking => ranking.map(({ score: _, ...place }) => place));
  assert.deepEqual(placesOf(actual), placesOf(expected), what);
  for (const [query, ranking] of expected.entries())
    for (const [at, { id, score }] of ranking.entries()) {
      const distance = Math.abs(actual[query]![at]!.score - score);
      assert.ok(distance <= ROUNDING * Math.max(1, Math.abs(score)), `${what} ${id}: ${distance}`);
    }
}

function roundedEngine(documents: readonly Document[]): EmbeddedEngine {
  const engine = new EmbeddedEngine({ documents });
  roundLengths(engine.current);
  return engine;
}

/** Returns what a run kept and answered. */
const foundBy = ({ evidence, ranking, answer, stopped, hops }: Trace): unknown => ({
  ranking,
  answer: answer.kind,
  stopped,
  hops: hops.length,
  evidence: evidence.map(({ id }) => id),
});

describe('OpenSearch agrees with the embedded engine', NEEDS_OPENSEARCH, () => {
  let server: Awaited<ReturnType<typeof anyCluster>>;
  let engines: OpenedEngines;
  before(async () => {
    server = await anyCluster();
    engines = new OpenedEngines(server.url);
  });
  after(async () => {
    await engines.close();
    await server.remove();
  });

  for (const shards of [1, 3])
    test(`on BM25, with ${shards} shards`, async () => {
      const documents = naturalDocuments(300);
      const embedded = roundedEngine(documents);
      const url = newIndex(server.url, `?shards=${shards}`);
      const engine = await engines.holding(documents, {}, url);
      await using snapshot = await engine.snapshot();
      const random = mulberry32(11);
      const queries = Array.from({ length: 40 }, (_, at) =>
        defined({
          text: Array.from(
            { length: 2 + (at % 20) },
            () => `w${Math.floor(3000 ** random())}`,
          ).join(' '),
          filter: at % 3 === 0 ? ({ op: 'eq', field: 'source', value: 's2' } as const) : undefined,
        }),
      );
      for (const unit of UNITS)
        for (const scorer of ['bm25', 'bm25(stop=english)']) {
          const request = { unit, k: 10, scorer, queries };
          const expected = await embedded.current.search(request);
          sameRankings(await snapshot.search(request, call), expected, `${unit}, ${scorer}`);
        }
    });

  test('on scripts without spaces, by pairs of characters and by one', async () => {
    const random = mulberry32(13);
    const of = (words: readonly string[]): string => words[Math.floor(random() * words.length)]!;
    const words = [
      '数据库',
      '猫',
      '数学',
      '図書館',
      '도서관',
      'lamp',
      'quay',
      'tarn',
      'v2',
      'a',
      'b',
    ];
    const documents = Array.from({ length: 60 }, (_, at) => ({
      id: `doc-${at}`,
      title: 'Lamps of a quay',
      metadata: {},
      text: Array.from({ length: 4 + (at % 30) }, () => of([...words, 'x', 'y', 'z'])).join(' '),
    }));
    const embedded = roundedEngine(documents);
    const engine = await engines.holding(documents);
    await using snapshot = await engine.snapshot();
    const queries = ['数据库', '図書館 lamp', '数', '猫 quay', '館', '도'].map(text => ({ text }));
    const request = { unit: 'document', k: 60, queries } as const;
    sameRankings(await snapshot.search(request, call), await embedded.current.search(request));
  });

  test('on any text and id, and any filter', async () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '\0', '\ud800', '😀', '\uffee', '.'),
    });
    const scalar = fc.oneof(
      fc.constantFrom('2023-10-07', '2023-10-07T08:00:00', '2023-10', '2023', '12', '1e2', 'x', ''),
      fc.constantFrom(2023, 12, 100, -0.5),
      fc.boolean(),
      text,
    );
    const value: fc.Arbitrary<MetadataValue> = fc.oneof(scalar, fc.array(text, { maxLength: 3 }));
    const field = fc.constantFrom('f', 'g', 'title', 'id');
    const bound = fc.constantFrom('2023-10', '2023', 'x', '', 2023, 12, 50.5);
    const leaf: fc.Arbitrary<Filter> = fc.oneof(
      fc.record({ op: fc.constant('eq' as const), field, value: scalar }),
      fc.record({
        op: fc.constantFrom('in' as const, 'nin' as const),
        field,
        values: fc.array(scalar, { maxLength: 3 }),
      }),
      fc.record({ op: fc.constant('range' as const), field, from: bound }),
      fc.record({ op: fc.constant('range' as const), field, from: bound, to: bound }),
    );
    const filter: fc.Arbitrary<Filter> = fc.oneof(
      leaf,
      fc.record({
        op: fc.constantFrom('and' as const, 'or' as const),
        filters: fc.array(leaf, { maxLength: 3 }),
      }),
      fc.record({ op: fc.constant('not' as const), filter: leaf }),
    );
    const documents = fc.uniqueArray(
      fc.record({
        id: text.filter(id => id !== ''),
        // A server counts an item without a term as one term.
        title: text.map(words => `a ${words}`),
        text,
        metadata: fc.dictionary(fc.constantFrom('f', 'g', 'title'), value, { maxKeys: 3 }),
      }),
      { selector: ({ id }) => id, minLength: 6, maxLength: 14 },
    );
    await fc.assert(
      fc.asyncProperty(
        documents,
        fc.array(filter, { minLength: 8, maxLength: 8 }),
        async (given, filters) => {
          const fields = { id: 'known', title: 'a', text: 'a b', metadata: { f: 'a', g: ['b'] } };
          const all = [fields, ...given.filter(({ id }) => id !== 'known')];
          const embedded = roundedEngine(all);
          const engine = await engines.holding(all);
          const snapshot = await engine.snapshot();
          const ids = all.map(({ id }) => id);
          assert.deepEqual(
            JSON.stringify(await snapshot.read('document', ids, call)),
            JSON.stringify(await embedded.current.read('document', ids)),
          );
          const queries = filters.map(one => ({ text: 'a b 😀', filter: one }));
          for (const unit of UNITS)
            sameRankings(
              await snapshot.search({ unit, k: 9, queries }, call),
              await embedded.current.search({ unit, k: 9, queries }),
            );
          for (const one of ['f', 'g', 'title'])
            for (const order of ['frequency', 'ascending', 'descending'] as const)
              assert.deepEqual(
                await snapshot.values(one, { order, filter: filters[0]! }, call),
                await embedded.current.values(one, { order, filter: filters[0]! }),
              );
          await engines.close();
        },
      ),
      { numRuns: 20 },
    );
  });

  test('on vectors: every hit', async () => {
    const documents = naturalDocuments(60);
    const embedders = [hashedEmbedder()];
    const embedded = new EmbeddedEngine({ documents, embedders });
    const engine = await engines.holding(documents, { embedders, units: UNITS });
    await using snapshot = await engine.snapshot();
    const queries = documents.slice(0, 12).flatMap(({ text }, at) => [
      { text: text.slice(0, 80) },
      {
        text: text.slice(90, 200),
        filter: { op: 'eq', field: 'source', value: `s${at % 5}` } as const,
      },
    ]);
    for (const unit of UNITS) {
      const request = { unit, k: 10, space: 'hashed', queries };
      const expected = await embedded.current.search(request);
      sameRankings(await snapshot.search(request, call), expected, unit);
      const ids = expected[0]!.map(({ id }) => id);
      const port = snapshot.port(VECTORS)!;
      const vectors = await port.vectors(unit, ids, 'hashed', call);
      assert.deepEqual(vectors, await embedded.current.vectors(unit, ids, 'hashed', call));
      const scores = await port.scores(unit, ids, vectors, 'hashed', call);
      const products = await embedded.current.scores(unit, ids, vectors, 'hashed', call);
      for (const [at, row] of products.entries())
        for (const [place, product] of row.entries())
          assert.ok(Math.abs(scores[at]![place]! - product) < 1e-6, `${unit}, ${ids[place]}`);
    }
  });

  test('on every strategy that needs no capability which it lacks', async t => {
    const embedded = roundedEngine(FIXTURE_DOCUMENTS);
    const engine = await engines.holding(FIXTURE_DOCUMENTS);
    const ran: string[] = [];
    const lacking: string[] = [];
    for (const { name } of strategies.members) {
      // Without edges `chain` expands nothing, and says so: it is compared without its graph.
      const strategy = name === 'chain' ? 'chain(graph=false)' : name;
      const run = (given: EmbeddedEngine | typeof engine, text: string): Promise<unknown> =>
        ask(text, { engine: given, strategy, reader: 'evidence-only' }).then(foundBy);
      try {
        for (const { text } of FIXTURE_QUESTIONS)
          assert.deepEqual(await run(engine, text), await run(embedded, text), strategy);
        ran.push(strategy);
      } catch (error) {
        const { code } = error as { readonly code?: string };
        if (code !== 'missing-capability' && code !== 'missing-resource') throw error;
        lacking.push(`${strategy} (${code})`);
      }
    }
    t.diagnostic(`${ran.length} strategies: ${ran.join(', ')}; not: ${lacking.join(', ')}`);
    assert.ok(ran.includes('fact-lanes') && ran.length >= 10, ran.join(', '));
  });

  test('on fact-lanes over MultiHop-RAG, in few round trips', {
    skip: data ? false : 'MULTIHOP_DATA is not set',
  }, async t => {
    const set = await someOfMultihopRag(`${data}/multihop-rag`, QUESTIONS);
    const rounded = roundedEngine(set.documents);
    const embedded = new EmbeddedEngine({ documents: set.documents });
    const engine = await engines.holding(set.documents);
    const { examples } = set;
    const recall = measure('FactRecall');
    const records = recordsOf(set);
    const scores: { readonly remote: Score[]; readonly ours: Score[] } = { remote: [], ours: [] };
    const trips: number[] = [];
    const hops: number[] = [];
    for (const example of examples) {
      const run = (given: EmbeddedEngine | typeof engine): PromiseLike<Trace> =>
        ask(example.question.text, {
          engine: given,
          strategy: 'fact-lanes(tokens=510)',
          reader: 'evidence-only',
          retriever: 'lexical(unit=sentence)',
          context: 'sentences(perDocument=5)',
        });
      const before = engine.roundTrips;
      const remote = await run(engine);
      trips.push(engine.roundTrips - before);
      hops.push(remote.hops.length);
      assert.deepEqual(foundBy(remote), foundBy(await run(rounded)), example.question.text);
      const [score, own] = [remote, await run(embedded)].map(trace =>
        recall.score(example, trace, records),
      );
      if (score === undefined || own === undefined) continue;
      scores.remote.push(score);
      scores.ours.push(own);
    }
    const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
    const [found, ours] = [scores.remote, scores.ours].map(
      list => 100 * valueOfScores(recall, list)!.value,
    );
    // The first question of a state reads the catalogue for all.
    const aHop = trips.slice(1).map((count, at) => (count - BESIDE) / hops[at + 1]!);
    t.diagnostic(
      `${examples.length} questions: FactRecall ${found!.toFixed(1)} and ${ours!.toFixed(1)} with whole lengths; round trips a question ${(sum(trips) / trips.length).toFixed(1)}, at most ${Math.max(...trips)}, ${trips[0]} the first; beside ${BESIDE} a question, a hop ${(sum(aHop) / aHop.length).toFixed(1)}, at most ${Math.max(...aHop)}`,
    );
    assert.ok(Math.max(...aHop) <= 4, `${Math.max(...aHop)} round trips a hop`);
    assert.ok(Math.abs(found! - ours!) <= 0.5 * (200 / Math.min(200, QUESTIONS)));
  });
});
