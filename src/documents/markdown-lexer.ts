/**
 * Bounds what the lexer reads again and again: from each mark that may open something it looks for
 * the end as far as the text goes, and each quote and list reads all that is nested in it. Both
 * would take time in proportion to the square of the length.
 */
import type { Lexer, MarkedOptions, Token, Tokenizer, TokensList } from 'marked';

/** UTF-16 units of text that is read as one, and its marks that may open something. */
const LONGEST = 2000;
const MOST_MARKS = 200;

/** Quotes and lists inside each other; deeper ones are text. */
const DEEPEST = 32;

/**
 * Lines that quotes and lists of a short text may hold, those inside each other counted anew; a
 * longer text has one more for each of its characters, which indented items never need.
 */
const MOST_NESTED = 1000;

/** Marks beyond any list: the lexer reads the rest of the line as a rule from each of them. */
const ORNAMENT = /(?:-[ \t]{1,8}){64,}(?=-)|(?:\*[ \t]{1,8}){64,}(?=\*)/g;

/** Work that a lexer has done so far, for its bounds. */
export interface Spent {
  /** Quotes and lists that it is inside of. */
  depth?: number;
  /** Lines of quotes and lists that it may still read; those behind them are text. */
  nestedLines?: number;
  /** Marks of this piece whose end was looked for in vain. */
  failures?: number;
}

