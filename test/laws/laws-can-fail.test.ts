/**
 * A law that cannot fail says nothing: each suite is run over something broken, and the law that is
 * named must break.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Context } from '../../src/context/context.ts';
import { contexts } from '../../src/context/contexts.ts';
import { chunkers } from '../../src/core/corpus/chunk.ts';
import type { Document, Passage } from '../../src/core/corpus/document.ts';
import { mulberry32 } from '../../src/core/mulberry32.ts';
import { required } from '../../src/core/port.ts';
import { reciprocalRankFusion } from '../../src/core/ranking/fusion.ts';
import type { Hit, Ranking } from '../../src/core/ranking/ranking.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import type { Answer } from '../../src/core/trace/trace.ts';
import { languageModel, reranker } from '../../src/models/ports.ts';
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
import type { Explain } from '../../src/search/ports/explain-port.ts';
import type { Vectors } from '../../src/search/ports/vectors-port.ts';
import { retrievers } from '../../src/search/retrievers.ts';
import type { Snapshot } from '../../src/search/snapshot.ts';
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
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { strategyLaws } from '../../src/testing/strategy-laws.ts';
import { approximateEngine } from './approximate-engine.ts';
import { type RechoosingFault, rechoosing } from './rechoosing.ts';

type Laws = readonly Law[] | Promise<Law[]>;

/**
 * Runs the suite over each faulty member and expects that a law whose name matches breaks, with a
 * message that names the law, what it expected and what it received.
 */
function faults<Fault>(
  lawsOf: (fault: Fault) => Laws,
  list: readonly (readonly [what: string, law: RegExp, fault: Fault])[],
): void {
  for (const [what, law, fault] of list)
    test(`${what} breaks ${law.source}`, async () => {
      const laws = (await lawsOf(fault)).filter(({ name }) => law.test(name));
      assert.ok(laws.length > 0, 'a law of that name exists');
      const errors: unknown[] = [];
      for (const each of laws) await each.run().catch((error: unknown) => errors.push(error));
      assert.ok(errors.length > 0, 'no law detects the fault');
      for (const error of errors) {
        assert.ok(error instanceof Error);
        if (!(error instanceof LawBroken)) continue;
        assert.ok(
          laws.some(({ name }) => error.message.startsWith(`${name}: `)),
          error.message,
        );
        assert.match(error.message, /expected .*, received /s);
      }
    });
}

/** For suites that each fault builds in its way. */
const asBuilt = (laws: () => Laws): Laws => laws();

let runs = 0;

describe('chunkers', () => {
  const sentences = chunkers.create('sentences');
  faults<(passages: Passage[]) => Passage[]>(
    change => chunkerLaws({ name: 'x', chunk: document => change(sentences.chunk(document)) }),
    [
      ['a missing last passage', /covered/, list => list.slice(0, -1)],
      ['a changed text', /slice/, list => list.map(each => ({ ...each, text: `${each.text}!` }))],
      ['a wrong order', /ascend/, list => list.reverse()],
      ['ids that repeat', /ids are unique/, list => list.map(each => ({ ...each, id: 'x' }))],
      [
        'random passages',
        /equal documents/,
        list => list.map(each => ({ ...each, id: `${each.id}${runs++}` })),
      ],
    ],
  );
});

