/** PostgreSQL finds what the embedded engine finds, with the same scores, to the bit. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Document, MetadataValue } from '../../src/core/corpus/document.ts';
import type { Filter } from '../../src/core/corpus/filter.ts';
import { defined } from '../../src/core/defined.ts';
import { mulberry32 } from '../../src/core/mulberry32.ts';
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
import { anyServer, NEEDS_POSTGRES, OpenedEngines } from './postgres-server.ts';
import { someOfMultihopRag } from './some-of-multihop-rag.ts';

const call = freeCall();
const UNITS = ['document', 'passage', 'sentence'] as const;
const data = process.env['MULTIHOP_DATA'];
/** Questions of MultiHop-RAG: some for every change, more by hand. */
const QUESTIONS = Number(process.env['MULTIHOP_ENGINE_QUESTIONS'] ?? 16);

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

/** Returns the findings of a run without its times. */
const foundBy = ({ hops, evidence, ranking, answer, stopped }: Trace): unknown =>
  structuredClone({
    evidence,
    ranking,
    answer,
    stopped,
    hops: hops.map(({ spent: _, ...hop }) => hop),
  });

describe('PostgreSQL agrees with the embedded engine', NEEDS_POSTGRES, () => {
  let server: Awaited<ReturnType<typeof anyServer>>;
  let engines: OpenedEngines;
  before(async () => {
    server = await anyServer();
    engines = new OpenedEngines(server.url);
  });
  after(async () => {
    await engines.close();
    await server.remove();
  });

  test('on BM25, whether or not common terms are left for last', async () => {
    const documents = naturalDocuments(400);
    const embedded = new EmbeddedEngine({ documents });
    const engine = await engines.holding(documents);
    await using snapshot = await engine.snapshot();
    const random = mulberry32(11);
    const queries = Array.from({ length: 40 }, (_, at) =>
      defined({
        text: Array.from({ length: 2 + (at % 20) }, () => `w${Math.floor(3000 ** random())}`).join(
          ' ',
        ),
        filter: at % 3 === 0 ? ({ op: 'eq', field: 'source', value: 's2' } as const) : undefined,
      }),
    );
    for (const unit of UNITS)
      for (const k of [1, 7, 60])
        for (const scorer of ['bm25', 'bm25(stop=english)']) {
          const request = { unit, k, scorer, queries };
          assert.deepEqual(
            await snapshot.search(request, call),
            await embedded.current.search(request),
            `${unit}, ${k}`,
          );
        }
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
        title: text,
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
          const embedded = new EmbeddedEngine({ documents: all });
          const engine = await engines.holding(all);
          const snapshot = await engine.snapshot();
          const ids = all.map(({ id }) => id);
          assert.deepEqual(
            JSON.stringify(await snapshot.read('document', ids, call)),
            JSON.stringify(await embedded.current.read('document', ids)),
          );
          const queries = filters.map(one => ({ text: 'a b 😀', filter: one }));
          for (const unit of UNITS)
            assert.deepEqual(
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
      { numRuns: 30 },
    );
  });

  test('on vectors: every hit, order and score', async () => {
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
      assert.deepEqual(
        await snapshot.search(request, call),
        await embedded.current.search(request),
      );
      const ids = (await embedded.current.search(request))[0]!.map(({ id }) => id);
      const port = snapshot.port(VECTORS)!;
      const vectors = await port.vectors(unit, ids, 'hashed', call);
      assert.deepEqual(vectors, await embedded.current.vectors(unit, ids, 'hashed', call));
      assert.deepEqual(
        await port.scores(unit, ids, vectors, 'hashed', call),
        await embedded.current.scores(unit, ids, vectors, 'hashed', call),
      );
    }
  });

  test('on every strategy that needs no capability which it lacks', async t => {
    const embedded = new EmbeddedEngine({ documents: FIXTURE_DOCUMENTS });
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
    const embedded = new EmbeddedEngine({ documents: set.documents });
    const engine = await engines.holding(set.documents);
    const { examples } = set;
    const recall = measure('FactRecall');
    const records = recordsOf(set);
    const scores: Score[] = [];
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
      const expected = await run(embedded);
      assert.deepEqual(foundBy(remote), foundBy(expected), example.question.text);
      const score = recall.score(example, remote, records);
      assert.deepEqual(score, recall.score(example, expected, records));
      if (score !== undefined) scores.push(score);
    }
    const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
    t.diagnostic(
      `${examples.length} questions equal, FactRecall ${valueOfScores(recall, scores)!.value.toFixed(3)}; round trips a question ${(sum(trips) / trips.length).toFixed(1)}, at most ${Math.max(...trips)}; a hop ${(sum(trips) / sum(hops)).toFixed(1)}`,
    );
    assert.equal(trips.length, QUESTIONS);
  });
});
