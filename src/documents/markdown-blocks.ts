/** The blocks of Markdown: headings, paragraphs, items, rows and code, with their lines. */
import type { Token, Tokens } from 'marked';
import { asLead, type BlockFacts, type BlockWriter, termLead } from './block-writer.ts';
import { writeBlocks } from './html-blocks.ts';
import { readHtml } from './html-text.ts';
import type { Definitions } from './markdown-definitions.ts';
import { definedTerm, inline, isImages } from './markdown-inline.ts';
import { rowText } from './table-rows.ts';

/** Position of a token: its line, and the items that stand above it. */
interface At {
  readonly line: number;
  readonly under: readonly string[];
}

/** Most items above a nested one that are kept. */
const LEADS = 3;

/** Writes the tokens of the lexer. `line`: number of the first line in the file. */
export const writeMarkdown = (
  tokens: readonly Token[],
  writer: BlockWriter,
  line: number,
): Promise<void> => new MarkdownBlocks(writer).all(tokens, { line, under: [] });

class MarkdownBlocks {
  private readonly writer: BlockWriter;

  constructor(writer: BlockWriter) {
    this.writer = writer;
  }

  async all(tokens: readonly Token[], { line, under }: At): Promise<void> {
    let at = line;
    for (const token of tokens) {
      await this.one(token, { line: at, under });
      at += lineBreaks(token.raw);
    }
  }

  private async one(token: Token, at: At): Promise<void> {
    switch (token.type) {
      case 'heading': {
        const { text, links } = inline(token.tokens ?? []);
        return this.writer.heading(token['depth'] as number, text, { ...at, links });
      }
      case 'code':
        return this.code(token as Tokens.Code, at);
      case 'list':
        return await this.list(token as Tokens.List, at);
      case 'table':
        return this.table(token as Tokens.Table, at);
      case 'blockquote':
        return await this.all(token.tokens ?? [], at);
      case 'definitions':
        return await this.definitions(token as unknown as Definitions, at);
      case 'html':
        return await this.html(token.raw, at);
      case 'hr':
      case 'space':
      case 'def':
        return;
      default:
        return this.paragraph(innerTokens(token) ?? [token], at);
    }
  }

  private paragraph(tokens: readonly Token[], at: At): void {
    const { text, links } = inline(tokens);
    // Marks of containers and directives of site generators, which stand for no text.
    const shown = text.replace(/^(?::::+\s*\w*|\[!(\w+)\]|\[\[?toc\]?\]|\{:toc\})\s*/i, noteName);
    const images = isImages(tokens);
    // Badges say nothing, and lead to what the file is about.
    if (images && links.length > 0) {
      this.writer.ahead({ links });
      return;
    }
    this.writer.block(shown, { ...at, links, ...(images ? { kind: 'caption' } : {}) });
  }

  private code({ raw, text }: Tokens.Code, { line, under }: At): void {
    const fenced = /^ {0,3}(?:```|~~~)/.test(raw);
    this.writer.code(text, { line: line + (fenced ? 1 : 0), under });
  }

  private async list({ items, ordered, start }: Tokens.List, at: At): Promise<void> {
    // A list of links into this very page is its table of contents, which repeats its headings.
    if (items.length > 1 && items.every(isContents)) return;
    let { line } = at;
    for (const [index, item] of items.entries()) {
      const mark = ordered ? `${Number(start || 1) + index}.` : '-';
      await this.item(item, mark, { line, under: at.under });
      line += lineBreaks(item.raw);
    }
  }

  private async item({ tokens }: Tokens.ListItem, mark: string, at: At): Promise<void> {
    let { line, under } = at;
    for (const [index, token] of tokens.entries()) {
      if (index === 0 && (token.type === 'text' || token.type === 'paragraph')) {
        const inner = token.tokens ?? [token];
        const { text, links } = inline(inner);
        const term = definedTerm(inner);
        const kind: BlockFacts['kind'] =
          term === undefined ? 'list-item' : /^--?\w/.test(term) ? 'option' : 'definition';
        this.writer.block(`${mark} ${text}`, { ...at, links, kind });
        under = [...under, asLead(term ?? text)].slice(-LEADS);
      } else await this.one(token, { line, under });
      line += lineBreaks(token.raw);
    }
  }

  private async definitions({ items }: Definitions, at: At): Promise<void> {
    for (const { terms, line, definitions } of items) {
      const names = terms.map(tokens => inline(tokens));
      const term = names.map(({ text }) => text.trim().replace(/:$/, '')).join(', ');
      const kind = /^--?\w/.test(term) ? 'option' : 'definition';
      const links = names.flatMap(name => name.links);
      const under = [...at.under, termLead(term)].slice(-LEADS);
      const [first, ...others] = definitions;
      const [lead, ...rest] = first!.tokens;
      const top = { line: at.line + line, under: at.under, kind } as const;
      if (lead?.type === 'paragraph' || lead?.type === 'text') {
        const said = inline(innerTokens(lead) ?? [lead]);
        this.writer.block(`${term}: ${said.text}`, { ...top, links: [...links, ...said.links] });
        const below = at.line + first!.line + lineBreaks(lead.raw);
        await this.all(rest, { line: below, under });
      } else {
        this.writer.block(term, { ...top, links });
        await this.all(first!.tokens, { line: at.line + first!.line, under });
      }
      for (const { tokens, line: from } of others)
        await this.all(tokens, { line: at.line + from, under });
    }
  }

  private table({ header, rows }: Tokens.Table, { line, under }: At): void {
    const heads = header.map(({ tokens }) => inline(tokens));
    const all = rows.length === 0 ? [header] : rows;
    for (const [index, row] of all.entries()) {
      const cells = row.map(({ tokens }) => inline(tokens));
      // Two lines before the first row: the heads and the rule below them.
      const shown = rowText(
        rows.length === 0 ? [] : heads.map(({ text }) => text),
        cells.map(({ text }) => text),
      );
      const links = cells.flatMap(cell => cell.links);
      this.writer.block(shown, { kind: 'table-row', line: line + 2 + index, under, links });
    }
  }

  private async html(raw: string, at: At): Promise<void> {
    const { blocks } = await readHtml(raw);
    writeBlocks(this.writer, blocks, at);
  }
}

function lineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function innerTokens(token: Token): readonly Token[] | undefined {
  return 'tokens' in token ? token.tokens : undefined;
}

/** Names the kind of an alert, such as `[!WARNING]`; other marks vanish. */
function noteName(_: string, kind: string | undefined): string {
  return kind === undefined ? '' : `${kind[0]!.toUpperCase()}${kind.slice(1).toLowerCase()}: `;
}

/** Tells whether an item and those below it hold a link into this page and nothing else. */
function isContents({ tokens }: Tokens.ListItem): boolean {
  return tokens.every(token => {
    if (token.type === 'space') return true;
    if (token.type === 'list') return (token as Tokens.List).items.every(isContents);
    const inner = (innerTokens(token) ?? []).filter(({ raw }) => raw.trim() !== '');
    return (
      inner.length === 1 && inner[0]!.type === 'link' && String(inner[0]!['href']).startsWith('#')
    );
  });
}
