/**
 * A text that ends before the first of some texts, passed on as soon as it is known that none of
 * them begins in it.
 */
export class StoppedText {
  /** What was passed on so far. */
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

  /** No more text comes: what only began like a stop is text. */
  end(): void {
    if (!this.stopped) this.advance(true);
  }

  /** To the first place where a stop stands, or may yet turn out to stand. */
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
