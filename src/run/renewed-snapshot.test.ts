/** A run goes on in the same state once a server lost it, and in no other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PortError } from '../core/errors.ts';
import type { Trace } from '../core/trace/trace.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import type { EngineSnapshot } from '../search/engine.ts';
import { engineWith } from '../search/engine.ts';
import { FIXTURE_DOCUMENTS } from '../testing/fixture-corpus.ts';
import { askEvents } from './ask.ts';

const QUESTION = 'Who studied under the lens grinder that won the Silver Prism?';

/** Asks an engine whose snapshots lose their state at the given call each. */
async function asked(lostAt: readonly number[], states: readonly string[], retrievals?: number) {
  const inner = new EmbeddedEngine({ documents: FIXTURE_DOCUMENTS });
  const disposed: number[] = [];
  let opened = 0;
  const snapshot = async (): Promise<EngineSnapshot> => {
    const number = opened++;
    let calls = 0;
    const whole = engineWith(inner.current, {});
    const lose = <T>(work: () => Promise<T>): Promise<T> =>
      ++calls >= lostAt[number]!
        ? Promise.reject(new PortError('engine', 'snapshot-lost', 'gone'))
        : work();
    return {
      ...whole,
      state: states[number]!,
      search: (...args) => lose(() => whole.search(...args)),
      parts: (...args) => lose(() => whole.parts(...args)),
      values: (...args) => lose(() => whole.values(...args)),
      [Symbol.asyncDispose]: async () => void disposed.push(number),
    };
  };
  const engine = { put: inner.put, remove: inner.remove, snapshot };
  const budget = retrievals === undefined ? {} : { retrievals };
  const options = { engine, strategy: 'iterative', reader: 'evidence-only', budget };
  const events = askEvents(QUESTION, options, () => 0);
  let step = await events.next();
  while (!step.done) step = await events.next();
  return { trace: step.value, opened, disposed };
}

const foundBy = ({ evidence, answer, ranking }: Trace): unknown => ({ evidence, answer, ranking });

test('a lost state is opened once more, and its searches are charged again', async () => {
  const { trace: whole } = await asked([Infinity], ['a']);
  for (const at of [1, 2]) {
    const { trace, opened, disposed } = await asked([at, Infinity], ['a', 'a']);
    assert.deepEqual(foundBy(trace), foundBy(whole), `lost at call ${at}`);
    assert.equal(trace.stopped, undefined);
    assert.equal(trace.snapshots, 2);
    assert.equal(opened, 2);
    assert.deepEqual(disposed.sort(), [0, 1]);
  }
  const { trace } = await asked([1, Infinity], ['a', 'a']);
  assert.ok(trace.spent.retrievals! > whole.spent.retrievals!, JSON.stringify(trace.spent));
  assert.equal(whole.snapshots, undefined);
});

test('a state lost twice, or replaced by another, is a failure', async () => {
  for (const [lostAt, states] of [
    [
      [1, 1],
      ['a', 'a'],
    ],
    [
      [1, Infinity],
      ['a', 'b'],
    ],
  ] as const) {
    const { trace, opened } = await asked(lostAt, states);
    assert.equal(trace.stopped?.by === 'failure' && trace.stopped.code, 'snapshot-lost');
    assert.equal(opened, 2);
  }
});
