/**
 * A law that cannot fail says nothing: each suite is run over something broken, and the law that is
 * named must break.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Context, UnboundContext } from '../../src/context/context.ts';
import { contexts } from '../../src/context/contexts.ts';
import { chunkers } from '../../src/core/corpus/chunk.ts';
import type { Chunker } from '../../src/core/corpus/chunker.ts';
import type { Document, Passage } from '../../src/core/corpus/document.ts';
import { mulberry32 } from '../../src/core/mulberry32.ts';
import { required } from '../../src/core/port.ts';
import { reciprocalRankFusion } from '../../src/core/ranking/fusion.ts';
import type { Hit, Ranking } from '../../src/core/ranking/ranking.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import type { Answer } from '../../src/core/trace/trace.ts';
import { reranker } from '../../src/models/ports.ts';
import { initialParameters } from '../../src/models/tree-hop/parameters.ts';
import { treeHopUpdater } from '../../src/models/tree-hop/tree-hop-updater.ts';
import type { Reader } from '../../src/readers/reader.ts';
import { readers } from '../../src/readers/readers.ts';
import { EmbeddedEngine } from '../../src/search/embedded-engine.ts';
import {
  type Catalogue,
  type Engine,
  type EngineSnapshot,
  engineWith,
  type FieldValue,
  type Records,
  type Search,
  type SearchEngine,
  type SearchRequest,
  wrapEngine,
} from '../../src/search/engine.ts';
import type { Explain } from '../../src/search/explain-port.ts';
import type { UnboundRetriever } from '../../src/search/retriever.ts';
import { retrievers } from '../../src/search/retrievers.ts';
import type { Snapshot } from '../../src/search/snapshot.ts';
import type { Vectors } from '../../src/search/vectors-port.ts';
import { strategies } from '../../src/strategies/strategies.ts';
import type { OpenHop, Strategy } from '../../src/strategies/strategy.ts';
import { chunkerLaws } from '../../src/testing/chunker-laws.ts';
import { contextLaws } from '../../src/testing/context-laws.ts';
import { embedderLaws } from '../../src/testing/embedder-laws.ts';
import { engineLaws } from '../../src/testing/engine-laws.ts';
import { fusionLaws } from '../../src/testing/fusion-laws.ts';
import { hashedEmbedder } from '../../src/testing/hashed-embedder.ts';
import { type Law, LawBroken } from '../../src/testing/law.ts';
import { overlapReranker } from '../../src/testing/overlap-reranker.ts';
import { queryUpdaterLaws } from '../../src/testing/query-updater-laws.ts';
import { readerLaws } from '../../src/testing/reader-laws.ts';
import { retrieverLaws } from '../../src/testing/retriever-laws.ts';
import { strategyLaws } from '../../src/testing/strategy-laws.ts';
import { approximateEngine } from './approximate-engine.ts';
import { type RechoosingFault, rechoosing } from './rechoosing.ts';

/**
 * Runs the suite and expects that a law whose name matches breaks, with a message that names it.
 */
function breaks(what: string, law: RegExp, given: readonly Law[] | Promise<Law[]>): void {
  test(`${what} breaks ${law.source}`, async () => {
    const named = (await given).filter(({ name }) => law.test(name));
    assert.ok(named.length > 0, 'a law of that name exists');
    const broken: unknown[] = [];
    for (const one of named) await one.run().catch((error: unknown) => broken.push(error));
    assert.ok(broken.length > 0, 'no law detects the fault');
    for (const error of broken) {
      assert.ok(error instanceof Error);
      if (error instanceof LawBroken)
        assert.ok(
          named.some(({ name }) => error.message.startsWith(`${name}: `)) &&
            /expected .*, received /s.test(error.message),
          error.message,
        );
    }
  });
}

