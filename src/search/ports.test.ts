/**
 * A capability that exists in this file alone: declared, served by the embedded engine, guarded and
 * metered by `ask`, made faulty, refused where it is missing. No wrapper knows of it.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PortError } from '../core/errors.ts';
import { type Call, freeCall } from '../core/trace/call.ts';
import type { Trace } from '../core/trace/trace.ts';
import { type AskOptions, askEvents } from '../run/ask.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { type Fault, faultyEngine } from '../testing/faulty-engine.ts';
import { FIXTURE_DOCUMENTS } from '../testing/fixture-corpus.ts';
import { requirePort } from './capabilities.ts';
import { EmbeddedEngine } from './embedded-engine.ts';
import { engineWith, type SearchEngine } from './engine.ts';
import { type Port, type ServedPort, servePort } from './ports.ts';
import { retrievers } from './retrievers.ts';
import type { Snapshot } from './snapshot.ts';

/** Documents of the same source, beside each document. */
interface Neighbours {
  neighbours(ids: readonly string[], call: Call): Promise<string[][]>;
}

const NEIGHBOURS: Port<Neighbours> = {
  name: 'acquaintances',
  summary: 'a graph of neighbours',
  methods: {
    neighbours: {
      usage: ids => ({ retrievals: ids.length }),
      nothing: ids => ids.map(() => []),
    },
  },
};

const bySource = (snapshot: Snapshot): ServedPort[] => [
  servePort(NEIGHBOURS, {
    async neighbours(ids) {
      const documents = await snapshot.read('document', ids, freeCall());
      return documents.map(({ id, metadata }) =>
        snapshot.documents
          .filter(other => other.id !== id && other.metadata['source'] === metadata['source'])
          .map(other => other.id),
      );
    },
  }),
];

const engine = new EmbeddedEngine({ documents: FIXTURE_DOCUMENTS, ports: bySource }).current;
const bare = new EmbeddedEngine({ documents: FIXTURE_DOCUMENTS }).current;

/** Asks for the neighbours of one document and says them. */
const walking: Strategy = {
  name: 'walking',
  requires: () => ({ ports: [NEIGHBOURS] }),
  async *hops(_question, kit, call) {
    const port = requirePort(kit.engine, NEIGHBOURS, 'The strategy "walking"');
    const [found] = await port.neighbours(['lighthouse-sold'], call);
    yield {
      searches: [],
      kept: [],
      rejected: [],
      outputs: [{ role: 'test', text: found!.join(' '), parsed: true }],
    };
    return { why: 'completed' };
  },
  ranking: () => [],
};

async function traceOf(on: SearchEngine, options: Partial<AskOptions> = {}): Promise<Trace> {
  const events = askEvents(
    'Who sold it?',
    { engine: on, strategy: walking, reader: 'evidence-only', ...options },
    () => 0,
  );
  for (;;) {
    const step = await events.next();
    if (step.done) return step.value;
  }
}

describe('a capability defined by this test', () => {
  test('is served by the embedded engine and metered by ask', async () => {
    const trace = await traceOf(engine);
    assert.match(trace.hops[0]!.outputs![0]!.text, /boat-builder/);
    assert.equal(trace.spent.retrievals, 1);
  });

  test('respects the limit on its cost', async () => {
    const { stopped, hops } = await traceOf(engine, { budget: { retrievals: 0 } });
    assert.deepEqual(stopped, { by: 'limit', limit: 'retrievals' });
    assert.deepEqual(hops, []);
  });

  test('is served by later snapshots too', async () => {
    const growing = new EmbeddedEngine({ ports: bySource });
    await growing.put(FIXTURE_DOCUMENTS, freeCall());
    assert.match((await traceOf(growing.current)).hops[0]!.outputs![0]!.text, /boat-builder/);
  });

  for (const [fault, stopped, outputs] of [
    ['throw', { by: 'failure', port: 'engine', code: 'down', message: 'The engine is down' }, []],
    ['hang', { by: 'abort' }, []],
    ['nothing', undefined, ['']],
  ] as const satisfies readonly (readonly [Fault, unknown, readonly string[]])[])
    test(`is made faulty: ${fault}`, async () => {
      const abort = new AbortController();
      const { engine: faulty, fired } = faultyEngine(engine, fault, 1, () => abort.abort());
      const trace = await traceOf(faulty, { signal: abort.signal });
      assert.ok(fired());
      assert.deepEqual(trace.stopped, stopped);
      assert.deepEqual(
        trace.hops.flatMap(hop => hop.outputs?.map(({ text }) => text) ?? []),
        outputs,
      );
    });

  test('is guarded: its error becomes a failure of the engine', async () => {
    const failing = new EmbeddedEngine({
      documents: FIXTURE_DOCUMENTS,
      ports: () => [
        servePort(NEIGHBOURS, {
          neighbours: () => Promise.reject(new Error('no such table')),
        }),
      ],
    }).current;
    const { stopped } = await traceOf(failing);
    assert.equal(stopped?.by, 'failure');
    await assert.rejects(requirePort(engine, NEIGHBOURS, 'x').neighbours(['nobody'], freeCall()), {
      code: 'unknown-id',
    });
    assert.ok(stopped.by === 'failure' && /no such table/.test(stopped.message));
  });

  test('passes through other wrappers', async () => {
    const wrapped = engineWith(engine, {});
    assert.match((await traceOf(wrapped)).hops[0]!.outputs![0]!.text, /boat-builder/);
  });

  test('is refused at once where it is missing, in words that help', async () => {
    await assert.rejects(traceOf(bare), {
      code: 'missing-capability',
      message:
        'The strategy "walking" needs the port "acquaintances" (a graph of neighbours): expected an engine that serves the port "acquaintances" (a graph of neighbours), received an engine without it. Use an engine with this capability, such as the embedded one, or a strategy or retriever that does without.',
    });
    assert.throws(() => requirePort(bare, NEIGHBOURS, 'x'), { code: 'missing-capability' });
  });
});