/** Returns the class of lexers that read long texts in pieces. */
export function piecewise(Whole: typeof Lexer): new (options: MarkedOptions) => Lexer {
  return class Piecewise extends Whole implements Spent {
    depth = 0;
    failures = 0;
    nestedLines = 0;
    private inside = 0;

    override inlineTokens(src: string, tokens: Token[] = []): Token[] {
      for (let at = 0; at < src.length; ) {
        const piece = firstPiece(at === 0 ? src : src.slice(at));
        if (this.inside === 0) this.failures = 0;
        this.inside++;
        super.inlineTokens(piece, tokens);
        this.inside--;
        at += piece.length;
      }
      return tokens;
    }

    override blockTokens(src: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
    override blockTokens(
      src: string,
      tokens?: TokensList,
      lastParagraphClipped?: boolean,
    ): TokensList;
    override blockTokens(src: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[] {
      const isWhole = this.depth === 0;
      if (isWhole) this.nestedLines = MOST_NESTED + src.length;
      else this.nestedLines -= src.split('\n').length;
      this.depth++;
      try {
        const read = isWhole ? src.replace(ORNAMENT, marks => marks.replace(/\s+/g, '')) : src;
        return super.blockTokens(read, tokens, lastParagraphClipped);
      } finally {
        this.depth--;
      }
    }
  };
}

/** UTF-16 units of a list that is read as one; a longer one goes on in the next. */
const LONGEST_LIST = 1 << 15;

/** UTF-16 units of an underlined heading: longer text above a rule is a paragraph. */
const LONGEST_HEADING = 500;

type Bounded = 'blockquote' | 'list' | 'table' | 'lheading' | 'text';

/**
 * Returns methods that take the place of the lexer's; false goes on with its own, undefined finds
 * none. `own`: the lexer's methods, by its prototype.
 */
export function boundedBlocks(
  own: Pick<Tokenizer, 'lheading' | 'list' | 'table'>,
): ThisType<Tokenizer> & { [K in Bounded]: (src: string) => ReturnType<Tokenizer[K]> | false } {
  return {
    // The lexer reads what is nested again with each line that continues its last paragraph.
    blockquote(src) {
      if (!QUOTE.test(src) || isDeep(this.lexer)) return undefined;
      const raw = quoteAt(src);
      const text = raw
        .replace(/^ {0,3}(=+|-+)[ \t]*$/gm, '    $1')
        .replace(/^ {0,3}>( |\t)?/gm, (_, blank) => (blank === '\t' ? '  ' : ''));
      this.lexer.state.top = true;
      const tokens = this.lexer.blockTokens(text, []);
      return { type: 'blockquote', raw, tokens, text };
    },
    // The lexer copies what it has of an item with each line that continues its paragraph.
    list(src) {
      if (isDeep(this.lexer)) return undefined;
      return src.length > LONGEST_LIST && own.list.call(this, src.slice(0, endOfItems(src)));
    },
    // The lexer reads all rows before it sees that the line below the head is none of a table.
    table(src) {
      const end = src.indexOf('\n', src.indexOf('\n') + 1);
      const head = end < 0 ? src : src.slice(0, end);
      if (!/\n.*[:|]/.test(head)) return undefined;
      const queued = this.lexer.inlineQueue.length;
      const found = own.table.call(this, head);
      this.lexer.inlineQueue.length = queued;
      return found && false;
    },
    // The lexer looks for the rule below the heading from each line of a list anew.
    lheading(src) {
      if (src.length <= LONGEST_HEADING) return false;
      return own.lheading.call(this, src.slice(0, src.lastIndexOf('\n', LONGEST_HEADING) + 1));
    },
    text(src) {
      const [raw] = (isDeep(this.lexer) ? DEEP_LINES : PLAIN_LINES).exec(src) ?? [];
      return raw === undefined
        ? false
        : { type: 'text', raw, text: raw, tokens: this.lexer.inline(raw) };
    },
  };
}

/** Returns where the last item begins in the longest list, or a line of its only one. */
function endOfItems(src: string): number {
  const [mark = ''] = /^\s*\S/.exec(src) ?? [];
  const item = src.lastIndexOf(`\n${/\d/.test(mark) ? '' : mark}`, LONGEST_LIST);
  return (item > 0 ? item : src.lastIndexOf('\n', LONGEST_LIST)) + 1;
}

const QUOTE = /^ {0,3}>/;
/** A line that begins a block although the line above is one of a paragraph. */
const INTERRUPTS =
  /^ {0,3}(?:>|:[ \t]|#{1,6}(?:\s|$)|`{3}|~{3}|(?:[*+-]|\d{1,9}[.)])(?:\s|$)|<[a-z/!?]|(?:[-*_][ \t]*){3,}(?:\n|$))/i;
/** Lines that continue the text of an item, and those of one that is too deep to be read. */
const PLAIN_LINES = new RegExp(
  `^[^\\n]+(?:\\n(?!${INTERRUPTS.source.slice(1)}|\\|.*\\n[ \\t|:]*-)[ \\t]*[^\\s].*)+`,
  'i',
);
const DEEP_LINES = /^[^\n]+(?:\n[ \t]*[^\s].*)+/;
/** Marks of quotes and items before the text of a line. */
const MARKERS = /^(?:[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])(?=\s)))*/;

/** Returns the lines of a quote: those that are marked, and those that continue its paragraph. */
function quoteAt(src: string): string {
  let [end, isFenced, isOpen] = [0, false, false];
  while (end < src.length) {
    const next = src.indexOf('\n', end);
    const line = src.slice(end, next < 0 ? src.length : next);
    if (QUOTE.test(line)) {
      const text = line.slice(MARKERS.exec(line)![0].length);
      if (/^\s*(?:`{3}|~{3})/.test(text)) isFenced = !isFenced;
      isOpen = !isFenced && text.trim() !== '' && !INTERRUPTS.test(text) && !/^ {5}/.test(text);
    } else if (!isOpen || line.trim() === '' || INTERRUPTS.test(line)) break;
    end = next < 0 ? src.length : next + 1;
  }
  // The line break behind the last line is a token of its own.
  return src[end - 1] === '\n' ? src.slice(0, end - 1) : src.slice(0, end);
}

const isDeep = ({ depth = 0, nestedLines = 0 }: Lexer & Spent): boolean =>
  depth > DEEPEST || nestedLines < 0;

const OPENING: ReadonlyMap<string, number> = new Map([
  ['[', 0],
  ['(', 1],
  ['<', 2],
]);
const CLOSING: ReadonlyMap<string, number> = new Map([
  [']', 0],
  [')', 1],
  ['>', 2],
]);
const TWIN: ReadonlyMap<string, number> = new Map([
  ['`', 3],
  ['*', 4],
  ['_', 5],
  ['~', 6],
]);

/**
 * Returns the text if it is short, else its beginning up to the blank of the second half with least
 * open before it.
 */
function firstPiece(text: string): string {
  const limit = lengthOfMarks(text);
  if (text.length <= limit) return text;
  // The depth of brackets, and whether marks that open and close alike came an odd number of times.
  const open = [0, 0, 0, 0, 0, 0, 0];
  let [end, least] = [limit, Number.POSITIVE_INFINITY];
  for (let at = 0; at < limit; at++) {
    const character = text[at]!;
    const [opens, closes, twin] = [OPENING, CLOSING, TWIN].map(marks => marks.get(character));
    if (opens !== undefined) open[opens]!++;
    else if (closes !== undefined) open[closes] = Math.max(0, open[closes]! - 1);
    else if (twin !== undefined) open[twin]! ^= 1;
    if (at < limit / 2 || (character !== ' ' && character !== '\n')) continue;
    const sum = open.reduce((a, b) => a + b, 0);
    if (sum <= least) [end, least] = [at + 1, sum];
  }
  return text.slice(0, end);
}

/** Returns the length of the longest piece that has no more marks than allowed. */
function lengthOfMarks(text: string): number {
  let marks = 0;
  for (let at = 0; at < Math.min(LONGEST, text.length); at++)
    if ((OPENING.has(text[at]!) || TWIN.has(text[at]!)) && ++marks > MOST_MARKS) return at;
  return LONGEST;
}
