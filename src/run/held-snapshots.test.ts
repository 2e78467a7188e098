/** No run leaves a snapshot of its engine open, however it ends. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { PortError } from '../core/errors.ts';
import type { Trace, TraceEvent } from '../core/trace/trace.ts';
import { brokenLaw } from '../core/trace/trace-laws.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import type { Engine, EngineSnapshot } from '../search/engine.ts';
import { ask } from '../session/verbs.ts';
import { type Fault, faultyEngine } from '../testing/faulty-engine.ts';
import { FIXTURE_DOCUMENTS } from '../testing/fixture-corpus.ts';
import { type AskOptions, askEvents } from './ask.ts';

const QUESTION = 'Who bought the lighthouse at Harrow Point?';
const memory = new EmbeddedEngine({ documents: FIXTURE_DOCUMENTS });

interface Counted {
  readonly engine: Engine;
  open: number;
  taken: number;
}

/** Counts open snapshots. The first `pending` ticks of a disposal pass before it takes effect. */
function counted(
  change: (snapshot: EngineSnapshot) => EngineSnapshot = snapshot => snapshot,
): Counted {
  const counts: Counted = {
    open: 0,
    taken: 0,
    engine: {
      put: (documents, call) => memory.put(documents, call),
      remove: (ids, call) => memory.remove(ids, call),
      async snapshot() {
        counts.open++;
        counts.taken++;
        let disposed = false;
        const inner = change(memory.current);
        return {
          ...faultyEngine(inner, 'nothing', 0).engine,
          async [Symbol.asyncDispose]() {
            await Promise.resolve();
            assert.ok(!disposed, 'disposed of twice');
            disposed = true;
            counts.open--;
            await inner[Symbol.asyncDispose]();
          },
        };
      },
    },
  };
  return counts;
}

const optionsOf = (
  engine: AskOptions['engine'],
  options: Partial<AskOptions> = {},
): AskOptions => ({
  engine,
  strategy: 'iterative',
  retriever: 'lexical',
  reader: 'evidence-only',
  ...options,
});

/** Takes so many events and leaves. */
async function leaveAfter(taken: number, options: AskOptions): Promise<void> {
  for await (const _ of askEvents(QUESTION, options, () => 0)) if (--taken <= 0) break;
}

describe('a run releases its snapshot', () => {
  test('in every interruption', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('iterative', 'fixed-top-k', 'fact-lanes', 'decomposition'),
        fc.constantFrom<Fault>('throw', 'hang', 'nothing'),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 8 }),
        fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
        async (strategy, fault, at, events, abortAfter) => {
          const abort = new AbortController();
          const counts = counted(inner => ({
            ...faultyEngine(inner, fault, at, () => abort.abort()).engine,
            [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
          }));
          const options = optionsOf(counts.engine, { strategy, signal: abort.signal });
          let seen = 0;
          try {
            for await (const _ of askEvents(QUESTION, options, () => 0)) {
              if (++seen === abortAfter) abort.abort();
              if (seen >= events) break;
            }
          } catch (error) {
            assert.ok(abort.signal.aborted && error === abort.signal.reason, String(error));
          }
          // An abort does not wait for the disposal, which has begun.
          await new Promise(resolve => setImmediate(resolve));
          assert.deepEqual([counts.taken, counts.open], [1, 0]);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('opening', () => {
  const opened = (snapshot: Engine['snapshot']): Engine => ({ ...counted().engine, snapshot });

  /** Returns the trace and its verification. */
  const traceFrom = async (options: AskOptions): Promise<Trace> => {
    const source = askEvents(QUESTION, options, () => 0);
    const events: TraceEvent[] = [];
    for (;;) {
      const step = await source.next();
      if (step.done) {
        assert.equal(brokenLaw(events), undefined);
        return step.value;
      }
      events.push(step.value);
    }
  };
  const never = (): Promise<EngineSnapshot> => new Promise(() => {});

  test('is not begun after an abort, whatever its reason', async () => {
    for (const reason of [undefined, new Error('mine'), 'mine']) {
      const counts = counted();
      const { snapshot } = counts.engine;
      for (const engine of [opened(never), opened(() => snapshot())]) {
        const options = optionsOf(engine, { signal: AbortSignal.abort(reason) });
        const { evidence, stopped } = await traceFrom(options);
        assert.deepEqual([evidence, stopped], [[], { by: 'abort' }]);
      }
      assert.deepEqual([counts.taken, counts.open], [0, 0]);
    }
  });

  test('that ends after the time limit releases its snapshot', async () => {
    const counts = counted();
    const slow = async (): Promise<EngineSnapshot> => {
      await setTimeout(40);
      return counts.engine.snapshot();
    };
    await ask(QUESTION, optionsOf(opened(slow), { budget: { ms: 10 } }));
    for (let tries = 0; counts.taken === 0 || counts.open > 0; tries++) {
      assert.ok(tries < 200, 'the snapshot is not released');
      await setTimeout(10);
    }
    assert.equal(counts.taken, 1);
  });

  test('that fails throws a PortError', async () => {
    for (const failing of [
      () => Promise.reject(new Error('refused')),
      () => {
        throw new Error('refused');
      },
    ])
      await assert.rejects(
        leaveAfter(99, optionsOf(opened(failing))),
        (error: unknown) =>
          PortError.is(error) && error.port === 'engine' && /refused/.test(error.message),
      );
  });
});

describe('releasing', () => {
  test('that never ends does not delay an abort', async () => {
    const abort = new AbortController();
    const stuck = {
      ...counted().engine,
      snapshot: async () => ({
        ...faultyEngine(memory.current, 'nothing', 0).engine,
        [Symbol.asyncDispose]: () => {
          setImmediate(() => abort.abort());
          return new Promise<void>(() => {});
        },
      }),
    };
    await leaveAfter(99, optionsOf(stuck, { signal: abort.signal }));
  });
});
