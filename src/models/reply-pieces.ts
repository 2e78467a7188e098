/** Passes on a streamed reply without the think-block that reasoning models begin with. */

const OPENING = '<think>';
const CLOSING = '</think>';

/** Receives a reply in pieces, cut anywhere, and returns what may be shown of it, in pieces. */
export class ReplyPieces {
  private state: 'start' | 'thinking' | 'reply' = 'start';
  /** Undecided input: the beginning of the reply, or the end of a thought. */
  private rest = '';

  push(piece: string): string {
    if (this.state === 'reply') return piece;
    const text = this.rest + piece;
    if (this.state === 'thinking') return this.afterThought(text);
    const begun = text.trimStart();
    if (begun.startsWith(OPENING)) {
      this.state = 'thinking';
      return this.afterThought(begun.slice(OPENING.length));
    }
    this.rest = text;
    if (OPENING.startsWith(begun)) return '';
    this.state = 'reply';
    return begun;
  }

  private afterThought(text: string): string {
    const end = text.indexOf(CLOSING);
    this.rest = text.slice(-CLOSING.length);
    if (end < 0) return '';
    // White space follows a thought, and another thought may.
    this.state = 'start';
    this.rest = '';
    return this.push(text.slice(end + CLOSING.length));
  }
}