describe('contexts', () => {
  const lead = contexts.create('lead');
  /** Changes what the sound context built of all its documents. */
  const built =
    (
      change: (
        context: Awaited<ReturnType<Context['build']>>,
        kept: Parameters<Context['build']>[1],
      ) => object,
    ) =>
    (context: Context): Partial<Context> => ({
      build: async (question, kept, tokens) => {
        const sound = await context.build(question, kept, tokens);
        return { ...sound, ...change(sound, kept) };
      },
    });
  const spans = [
    [0, 1],
    [5, 40],
  ] as const;
  faults<(context: Context) => Partial<Context>>(
    change =>
      contextLaws({
        name: lead.name,
        bind(...settings) {
          const context = lead.bind(...settings);
          return { ...context, ...change(context) };
        },
      }),
    [
      ['a constant cost', /sum of costs/, () => ({ cost: async () => 30 })],
      [
        'a cost that ignores earlier items',
        /sum of costs/,
        context => ({ cost: item => context.cost(item, []) }),
      ],
      [
        'a cost below 0',
        /sum of costs/,
        context => ({
          cost: async (next, soFar) =>
            (await context.cost(next, soFar)) + [500, -500][soFar.length % 2]!,
        }),
      ],
      [
        'text that depends on the order of items',
        /any order/,
        built(({ tokens }, kept) => ({ tokens: tokens + (kept[0]?.id.length ?? 0) })),
      ],
      [
        'an ignored cap',
        /cap/,
        context => ({
          build: (question, kept) => context.build(question, kept, Number.POSITIVE_INFINITY),
        }),
      ],
      [
        'additional text',
        /parts are in order/,
        built(({ text }) => ({ text: `Context: ${text}` })),
      ],
      [
        'spans that are not shown',
        /spans/,
        built(({ parts }) => ({ parts: parts.map(part => ({ ...part, spans })) })),
      ],
      [
        'dropped documents',
        /every kept document/,
        context => ({
          build: (question, kept, tokens) => context.build(question, kept.slice(0, 2), tokens),
        }),
      ],
    ],
  );
});

describe('readers', () => {
  const sound = readers.create('evidence-only');
  const answer =
    (change: Partial<Extract<Answer, { kind: 'answered' }>>): Reader['read'] =>
    async () => ({ kind: 'answered', text: 'yes', citations: [], ...change });
  faults<Reader['read']>(
    read => readerLaws({ ...sound, read }),
    [
      ['an answer without evidence', /without evidence/, answer({})],
      [
        'a citation outside the evidence',
        /cites only/,
        answer({ citations: [{ id: 'x', documentId: 'x', start: 0, end: 1 }] }),
      ],
      [
        'a citation beyond its span',
        /cites only/,
        async (_question, _context, evidence) => ({
          kind: 'answered',
          text: 'yes',
          citations: evidence.map(({ id, documentId, spans }) => ({
            id,
            documentId,
            start: 0,
            end: spans.at(-1)![1] + 1,
          })),
        }),
      ],
      [
        'random answers',
        /equal cases/,
        (...asked) => answer({ text: `answer ${runs++}` })(...asked),
      ],
      ['an empty answer', /an answer has text/, answer({ text: ' ' })],
      ['support above 1', /an answer has text/, answer({ support: 1.5 })],
      [
        'a throw at hostile texts',
        /hostile/,
        async (...asked) => {
          new RegExp(asked[0].text, 'u');
          return sound.read(...asked);
        },
      ],
    ],
  );
});

describe('retrievers', () => {
  const lexical = retrievers.create('lexical');
  type Retrieve = ReturnType<typeof lexical.bind>['retrieve'];
  const changed =
    (change: (ranking: Ranking, k: number, index: number) => Ranking) =>
    (sound: Retrieve): Retrieve =>
    async (queries, k, ...rest) =>
      (await sound(queries, k, ...rest)).map((ranking, index) => change(ranking, k, index));
  faults<(sound: Retrieve) => Retrieve>(
    change =>
      retrieverLaws({
        name: lexical.name,
        bind(engine) {
          const bound = lexical.bind(engine);
          return { ...bound, retrieve: change(bound.retrieve.bind(bound)) };
        },
      }),
    [
      ['an upside-down ranking', /total order/, changed(ranking => [...ranking].reverse())],
      ['a repeated hit', /total order/, changed(list => [...list, ...list.slice(0, 1)])],
      ['rankings that depend on k', /prefix/, changed((list, k) => list.slice(k % 2))],
      [
        'rankings that depend on their batch',
        /batched and single/,
        changed((ranking, _, index) => ranking.slice(index)),
      ],
      [
        'an ignored filter',
        /pass the filter/,
        sound =>
          (queries, ...rest) =>
            sound(
              queries.map(({ text }) => ({ text })),
              ...rest,
            ),
      ],
    ],
  );
});

type Reads = Partial<Search & Records & Catalogue & Vectors & Explain>;
type Change = (snapshot: Snapshot) => Reads;
type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

const writes = (engine: Engine): Pick<Engine, 'put' | 'remove'> => ({
  put: (documents, call) => engine.put(documents, call),
  remove: (ids, call) => engine.remove(ids, call),
});

