/** A point in time of an index: searches read one state of it until it is closed. */

import { PortError } from '../../../core/errors.ts';
import type { Call } from '../../../core/trace/call.ts';
import { sleep } from '../../../platform/clock.ts';
import { busy } from '../engine-errors.ts';
import type { RemoteState } from '../remote-engine.ts';
import type { SpaceRecord } from '../remote-spaces.ts';
import type { Body, Client } from './client.ts';
import type { Query } from './filter.ts';
import { type ReadState, readState, visible } from './state.ts';

/** Every search prolongs the point in time by so much. */
const KEEP = '5m';
/** Codes of a state that other nodes may serve soon. */
const GONE = new Set(['unreachable', 'snapshot-lost']);
/** Wait between two attempts. Milliseconds. */
const LOOK_MS = 200;
/** Attempts to find a moment without a write. */
const ATTEMPTS = 10;

interface Together {
  readonly bodies: object[];
  readonly answers: Promise<Body[]>;
}

const nextTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

export class PointInTime {
  readonly label: string;
  /** Passes what this state shows: nothing of a write under way. */
  readonly visible: Query;
  readonly documents: number;
  readonly spaces: readonly SpaceRecord[];
  /** Names the state. */
  readonly key: string;
  readonly shows: RemoteState;
  private readonly client: Client;
  private readonly id: string;
  private readonly onClose: (point: PointInTime) => void;
  private closing: Promise<void> | undefined;
  /** By the signal that ends them. */
  private readonly waiting = new Map<AbortSignal, Together>();

  private constructor(
    client: Client,
    id: string,
    { state, index }: ReadState,
    onClose: (point: PointInTime) => void,
  ) {
    [this.client, this.id, this.onClose] = [client, id, onClose];
    this.label = client.address.label;
    this.visible = visible(state);
    [this.documents, this.spaces] = [state.documents, state.spaces];
    this.key = `${index} ${state.generation}`;
    const { documents, chunker, spaces } = state;
    this.shows = { documents, chunker, spaces, generation: this.key };
  }

  /** Opens the newest state: all shards after one write and before the next. */
  static async open(
    client: Client,
    onClose: (point: PointInTime) => void,
    call?: Call,
  ): Promise<PointInTime> {
    const open = (): Promise<PointInTime> => PointInTime.attempt(client, onClose, call);
    return onceReachable(client, open, call);
  }

  private static async attempt(
    client: Client,
    onClose: (point: PointInTime) => void,
    call?: Call,
  ): Promise<PointInTime> {
    let before = await readState(client, call);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const id = await openId(client, before.index, call);
      const after = await readState(client, call);
      const isSame =
        after.index === before.index && after.state.generation === before.state.generation;
      // The state before hides items that may still be there; the one after it need not.
      if (isSame) return new PointInTime(client, id, before, onClose);
      await closeId(client, id);
      before = after;
    }
    throw busy(client.address, 'writes that follow each other without a pause');
  }

  /** Sends searches that are asked for in one turn of the event loop together. */
  async searches(bodies: readonly object[], call: Call): Promise<Body[]> {
    call.signal.throwIfAborted();
    if (bodies.length === 0) return [];
    const together = this.waiting.get(call.signal) ?? this.begin(call);
    const first = together.bodies.length;
    const pit = { id: this.id, keep_alive: KEEP };
    together.bodies.push(...bodies.map(body => ({ ...body, pit, track_total_hits: false })));
    const answers = await together.answers;
    return answers.slice(first, first + bodies.length);
  }

  private begin(call: Call): Together {
    const bodies: object[] = [];
    const answers = nextTurn().then(() => {
      this.waiting.delete(call.signal);
      return this.client.searches(bodies, call);
    });
    const together = { bodies, answers };
    this.waiting.set(call.signal, together);
    return together;
  }

  close(): Promise<void> {
    this.closing ??= closeId(this.client, this.id).finally(() => this.onClose(this));
    return this.closing;
  }
}

/** Repeats work while nodes take over from one that is gone, up to the time limit. */
async function onceReachable<T>(client: Client, work: () => Promise<T>, call?: Call): Promise<T> {
  const end = Date.now() + client.timeoutMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isGone = PortError.is(error) && GONE.has(error.code);
      if (!isGone || client.nodes < 2 || Date.now() > end) throw error;
      await sleep(LOOK_MS, call?.signal);
    }
  }
}

async function openId(client: Client, index: string, call?: Call): Promise<string> {
  const querystring = { keep_alive: KEEP, allow_partial_pit_creation: false };
  const path = `/${index}/_search/point_in_time`;
  return (await client.send({ method: 'POST', path, querystring }, call)).pit_id;
}

/** A point in time that cannot be closed ends by itself. */
async function closeId(client: Client, id: string): Promise<void> {
  const request = { method: 'DELETE', path: '/_search/point_in_time' } as const;
  await client.send({ ...request, body: { pit_id: [id] } }).catch(() => {});
}
