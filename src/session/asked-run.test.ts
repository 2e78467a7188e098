/** A run over a server that loses a state continues in the same state, and in no other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PortError } from '../core/errors.ts';
import { freeCall } from '../core/trace/call.ts';
import type { Trace } from '../core/trace/trace.ts';
import { engineWith } from '../search/engine.ts';
import type { PlaceSnapshot } from '../search/place.ts';
import { FIXTURE_DOCUMENTS } from '../testing/fixture-corpus.ts';
import { MemoryPlace } from './places/memory-place.ts';
import { Session } from './session.ts';

const QUESTION = 'Who studied under the lens grinder that won the Silver Prism?';

/** A place whose first snapshot loses its state at the second search. */
class LossyPlace extends MemoryPlace {
  readonly disposed: number[] = [];
  private readonly states: readonly string[];
  private count = 0;

  constructor(states: readonly string[]) {
    super({ documents: FIXTURE_DOCUMENTS });
    this.states = states;
  }

  override async snapshot(): Promise<PlaceSnapshot> {
    const whole = await super.snapshot();
    const number = this.count++;
    let searches = 0;
    let isLost = false;
    const lost = (): Promise<never> =>
      Promise.reject(new PortError('engine', 'snapshot-lost', 'The server lost the state'));
    const dispose = async (): Promise<void> => void this.disposed.push(number);
    const { engine } = whole;
    const changes = engineWith(engine, {
      search(request, call) {
        isLost ||= number === 0 && request.k > 0 && ++searches === 2;
        return isLost ? lost() : engine.search(request, call);
      },
      read: ((unit, ids, call) =>
        isLost ? lost() : engine.read(unit, ids, call)) as typeof engine.read,
    });
    const state = this.states[number]!;
    return {
      ...whole,
      engine: { ...changes, state, [Symbol.asyncDispose]: dispose },
      [Symbol.asyncDispose]: dispose,
    };
  }
}

async function asked(states: readonly string[]) {
  const place = new LossyPlace(states);
  await using session = new Session(place);
  const run = await session.ask(QUESTION, { strategy: 'iterative', reader: 'evidence-only' });
  let step = await run.events.next();
  while (!step.done) step = await run.events.next();
  const trace: Trace = step.value;
  assert.deepEqual(place.disposed, [], 'disposed of before the run is closed');
  const ids = trace.evidence.map(({ documentId }) => documentId);
  const read = await run.snapshot.engine
    .read('document', ids, freeCall())
    .catch((error: PortError) => error.code);
  await run[Symbol.asyncDispose]();
  return { trace, read, disposed: place.disposed };
}

test('a lost state is opened once more, and its documents can be read after the run', async () => {
  const { trace, read, disposed } = await asked(['a', 'a']);
  assert.equal(trace.stopped, undefined);
  assert.equal(trace.snapshots, 2);
  assert.ok(Array.isArray(read) && read.length > 0);
  assert.deepEqual(disposed.sort(), [0, 1]);
});

test('a run whose state is gone ends with what it found, and says so', async () => {
  const { trace, read, disposed } = await asked(['a', 'b']);
  assert.equal(read, 'snapshot-lost');
  assert.ok(trace.stopped?.by === 'failure' && trace.stopped.code === 'snapshot-lost');
  assert.deepEqual(disposed.sort(), [0, 1]);
});