describe('chunkers', () => {
  const sentences = chunkers.create('sentences');
  const broken = (change: (passages: Passage[]) => Passage[]): Law[] =>
    chunkerLaws({
      name: 'x',
      chunk: document => change(sentences.chunk(document)),
    } satisfies Chunker);
  breaks(
    'a missing last passage',
    /covered/,
    broken(passages => passages.slice(0, -1)),
  );
  breaks(
    'a changed text',
    /slice/,
    broken(passages => passages.map(passage => ({ ...passage, text: passage.text.toUpperCase() }))),
  );
  breaks(
    'a wrong order',
    /ascend/,
    broken(passages => passages.reverse()),
  );
  breaks(
    'ids that repeat',
    /ids are unique/,
    broken(passages => passages.map(passage => ({ ...passage, id: 'x' }))),
  );
  let runs = 0;
  breaks(
    'random passages',
    /equal documents/,
    broken(passages => passages.map(passage => ({ ...passage, id: `${passage.id}${runs++}` }))),
  );
});

describe('contexts', () => {
  const broken = (change: (context: Context) => Partial<Context>): Law[] => {
    const unbound: UnboundContext = contexts.create('lead');
    return contextLaws({
      name: unbound.name,
      bind(...given) {
        const context = unbound.bind(...given);
        return { ...context, ...change(context) };
      },
    });
  };
  breaks(
    'a constant cost',
    /sum of costs/,
    broken(() => ({ cost: async () => 30 })),
  );
  breaks(
    'a cost that ignores earlier items',
    /sum of costs/,
    broken(context => ({ cost: item => context.cost(item, []) })),
  );
  breaks(
    'a cost below 0',
    /sum of costs/,
    broken(context => ({
      cost: async (next, soFar) =>
        (await context.cost(next, soFar)) + [500, -500][soFar.length % 2]!,
    })),
  );
  breaks(
    'text that depends on the order of items',
    /any order/,
    broken(context => ({
      build: async (question, kept, tokens) => {
        const built = await context.build(question, kept, tokens);
        return { ...built, tokens: built.tokens + (kept[0]?.id.length ?? 0) };
      },
    })),
  );
  breaks(
    'an ignored cap',
    /cap/,
    broken(context => ({
      build: (question, kept) => context.build(question, kept, Number.POSITIVE_INFINITY),
    })),
  );
  breaks(
    'additional text',
    /parts are in order/,
    broken(context => ({
      build: async (...given) => {
        const built = await context.build(...given);
        return { ...built, text: `Context: ${built.text}` };
      },
    })),
  );
  breaks(
    'spans that are not shown',
    /spans/,
    broken(context => ({
      build: async (...given) => {
        const built = await context.build(...given);
        return {
          ...built,
          parts: built.parts.map(part => ({
            ...part,
            spans: [
              [0, 1],
              [5, 40],
            ] as const,
          })),
        };
      },
    })),
  );
  breaks(
    'dropped documents',
    /every kept document/,
    broken(context => ({
      build: (question, kept, tokens) => context.build(question, kept.slice(0, 2), tokens),
    })),
  );
});

describe('readers', () => {
  const inner = readers.create('evidence-only');
  const broken = (read: Reader['read']): Law[] => readerLaws({ ...inner, read });
  const answer = (change: Partial<Extract<Answer, { kind: 'answered' }>>): Answer => ({
    kind: 'answered',
    text: 'yes',
    citations: [],
    ...change,
  });
  breaks(
    'an answer without evidence',
    /without evidence/,
    broken(async () => answer({})),
  );
  breaks(
    'a citation outside the evidence',
    /cites only/,
    broken(async () => answer({ citations: [{ id: 'x', documentId: 'x', start: 0, end: 1 }] })),
  );
  breaks(
    'a citation beyond its span',
    /cites only/,
    broken(async (_q, _c, evidence) =>
      answer({
        citations: evidence.map(({ id, documentId, spans }) => ({
          id,
          documentId,
          start: 0,
          end: spans.at(-1)![1] + 1,
        })),
      }),
    ),
  );
  let reads = 0;
  breaks(
    'random answers',
    /equal cases/,
    broken(async () => answer({ text: `answer ${reads++}` })),
  );
  breaks(
    'an empty answer',
    /an answer has text/,
    broken(async () => answer({ text: ' ' })),
  );
  breaks(
    'support above 1',
    /an answer has text/,
    broken(async () => answer({ support: 1.5 })),
  );
  breaks(
    'a throw at hostile texts',
    /hostile/,
    broken(async (...given) => {
      new RegExp(given[0].text, 'u');
      return inner.read(...given);
    }),
  );
});

