/** What runs on the second thread: it sleeps until it is rung for, and then scans along what is searched. */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { scanAlong } from '../../indexes/vector/shared-scan.ts';
import type { ScanBell, ScanMessage } from './scan-thread.ts';

const { bell } = workerData as ScanBell;
const port = parentPort as MessagePort;
const rows = new Map<number, () => void>();

for (;;) {
  const rung = Atomics.load(bell, 0);
  for (let read = receiveMessageOnPort(port); read; read = receiveMessageOnPort(port)) {
    const { id, shared } = read.message as ScanMessage;
    if (shared) rows.set(id, scanAlong(shared));
    else rows.delete(id);
  }
  rows.get(Atomics.load(bell, 1))?.();
  Atomics.wait(bell, 0, rung);
}
