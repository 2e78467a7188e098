/** Registers tests that an engine on a server finds what the embedded engine finds. */
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
import type { DataSet, Score } from '../../src/evaluation/example.ts';
import { measure } from '../../src/evaluation/measures.ts';
import { valueOfScores } from '../../src/evaluation/value-of-scores.ts';
import { recordsOf } from '../../src/experiments/stored-records.ts';
import { EmbeddedEngine } from '../../src/search/embedded-engine.ts';
import { VECTORS } from '../../src/search/ports/vectors-port.ts';
import { ask } from '../../src/session/verbs.ts';
import type { RemoteEngine } from '../../src/stores/servers/remote-engine.ts';
import { strategies } from '../../src/strategies/strategies.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../../src/testing/fixture-corpus.ts';
import { hashedEmbedder } from '../../src/testing/hashed-embedder.ts';
import type { EnginesOnServer } from './opened-engines.ts';
import { someOfMultihopRag } from './some-of-multihop-rag.ts';

const call = freeCall();
const UNITS = ['document', 'passage', 'sentence'] as const;
const data = process.env['MULTIHOP_DATA'];

export interface Agreement {
  readonly skip: { readonly skip: string | false };
  readonly open: () => Promise<{ readonly url: string; readonly remove: () => Promise<void> }>;
  readonly engines: (url: string) => EnginesOnServer;
  /** Returns the addresses of new engines over which BM25 is compared, by what they are. */
  readonly layouts: Readonly<Record<string, (server: string) => string>>;
  /** Makes the embedded engine keep lengths as the server does. */
  readonly prepare?: (engine: EmbeddedEngine) => void;
  /** Relative distance of scores, and distance of products of vectors. */
  readonly rounding: { readonly scores: number; readonly products: number };
  /** Returns what runs over both have equal. */
  readonly foundBy: (trace: Trace) => unknown;
  /** Changes the title of a random document. */
  readonly title?: (title: string) => string;
  readonly numRuns: number;
  /** Questions of MultiHop-RAG: some for every change, more by hand. */
  readonly questions: number;
  /** Requests of a question beside its hops, and the most of a hop. */
  readonly roundTrips: { readonly beside: number; readonly mostOfHop: number };
  /** Distance of FactRecall to that of lengths that are not rounded, in points. */
  readonly recallWithin: number;
  /** Least share of the first ten hits that are right once a fifth of the documents changed. */
  readonly afterChanges: number;
}

/** Returns words with the frequencies of natural text, few of them rare. */
const wordsBy = (random: () => number) => (): string => `w${Math.floor(3000 ** random())}`;

function naturalDocuments(count: number): Document[] {
  const word = wordsBy(mulberry32(7));
  const sentence = (): string => `${Array.from({ length: 12 }, word).join(' ')}.`;
  return Array.from({ length: count }, (_, at) => ({
    id: `doc-${at}`,
    title: word(),
    metadata: { source: `s${at % 5}` },
    text: Array.from({ length: 10 }, sentence).join(' '),
  }));
}

const text$ = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', '\0', '\ud800', '😀', '\uffee', '.'),
});
const scalar$ = fc.oneof(
  fc.constantFrom('2023-10-07', '2023-10-07T08:00:00', '2023-10', '2023', '12', '1e2', 'x', ''),
  fc.constantFrom(2023, 12, 100, -0.5),
  fc.boolean(),
  text$,
);
const value$: fc.Arbitrary<MetadataValue> = fc.oneof(scalar$, fc.array(text$, { maxLength: 3 }));
const field = fc.constantFrom('f', 'g', 'title', 'id');
const bound = fc.constantFrom('2023-10', '2023', 'x', '', 2023, 12, 50.5);
const leaf$: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ op: fc.constant('eq' as const), field, value: scalar$ }),
  fc.record({
    op: fc.constantFrom('in' as const, 'nin' as const),
    field,
    values: fc.array(scalar$, { maxLength: 3 }),
  }),
  fc.record({ op: fc.constant('range' as const), field, from: bound }),
  fc.record({ op: fc.constant('range' as const), field, from: bound, to: bound }),
);
const filter$: fc.Arbitrary<Filter> = fc.oneof(
  leaf$,
  fc.record({
    op: fc.constantFrom('and' as const, 'or' as const),
    filters: fc.array(leaf$, { maxLength: 3 }),
  }),
  fc.record({ op: fc.constant('not' as const), filter: leaf$ }),
);
const documentsOf = (title: (text: string) => string): fc.Arbitrary<Document[]> =>
  fc.uniqueArray(
    fc.record({
      id: text$.filter(id => id !== ''),
      title: text$.map(title),
      text: text$,
      metadata: fc.dictionary(fc.constantFrom('f', 'g', 'title'), value$, { maxKeys: 3 }),
    }),
    { selector: ({ id }) => id, minLength: 6, maxLength: 14 },
  );

