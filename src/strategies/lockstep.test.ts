/**
 * Runs in lockstep: the same traces as alone, fewer calls, and one run's end, failure or abort is
 * its own.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { PortError } from '../core/errors.ts';
import { LAYER_PRUNINGS } from '../core/ranking/layer-pruning.ts';
import { freeCall } from '../core/trace/call.ts';
import type { Trace } from '../core/trace/trace.ts';
import type { Embedder } from '../models/embedder.ts';
import type { QueryUpdater } from '../models/query-updater.ts';
import { initialParameters } from '../models/tree-hop/parameters.ts';
import { publishedShape } from '../models/tree-hop/shape.ts';
import { treeHopUpdater } from '../models/tree-hop/tree-hop-updater.ts';
import { type AskOptions, askEvents } from '../run/ask.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import type { SearchEngine } from '../search/engine.ts';
import { mulberry32 } from '../search/indexes/mulberry32.ts';
import { VECTORS } from '../search/vectors-port.ts';
import { Lockstep } from './lockstep.ts';

const D = 16;
const ROWS = 60;

function unit(random: () => number): Float32Array {
  const row = Float32Array.from({ length: D }, () => 2 * random() - 1);
  const length = Math.hypot(...row);
  return row.map(value => value / length);
}

/** Documents and questions with drawn vectors, each text its own. */
function storeOf(seed: number): EmbeddedEngine {
  const random = mulberry32(seed);
  const known = new Map<string, Float32Array>();
  const embed: Embedder['embed'] = async texts =>
    texts.map(text => {
      if (!known.has(text)) known.set(text, unit(random));
      return known.get(text)!;
    });
  const documents = Array.from({ length: ROWS }, (_, row) => ({
    id: `p${row}`,
    title: '',
    text: `Row ${row}.`,
    metadata: {},
  }));
  return new EmbeddedEngine({ documents, embedders: [{ id: 'table', dimensions: D, embed }] });
}

const updaterOf = (seed: number): QueryUpdater =>
  treeHopUpdater({
    parameters: initialParameters(publishedShape(D), mulberry32(seed)),
    provenance: { encoder: 'table' },
  });

async function traceOf(text: string, options: AskOptions): Promise<Trace> {
  const events = askEvents(text, { reader: 'evidence-only', ...options }, () => 0);
  for (;;) {
    const step = await events.next();
    if (step.done) return step.value;
  }
}

/** Records the number of queries and pairs of each call. */
interface Counted {
  readonly engine: SearchEngine;
  readonly updater: QueryUpdater;
  readonly searches: number[];
  readonly updates: number[];
}

async function counted(seed: number): Promise<Counted> {
  const [inner, model] = [await storeOf(seed).snapshot(), updaterOf(seed)];
  const [searches, updates]: [number[], number[]] = [[], []];
  const engine = Object.create(inner, {
    search: {
      value: (...given: Parameters<SearchEngine['search']>) => {
        searches.push(given[0].queries.length);
        return inner.search(...given);
      },
    },
  }) as SearchEngine;
  const updater: QueryUpdater = {
    ...model,
    update: (queries, passages, call) => {
      updates.push(queries.length);
      return model.update(queries, passages, call);
    },
  };
  return { engine, updater, searches, updates };
}

const QUESTIONS = Array.from({ length: 7 }, (_, i) => `Question ${i}?`);

