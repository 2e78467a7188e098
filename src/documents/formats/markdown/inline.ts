/** Text of Markdown inside a block: marks removed, links gathered. */
import type { Token } from 'markdown-it';
import type { Inline } from '../../blocks/inline.ts';

/** Reads inline tokens. */
export function inline(tokens: readonly Token[]): Inline {
  const links = tokens.filter(({ type }) => type === 'link_open');
  return {
    text: tokens.map(inlineText).join(''),
    links: links.map(token => String(token.attrGet('href'))),
  };
}

function inlineText({ type, content, children }: Token): string {
  if (type === 'softbreak') return ' ';
  if (type === 'hardbreak') return '\n';
  if (type === 'html_inline') return /^<br\b/i.test(content) ? '\n' : '';
  return children ? children.map(inlineText).join('') : content;
}

/** Tells whether a paragraph holds images alone, which may be links: badges. */
export const isImages = (tokens: readonly Token[]): boolean =>
  tokens.every(
    ({ type, content }) =>
      /^(?:image|softbreak|hardbreak|link_open|link_close)$/.test(type) ||
      (type === 'text' && content.trim() === ''),
  );

/**
 * Returns the term that an item begins with if it defines a term: code, strong text or a link
 * before a colon or a dash.
 */
export function definedTerm(tokens: readonly Token[]): string | undefined {
  const first = tokens.findIndex(({ type, content }) => type !== 'text' || content !== '');
  const begun = tokens[first];
  if (!begun || !/^(?:code_inline|strong_open|link_open)$/.test(begun.type)) return undefined;
  const end =
    begun.nesting === 0
      ? first
      : tokens.findIndex(
          ({ nesting, level }, at) => at > first && nesting < 0 && level === begun.level,
        );
  const term = inline(tokens.slice(first, end + 1)).text.trim();
  // Words that are marked themselves explain nothing.
  const marked = tokens.findIndex(({ type }, at) => at > end && !/^(?:text|softbreak)$/.test(type));
  const after = inline(tokens.slice(end + 1, marked < 0 ? undefined : marked)).text;
  return /:$/.test(term) || /^\s*(?:\([^)]*\))?\s*(?:[:–—]|--?\s)/.test(after) ? term : undefined;
}