describe('retrievers', () => {
  const broken = (
    change: (
      rankings: Awaited<ReturnType<ReturnType<UnboundRetriever['bind']>['retrieve']>>,
      k: number,
    ) => typeof rankings,
    filters = true,
  ): Law[] => {
    const unbound = retrievers.create('lexical');
    return retrieverLaws({
      name: unbound.name,
      bind(engine) {
        const bound = unbound.bind(engine);
        return {
          ...bound,
          retrieve: async (queries, k, call, within) =>
            change(
              await (filters
                ? bound.retrieve(queries, k, call, within)
                : bound.retrieve(
                    queries.map(({ text }) => ({ text })),
                    k,
                    call,
                    within,
                  )),
              k,
            ),
        };
      },
    });
  };
  breaks(
    'an upside-down ranking',
    /total order/,
    broken(rankings => rankings.map(ranking => [...ranking].reverse())),
  );
  breaks(
    'a repeated hit',
    /total order/,
    broken(rankings => rankings.map(ranking => [...ranking, ...ranking.slice(0, 1)])),
  );
  breaks(
    'rankings that depend on k',
    /prefix/,
    broken((rankings, k) => rankings.map(ranking => (k % 2 ? ranking.slice(1) : ranking))),
  );
  breaks(
    'rankings that depend on their batch',
    /batched and single/,
    broken(rankings => rankings.map((ranking, index) => ranking.slice(index))),
  );
  breaks(
    'an ignored filter',
    /pass the filter/,
    broken(rankings => rankings, false),
  );
});

type Reads = Partial<Search & Records & Catalogue & Vectors & Explain>;
type Change = (snapshot: Snapshot) => Reads;

const writes = (engine: Engine): Pick<Engine, 'put' | 'remove'> => ({
  put: (documents, call) => engine.put(documents, call),
  remove: (ids, call) => engine.remove(ids, call),
});

const opened = (engine: SearchEngine): EngineSnapshot => ({
  ...engine,
  [Symbol.asyncDispose]: async () => {},
});

/** The same engine; methods of its snapshots, of whatever port, are replaced. */
function brokenReads(engine: EmbeddedEngine, change: Change): Engine {
  return {
    ...writes(engine),
    async snapshot() {
      const snapshot = await engine.snapshot();
      const changed = change(snapshot) as Record<string, (...args: unknown[]) => Promise<unknown>>;
      return opened(
        wrapEngine(snapshot, ({ method, args, next }) => changed[method]?.(...args) ?? next()),
      );
    },
  };
}

const embedded = (documents: readonly Document[]): EmbeddedEngine =>
  new EmbeddedEngine({ documents, embedders: [hashedEmbedder()] });

/** A snapshot that reads the newest state at every call. */
function live(engine: EmbeddedEngine): EngineSnapshot {
  const newest = (): Record<string, (...args: unknown[]) => Promise<unknown>> =>
    engine.current as never;
  return opened(wrapEngine(engine.current, ({ method, args }) => newest()[method]!(...args)));
}