describe('capabilities', () => {
  const without = (changes: Partial<SearchEngine['capabilities']>): SearchEngine =>
    engineWith(bare, { capabilities: { ...bare.capabilities, ...changes } });
  const { vectorSearch: _, ...lexicalOnly } = bare.capabilities;
  const wordsOnly = engineWith(bare, { capabilities: lexicalOnly, port: () => undefined });
  const cases: readonly (readonly [string, string, SearchEngine, RegExp])[] = [
    ['fixed-top-k', 'dense(toy)', wordsOnly, /"dense\(toy\)" needs search in vector spaces/],
    ['fixed-top-k', 'fused(lexical, dense(toy))', wordsOnly, /needs search in vector spaces/],
    ['fact-lanes', 'lexical', without({ units: ['document', 'passage'] }), /needs sentences/],
    ['fixed-top-k', 'lexical', without({ units: ['passage'] }), /"lexical" needs documents/],
    ['fixed-top-k', 'max-p(lexical)', without({ units: ['document'] }), /needs passages/],
    ['multi-meta-rag', 'lexical', without({ filters: ['eq'] }), /needs filters by "in"/],
    [
      'fixed-top-k',
      'lexical(bm25(k1=0.9))',
      without({ scorers: ['bm25'] }),
      /needs the scorer "bm25\(k1=0.9\)".*fixed to bm25/,
    ],
    [
      'fixed-top-k',
      `filtered(lexical, "source = 'Notices'")`,
      without({ filters: [] }),
      /needs filters by "(eq|in)".*filters by none/,
    ],
  ];
  for (const [strategy, retriever, on, message] of cases)
    test(`${strategy} with ${retriever}: ${message}`, async () => {
      await assert.rejects(traceOf(on, { strategy, retriever }), {
        code: 'missing-capability',
        message,
      });
    });

  test('a filter of the run that the engine cannot apply is refused', async () => {
    await assert.rejects(
      traceOf(without({ filters: ['eq'] }), {
        strategy: 'fixed-top-k',
        filter: { op: 'not', filter: { op: 'eq', field: 'source', value: 'Notices' } },
      }),
      { code: 'missing-capability' },
    );
  });

  test('fact-lanes runs by words alone on an engine without vectors', async () => {
    const trace = await traceOf(wordsOnly, { strategy: 'fact-lanes', retriever: 'lexical' });
    assert.equal(trace.stopped, undefined);
    assert.ok(trace.evidence.length > 0);
  });

  test('a filter or unit of a later search that the engine lacks is refused too', async () => {
    const retriever = retrievers
      .create('lexical')
      .bind(without({ filters: [], units: ['document'] }));
    const filter = { op: 'eq', field: 'source', value: 'Notices' } as const;
    for (const within of [{ filter }, { unit: 'sentence' as const }])
      await assert.rejects(retriever.retrieve([{ text: 'ferry' }], 3, freeCall(), within), {
        code: 'missing-capability',
      });
  });
});

test('a PortError of a served port is unchanged', async () => {
  const down = new PortError('graph', 'gone', 'The graph is gone');
  const served = new EmbeddedEngine({
    documents: FIXTURE_DOCUMENTS,
    ports: () => [servePort(NEIGHBOURS, { neighbours: () => Promise.reject(down) })],
  }).current;
  const { stopped } = await traceOf(served);
  assert.deepEqual(stopped, {
    by: 'failure',
    port: 'graph',
    code: 'gone',
    message: 'The graph is gone',
  });
});
