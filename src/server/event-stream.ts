/**
 * Sends server-sent events. A heartbeat keeps proxies from closing a quiet stream and finds clients
 * that are gone; a client that reads too slowly delays the run, and is cut off in the end.
 */
import { terminalJson } from '../platform/terminal-json.ts';
import { Refusal } from '../session/requests/problem.ts';

export interface StreamLimits {
  /** Milliseconds between comments on a quiet stream. */
  readonly heartbeatMs: number;
  /** Milliseconds after which any stream ends. */
  readonly mostMs: number;
  /** Bytes that wait for a slow reader before the run waits for it; twice as many end it. */
  readonly bufferBytes: number;
  /** Milliseconds that the run waits for a slow reader. */
  readonly stallMs: number;
}

export const STREAM_LIMITS: StreamLimits = {
  heartbeatMs: 15_000,
  mostMs: 300_000,
  bufferBytes: 256 * 1024,
  stallMs: 30_000,
};

export const STREAM_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/** A line end inside of a text must not begin another field of the event. */
const linesOf = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map(line => `data: ${line}\n`)
    .join('');

export class EventStream {
  readonly readable: ReadableStream<Uint8Array>;
  /** Fires when the client is gone, reads too slowly, or the time of the stream is over. */
  readonly signal: AbortSignal;
  private readonly gone = new AbortController();
  private readonly limits: StreamLimits;
  private readonly encoder = new TextEncoder();
  private readonly timers: NodeJS.Timeout[];
  private controller!: ReadableStreamDefaultController<Uint8Array>;
  /** The reader's next read, for which all senders wait together. */
  private draining: { readonly done: Promise<void>; readonly end: () => void } | undefined;
  private ended = false;

  constructor(limits: StreamLimits) {
    this.limits = limits;
    this.signal = this.gone.signal;
    const queue = new ByteLengthQueuingStrategy({ highWaterMark: limits.bufferBytes });
    this.readable = new ReadableStream<Uint8Array>(
      {
        start: controller => {
          this.controller = controller;
        },
        pull: () => this.draining?.end(),
        cancel: () => this.cut('The client closed the stream'),
      },
      queue,
    );
    this.timers = [
      setInterval(() => this.beat(), limits.heartbeatMs),
      setTimeout(() => this.cut('The stream took too long'), limits.mostMs),
    ];
  }

  /**
   * Sends one event of JSON; waits while too much waits for the reader. One with an `id` is a line
   * of the trace, whose bytes are hashed.
   */
  async send(event: string, data: string, id?: number): Promise<void> {
    const numbered = id === undefined ? '' : `id: ${id}\n`;
    this.write(
      `event: ${event}\n${numbered}${linesOf(id === undefined ? terminalJson(data) : data)}\n`,
    );
    await this.drained();
  }

  /** Sends a line of `data` alone, as OpenAI's streams are. */
  async data(text: string): Promise<void> {
    this.write(`${linesOf(terminalJson(text))}\n`);
    await this.drained();
  }

  end(): void {
    if (this.ended) return;
    this.stop();
    if (!this.signal.aborted) this.controller.close();
  }

  private write(text: string): void {
    if (this.ended || this.signal.aborted) return;
    // Pieces of an answer come from a model, which does not wait for the reader.
    const waits = this.limits.bufferBytes - this.controller.desiredSize!;
    if (this.draining && waits > 2 * this.limits.bufferBytes)
      this.cut('The client reads too slowly');
    else this.controller.enqueue(this.encoder.encode(text));
  }

  private beat(): void {
    if ((this.controller.desiredSize ?? 0) > 0) this.write(': still here\n\n');
  }

  private async drained(): Promise<void> {
    if (this.ended || this.signal.aborted || this.controller.desiredSize! > 0) return;
    this.draining ??= this.drain();
    await this.draining.done;
  }

  private drain(): { readonly done: Promise<void>; readonly end: () => void } {
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.cut('The client reads too slowly'), this.limits.stallMs);
    const end = (): void => {
      clearTimeout(timer);
      this.draining = undefined;
      resolve();
    };
    return { done, end };
  }

  /** Ends the stream as broken, and tells the run. */
  private cut(why: string): void {
    if (this.ended || this.signal.aborted) return;
    this.stop();
    const error = new Refusal(503, 'stream-cut', why);
    this.gone.abort(new DOMException(why, 'AbortError'));
    try {
      this.controller.error(error);
    } catch {
      // The client has closed it.
    }
  }

  private stop(): void {
    this.ended = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.draining?.end();
  }
}
