/** The blocks of Markdown: headings, paragraphs, items, rows, definitions and code. */
import type { MarkdownIt, Token } from 'markdown-it';
import type { BlockKind } from '../../../core/corpus/document.ts';
import { asLead, type BlockWriter, termLead } from '../../blocks/block-writer.ts';
import type { Inline } from '../../blocks/inline.ts';
import { TableGrid } from '../../blocks/table-grid.ts';
import { writeBlocks } from '../html/html-block.ts';
import { readHtml } from '../html/text.ts';
import { asHtml, holdsParts, joinedParts } from './html-parts.ts';
import { definedTerm, inline, isImages } from './inline.ts';
import { type Node, nodesOf } from './nodes.ts';
import { isWideRows } from './wide-rows.ts';

type Under = readonly string[];

/** Most items above a nested one that are kept. */
const LEADS = 3;
/** Longer lines above a definition are no terms, nor are more of them. */
const TERM_CHARACTERS = 120;
const MOST_TERMS = 4;

export class MarkdownBlocks {
  private readonly writer: BlockWriter;
  /** Number of the first line in the file. */
  private readonly first: number;
  private readonly render: (tokens: Token[]) => string;
  /** Cells that are too many in the table that comes next, by their lines. */
  private wide: Node[] = [];

  /** Texts that readers of the file see and that its document does not hold. */
  readonly leftOut: string[] = [];

  constructor(writer: BlockWriter, first: number, parser: MarkdownIt) {
    this.writer = writer;
    this.first = first;
    this.render = tokens => parser.renderer.render(tokens, parser.options, {});
  }

  /** Writes the tokens of the library. */
  write(tokens: readonly Token[]): Promise<void> {
    return this.all(nodesOf(tokens), []);
  }

  private async all(nodes: readonly Node[], under: Under): Promise<void> {
    let above: Node | undefined;
    for (const part of joinedParts(nodes)) {
      if ('nodes' in part) {
        if (above) await this.node(above, under);
        above = undefined;
        await this.html(part.nodes, under);
        continue;
      }
      const node = part;
      // A paragraph directly above a definition holds further terms of it.
      const terms = node.token.type === 'dl_open' && above ? termsOf(above, node) : undefined;
      if (above && !terms) await this.node(above, under);
      above = undefined;
      if (node.token.type === 'paragraph_open') above = node;
      else if (node.token.type === 'dl_open') await this.definitions(node, terms ?? [], under);
      else await this.node(node, under);
    }
    if (above) await this.node(above, under);
  }

  private async node(node: Node, under: Under): Promise<void> {
    const { token, inside } = node;
    const at = { line: this.line(node), under };
    if (token.type === 'heading_open')
      this.writer.heading(Number(token.tag[1]), textOf(node).text, { ...at, ...textOf(node) });
    else if (token.type === 'fence') this.writer.code(token.content, { line: at.line + 1, under });
    else if (token.type === 'code_block') this.writer.code(token.content, at);
    else if (token.type === 'html_block') await this.html([node], under);
    else if (/^(?:bullet|ordered)_list_open$/.test(token.type)) await this.list(node, under);
    else if (isWideRows(node)) this.wide = [...inside];
    else if (token.type === 'table_open') this.table(node, under);
    else if (token.type === 'paragraph_open') await this.paragraph(node, under);
    else await this.all(inside, under);
  }

  private line({ token }: Node): number {
    return this.first + (token.map?.[0] ?? 0);
  }

  private async html(nodes: readonly Node[], under: Under): Promise<void> {
    const { blocks } = await readHtml(asHtml(nodes, this.render), { isPiece: true });
    writeBlocks(this.writer, blocks, { line: this.line(nodes[0]!), under });
  }

  private async paragraph(node: Node, under: Under): Promise<void> {
    const tokens = tokensOf(node);
    if (holdsParts(tokens)) {
      await this.html([node], under);
      return;
    }
    const { text, links } = inline(tokens);
    // Marks of containers and directives of site generators, which stand for no text.
    const shown = text.replace(/^(?::::+\s*\w*|\[!(\w+)\]|\[\[?toc\]?\]|\{:toc\})\s*/i, noteName);
    const images = isImages(tokens);
    // Badges say nothing, and lead to what the file is about.
    if (images && links.length > 0) this.writer.ahead({ links });
    else {
      const kind = images ? 'caption' : undefined;
      this.writer.block(shown, { line: this.line(node), under, links, kind });
    }
  }

  private async list({ token, inside: items }: Node, under: Under): Promise<void> {
    // A list of links into this very page is its table of contents, which repeats its headings.
    if (items.length > 1 && items.every(isContents)) {
      this.leftOut.push(...items.map(shownIn));
      return;
    }
    const start =
      token.type === 'ordered_list_open' ? Number(token.attrGet('start') ?? 1) : Number.NaN;
    for (const [index, item] of items.entries())
      await this.item(item, Number.isNaN(start) ? '-' : `${start + index}.`, under);
  }

