/** Runs series of damages, and goes on after one that hangs or takes its thread down. */
import { Worker } from 'node:worker_threads';
import type { DamageWork } from './damage-worker.ts';
import { add, type Figures, fault, noFigures } from './figures.ts';

/** Milliseconds of one damage that count as a hang. */
const HANG_MS = 30_000;

type Work = Omit<DamageWork, 'from' | 'progress'>;

export async function watchedDamages(work: Work): Promise<Figures> {
  const figures = noFigures();
  for (let from = 0; from < work.damages; ) {
    const progress = new Int32Array(new SharedArrayBuffer(4));
    progress[0] = from;
    const end = await oneWorker({ ...work, from, progress });
    if (typeof end === 'object') {
      add(figures, end);
      break;
    }
    const at = Atomics.load(progress, 0);
    const place = `seed ${work.seed}, series ${work.series}, damage ${at}`;
    fault(figures, end.startsWith('hang') ? 'hangs' : 'crashes', place, end);
    // The figures of the damages before it went with the thread.
    add(figures, { damages: at + 1 - from });
    from = at + 1;
  }
  return figures;
}

function oneWorker(work: DamageWork): Promise<Figures | string> {
  return new Promise(resolve => {
    const worker = new Worker(new URL('./damage-worker.ts', import.meta.url), { workerData: work });
    let last = -1;
    const watch = setInterval(() => {
      const at = Atomics.load(work.progress, 0);
      if (at === last) finish(`hang: no end within ${HANG_MS} ms`);
      last = at;
    }, HANG_MS);
    const finish = (end: Figures | string): void => {
      clearInterval(watch);
      void worker.terminate();
      resolve(end);
    };
    worker.once('message', finish);
    worker.once('error', error => finish(`crash: ${error.stack}`));
    worker.once('exit', code => finish(`crash: the thread ended with ${code}`));
  });
}