describe('engines', () => {
  const spaces = ['hashed'];
  const broken = (change: Change): Promise<Law[]> =>
    engineLaws(async documents => brokenReads(embedded(documents), change), { spaces });
  const brokenWrites = (change: (engine: EmbeddedEngine) => Partial<Engine>): Promise<Law[]> =>
    engineLaws(
      async documents => {
        const engine = embedded(documents);
        return { ...writes(engine), snapshot: () => engine.snapshot(), ...change(engine) };
      },
      { spaces },
    );
  breaks(
    'a filter after top-k',
    /filtered search/,
    broken(engine => ({
      search: async (request, call) => {
        const open = await engine.search(
          { ...request, queries: request.queries.map(({ text }) => ({ text: text! })) },
          call,
        );
        const strict = await engine.search({ ...request, k: 1000 }, call);
        return open.map((ranking, index) =>
          ranking.filter(hit => strict[index]!.some(({ id }) => id === hit.id)),
        );
      },
    })),
  );
  breaks(
    'other scores',
    /BM25 by its definition/,
    broken(engine => ({
      search: (request, call) => engine.search({ ...request, scorer: 'bm25(k1=1.4)' }, call),
    })),
  );
  breaks(
    'an explanation of another scorer',
    /explain/,
    broken(engine => ({
      explain: (request, call) => engine.explain({ ...request, scorer: 's1' }, call),
    })),
  );
  breaks(
    'parts without the last one',
    /parts cover/,
    broken(engine => ({
      parts: async (unit, ids, call) =>
        (await engine.parts(unit, ids, call)).map(list => list.slice(0, -1)),
    })),
  );
  breaks(
    'pages that repeat their first value',
    /pages of values/,
    broken(engine => ({
      values: async (field, { after, ...request }, call) => [
        ...(after ? [after as FieldValue] : []),
        ...(await engine.values(field, { ...request, after }, call)),
      ],
    })),
  );
  breaks(
    'values of documents that do not pass',
    /values and fields equal/,
    broken(engine => ({
      values: (field, { filter: _, ...request }, call) => engine.values(field, request, call),
    })),
  );
  breaks(
    'a snapshot that changes',
    /snapshot/,
    brokenWrites(engine => ({ snapshot: async () => live(engine) })),
  );
  breaks(
    'a write that keeps the old version',
    /changed document/,
    brokenWrites(() => ({
      put: async documents => ({ added: 0, changed: documents.length, unchanged: 0, removed: 0 }),
    })),
  );
  breaks(
    'a partial removal',
    /removal deletes/,
    brokenWrites(engine => ({
      remove: async (ids, call) => {
        for (const id of ids) await engine.remove([id], call);
        return { added: 0, changed: 0, unchanged: 0, removed: ids.length };
      },
    })),
  );
  breaks(
    'a partially written batch',
    /duplicate id/,
    brokenWrites(engine => ({
      put: async (documents, call) => {
        for (const document of documents.slice(0, 1)) await engine.put([document], call);
        return engine.put(documents, call);
      },
    })),
  );
});

describe('spaces of engines', () => {
  const spaces = ['hashed'];
  const broken = (change: Change): Promise<Law[]> =>
    engineLaws(async documents => brokenReads(embedded(documents), change), { spaces });
  breaks(
    'a search that ignores the space',
    /inner product/,
    broken(engine => ({
      search: ({ space: _, ...request }, call) =>
        engine.search(
          {
            ...request,
            queries: request.queries.map(({ vector: __, ...query }) => ({
              text: 'lamp',
              ...query,
            })),
          },
          call,
        ),
    })),
  );
  breaks(
    'vectors of other items',
    /inner product/,
    broken(engine => ({
      vectors: (unit, ids, space, call) => engine.vectors(unit, [...ids].reverse(), space, call),
    })),
  );
  breaks(
    'scores of other items',
    /inner product/,
    broken(engine => ({
      scores: (unit, ids, vectors, space, call) =>
        engine.scores(unit, [...ids].reverse(), vectors, space, call),
    })),
  );
  breaks(
    'query vectors of other texts',
    /its query vector have equal results/,
    broken(engine => ({
      queryVectors: (unit, texts, space, call) =>
        engine.queryVectors(
          unit,
          texts.map(text => (text.trim() === '' ? text : 'ferry')),
          space,
          call,
        ),
    })),
  );
  breaks(
    'queries that share the first filter',
    /equal results, by text or by vector/,
    broken(engine => ({
      search: (request, call) => {
        const filter = request.queries.find(query => query.filter)?.filter;
        return engine.search(
          {
            ...request,
            queries: request.queries.map(query => (filter ? { ...query, filter } : query)),
          },
          call,
        );
      },
    })),
  );
  breaks(
    'a filter after top-k, in a space',
    /filtered search in a space/,
    broken(engine => ({
      search: async (request, call) => {
        const queries = request.queries.map(({ filter: _, ...query }) => query);
        return (await engine.search({ ...request, queries }, call)).map(ranking =>
          ranking.slice(0, 4),
        );
      },
    })),
  );
  breaks(
    'a snapshot whose vectors change',
    /keeps its vectors/,
    engineLaws(
      async documents => {
        const engine = embedded(documents);
        return { ...writes(engine), snapshot: async () => live(engine) };
      },
      { spaces },
    ),
  );
  breaks(
    'a truncated vector',
    /invalid request/,
    broken(engine => ({
      search: (request, call) => {
        const cut = request.queries.map(({ vector, ...query }) =>
          vector ? { ...query, vector: vector.slice(0, 6) } : query,
        );
        return engine.search({ ...request, queries: cut }, call);
      },
    })),
  );
});