test('yields for each run the trace of that run alone, for any strategies', async () => {
  const names$ = fc.record({
    k: fc.integer({ min: 1, max: 6 }),
    hops: fc.integer({ min: 1, max: 4 }),
    pruning: fc.constantFrom(...LAYER_PRUNINGS),
    redundancy: fc.boolean(),
    variant: fc.constantFrom('trained', 'no-q', 'no-gate'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(names$, { minLength: 1, maxLength: 6 }),
      fc.nat(),
      async (settings, seed) => {
        const [engine, updater, lockstep] = [
          await storeOf(seed).snapshot(),
          updaterOf(seed),
          new Lockstep(),
        ];
        const strategies = settings.map(
          ({ k, hops, pruning, redundancy, variant }) =>
            // Without pruning a tree grows as k to the hops.
            `tree-hop(k=${k}, hops=${pruning === 'off' ? Math.min(hops, 2) : hops}, pruning=${pruning}, redundancy=${redundancy}, variant=${variant})`,
        );
        const alone: Trace[] = [];
        for (const [i, strategy] of strategies.entries())
          alone.push(
            await traceOf(`Question ${i}?`, {
              strategy,
              engine,
              resources: { 'query-updater': [updater] },
            }),
          );
        const shared = {
          engine: lockstep.engine(engine),
          resources: { 'query-updater': lockstep.updater(updater) },
        };
        const together = await lockstep.run(
          strategies.map((strategy, i) => () => traceOf(`Question ${i}?`, { strategy, ...shared })),
        );
        assert.deepEqual(together, alone);
      },
    ),
    { numRuns: 40 },
  );
});

test('makes one search and one update for a layer of all questions', async () => {
  const { engine, updater, searches, updates } = await counted(3);
  const lockstep = new Lockstep();
  const options = {
    engine: lockstep.engine(engine),
    resources: { 'query-updater': lockstep.updater(updater) },
    strategy: 'tree-hop(k=3, hops=3)',
  };
  const traces = await lockstep.run(QUESTIONS.map(text => () => traceOf(text, options)));
  const widths = [0, 1, 2].map(hop =>
    traces.reduce((sum, { hops }) => sum + hops[hop]!.searches.length, 0),
  );
  assert.deepEqual(searches, widths);
  assert.deepEqual(updates, widths.slice(1));
  assert.equal(widths[0], 7);
});

test('separates searches by text and of other depths', async () => {
  const { engine, searches } = await counted(4);
  const lockstep = new Lockstep();
  const shared = lockstep.engine(engine);
  const vector = unit(mulberry32(9));
  const ask =
    (k: number, query: { readonly text?: string; readonly vector?: Float32Array }) => async () =>
      (
        await shared.search({ unit: 'document', k, space: 'table', queries: [query] }, freeCall())
      )[0]!.length;
  assert.deepEqual(
    await lockstep.run([
      ask(2, { vector }),
      ask(3, { vector }),
      ask(2, { vector }),
      ask(4, { text: 'Row 1.' }),
    ]),
    [2, 3, 2, 4],
  );
  assert.deepEqual(searches.sort(), [1, 1, 2]);
});

test('a request with a text goes out alone, with its own call, which pays for the embedding', async () => {
  const { engine } = await counted(4);
  const calls: unknown[] = [];
  const noted = Object.create(engine, {
    search: {
      value: (...given: Parameters<SearchEngine['search']>) => {
        calls.push(given[1]);
        return engine.search(...given);
      },
    },
  }) as SearchEngine;
  const shared = new Lockstep();
  const vector = unit(mulberry32(9));
  const own = freeCall();
  const found = await shared.run([
    () =>
      shared
        .engine(noted)
        .search(
          { unit: 'document', k: 2, space: 'table', queries: [{ vector }, { text: 'Row 1.' }] },
          own,
        ),
  ]);
  assert.deepEqual(
    found[0]!.map(({ length }) => length),
    [2, 2],
  );
  assert.equal(calls.length, 1);
  assert.equal(calls[0], own);
});

describe('isolates failures of one run', () => {
  test('a model that fails for one question fails for that question', async () => {
    const { engine, updater } = await counted(5);
    const [cursed] = await engine
      .port(VECTORS)!
      .queryVectors('document', [QUESTIONS[2]!], 'table', freeCall());
    const failing: QueryUpdater = {
      ...updater,
      async update(queries, passages, call) {
        if (queries.some(query => query.every((value, i) => value === cursed![i])))
          throw new PortError('query-updater', 'cursed', 'It is cursed');
        return updater.update(queries, passages, call);
      },
    };
    const lockstep = new Lockstep();
    const options = {
      engine: lockstep.engine(engine),
      resources: { 'query-updater': lockstep.updater(failing) },
      strategy: 'tree-hop',
    };
    const traces = await lockstep.run(QUESTIONS.map(text => () => traceOf(text, options)));
    const alone: Trace[] = [];
    for (const text of QUESTIONS)
      alone.push(
        await traceOf(text, {
          strategy: 'tree-hop',
          engine,
          resources: { 'query-updater': [failing] },
        }),
      );
    assert.deepEqual(traces, alone);
    assert.deepEqual(
      traces.map(({ stopped }) => stopped?.by),
      QUESTIONS.map((_, i) => (i === 2 ? 'failure' : undefined)),
    );
  });

  test('a model that returns too few vectors fails for each question separately', async () => {
    const { engine, updater } = await counted(6);
    const lockstep = new Lockstep();
    const short: QueryUpdater = { ...updater, update: async () => [] };
    const options = {
      engine: lockstep.engine(engine),
      resources: { 'query-updater': lockstep.updater(short) },
      strategy: 'tree-hop',
    };
    const traces = await lockstep.run(QUESTIONS.map(text => () => traceOf(text, options)));
    for (const { stopped } of traces)
      assert.ok(stopped?.by === 'failure' && stopped.code === 'wrong-count');
  });

  test('a run that throws lets the others end, and its error is thrown', async () => {
    const { engine, updater } = await counted(7);
    const lockstep = new Lockstep();
    const options = {
      engine: lockstep.engine(engine),
      resources: { 'query-updater': lockstep.updater(updater) },
      strategy: 'tree-hop',
    };
    let ended = 0;
    const works = QUESTIONS.map(text => async () => {
      if (text === QUESTIONS[3]) throw new RangeError('mine');
      const trace = await traceOf(text, options);
      ended++;
      return trace;
    });
    await assert.rejects(lockstep.run(works), /mine/);
    assert.equal(ended, QUESTIONS.length - 1);
    assert.deepEqual(await lockstep.run([]), []);
  });

  test('a waiting run that is aborted does not block others', async () => {
    const { engine, updater } = await counted(8);
    const lockstep = new Lockstep();
    const controller = new AbortController();
    const aborting: QueryUpdater = {
      ...updater,
      async update(queries, passages, call) {
        controller.abort();
        return updater.update(queries, passages, call);
      },
    };
    const options = {
      engine: lockstep.engine(engine),
      resources: { 'query-updater': lockstep.updater(aborting) },
      strategy: 'tree-hop(hops=3)',
    };
    const works = QUESTIONS.map(
      (text, i) => () =>
        traceOf(text, i === 1 ? { ...options, signal: controller.signal } : options),
    );
    const traces = await lockstep.run(works);
    assert.deepEqual(
      traces.map(({ stopped, hops }) => [stopped?.by, hops.length]),
      QUESTIONS.map((_, i) => (i === 1 ? ['abort', 1] : [undefined, 3])),
    );
  });
});
