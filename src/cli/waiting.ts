/** Shows on a terminal that work goes on where nothing can be counted: with its seconds so far. */
import type { TraceEvent } from '../core/trace/trace.ts';
import type { Output } from './output.ts';
import { duration } from './progress.ts';

/** Calls a function again and again; returns one that ends that. */
export type Ticker = (tick: () => void, ms: number) => () => void;

const TICK_MS = 1000;

export class Waiting {
  private readonly output: Output;
  private readonly clock: () => number;
  private readonly ticker: Ticker;
  private stop = (): void => {};
  private drawn = false;

  constructor(output: Output, clock: () => number = output.clock, ticker: Ticker = everyInterval) {
    this.output = output;
    this.clock = clock;
    this.ticker = ticker;
  }

  /** Draws `what` with the time since now, from the first second on. */
  begin(what: string): void {
    this.end();
    if (!this.output.watched || this.output.json) return;
    const started = this.clock();
    this.stop = this.ticker(() => {
      this.output.draw(`${what}  ${duration(Math.floor((this.clock() - started) / 1000) * 1000)}`);
      this.drawn = true;
    }, TICK_MS);
  }

  /** Names what a run does after this event. */
  follow({ type }: Pick<TraceEvent, 'type'>): void {
    if (type === 'question' || type === 'hop') this.begin('searching');
    else if (type === 'context') this.begin('answering');
    else this.end();
  }

  /** Clears the line. */
  end(): void {
    this.stop();
    this.stop = () => {};
    if (this.drawn) this.output.draw('');
    this.drawn = false;
  }
}

function everyInterval(tick: () => void, ms: number): () => void {
  const timer = setInterval(tick, ms);
  timer.unref();
  return () => clearInterval(timer);
}