describe('approximate engines', () => {
  const spaces = ['hashed'];
  const broken = (change: Change): Promise<Law[]> =>
    engineLaws(
      async documents => {
        const inner = approximateEngine(documents, { leaders: 8, probes: 3, least: 2.5 });
        return {
          ...writes(inner),
          async snapshot() {
            const snapshot = await inner.snapshot();
            const changed = change(snapshot as never) as Record<
              string,
              (...args: unknown[]) => Promise<unknown>
            >;
            return opened(
              wrapEngine(
                snapshot,
                ({ method, args, next }) => changed[method]?.(...args) ?? next(),
              ),
            );
          },
        };
      },
      { spaces },
    );
  const search =
    (work: (rankings: Ranking[], request: SearchRequest) => Ranking[]): Change =>
    engine => ({
      search: async (request, call) => {
        const rankings = await engine.search(request, call);
        return request.space === undefined ? rankings : work(rankings, request);
      },
    });
  breaks(
    'too few clusters',
    /has a mean recall of at least 0.8/,
    engineLaws(
      async documents => approximateEngine(documents, { leaders: 8, probes: 1, least: 0 }),
      { spaces },
    ),
  );
  breaks(
    'a hit without an item',
    /name existing items/,
    broken(
      search(rankings =>
        rankings.map(list => list.map((hit, at) => (at === 3 ? { ...hit, id: 'stale' } : hit))),
      ),
    ),
  );
  breaks(
    'an order that is not total',
    /approximate rankings are in total order/,
    broken(search(rankings => rankings.map(list => [...list].reverse()))),
  );
  breaks(
    'scores of its own',
    /scores of an approximate search/,
    broken(
      search(rankings =>
        rankings.map(list => list.map(hit => ({ ...hit, score: Math.round(hit.score * 8) / 8 }))),
      ),
    ),
  );
  breaks(
    'an ignored filter',
    /only hits that pass its filter/,
    broken(engine => ({
      search: (request, call) =>
        engine.search(
          { ...request, queries: request.queries.map(({ filter: _, ...query }) => query) },
          call,
        ),
    })),
  );
  breaks(
    'a filter after top-k',
    /with a filter has a mean recall/,
    broken(engine => ({
      search: async (request, call) => {
        const open = request.queries.map(({ filter: _, ...query }) => query);
        const strict = await engine.search({ ...request, k: 1000 }, call);
        const found = await engine.search({ ...request, queries: open }, call);
        return found.map((list, at) =>
          list.filter(hit => strict[at]!.some(({ id }) => id === hit.id)),
        );
      },
    })),
  );
  breaks(
    'a random search',
    /repeats its approximate rankings/,
    broken(search(rankings => rankings.map(list => list.filter(() => Math.random() < 0.5)))),
  );
});

describe('capabilities of engines', () => {
  breaks(
    'a search of an unstated unit',
    /beyond its capabilities/,
    engineLaws(
      async documents => {
        const inner = embedded(documents);
        const capabilities = { ...inner.current.capabilities, units: ['document'] as const };
        return {
          ...writes(inner),
          snapshot: async () => opened(engineWith(await inner.snapshot(), { capabilities })),
        };
      },
      { spaces: ['hashed'] },
    ),
  );
});

describe('fusions', () => {
  const rrf = (rankings: readonly Ranking[]): Ranking => reciprocalRankFusion(rankings);
  breaks(
    'an order that is not total',
    /total order/,
    fusionLaws(rankings => [...rrf(rankings)].reverse()),
  );
  breaks(
    'a missing hit',
    /union/,
    fusionLaws(rankings => rrf(rankings).slice(0, 4)),
  );
  breaks(
    'a sum of scores',
    /one ranking keeps|empty ranking|first everywhere/,
    fusionLaws(rankings => rrf(rankings.map(ranking => [...ranking].reverse()))),
  );
  breaks(
    'ties that the order of the rankings decides',
    /order of the rankings/,
    fusionLaws(rankings => rrf(rankings.map((ranking, index) => ranking.slice(index > 3 ? 1 : 0)))),
  );
  breaks(
    'rankings that are sorted in place',
    /do not change|changes neither/,
    fusionLaws(rankings => {
      for (const ranking of rankings) (ranking as Hit[]).reverse();
      return rrf(rankings.map(ranking => [...ranking].reverse()));
    }),
  );
});

