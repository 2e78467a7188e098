/** Text of Markdown inside a block: marks removed, links gathered. */
import type { Token } from 'markdown-it';
import type { Inline } from '../../blocks/inline.ts';
import { MARKED_CHARACTERS, withLowered, withRaised } from '../../blocks/raised.ts';
import { BLOCKS } from '../html/elements.ts';

/** Reads inline tokens. */
export function inline(tokens: readonly Token[]): Inline {
  const links = tokens.filter(({ type }) => type === 'link_open');
  const line = new MarkdownLine();
  for (const token of tokens) line.add(token);
  return { text: line.whole, links: links.map(token => String(token.attrGet('href'))) };
}

/** The text of a line while its tokens are read. */
class MarkdownLine {
  /** Text that no later mark looks at, so that many marks take linear time. */
  private readonly done: string[] = [];
  private text = '';
  /** Superscripts and subscripts that are open: where they begin, and if a link stands in them. */
  private readonly raised: { readonly name: string; readonly start: number; isNote: boolean }[] =
    [];

  get whole(): string {
    return this.done.join('') + this.text;
  }

  add({ type, content, children }: Token): void {
    if (type === 'softbreak') this.text += ' ';
    else if (type === 'hardbreak') this.text += '\n';
    else if (type === 'html_inline') this.tag(content);
    else if (type === 'link_open') for (const each of this.raised) each.isNote = true;
    else if (children) for (const child of children) this.add(child);
    else this.text += content;
  }

  private tag(tag: string): void {
    const [, close, name = ''] =
      /^<(\/?)([a-z]+)\b/i.exec(tag)?.map(part => part.toLowerCase()) ?? [];
    if (name === 'br') this.text += '\n';
    else if (name === 'img') this.text += alternativeOf(tag);
    // The text of a block is no part of the word before it.
    else if (BLOCKS.has(name) && !/(?:^|\s)$/.test(this.text)) this.text += '\n';
    else if (name === 'sup' || name === 'sub') this.raise(name, close === '/');
  }

  private raise(name: string, ends: boolean): void {
    const last = this.raised.at(-1);
    if (last === undefined) {
      this.done.push(this.text.slice(0, -MARKED_CHARACTERS));
      this.text = this.text.slice(-MARKED_CHARACTERS);
    }
    if (!ends) this.raised.push({ name, start: this.text.length, isNote: false });
    else if (last?.name === name) {
      this.raised.pop();
      const [before, said] = [this.text.slice(0, last.start), this.text.slice(last.start)];
      this.text =
        name === 'sub'
          ? withLowered(before, said)
          : withRaised(before, said, { isNote: last.isNote, language: '' });
    }
  }
}

/** Returns what an image of HTML shows. */
function alternativeOf(tag: string): string {
  const [, double, single] = /\balt=(?:"([^"]*)"|'([^']*)')/i.exec(tag) ?? [];
  return (double ?? single ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
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
