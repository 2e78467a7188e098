/** Text of Markdown inside a block: marks removed, links gathered. */
import type { Token } from 'marked';

/** The text of inline tokens, and where their links lead. */
export interface Inline {
  readonly text: string;
  readonly links: readonly string[];
}

/** Reads inline tokens. */
export function inline(tokens: readonly Token[]): Inline {
  const links: string[] = [];
  const text = tokens.map(token => inlineText(token, links)).join('');
  return { text, links };
}

function inlineText(token: Token, links: string[]): string {
  if (token.type === 'br') return '\n';
  if (token.type === 'html') return /^<br\b/i.test(token.raw) ? '\n' : '';
  if (token.type === 'codespan' || token.type === 'escape') return token['text'] as string;
  if (token.type === 'link') links.push(String(token['href']));
  if ('tokens' in token && token.tokens && token.tokens.length > 0)
    return token.tokens.map(inner => inlineText(inner, links)).join('');
  return references('text' in token ? (token['text'] as string) : token.raw).replace(/\n/g, ' ');
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
};

/** Resolves character references, those that prose has. */
function references(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,6}));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return Object.hasOwn(NAMED, name) ? NAMED[name]! : whole;
      const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );
}

/** Tells whether a paragraph holds images alone, which may be links: badges. */
export function isImages(tokens: readonly Token[]): boolean {
  return tokens.every(
    token =>
      token.type === 'image' ||
      token.type === 'br' ||
      (token.type === 'link' && isImages(token.tokens ?? [])) ||
      token.raw.trim() === '',
  );
}

/**
 * Returns the term that an item begins with if it defines one: code or strong text before a colon
 * or a dash.
 */
export function definedTerm(tokens: readonly Token[]): string | undefined {
  const first = tokens[0];
  if (first?.type === 'text' && first['tokens']) return definedTerm(first['tokens'] as Token[]);
  if (first?.type !== 'codespan' && first?.type !== 'strong' && first?.type !== 'link')
    return undefined;
  const term = inline([first]).text.trim();
  const after = tokens[1] === undefined ? '' : inline([tokens[1]]).text;
  return /:$/.test(term) || /^\s*(?:\([^)]*\))?\s*(?:[:–—]|--?\s)/.test(after) ? term : undefined;
}
