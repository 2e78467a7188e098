/** Streams a text up to the first of several stop texts; holds back pieces that may begin one. */
export class StoppedText {
  /** The text passed on so far. */
  text = '';
  stopped = false;
  private held = '';
  private readonly stops: readonly string[];
  private readonly onText: ((piece: string) => void) | undefined;

  constructor(stops: readonly string[], onText?: (piece: string) => void) {
    this.stops = stops.filter(stop => stop !== '');
    this.onText = onText;
  }

  push(piece: string): void {
    if (this.stopped) return;
    this.held += piece;
    this.advance(false);
  }

  /** Ends the text: passes on what only looked like the beginning of a stop. */
  end(): void {
    if (!this.stopped) this.advance(true);
  }

  /** Passes on the text up to the first stop, or the first possible beginning of one. */
  private advance(last: boolean): void {
    let at = 0;
    for (; at < this.held.length && !this.stopped; at++) {
      this.stopped = this.stops.some(stop => this.held.startsWith(stop, at));
      if (this.stopped || (!last && this.stops.some(stop => stop.startsWith(this.held.slice(at)))))
        break;
    }
    this.pass(at);
  }

  private pass(length: number): void {
    const piece = this.held.slice(0, length);
    this.held = this.held.slice(length);
    if (piece === '') return;
    this.text += piece;
    this.onText?.(piece);
  }
}
