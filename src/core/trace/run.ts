/** Wraps a generator of events so that it can be iterated or awaited, and is pulled only once. */

/**
 * `for await (const event of run)` streams its events; `await run` drains it and returns the
 * result. The run starts with the first of the two, and leaving the loop early ends it.
 *
 * @example
 * ```ts
 * import { ask, ingest } from 'multihop';
 *
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * const run = ask('Who built the engine?', { engine });
 * for await (const event of run)
 *   if (event.type === 'hop') console.log(event.hop.searches.length, event.hop.kept.length);
 * console.log((await run).answer.kind);
 * ```
 */
export class Run<Event, Result> implements AsyncIterable<Event>, PromiseLike<Result> {
  private readonly source: AsyncGenerator<Event, Result, void>;
  private iterated = false;
  private drained: Promise<Result> | undefined;
  private settle: { resolve(result: Result): void; reject(reason: unknown): void } | undefined;
  private readonly finished: Promise<Result>;

  constructor(source: AsyncGenerator<Event, Result, void>) {
    this.source = source;
    this.finished = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    // A failure surfaces in the loop; it must not also become an unhandled rejection.
    this.finished.catch(() => {});
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, void> {
    if (this.iterated)
      throw new TypeError('This run is being iterated already: its events can be read once');
    this.iterated = true;
    let complete = false;
    try {
      for (;;) {
        const step = await this.source.next();
        if (step.done) {
          complete = true;
          this.settle!.resolve(step.value);
          return;
        }
        yield step.value;
      }
    } catch (error) {
      complete = true;
      this.settle!.reject(error);
      throw error;
    } finally {
      if (!complete) {
        this.settle!.reject(new DOMException('The run was left before its end', 'AbortError'));
        await this.source.return(undefined as never);
      }
    }
  }

  // biome-ignore lint/suspicious/noThenProperty: a run is awaitable by design
  then<A = Result, B = never>(
    onResult?: ((result: Result) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.result().then(onResult, onError);
  }

  private result(): Promise<Result> {
    if (this.drained) return this.drained;
    if (this.iterated) return this.finished;
    this.drained = (async () => {
      for await (const _ of this) {
        // only the result is wanted
      }
      return this.finished;
    })();
    return this.drained;
  }
}