const opened = (engine: SearchEngine): EngineSnapshot => ({
  ...engine,
  [Symbol.asyncDispose]: async () => {},
});

/** The same engine; methods of its snapshots, of whatever port, are replaced. */
const brokenReads = (engine: Engine, change: Change): Engine => ({
  ...writes(engine),
  async snapshot() {
    const snapshot = await engine.snapshot();
    const changed = change(snapshot as never) as Methods;
    return opened(
      wrapEngine(snapshot, ({ method, args, next }) => changed[method]?.(...args) ?? next()),
    );
  },
});

const embedded = (documents: readonly Document[]): EmbeddedEngine =>
  new EmbeddedEngine({ documents, embedders: [hashedEmbedder()] });

const lawsOf = (create: (documents: readonly Document[]) => Engine): Promise<Law[]> =>
  engineLaws(async documents => create(documents), { spaces: ['hashed'] });
const lawsOfReads = (change: Change): Promise<Law[]> =>
  lawsOf(documents => brokenReads(embedded(documents), change));

/** An engine whose snapshots read the newest state at every call. */
const live = (engine: EmbeddedEngine): Partial<Engine> => ({
  snapshot: async () =>
    opened(
      wrapEngine(engine.current, ({ method, args }) =>
        (engine.current as unknown as Methods)[method]!(...args),
      ),
    ),
});

/** The request with each query changed. */
const queries = (
  request: SearchRequest,
  change: (query: SearchRequest['queries'][number]) => object,
): SearchRequest => ({ ...request, queries: request.queries.map(query => change(query)) as never });
const unfiltered = (request: SearchRequest): SearchRequest =>
  queries(request, ({ filter: _, ...query }) => query);

/** Searches without the filter, and drops afterwards what the filter does not let pass. */
const filterAfterTopK: Change = engine => ({
  search: async (request, call) => {
    const found = await engine.search(unfiltered(request), call);
    const strict = await engine.search({ ...request, k: 1000 }, call);
    return found.map((list, at) => list.filter(hit => strict[at]!.some(({ id }) => id === hit.id)));
  },
});

describe('reads of engines', () => {
  faults<Change>(lawsOfReads, [
    ['a filter after top-k', /filtered search/, filterAfterTopK],
    [
      'other scores',
      /BM25 by its definition/,
      engine => ({
        search: (request, call) => engine.search({ ...request, scorer: 'bm25(k1=1.4)' }, call),
      }),
    ],
    [
      'an explanation of another scorer',
      /explain/,
      engine => ({
        explain: (request, call) => engine.explain({ ...request, scorer: 's1' }, call),
      }),
    ],
    [
      'parts without the last one',
      /parts cover/,
      engine => ({
        parts: async (...asked) => (await engine.parts(...asked)).map(list => list.slice(0, -1)),
      }),
    ],
    [
      'pages that repeat their first value',
      /pages of values/,
      engine => ({
        values: async (field, request, call) => [
          ...(request.after ? [request.after as FieldValue] : []),
          ...(await engine.values(field, request, call)),
        ],
      }),
    ],
    [
      'values of documents that do not pass',
      /values and fields equal/,
      engine => ({
        values: (field, { filter: _, ...request }, call) => engine.values(field, request, call),
      }),
    ],
  ]);
});

describe('writes of engines', () => {
  faults<(engine: EmbeddedEngine) => Partial<Engine>>(
    change =>
      lawsOf(documents => {
        const engine = embedded(documents);
        return { ...writes(engine), snapshot: () => engine.snapshot(), ...change(engine) };
      }),
    [
      ['a snapshot that changes', /snapshot/, live],
      ['a snapshot whose vectors change', /keeps its vectors/, live],
      [
        'a write that keeps the old version',
        /changed document/,
        () => ({
          put: async documents => ({
            added: 0,
            changed: documents.length,
            unchanged: 0,
            removed: 0,
          }),
        }),
      ],
      [
        'a partial removal',
        /removal deletes/,
        engine => ({
          remove: async (ids, call) => {
            for (const id of ids) await engine.remove([id], call);
            return { added: 0, changed: 0, unchanged: 0, removed: ids.length };
          },
        }),
      ],
      [
        'a partially written batch',
        /duplicate id/,
        engine => ({
          put: async (documents, call) => {
            for (const document of documents.slice(0, 1)) await engine.put([document], call);
            return engine.put(documents, call);
          },
        }),
      ],
    ],
  );
});

