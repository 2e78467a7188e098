/** Decides which part of a chat an interrupt ends. */

export class Interrupts {
  /** Aborts when the whole chat has to end. */
  readonly signal: AbortSignal;
  private readonly leaving = new AbortController();
  private running: AbortController | undefined;
  private readonly atPrompt: () => void;

  /** `signal`: that of the process. `atPrompt`: called at an interrupt while nothing runs. */
  constructor(signal: AbortSignal, atPrompt: () => void) {
    this.signal = AbortSignal.any([signal, this.leaving.signal]);
    this.atPrompt = atPrompt;
  }

  /** Ends the run alone; a second one does not wait for its end, and ends the chat. */
  interrupt(): void {
    if (!this.running) this.atPrompt();
    else if (this.running.signal.aborted) this.leaving.abort(interrupted());
    else this.running.abort(interrupted());
  }

  /** Runs work that an interrupt ends. Throws the reason if the work is left. */
  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const running = new AbortController();
    const { signal: left } = this.leaving;
    let stop = (): void => {};
    this.running = running;
    try {
      const leaving = new Promise<never>((_, reject) => {
        stop = () => reject(left.reason);
        left.addEventListener('abort', stop);
      });
      return await Promise.race([work(AbortSignal.any([this.signal, running.signal])), leaving]);
    } finally {
      left.removeEventListener('abort', stop);
      this.running = undefined;
    }
  }
}

const interrupted = (): DOMException => new DOMException('Interrupted', 'AbortError');
