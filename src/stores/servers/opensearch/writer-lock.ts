/** The lock of writers in the state of an index: it ends by itself once nobody renews it. */
import { randomUUID } from 'node:crypto';
import type { Call } from '../../../core/trace/call.ts';
import { sleep } from '../../../platform/clock.ts';
import { busy } from '../engine-errors.ts';
import type { Client } from './client.ts';
import { type IndexState, type ReadState, readState, swapState } from './state.ts';

/** Time after which a writer that gave no sign of life counts as ended. Milliseconds. */
const SILENT_MS = 10_000;
/** Time between two signs of life. Milliseconds. */
const BEAT_MS = 2500;
/** Wait between two looks at a lock. Milliseconds. */
const LOOK_MS = 50;

export class WriterLock {
  readonly index: string;
  /** The state without a writer, its newest generation taken by this one. */
  readonly state: IndexState;
  private readonly client: Client;
  private readonly id: string;
  private held: ReadState;
  private readonly timer: NodeJS.Timeout;
  private beating: Promise<unknown> = Promise.resolve();

  private constructor(client: Client, id: string, held: ReadState) {
    [this.client, this.id, this.held, this.index] = [client, id, held, held.index];
    const { writer: _, ...state } = held.state;
    this.state = state;
    this.timer = setInterval(() => this.beat(), BEAT_MS);
  }

  /** Throws `PortError('engine-busy')` after the time limit. */
  static async take(client: Client, before: ReadState, call: Call): Promise<WriterLock> {
    const end = Date.now() + client.timeoutMs;
    const id = randomUUID();
    for (let read = before; ; read = await readState(client, call)) {
      const { writer, taken } = read.state;
      if (!writer || writer.until < Date.now()) {
        const mine = { ...read.state, taken: taken + 1, writer: heldBy(id) };
        const held = await swapState(client, read, mine);
        if (held) return new WriterLock(client, id, held);
      }
      if (Date.now() > end) throw busy(client.address, 'another write that goes on');
      await sleep(LOOK_MS, call.signal);
    }
  }

  /** Replaces the state and ends the lock. Returns false if another writer has taken it. */
  async leave(state: IndexState): Promise<boolean> {
    clearInterval(this.timer);
    await this.beating;
    return this.replace(state);
  }

  private beat(): void {
    this.beating = this.beating
      .then(() => this.replace({ ...this.held.state, writer: heldBy(this.id) }))
      .catch(() => {});
  }

  private async replace(state: IndexState): Promise<boolean> {
    let swapped = await swapState(this.client, this.held, state);
    if (!swapped) {
      // A sign of life may be stored whose answer was lost.
      const now = await readState(this.client);
      if (now.state.writer?.id === this.id) swapped = await swapState(this.client, now, state);
    }
    if (swapped) this.held = swapped;
    return swapped !== undefined;
  }
}

const heldBy = (id: string): { id: string; until: number } => ({
  id,
  until: Date.now() + SILENT_MS,
});
