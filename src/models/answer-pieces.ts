/** Extracts the text of the field `answer` from JSON that a model is still writing. */

/** Matches the field up to the first character of its text. */
const OPENING = /"answer"\s*:\s*"/;
/** Characters that may hold the beginning of an opening, blanks included. */
const MAX_OPENING = 64;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/**
 * Receives JSON in pieces, cut anywhere, and returns the text of its first field `answer` in
 * pieces. Returns empty texts for input that is not JSON. Takes linear time.
 */
export class AnswerPieces {
  private state: 'before' | 'inside' | 'closed' = 'before';
  /** Undecided input: the end of the text before the field, or the beginning of an escape. */
  private rest = '';

  push(piece: string): string {
    if (this.state === 'closed') return '';
    let text = this.rest + piece;
    this.rest = '';
    if (this.state === 'before') {
      const opening = OPENING.exec(text);
      if (!opening) {
        this.rest = text.slice(-MAX_OPENING);
        return '';
      }
      this.state = 'inside';
      text = text.slice(opening.index + opening[0].length);
    }
    return this.read(text);
  }

  /** Returns nothing: all that may be shown was passed on. */
  end(): string {
    return '';
  }

  /** Reads the text of the field, from inside its quotes on. */
  private read(text: string): string {
    const pieces: string[] = [];
    const special = /["\\]/g;
    for (let at = 0; at < text.length; ) {
      special.lastIndex = at;
      const end = special.exec(text)?.index ?? text.length;
      pieces.push(text.slice(at, end));
      if (end === text.length) break;
      if (text[end] === '"') {
        this.state = 'closed';
        break;
      }
      const unicode = text[end + 1] === 'u';
      const after = end + (unicode ? 6 : 2);
      if (after > text.length) {
        this.rest = text.slice(end);
        break;
      }
      const escaped = text.slice(end + 1, after);
      pieces.push(unicode ? codeUnit(escaped.slice(1)) : (ESCAPES[escaped] ?? escaped));
      at = after;
    }
    return pieces.join('');
  }
}

const codeUnit = (hexadecimal: string): string =>
  /^[0-9a-f]{4}$/i.test(hexadecimal) ? String.fromCharCode(Number.parseInt(hexadecimal, 16)) : '';
