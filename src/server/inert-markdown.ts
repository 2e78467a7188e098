/**
 * Makes answers inert for front ends that render Markdown: an answer may repeat what a document
 * says, and an image would be loaded from an address that the document chose. Brackets and angle
 * brackets are escaped, so that there is no image, no link and no HTML. Markers of citations such
 * as `[1]` stay as they are.
 */

/** Begins an element; a marker of digits begins one only before what would make it a link. */
const ACTIVE = '<|\\[(?!\\d{1,3}\\](?![([:]))';
const TOKENS = new RegExp(`\\\\+|${ACTIVE}`, 'g');
const BEGINS = new RegExp(ACTIVE, 'y');

/** Returns a whole answer. */
export const inertMarkdown = (text: string): string =>
  text.replace(TOKENS, (found, at: number) => {
    if (!found.startsWith('\\')) return `\\${found}`;
    BEGINS.lastIndex = at + found.length;
    // Backslashes before the character would undo its escape.
    return BEGINS.test(text) ? found + found : found;
  });

/** Returns an answer that comes in pieces. */
export class InertMarkdown {
  private rest = '';

  /** Returns what is decided so far; the rest follows with the next piece. */
  push(piece: string): string {
    const text = this.rest + piece;
    const end = undecidedFrom(text);
    this.rest = text.slice(end);
    // A marker before the rest is judged by its first character, which is escaped or kept then.
    const next = text.slice(end, end + 1);
    const decided = inertMarkdown(text.slice(0, end) + next);
    return decided.slice(0, decided.length - inertMarkdown(next).length);
  }

  end(): string {
    const last = inertMarkdown(this.rest);
    this.rest = '';
    return last;
  }
}

/** Returns the start of a last marker that may go on, with the backslashes before it. */
function undecidedFrom(text: string): number {
  const marker = /\[\d{0,3}\]?$/.exec(text.slice(-5));
  let start = text.length - (marker ? marker[0].length : 0);
  while (text[start - 1] === '\\') start--;
  return start;
}
