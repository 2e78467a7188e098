/** The words of an answer out of the JSON that a model writes it in, while it is being written. */

/** What may stand between the name of the field and its text. */
const OPENING = /"answer"\s*:\s*"/;
/** No opening is longer, white space of any sane amount included. */
const LONGEST_OPENING = 64;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/**
 * Takes JSON in pieces, cut anywhere, and gives the text of its first field `answer` in pieces.
 * What is no JSON gives nothing. Linear.
 */
export class AnswerPieces {
  private state: 'before' | 'inside' | 'over' = 'before';
  /**
   * What is not decided yet: the end of what came before the field, or the beginning of an escape.
   */
  private rest = '';

  push(piece: string): string {
    if (this.state === 'over') return '';
    let text = this.rest + piece;
    this.rest = '';
    if (this.state === 'before') {
      const found = OPENING.exec(text);
      if (!found) {
        this.rest = text.slice(-LONGEST_OPENING);
        return '';
      }
      this.state = 'inside';
      text = text.slice(found.index + found[0].length);
    }
    return this.read(text);
  }

  /** From inside the text on. */
  private read(text: string): string {
    const told: string[] = [];
    const special = /["\\]/g;
    for (let at = 0; at < text.length; ) {
      special.lastIndex = at;
      const end = special.exec(text)?.index ?? text.length;
      told.push(text.slice(at, end));
      if (end === text.length) break;
      if (text[end] === '"') {
        this.state = 'over';
        break;
      }
      const unicode = text[end + 1] === 'u';
      const after = end + (unicode ? 6 : 2);
      if (after > text.length) {
        this.rest = text.slice(end);
        break;
      }
      const escaped = text.slice(end + 1, after);
      told.push(unicode ? codeUnit(escaped.slice(1)) : (ESCAPES[escaped] ?? escaped));
      at = after;
    }
    return told.join('');
  }
}

const codeUnit = (hexadecimal: string): string =>
  /^[0-9a-f]{4}$/i.test(hexadecimal) ? String.fromCharCode(Number.parseInt(hexadecimal, 16)) : '';
