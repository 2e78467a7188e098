/**
 * Markdown: the file is one document; title from the front matter or the first heading, text
 * without the marks.
 */
import type { Token, Tokens } from 'marked';
import type { Metadata } from '../../corpus/document.ts';
import { readDocumentText } from './decode.ts';
import { type Format, fileDocument } from './format.ts';
import { readHtml, TooDeep, tidy } from './html-text.ts';
import { documentFromRecord } from './record.ts';

export const markdown: Format = {
  name: 'markdown',
  extensions: ['md', 'markdown', 'mdown', 'mkd'],
  summary:
    'Markdown; title from the front matter or the first heading, other front matter as metadata',
  async *read(source, limits) {
    const given = await readDocumentText(source, limits);
    if (typeof given !== 'string') return yield { type: 'skipped', reason: given.skipped };
    const { fields, rest } = frontMatter(given.replace(/\r\n?/g, '\n'));
    try {
      const { title, text } = await readMarkdown(rest);
      const shown = typeof fields['title'] === 'string' ? fields['title'] : title;
      if (text === '' && shown === '') return yield { type: 'skipped', reason: 'no readable text' };
      yield fileDocument(source, shown, text || shown, metadataOf(fields));
    } catch (error) {
      // marked is recursive: quotes or lists thousands of levels deep exhaust the stack.
      if (!(error instanceof RangeError || error instanceof TooDeep)) throw error;
      yield { type: 'skipped', reason: 'nested too deep for Markdown' };
    }
  },
};

/** The title is the first heading; when that opens the file it is not repeated in the text. */
async function readMarkdown(source: string): Promise<{ title: string; text: string }> {
  const { lexer } = await import('marked');
  const tokens = lexer(source).filter(token => token.type !== 'space' && token.type !== 'def');
  const first = tokens.findIndex(token => token.type === 'heading');
  const title = first === -1 ? '' : inline((tokens[first] as Tokens.Heading).tokens).trim();
  const parts: string[] = [];
  for (const token of first === 0 ? tokens.slice(1) : tokens) parts.push(await block(token, ''));
  return {
    title: title.toWellFormed(),
    text: tidy(parts.filter(Boolean).join('\n\n')).toWellFormed(),
  };
}

/** The text of a block; `indent` stands before the marks of a list inside a list. */
async function block(token: Token, indent: string): Promise<string> {
  if (token.type === 'html') return (await readHtml(token.raw)).text;
  if (token.type === 'hr' || token.type === 'space' || token.type === 'def') return '';
  if (token.type === 'code') return token['text'] as string;
  if (token.type === 'list') return listText(token as Tokens.List, indent);
  if (token.type === 'table') return tableText(token as Tokens.Table);
  if (token.type === 'blockquote')
    return (
      await Promise.all((token as Tokens.Blockquote).tokens.map(inner => block(inner, indent)))
    )
      .filter(Boolean)
      .join('\n\n');
  return 'tokens' in token && token.tokens ? inline(token.tokens) : plain(token.raw);
}

async function listText(token: Tokens.List, indent: string): Promise<string> {
  const lines: string[] = [];
  for (const [index, item] of token.items.entries()) {
    const mark = token.ordered ? `${Number(token.start || 1) + index}.` : '-';
    const parts = await Promise.all(item.tokens.map(inner => block(inner, `${indent}  `)));
    lines.push(`${indent}${mark} ${parts.filter(Boolean).join('\n')}`);
  }
  return lines.join('\n');
}

function tableText(token: Tokens.Table): string {
  return [token.header, ...token.rows]
    .map(row => row.map(cell => inline(cell.tokens)).join(' | '))
    .join('\n\n');
}

function inline(tokens: readonly Token[]): string {
  return tokens.map(inlineText).join('');
}

function inlineText(token: Token): string {
  if (token.type === 'br') return '\n';
  if (token.type === 'html') return /^<br\b/i.test(token.raw) ? '\n' : '';
  if (token.type === 'codespan' || token.type === 'escape') return token['text'] as string;
  if ('tokens' in token && token.tokens && token.tokens.length > 0) return inline(token.tokens);
  return plain('text' in token ? (token['text'] as string) : token.raw);
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

/** Character references, those that prose has. */
function plain(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,6}));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return Object.hasOwn(NAMED, name) ? NAMED[name]! : whole;
      const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );
}

/**
 * Simple front matter: `key: value` lines between two `---`; lists as `[a, b]` or as lines `- a`.
 */
function frontMatter(text: string): { fields: Record<string, unknown>; rest: string } {
  if (!text.startsWith('---\n')) return { fields: {}, rest: text };
  const end = /\n(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text.slice(3));
  if (!end) return { fields: {}, rest: text };
  const fields = new Map<string, unknown>();
  let last = '';
  for (const row of text.slice(4, 3 + end.index).split('\n')) {
    const item = /^\s*-\s+(.+)$/.exec(row);
    const pair = /^([\p{L}_][\p{L}\p{N}_.-]*):[ \t]*(.*)$/u.exec(row);
    if (pair) fields.set((last = pair[1]!), frontValue(pair[2]!.trim()));
    else if (item && last !== '')
      fields.set(last, [
        ...(Array.isArray(fields.get(last)) ? (fields.get(last) as string[]) : []),
        unquoted(item[1]!.trim()),
      ]);
  }
  return { fields: Object.fromEntries(fields), rest: text.slice(3 + end.index + end[0].length) };
}

function frontValue(value: string): unknown {
  if (value === '') return null;
  if (value.startsWith('[') && value.endsWith(']'))
    return value
      .slice(1, -1)
      .split(',')
      .map(part => unquoted(part.trim()))
      .filter(Boolean);
  return unquoted(value);
}

function unquoted(value: string): string {
  return /^(["']).*\1$/s.test(value) && value.length > 1 ? value.slice(1, -1) : value;
}

/** Returns the metadata as of any record: dates named `published_at`, null left out. */
function metadataOf({ title: _, ...fields }: Record<string, unknown>): Metadata {
  const loaded = documentFromRecord({ metadata: fields, text: '-', id: '-' });
  return 'skipped' in loaded ? {} : loaded.document.metadata;
}
