/** What can be done on more than one thread. */
// Inside the room: scan-worker.ts
export { useScanThread } from './scan-thread.ts';
