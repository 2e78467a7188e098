/**
 * Bounds how far the lexer looks ahead for the end of an address or of plain text: it looks at
 * each character anew, which takes time in proportion to the square of a word's length.
 */
import type { Tokenizer } from 'marked';

/** UTF-16 units; a longer address is cut, and plain text goes on in the next piece. */
const AHEAD = 1000;

type Find = 'url' | 'inlineText';

/** Methods that take the place of the lexer's; false goes on with its own. */
export interface BoundedLookahead {
  url(src: string): ReturnType<Tokenizer['url']> | false;
  inlineText(src: string): ReturnType<Tokenizer['inlineText']> | false;
}

/** `own`: the lexer's methods, by its prototype. */
export function boundedLookahead(
  own: Pick<Tokenizer, Find>,
): BoundedLookahead & ThisType<Tokenizer> {
  return {
    url(src) {
      return src.length > AHEAD && own.url.call(this, src.slice(0, AHEAD));
    },
    inlineText(src) {
      return src.length > AHEAD && own.inlineText.call(this, src.slice(0, AHEAD));
    },
  };
}
