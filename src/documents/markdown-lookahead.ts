/**
 * Bounds how far the lexer looks ahead for the end of an address or of plain text: it looks at
 * each character anew, which takes time in proportion to the square of a word's length.
 */
import type { Lexer, Tokenizer } from 'marked';
import type { Spent } from './markdown-lexer.ts';

/** UTF-16 units; a longer address is cut, and plain text goes on in the next piece. */
const AHEAD = 1000;
/** The same of an address of mail, which begins anywhere: from each character it is looked for. */
const LONGEST_MAIL = 250;
const SCHEME = /^(?:https?:|ftp:|www\.|mailto:|xmpp:)/i;

/** Marks of one piece of text whose end may be looked for in vain; later ones are text. */
const MOST_FAILURES = 32;

const WORD = /[\p{L}\p{N}]/u;

type Find = 'url' | 'inlineText' | 'emStrong' | 'del';

/** Methods that take the place of the lexer's; false goes on with its own. */
export interface BoundedLookahead {
  url(src: string): ReturnType<Tokenizer['url']> | false;
  inlineText(src: string): ReturnType<Tokenizer['inlineText']> | false;
  emStrong: Tokenizer['emStrong'];
  del: Tokenizer['del'];
}

/** `own`: the lexer's methods, by its prototype. */
export function boundedLookahead(
  own: Pick<Tokenizer, Find>,
): BoundedLookahead & ThisType<Tokenizer> {
  return {
    url(src) {
      const ahead = SCHEME.test(src) ? AHEAD : LONGEST_MAIL;
      return src.length > ahead && own.url.call(this, src.slice(0, ahead));
    },
    inlineText(src) {
      return src.length > LONGEST_MAIL && own.inlineText.call(this, plainPiece(src));
    },
    emStrong(src, masked, before) {
      // An underline inside a word begins nothing.
      if (src[0] !== '*' && (src[0] !== '_' || WORD.test(before ?? ''))) return undefined;
      return found(this.lexer, () => own.emStrong.call(this, src, masked, before));
    },
    del(src, masked, before) {
      if (src[0] !== '~') return undefined;
      return found(this.lexer, () => own.del.call(this, src, masked, before));
    },
  };
}

function found<T>(lexer: Lexer & Spent, find: () => T | undefined): T | undefined {
  const failures = lexer.failures ?? 0;
  if (failures > MOST_FAILURES) return undefined;
  const token = find();
  if (token === undefined) lexer.failures = failures + 1;
  return token;
}

/** Ends where a word begins, so that no address is cut in two; a longer word is. */
function plainPiece(text: string): string {
  let end = LONGEST_MAIL;
  while (end > 0 && !(isBlank(text, end - 1) && !isBlank(text, end))) end--;
  return text.slice(0, end || LONGEST_MAIL);
}

const isBlank = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '\n';