describe('spaces of engines', () => {
  faults<Change>(lawsOfReads, [
    [
      'a search that ignores the space',
      /inner product/,
      engine => ({
        search: ({ space: _, ...request }, call) =>
          engine.search(
            queries(request, ({ vector: __, ...query }) => ({ text: 'lamp', ...query })),
            call,
          ),
      }),
    ],
    [
      'vectors of other items',
      /inner product/,
      engine => ({
        vectors: (unit, ids, ...rest) => engine.vectors(unit, [...ids].reverse(), ...rest),
      }),
    ],
    [
      'scores of other items',
      /inner product/,
      engine => ({
        scores: (unit, ids, ...rest) => engine.scores(unit, [...ids].reverse(), ...rest),
      }),
    ],
    [
      'query vectors of other texts',
      /its query vector have equal results/,
      engine => ({
        queryVectors: (unit, texts, ...rest) =>
          engine.queryVectors(
            unit,
            texts.map(text => (text.trim() === '' ? text : 'ferry')),
            ...rest,
          ),
      }),
    ],
    [
      'queries that share the first filter',
      /equal results, by text or by vector/,
      engine => ({
        search: (request, call) => {
          const filter = request.queries.find(query => query.filter)?.filter;
          return engine.search(
            queries(request, query => (filter ? { ...query, filter } : query)),
            call,
          );
        },
      }),
    ],
    [
      'a filter after top-k, in a space',
      /filtered search in a space/,
      engine => ({
        search: async (request, call) =>
          (await engine.search(unfiltered(request), call)).map(ranking => ranking.slice(0, 4)),
      }),
    ],
    [
      'a truncated vector',
      /invalid request/,
      engine => ({
        search: (request, call) =>
          engine.search(
            queries(request, ({ vector, ...query }) =>
              vector ? { ...query, vector: vector.slice(0, 6) } : query,
            ),
            call,
          ),
      }),
    ],
  ]);
});

describe('approximate engines', () => {
  faults<() => Laws>(asBuilt, [
    [
      'too few clusters',
      /has a mean recall of at least 0.8/,
      () => lawsOf(documents => approximateEngine(documents, { leaders: 8, probes: 1, least: 0 })),
    ],
  ]);
  const rankings =
    (change: (ranking: Ranking) => Ranking): Change =>
    engine => ({
      search: async (request, call) => {
        const sound = await engine.search(request, call);
        return request.space === undefined ? sound : sound.map(change);
      },
    });
  faults<Change>(
    change =>
      lawsOf(documents =>
        brokenReads(approximateEngine(documents, { leaders: 8, probes: 3, least: 2.5 }), change),
      ),
    [
      [
        'a hit without an item',
        /name existing items/,
        rankings(list => list.map((hit, at) => (at === 3 ? { ...hit, id: 'stale' } : hit))),
      ],
      [
        'an order that is not total',
        /approximate rankings are in total order/,
        rankings(list => [...list].reverse()),
      ],
      [
        'rounded scores',
        /scores of an approximate search/,
        rankings(list => list.map(hit => ({ ...hit, score: Math.round(hit.score * 8) / 8 }))),
      ],
      [
        'an ignored filter',
        /only hits that pass its filter/,
        engine => ({ search: (request, call) => engine.search(unfiltered(request), call) }),
      ],
      ['a filter after top-k', /with a filter has a mean recall/, filterAfterTopK],
      [
        'a random search',
        /repeats its approximate rankings/,
        rankings(list => list.filter(() => Math.random() < 0.5)),
      ],
    ],
  );
});

describe('capabilities of engines', () => {
  faults<() => Laws>(asBuilt, [
    [
      'a search of an unstated unit',
      /beyond its capabilities/,
      () =>
        lawsOf(documents => {
          const sound = embedded(documents);
          const capabilities = { ...sound.current.capabilities, units: ['document'] as const };
          return {
            ...writes(sound),
            snapshot: async () => opened(engineWith(await sound.snapshot(), { capabilities })),
          };
        }),
    ],
  ]);
});

