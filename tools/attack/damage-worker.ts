/** Runs series of damages in a thread, so that one that never ends can be left. */
import { parentPort, workerData } from 'node:worker_threads';
import { damageSeries, openSample } from './damages.ts';

export interface DamageWork {
  readonly folder: string;
  readonly seed: number;
  readonly series: number;
  /** The damage of the series to begin with. */
  readonly from: number;
  readonly damages: number;
  /** Holds the number of the damage that is being read. */
  readonly progress: Int32Array<SharedArrayBuffer>;
}

const { folder, progress, ...work } = workerData as DamageWork;
const sample = await openSample(folder);
const onDamage = (at: number): void => {
  Atomics.store(progress, 0, at);
};
parentPort!.postMessage(await damageSeries(sample, { ...work, onDamage }));
