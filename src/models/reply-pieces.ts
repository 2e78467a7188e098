/** Passes on a streamed reply without the thoughts that reasoning models begin with. */

const OPENING = '<think>';
const CLOSING = '</think>';
/** Matches a citation: the beginning of an answer has one, before that it may be a thought. */
const CITED = /\[\d+\]/;

/**
 * Receives a reply in pieces, cut anywhere, and returns what may be shown of it, in pieces. Some
 * chat templates open the thought themselves, so that a reply holds its end alone: what stands
 * before the first citation is held back until it cannot be one.
 */
export class ReplyPieces {
  private state: 'start' | 'thinking' | 'after-thought' | 'reply' = 'start';
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
    if (this.state === 'start' && begun.includes(CLOSING)) return this.afterThought(begun);
    this.rest = text;
    const isUndecided = this.state === 'start' ? !CITED.test(begun) : OPENING.startsWith(begun);
    return isUndecided ? '' : this.end();
  }

  /** Returns what is left at the end of the reply. */
  end(): string {
    if (this.state === 'reply' || this.state === 'thinking') return '';
    const begun = this.rest.trimStart();
    this.state = 'reply';
    this.rest = '';
    return begun;
  }

  private afterThought(text: string): string {
    const end = text.indexOf(CLOSING);
    this.rest = text.slice(-CLOSING.length);
    if (end < 0) return '';
    // White space follows a thought, and another thought may.
    this.state = 'after-thought';
    this.rest = '';
    return this.push(text.slice(end + CLOSING.length));
  }
}