describe('fusions', () => {
  const rrf = (rankings: readonly Ranking[]): Ranking => reciprocalRankFusion(rankings);
  const reversed = (list: Ranking): Ranking => [...list].reverse();
  faults<(rankings: readonly Ranking[]) => Ranking>(fusionLaws, [
    ['an order that is not total', /total order/, rankings => reversed(rrf(rankings))],
    ['a missing hit', /union/, rankings => rrf(rankings).slice(0, 4)],
    [
      'a sum of scores',
      /one ranking keeps|empty ranking|first everywhere/,
      rankings => rrf(rankings.map(reversed)),
    ],
    [
      'ties that the order of the rankings decides',
      /order of the rankings/,
      rankings => rrf(rankings.map((ranking, index) => ranking.slice(index > 3 ? 1 : 0))),
    ],
    [
      'rankings that are sorted in place',
      /do not change|changes neither/,
      rankings => {
        for (const ranking of rankings) (ranking as Hit[]).reverse();
        return rrf(rankings.map(reversed));
      },
    ],
  ]);
});

describe('embedders', () => {
  const sound = hashedEmbedder();
  type Embed = typeof sound.embed;
  const vectors =
    (change: (vectors: Float32Array[]) => Float32Array[]): Embed =>
    async (...asked) =>
      change(await sound.embed(...asked));
  const values = (change: (value: number) => number): Embed =>
    vectors(list => list.map(vector => vector.map(change)));
  faults<Embed>(
    embed => embedderLaws({ ...sound, embed }),
    [
      ['a missing vector', /one vector per text/, vectors(list => list.slice(1))],
      ['vectors of another length', /of length 1/, values(value => value * 1.1)],
      ['NaN', /finite/, values(() => Number.NaN)],
      ['vectors in another order', /batched, single/, vectors(list => list.reverse())],
      ['one vector for all', /nearer to itself/, vectors(list => list.map(() => list[0]!))],
      ['an ignored abort', /aborted/, (texts, as) => sound.embed(texts, as, freeCall())],
    ],
  );
});

describe('query updaters', () => {
  const parameters = initialParameters({ d: 6, g: 4, m: 4, nMlp: 1, heads: 1 }, mulberry32(1));
  const sound = treeHopUpdater({ parameters, provenance: {} }, { space: 'hashed' });
  type Update = typeof sound.update;
  const vectors =
    (change: (vectors: Float32Array[]) => Float32Array[]): Update =>
    async (...asked) =>
      change(await sound.update(...asked));
  const kept = new Float32Array(6);
  faults<Update>(
    update => queryUpdaterLaws({ ...sound, update }),
    [
      ['a missing vector', /one vector per pair/, vectors(list => list.slice(1))],
      ['another order', /batched, single/, vectors(list => list.reverse())],
      [
        'changed queries',
        /do not change|changes neither/,
        async (asked, ...rest) => {
          const updated = await sound.update(asked, ...rest);
          for (const query of asked) query.fill(0);
          return updated;
        },
      ],
      [
        'one buffer for all calls',
        /batched, single|changes neither/,
        vectors(list =>
          list.map(vector => {
            kept.set(vector);
            return kept;
          }),
        ),
      ],
      [
        'an ignored abort',
        /aborted/,
        (asked, passages) => sound.update(asked, passages, freeCall()),
      ],
    ],
  );
  faults<() => Laws>(asBuilt, [
    [
      'a variant of another space',
      /has the same id/,
      () =>
        queryUpdaterLaws(
          { ...sound, ablated: () => ({ ...sound, space: 'other' }) },
          { variants: ['no-q'] },
        ),
    ],
  ]);
});