describe('embedders', () => {
  const sound = hashedEmbedder();
  const broken = (
    change: (vectors: Float32Array[], texts: readonly string[]) => Float32Array[],
  ): Law[] =>
    embedderLaws({
      ...sound,
      embed: async (texts, as, call) => change(await sound.embed(texts, as, call), texts),
    });
  breaks(
    'a missing vector',
    /one vector per text/,
    broken(vectors => vectors.slice(1)),
  );
  breaks(
    'vectors of another length',
    /of length 1/,
    broken(vectors => vectors.map(vector => vector.map(value => value * 1.1))),
  );
  breaks(
    'NaN',
    /finite/,
    broken(vectors => vectors.map(vector => vector.map(() => Number.NaN))),
  );
  breaks(
    'vectors in another order',
    /batched, single/,
    broken(vectors => [...vectors].reverse()),
  );
  breaks(
    'one vector for all',
    /nearer to itself/,
    broken(vectors => vectors.map(() => vectors[0]!)),
  );
  breaks(
    'an ignored abort',
    /aborted/,
    embedderLaws({ ...sound, embed: (texts, as) => sound.embed(texts, as, freeCall()) }),
  );
});

describe('query updaters', () => {
  const parameters = initialParameters({ d: 6, g: 4, m: 4, nMlp: 1, heads: 1 }, mulberry32(1));
  const sound = treeHopUpdater({ parameters, provenance: {} }, { space: 'hashed' });
  const broken = (
    change: (vectors: Float32Array[], queries: readonly Float32Array[]) => Float32Array[],
  ): Law[] =>
    queryUpdaterLaws({
      ...sound,
      update: async (queries, ...rest) => change(await sound.update(queries, ...rest), queries),
    });
  breaks(
    'a missing vector',
    /one vector per pair/,
    broken(vectors => vectors.slice(1)),
  );
  breaks(
    'another order',
    /batched, single/,
    broken(vectors => [...vectors].reverse()),
  );
  breaks(
    'changed queries',
    /do not change|changes neither/,
    broken((vectors, queries) => {
      for (const query of queries) query.fill(0);
      return vectors;
    }),
  );
  const kept = new Float32Array(6);
  breaks(
    'one buffer for all calls',
    /batched, single|changes neither/,
    broken(vectors =>
      vectors.map(vector => {
        kept.set(vector);
        return kept;
      }),
    ),
  );
  breaks('a variant of another space', /has the same id/, [
    ...queryUpdaterLaws(
      { ...sound, ablated: () => ({ ...sound, space: 'other' }) },
      { variants: ['no-q'] },
    ),
  ]);
  breaks(
    'an ignored abort',
    /aborted/,
    queryUpdaterLaws({
      ...sound,
      update: (queries, passages) => sound.update(queries, passages, freeCall()),
    }),
  );
});

