/** Packs units of documents in a second thread, while the first packs others of them. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Document } from '../../core/corpus/document.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import { pausesFor } from '../../platform/clock.ts';
import type { PackedUnit } from '../../search/corpus/pack-segment.ts';
import { packTable } from './document-table.ts';
import type { Packed } from './index-file.ts';
import { segmentPieces } from './late-documents.ts';

/** Sent to the thread: a unit of documents, and the lines that a store writes of these. */
export interface Sent {
  readonly unit: Unit;
  readonly chunker: string;
  readonly table: Packed;
  readonly bytes: Uint8Array;
}

/** The thread begins with its first unit, and ends when it is disposed. */
export class IndexThread implements AsyncDisposable {
  private worker: Worker | undefined;
  private readonly ended = new AbortController();

  /** Rejects if the thread fails or is disposed. */
  async pack(documents: readonly Document[], unit: Unit, chunker: string): Promise<PackedUnit> {
    const { signal } = this.ended;
    this.worker ??= this.started();
    const lines = await segmentPieces(documents, pausesFor(signal));
    const bytes = new Uint8Array(lines.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const line of lines) {
      bytes.set(line, at);
      at += line.length;
    }
    const sent: Sent = { unit, chunker, table: packTable(documents, lines, {}), bytes };
    this.worker.postMessage(sent, [bytes.buffer]);
    const [packed] = await once(this.worker, 'message', { signal });
    return packed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.worker?.terminate();
  }

  private started(): Worker {
    // The build puts this file into a chunk beside the folder of the rooms.
    const path = import.meta.url.endsWith('.ts')
      ? './packing-thread.ts'
      : './stores/disk/packing-thread.js';
    const worker = new Worker(new URL(path, import.meta.url), { execArgv: [], env: {} });
    const end = (): void => this.ended.abort();
    return worker.on('error', end).on('exit', end);
  }
}