export function testAgreement(name: string, agreement: Agreement): void {
  const { rounding, foundBy, questions, roundTrips } = agreement;

  /** Compares hits by order and place, and their scores within rounding. */
  function sameRankings(actual: readonly Ranking[], expected: readonly Ranking[], what = ''): void {
    const placesOf = (rankings: readonly Ranking[]): unknown =>
      rankings.map(ranking => ranking.map(({ score: _, ...place }) => place));
    assert.deepEqual(placesOf(actual), placesOf(expected), what);
    for (const [query, ranking] of expected.entries())
      for (const [at, { id, score }] of ranking.entries()) {
        const distance = Math.abs(actual[query]![at]!.score - score);
        const most = rounding.scores * Math.max(1, Math.abs(score));
        assert.ok(distance <= most, `${what} ${id}: ${distance}`);
      }
  }

  function embeddedOf(documents: readonly Document[]): EmbeddedEngine {
    const engine = new EmbeddedEngine({ documents });
    agreement.prepare?.(engine);
    return engine;
  }

  /** Changes half of each fifth document; returns the share of first hits that are right. */
  async function agreementAfterChanges(engine: RemoteEngine, set: DataSet): Promise<number> {
    const now = set.documents.map((document, at) => {
      const { text } = set.documents[(at + 7) % set.documents.length]!;
      const mixed = document.text.slice(0, document.text.length / 2) + text.slice(text.length / 2);
      return at % 5 === 0 ? { ...document, text: mixed } : document;
    });
    await engine.put(now, call);
    await using snapshot = await engine.snapshot();
    const queries = set.examples.map(({ question }) => ({ text: question.text }));
    const shares: number[] = [];
    for (const unit of UNITS) {
      const request = { unit, k: 10, queries };
      const found = await snapshot.search(request, call);
      for (const [at, right] of (await embeddedOf(now).current.search(request)).entries()) {
        const ids = new Set(found[at]!.map(({ id }) => id));
        shares.push(right.filter(({ id }) => ids.has(id)).length / right.length);
      }
    }
    return shares.reduce((sum, share) => sum + share, 0) / shares.length;
  }

  describe(name, agreement.skip, () => {
    let server: Awaited<ReturnType<typeof agreement.open>>;
    let engines: EnginesOnServer;
    before(async () => {
      server = await agreement.open();
      engines = agreement.engines(server.url);
    });
    after(async () => {
      await engines.close();
      await server.remove();
    });

    for (const [layout, address] of Object.entries(agreement.layouts))
      test(`on BM25, ${layout}`, async () => {
        const documents = naturalDocuments(400);
        const embedded = embeddedOf(documents);
        const engine = await engines.holding(documents, {}, address(server.url));
        await using snapshot = await engine.snapshot();
        const word = wordsBy(mulberry32(11));
        const queries = Array.from({ length: 40 }, (_, at) =>
          defined({
            text: Array.from({ length: 2 + (at % 20) }, word).join(' '),
            filter:
              at % 3 === 0 ? ({ op: 'eq', field: 'source', value: 's2' } as const) : undefined,
          }),
        );
        for (const unit of UNITS)
          for (const k of [1, 7, 60])
            for (const scorer of ['bm25', 'bm25(stop=english)']) {
              const request = { unit, k, scorer, queries };
              const expected = await embedded.current.search(request);
              const actual = await snapshot.search(request, call);
              sameRankings(actual, expected, `${unit}, ${k}, ${scorer}`);
            }
      });

    test('on scripts without spaces, by pairs of characters and by one', async () => {
      const random = mulberry32(13);
      const words = ['数据库', '猫', '数学', '図書館', '도서관', 'lamp', 'quay', 'tarn', 'v2', 'a'];
      const of = [...words, 'b', 'x', 'y', 'z'];
      const word = (): string => of[Math.floor(random() * of.length)]!;
      const documents = Array.from({ length: 60 }, (_, at) => ({
        id: `doc-${at}`,
        title: 'Lamps of a quay',
        metadata: {},
        text: Array.from({ length: 4 + (at % 30) }, word).join(' '),
      }));
      const engine = await engines.holding(documents);
      await using snapshot = await engine.snapshot();
      const queries = ['数据库', '図書館 lamp', '数', '猫 quay', '館', '도'].map(text => ({
        text,
      }));
      const request = { unit: 'document', k: 60, queries } as const;
      const expected = await embeddedOf(documents).current.search(request);
      sameRankings(await snapshot.search(request, call), expected);
    });

    test('on forms of words in documents of some languages and of none', async () => {
      const random = mulberry32(19);
      const of = ['Haus', 'Häuser', 'Häusern', 'maison', 'maisons', 'насос', 'насосы', 'quay'];
      const word = (): string => of[Math.floor(random() * of.length)]!;
      const documents = Array.from(
        { length: 60 },
        (_, at): Document => ({
          id: `doc-${at}`,
          title: 'Lamps of a quay',
          metadata: at % 4 === 0 ? {} : { language: ['de-AT', 'fr', 'ru'][(at % 4) - 1]! },
          text: Array.from({ length: 3 + (at % 9) }, word).join(' '),
        }),
      );
      const engine = await engines.holding(documents);
      await using snapshot = await engine.snapshot();
      const queries = ['Hauses', 'maison quay', 'насосов', 'Häuser'].map(text => ({ text }));
      const request = { unit: 'document', k: 60, queries } as const;
      const expected = await embeddedOf(documents).current.search(request);
      assert.ok(expected.every(ranking => ranking.length > 0));
      sameRankings(await snapshot.search(request, call), expected);
    });

    test('on identifiers in a question and in a search, by spelling, by words and by parts', async () => {
      const random = mulberry32(17);
      const names = [
        'readFile',
        'read_file',
        'read-file',
        'FTPServer',
        '12volt',
        'E404',
        'C++',
        'C',
      ];
      const of = [
        ...names,
        'v1.2.3',
        '3.11',
        '.env',
        'read',
        'file',
        'server',
        '12',
        'volt',
        'tarn',
      ];
      const word = (): string => of[Math.floor(random() * of.length)]!;
      const documents = Array.from({ length: 80 }, (_, at) => ({
        id: `doc-${at}`,
        title: 'Names of a manual',
        metadata: {},
        // In prose: a server counts an item of identifiers alone as longer than it is.
        text: Array.from({ length: 4 + (at % 20) }, () => `${word()}, as a page says of`).join(' '),
      }));
      const engine = await engines.holding(documents);
      await using snapshot = await engine.snapshot();
      const texts = [
        ...of,
        'read file',
        '12 volt',
        'ftp server',
        'how to read_file with C++',
        'a C',
      ];
      const queries = [
        ...texts.map(text => ({ text })),
        ...of
          .slice(1)
          .map((text, at) => ({ text: `${text} ${of[at]!}`, holding: [text, of[at]!] })),
        { text: 'read', holding: ['a word of no document'] },
      ];
      const { current } = embeddedOf(documents);
      for (const typed of [true, false])
        for (const unit of UNITS)
          for (const k of [3, 80]) {
            const request = { unit, k, queries, typed };
            const expected = await current.search(request);
            const actual = await snapshot.search(request, call);
            sameRankings(actual, expected, `${unit}, ${k}`);
          }
    });

    test('on any text and id, and any filter', async () => {
      const documents$ = documentsOf(agreement.title ?? (title => title));
      const filters$ = fc.array(filter$, { minLength: 8, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(documents$, filters$, async (documents, filters) => {
          const fields = { id: 'known', title: 'a', text: 'a b', metadata: { f: 'a', g: ['b'] } };
          const all = [fields, ...documents.filter(({ id }) => id !== 'known')];
          const { current } = embeddedOf(all);
          const snapshot = await (await engines.holding(all)).snapshot();
          const ids = all.map(({ id }) => id);
          assert.deepEqual(
            JSON.stringify(await snapshot.read('document', ids, call)),
            JSON.stringify(await current.read('document', ids)),
          );
          const queries = filters.map(filter => ({ text: 'a b 😀', filter }));
          for (const unit of UNITS)
            sameRankings(
              await snapshot.search({ unit, k: 9, queries }, call),
              await current.search({ unit, k: 9, queries }),
            );
          for (const field of ['f', 'g', 'title'])
            for (const order of ['frequency', 'ascending', 'descending'] as const)
              assert.deepEqual(
                await snapshot.values(field, { order, filter: filters[0]! }, call),
                await current.values(field, { order, filter: filters[0]! }),
              );
          await engines.close();
        }),
        { numRuns: agreement.numRuns },
      );
    });

    test('on vectors: every hit', async () => {
      const documents = naturalDocuments(60);
      const embedders = [hashedEmbedder()];
      const { current } = new EmbeddedEngine({ documents, embedders });
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
        const expected = await current.search(request);
        sameRankings(await snapshot.search(request, call), expected, unit);
        const ids = expected[0]!.map(({ id }) => id);
        const port = snapshot.port(VECTORS)!;
        const vectors = await port.vectors(unit, ids, 'hashed', call);
        assert.deepEqual(vectors, await current.vectors(unit, ids, 'hashed', call));
        const scores = await port.scores(unit, ids, vectors, 'hashed', call);
        const products = await current.scores(unit, ids, vectors, 'hashed', call);
        for (const [at, row] of products.entries())
          for (const [place, product] of row.entries()) {
            const distance = Math.abs(scores[at]![place]! - product);
            assert.ok(distance <= rounding.products, `${unit}, ${ids[place]}`);
          }
      }
    });

    test('on every strategy that needs no capability which it lacks', async t => {
      const embedded = embeddedOf(FIXTURE_DOCUMENTS);
      const remote = await engines.holding(FIXTURE_DOCUMENTS);
      const ran: string[] = [];
      const lacking: string[] = [];
      for (const { name } of strategies.members) {
        // Without edges `chain` expands nothing, and says so: it is compared without its graph.
        const strategy = name === 'chain' ? 'chain(graph=false)' : name;
        const run = (engine: EmbeddedEngine | RemoteEngine, text: string): Promise<unknown> =>
          ask(text, { engine, strategy, reader: 'evidence-only' }).then(foundBy);
        try {
          for (const { text } of FIXTURE_QUESTIONS)
            assert.deepEqual(await run(remote, text), await run(embedded, text), strategy);
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
      const set = await someOfMultihopRag(`${data}/multihop-rag`, questions);
      const embedded = embeddedOf(set.documents);
      const whole = new EmbeddedEngine({ documents: set.documents });
      const engine = await engines.holding(set.documents);
      const recall = measure('FactRecall');
      const records = recordsOf(set);
      const scores: [remote: Score, whole: Score][] = [];
      const ofHop: number[] = [];
      for (const example of set.examples) {
        const { text } = example.question;
        const run = (engine: EmbeddedEngine | RemoteEngine): PromiseLike<Trace> =>
          ask(text, {
            engine,
            strategy: 'fact-lanes(tokens=510)',
            reader: 'evidence-only',
            retriever: 'lexical(unit=sentence)',
            context: 'sentences(perDocument=5)',
          });
        const before = engine.roundTrips;
        const remote = await run(engine);
        ofHop.push((engine.roundTrips - before - roundTrips.beside) / remote.hops.length);
        const expected = await run(embedded);
        assert.deepEqual(foundBy(remote), foundBy(expected), text);
        const score = recall.score(example, remote, records);
        const unrounded = agreement.prepare ? await run(whole) : expected;
        const other = recall.score(example, unrounded, records);
        if (score !== undefined && other !== undefined) scores.push([score, other]);
      }
      // The first question of a state reads the catalogue for all.
      const most = Math.max(...ofHop.slice(1));
      const [found, expected] = [0, 1].map(
        at =>
          100 *
          valueOfScores(
            recall,
            scores.map(pair => pair[at]!),
          )!.value,
      );
      t.diagnostic(
        `${ofHop.length} questions: FactRecall ${found!.toFixed(1)} and ${expected!.toFixed(1)} with whole lengths; beside ${roundTrips.beside} round trips a question, a hop ${(ofHop.slice(1).reduce((sum, trips) => sum + trips, 0) / (ofHop.length - 1)).toFixed(1)}, at most ${most}`,
      );
      assert.equal(ofHop.length, questions);
      assert.ok(most <= roundTrips.mostOfHop, `${most} round trips a hop`);
      assert.ok(Math.abs(found! - expected!) <= agreement.recallWithin);
      const share = await agreementAfterChanges(engine, set);
      t.diagnostic(`${share.toFixed(3)} of the first ten hits agree after changes of a fifth`);
      assert.ok(share >= agreement.afterChanges, `${share}`);
    });
  });
}