describe('strategies', () => {
  const inner = strategies.create('iterative(rounds=2)');
  const broken = (change: Partial<Strategy>): Law[] =>
    strategyLaws(() => ({ ...inner, ...change }), { parse: strategies.create });
  /** The hops of the sound strategy, each changed. */
  const hops = (change: (hop: OpenHop, index: number) => OpenHop): Law[] =>
    broken({
      async *hops(...given) {
        const source = inner.hops(...given);
        for (let index = 0; ; index++) {
          const step = await source.next();
          if (step.done) return step.value;
          yield change(step.value, index);
        }
      },
    });
  breaks(
    'a name of other settings',
    /name parses/,
    broken({ name: 'iterative(rounds=2, cues=1)' }),
  );
  breaks(
    'a kept id that is no hit',
    /keeps only hits/,
    hops(hop => ({
      ...hop,
      searches: hop.searches.map(search => ({ ...search, hits: search.hits.slice(5) })),
    })),
  );
  breaks(
    'evidence that is not kept through the call',
    /keeps only hits/,
    hops((hop, index) =>
      index > 0
        ? hop
        : {
            ...hop,
            kept: hop.searches[0]!.hits.slice(0, 5).map(({ id, documentId, score }) => ({
              id,
              documentId,
              search: { hop: 0, search: 0 },
              score,
            })),
          },
    ),
  );
  breaks(
    'documents that are charged but not in the evidence',
    /keeps only hits/,
    hops(hop => ({ ...hop, kept: [] })),
  );
  breaks(
    '`from` that points forwards',
    /keeps only hits/,
    hops((hop, index) => ({
      ...hop,
      searches: hop.searches.map(search => ({
        ...search,
        from: { hop: index + 1, search: 0 },
      })),
    })),
  );
  breaks(
    'a document that is ranked twice',
    /keeps only hits/,
    broken({ ranking: all => [...inner.ranking(all), ...inner.ranking(all)] }),
  );
  breaks(
    'a shallow first search',
    /at least 30 hits/,
    broken({
      async *hops(question, kit, call) {
        const [hits] = await kit.retriever.retrieve([{ text: question.text }], 2, call);
        yield {
          searches: [
            {
              text: question.text,
              retriever: kit.retriever.name,
              unit: kit.retriever.unit,
              hits: hits!,
            },
          ],
          kept: [],
          rejected: [],
        };
        return { why: 'sufficient' };
      },
    }),
  );
  const swallowing = broken({
    async *hops(...given) {
      const source = inner.hops(...given);
      try {
        for (;;) {
          const step = await source.next();
          if (step.done) return step.value;
          yield step.value;
        }
      } catch {
        return { why: 'sufficient' };
      }
    },
  });
  breaks('an ignored limit', /retrievals/, swallowing);
  breaks('an ignored time limit', /time limit may be reached/, swallowing);
  breaks('an ignored failure', /engine may fail/, swallowing);
  const silent = strategyLaws(
    () => ({
      ...inner,
      needs: [required(reranker, 'overlap')],
      async *hops(question, kit, call) {
        const scorer = kit.resource(required(reranker, 'overlap'));
        await scorer.score(question.text, ['a', 'b'], call).catch(() => {});
        return yield* inner.hops(question, kit, call);
      },
    }),
    { resources: { reranker: [overlapReranker()] } },
  );
  breaks('an ignored failure of a reranker', /reranker may fail/, silent);
  breaks('an ignored limit on pairs', /rerankedPairs/, silent);
  let runs = 0;
  breaks(
    'random hops',
    /equal traces/,
    hops(hop => ({ ...hop, reason: `run ${runs++}` })),
  );
  breaks(
    'a crash over an empty corpus',
    /empty corpus/,
    hops(hop => ({ ...hop, reason: hop.searches[0]!.hits[0]!.id })),
  );
  breaks(
    'a crash without hits',
    /return nothing/,
    hops(hop => ({ ...hop, reason: hop.searches[0]!.hits[0]!.id })),
  );
});

describe('strategies that choose anew', () => {
  const laws = (fault?: RechoosingFault): Law[] =>
    strategyLaws(() => rechoosing(fault), { parse: strategies.create });
  test('a sound one breaks no law', async () => {
    for (const law of laws()) await law.run();
  });
  const faults: readonly (readonly [RechoosingFault, RegExp])[] = [
    ['asks in the same hop by what it found', /depends on hits/],
    ['asks by what it found and does not say so', /depends on hits/],
    ['asks by what it found where it found nothing, and does not say so', /depends on hits/],
    ['says that a search comes of its own hop', /keeps only hits/],
    ['ranks the rest first', /keeps only hits/],
    ['ranks the evidence backwards', /keeps only hits/],
    ['withdraws in the trace alone', /keeps only hits/],
    ['withdraws in the ledger alone', /keeps only hits/],
    ['withdraws what was never evidence', /keeps only hits/],
    ['withdraws without a reason', /keeps only hits/],
    ['orders what it dropped', /keeps only hits/],
    ['scores what it dropped', /keeps only hits/],
    ['names another hop’s search', /keeps only hits/],
    ['keeps what it has', /keeps only hits/],
    ['swallows a limit and yields half of a choice', /time limit may be reached/],
  ];
  for (const [fault, law] of faults) breaks(fault, law, laws(fault));
});