describe('strategies', () => {
  const sound = strategies.create('iterative(rounds=2)');
  /** The hops of the sound strategy, each changed. */
  const hops = (change: (hop: OpenHop, index: number) => Partial<OpenHop>): Partial<Strategy> => ({
    async *hops(...asked) {
      const source = sound.hops(...asked);
      for (let index = 0; ; index++) {
        const step = await source.next();
        if (step.done) return step.value;
        yield { ...step.value, ...change(step.value, index) };
      }
    },
  });
  const swallowing: Partial<Strategy> = {
    async *hops(...asked) {
      try {
        return yield* sound.hops(...asked);
      } catch {
        return { why: 'sufficient' };
      }
    },
  };
  const firstHit = hops(hop => ({ reason: hop.searches[0]!.hits[0]!.id }));
  faults<Partial<Strategy>>(
    change => strategyLaws(() => ({ ...sound, ...change }), { parse: strategies.create }),
    [
      ['a name of other settings', /name parses/, { name: 'iterative(rounds=2, cues=1)' }],
      [
        'a kept id that is no hit',
        /keeps only hits/,
        hops(({ searches }) => ({
          searches: searches.map(search => ({ ...search, hits: search.hits.slice(5) })),
        })),
      ],
      [
        'evidence that is not kept through the call',
        /keeps only hits/,
        hops(({ searches, kept }, index) => ({
          kept:
            index > 0
              ? kept
              : searches[0]!.hits
                  .slice(0, 5)
                  .map(hit => ({ ...hit, search: { hop: 0, search: 0 } })),
        })),
      ],
      [
        'documents that are charged but not in the evidence',
        /keeps only hits/,
        hops(() => ({ kept: [] })),
      ],
      [
        '`from` that points forwards',
        /keeps only hits/,
        hops(({ searches }, index) => ({
          searches: searches.map(each => ({ ...each, from: { hop: index + 1, search: 0 } })),
        })),
      ],
      [
        'a document that is ranked twice',
        /keeps only hits/,
        { ranking: all => [...sound.ranking(all), ...sound.ranking(all)] },
      ],
      [
        'a shallow first search',
        /at least 30 hits/,
        {
          async *hops({ text }, { retriever }, call) {
            const [hits] = await retriever.retrieve([{ text }], 2, call);
            const search = { text, retriever: retriever.name, unit: retriever.unit, hits: hits! };
            yield { searches: [search], kept: [], rejected: [] };
            return { why: 'sufficient' };
          },
        },
      ],
      ['an ignored limit', /retrievals/, swallowing],
      ['refused hits that no hop rejects', /limit on documents/, hops(() => ({ rejected: [] }))],
      ['an ignored time limit', /time limit may be reached/, swallowing],
      ['an ignored failure', /engine may fail/, swallowing],
      ['random hops', /equal traces/, hops(() => ({ reason: `run ${runs++}` }))],
      ['a crash over an empty corpus', /empty corpus/, firstHit],
      ['a crash without hits', /return nothing/, firstHit],
    ],
  );
  const silent = (): Law[] =>
    strategyLaws(
      () => ({
        ...sound,
        needs: [required(reranker, 'overlap')],
        async *hops(question, kit, call) {
          const scorer = kit.resource(required(reranker, 'overlap'));
          await scorer.score(question.text, ['a', 'b'], call).catch(() => {});
          return yield* sound.hops(question, kit, call);
        },
      }),
      { resources: { reranker: [overlapReranker()] } },
    );
  faults<() => Laws>(asBuilt, [
    ['an ignored failure of a reranker', /reranker may fail/, silent],
    ['an ignored limit on pairs', /rerankedPairs/, silent],
  ]);
});

describe('strategies that choose anew', () => {
  const laws = (fault?: RechoosingFault): Law[] =>
    strategyLaws(() => rechoosing(fault), { parse: strategies.create });
  test('a sound one breaks no law', async () => {
    for (const law of laws()) await law.run();
  });
  const list: readonly (readonly [RechoosingFault, RegExp])[] = [
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
  faults(
    laws,
    list.map(([fault, law]) => [fault, law, fault]),
  );
});

test('a strategy that swallows a failure of its model and asks it again breaks a law', async () => {
  const need = required(languageModel);
  const again: Strategy = {
    ...strategies.create('iterative'),
    needs: [need],
    modelCalls: [{ role: 'x', atMost: 2, promptTokens: 99, completionTokens: 9 }],
    async *hops(_, kit, call) {
      const prompt = { role: 'x', messages: [], maxTokens: 9 };
      const ask = () =>
        kit
          .resource(need)
          .generate(prompt, call)
          .catch(() => undefined);
      yield { searches: [], kept: [], rejected: [], reason: `${await ask()} ${await ask()}` };
      return { why: 'completed' };
    },
  };
  const laws = strategyLaws(() => again, { resources: { model: scriptedModel(['x']) } });
  const law = laws.find(({ name }) => /model may fail/.test(name))!;
  await assert.rejects(law.run(), /call 1 fails, code and calls/);
});
