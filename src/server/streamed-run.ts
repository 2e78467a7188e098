/** A run whose events are streamed while it goes. */

import type { TraceEvent } from '../core/trace/trace.ts';
import type { Finished, Watching } from '../session/requests/answering-store.ts';
import type { Problem } from '../session/requests/problem.ts';
import { EventStream, STREAM_HEADERS } from './event-stream.ts';
import type { RouteCall, Streamed } from './route.ts';

/** Writes each part of a run to the body of a route. */
export interface RunWriter {
  event(event: TraceEvent, line: string): Promise<void>;
  text(text: string): void;
  finished(finished: Finished): Promise<void>;
  failed(problem: Problem): Promise<void>;
}

/**
 * Milliseconds after which a response begins without an event. Wrong input shows at once; a model
 * that writes a follow-up may take longer than a client waits for the head.
 */
const HEAD_AFTER_MS = 1000;

/** Waits for the first event, so that wrong input is a response with its own status. */
export async function streamedRun(
  call: RouteCall,
  run: (watching: Watching) => Promise<Finished>,
  writerFor: (stream: EventStream, id: () => string) => RunWriter,
): Promise<Streamed> {
  const stream = new EventStream(call.streams);
  const first = Promise.withResolvers<void>();
  let id = '';
  let waiting: NodeJS.Timeout | undefined;
  const writer = writerFor(stream, () => id);
  const ended = run({
    signal: AbortSignal.any([call.signal, stream.signal]),
    onStart: started => {
      id = started;
      waiting = setTimeout(() => first.resolve(), HEAD_AFTER_MS);
    },
    onEvent: (event, line) => {
      first.resolve();
      return writer.event(event, line);
    },
    onText: text => writer.text(text),
  })
    .then(finished => {
      call.onRun(finished.trace);
      return writer.finished(finished);
    })
    .catch((error: unknown) => {
      first.reject(error);
      return writer.failed(call.problemOf(error));
    })
    .finally(() => stream.end());
  await first.promise.finally(() => clearTimeout(waiting));
  const headers = { ...STREAM_HEADERS, 'X-Trace-Id': id };
  return { response: new Response(stream.readable, { headers }), ended };
}