  private async item({ inside }: Node, mark: string, under: Under): Promise<void> {
    const [first, ...rest] = inside;
    if (first?.token.type !== 'paragraph_open') return this.all(inside, under);
    const tokens = tokensOf(first);
    const { text, links } = inline(tokens);
    const term = definedTerm(tokens);
    const kind = term === undefined ? 'list-item' : kindOf(term);
    this.writer.block(`${mark} ${text}`, { line: this.line(first), under, links, kind });
    await this.all(rest, [...under, asLead(term ?? text)].slice(-LEADS));
  }

  /** Writes terms with their definitions; `above`: further terms of the first. */
  private async definitions({ inside }: Node, above: readonly Term[], under: Under): Promise<void> {
    let terms = [...above];
    for (const node of inside) {
      if (node.token.type === 'dt_open') {
        terms = terms.filter(({ isDefined }) => !isDefined);
        terms.push({ ...textOf(node), line: node.token.map![0] });
      } else {
        const isFirst = !terms[0]!.isDefined;
        await this.definition(node, terms, isFirst, under);
        terms = terms.map(term => ({ ...term, isDefined: true }));
      }
    }
  }

  private async definition(
    { inside }: Node,
    terms: readonly Term[],
    isFirst: boolean,
    under: Under,
  ): Promise<void> {
    const term = terms.map(({ text }) => text.trim().replace(/:$/, '')).join(', ');
    const isTerm = terms.every(({ text }) => text.length <= TERM_CHARACTERS);
    const below = isTerm ? [...under, termLead(term)].slice(-LEADS) : under;
    if (!isFirst) return this.all(inside, below);
    const [lead, ...rest] = inside;
    const said = isTerm && lead?.token.type === 'paragraph_open' ? textOf(lead) : undefined;
    const links = [...terms.flatMap(each => each.links), ...(said?.links ?? [])];
    const line = this.first + terms[0]!.line;
    const kind = isTerm ? kindOf(term) : 'prose';
    this.writer.block(said ? `${term}: ${said.text}` : term, { line, under, links, kind });
    await this.all(said ? rest : inside, below);
  }

  private table({ inside }: Node, under: Under): void {
    const grid = new TableGrid();
    const rows = inside.flatMap(part => part.inside);
    const wide = Map.groupBy(this.wide.splice(0), ({ token }) => token.map![0]);
    const printed = rows.flatMap((row, at) => {
      const further = wide.get(row.token.map![0])?.map(({ token }) => inline(token.children ?? []));
      const cells = [...row.inside.map(textOf), ...(further ?? [])];
      return grid.row(cells, this.line(row), at === 0);
    });
    for (const { text, ...facts } of [...printed, ...grid.end()])
      this.writer.block(text, { ...facts, under });
  }
}

interface Term extends Inline {
  /** From 0. */
  readonly line: number;
  /** A definition of it was written. */
  readonly isDefined?: boolean;
}

/** Returns the lines of a paragraph as terms of the definition below, undefined if none are. */
function termsOf({ token, inside }: Node, { token: list }: Node): Term[] | undefined {
  if (token.map![1] !== list.map![0]) return undefined;
  const { content, children } = inside[0]!.token;
  const rows = content.split('\n');
  if (rows.length >= MOST_TERMS || rows.some(row => row.length > TERM_CHARACTERS)) return undefined;
  const parts: Token[][] = [[]];
  for (const child of children ?? [])
    if (child.type === 'softbreak' || child.type === 'hardbreak') parts.push([]);
    else parts.at(-1)!.push(child);
  return parts.map((part, at) => ({ ...inline(part), line: token.map![0] + at }));
}

const kindOf = (term: string): BlockKind => (/^--?\w/.test(term) ? 'option' : 'definition');

/** Returns the inline tokens of a block. */
const tokensOf = ({ inside }: Node): readonly Token[] =>
  inside.find(({ token }) => token.type === 'inline')?.token.children ?? [];

/** Returns the text of a node and of all inside it. */
const shownIn = (node: Node): string =>
  [textOf(node).text, ...node.inside.map(shownIn)].filter(Boolean).join(' ');

const textOf = (node: Node): Inline => inline(tokensOf(node));

/** Names the kind of an alert, such as `[!WARNING]`; other marks vanish. */
function noteName(_: string, kind: string | undefined): string {
  return kind === undefined ? '' : `${kind[0]!.toUpperCase()}${kind.slice(1).toLowerCase()}: `;
}

/** Tells whether an item and those below it hold a link into this page and nothing else. */
function isContents({ inside }: Node): boolean {
  return inside.every(node => {
    if (node.token.type !== 'paragraph_open') return node.inside.every(isContents);
    const [first, ...rest] = tokensOf(node).filter(
      ({ type, content }) => type !== 'text' || content.trim() !== '',
    );
    const isLink = first?.type === 'link_open' && String(first.attrGet('href')).startsWith('#');
    return isLink && rest.findIndex(({ type }) => type === 'link_close') === rest.length - 1;
  });
}
