/**
 * Loaded into the server's process before its own code (`node --import`): measures memory, open
 * resources and the delay of the event loop when the parent asks for it.
 */
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface Sample {
  /** Bytes; of the heap after a full collection if it was asked for. */
  readonly rss: number;
  readonly heapUsed: number;
  /** Milliseconds since the last sample: 99th percentile and longest. */
  readonly delayP99: number;
  readonly delayMax: number;
  /** Open file descriptors, active timers, and listeners of the process. */
  readonly descriptors: number;
  readonly timers: number;
  readonly listeners: number;
  /** CPU milliseconds since the start. */
  readonly cpu: number;
}

/** Milliseconds between two ticks of the histogram, which counts them as delay. */
const TICK_MS = 2;
const delays = monitorEventLoopDelay({ resolution: TICK_MS });
delays.enable();

process.on('message', (message: { readonly collect: boolean }) => {
  if (message.collect) {
    globalThis.gc?.();
    globalThis.gc?.();
  }
  process.send?.(sample());
  delays.reset();
});
process.channel?.unref();

function sample(): Sample {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const ms = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - TICK_MS);
  return {
    rss,
    heapUsed,
    cpu: (user + system) / 1000,
    delayP99: ms(delays.percentile(99)),
    delayMax: ms(delays.max),
    descriptors: readdirSync('/proc/self/fd').length,
    timers: process.getActiveResourcesInfo().filter(name => name === 'Timeout').length,
    listeners: process
      .eventNames()
      .reduce((sum, name) => sum + process.listenerCount(name as string), 0),
  };
}
