/** The blocks of an HTML page or of a piece of a page, read in one pass over its tags. */
import type { BlockKind } from '../../../core/corpus/document.ts';
import { asLead, type BlockWriter, oneLine, termLead } from '../../blocks/block-writer.ts';
import { Unreadable } from '../../files/unreadable.ts';
import { BLOCKS, isContent, isSilent } from './elements.ts';
import { HtmlTable } from './table.ts';

const MAX_DEPTH = 2000;
/** Most items above a nested one that are kept. */
const LEADS = 3;

/** Thrown for pages nested beyond any reading. */
export class TooDeep extends Unreadable {}

/** A block of a page, before it is known which blocks are kept. */
export interface HtmlBlock {
  readonly text: string;
  readonly kind: BlockKind;
  /** 1 to 6 for headings, 0 for others. */
  readonly level: number;
  readonly line: number;
  readonly links: readonly string[];
  readonly under: readonly string[];
  /** Stands in an element by which the page marks its content. */
  readonly content: boolean;
  /** All of its text is links. */
  readonly linked: boolean;
}

type Attributes = Readonly<Record<string, string>>;

/** An open element that the blocks inside it depend on. */
interface Frame {
  readonly name: string;
  readonly depth: number;
  /** The term of a definition, or the beginning of a list item, once it was written. */
  lead: string;
  /** Mark of an item that has no text yet. */
  mark: string;
  /** Number of the next item of an ordered list. */
  next: number;
  readonly table?: HtmlTable;
}

export class HtmlBlocks {
  readonly blocks: HtmlBlock[] = [];
  private readonly frames: Frame[] = [];
  private text = '';
  private links: string[] = [];
  private linkedCharacters = 0;
  private line = 1;
  /** Terms of a definition list that wait for their definition. */
  private terms: string[] = [];
  private depth = 0;
  /** Depth of the element that silenced us; 0 while we read. */
  private silentFrom = 0;
  private inContent = 0;
  private inLink = 0;

  open(name: string, attributes: Attributes, line: number): void {
    if (++this.depth > MAX_DEPTH) throw new TooDeep(`nested deeper than ${MAX_DEPTH} elements`);
    if (this.silentFrom > 0) return;
    if (isSilent(name, attributes, this.inContent > 0)) {
      this.silentFrom = this.depth;
      return;
    }
    if (isContent(name, attributes)) {
      this.flush();
      this.inContent++;
      this.frame('content');
    }
    if (name === 'a') this.openLink(attributes['href']);
    else if (name === 'br') this.text += '\n';
    else if (BLOCKS.has(name)) this.openBlock(name, attributes, line);
    if (this.text === '') this.line = line;
  }

  private openLink(href: string | undefined): void {
    this.inLink++;
    if (href !== undefined) this.links.push(href);
  }

  private openBlock(name: string, attributes: Attributes, line: number): void {
    if (this.frames.at(-1)?.name === 'pre') {
      if (!this.text.endsWith('\n')) this.text += '\n';
      return;
    }
    const table = this.table();
    const inCell = table?.inCell === true && !table.layout;
    if (inCell && !OUT_OF_CELLS.has(name) && !PARTS_OF_TABLES.has(name)) {
      this.text += ' ';
      return;
    }
    if (inCell && OUT_OF_CELLS.has(name)) this.leaveCells(table);
    if (name === 'td' || name === 'th') {
      this.openCell(table, name, attributes);
      return;
    }
    this.flush();
    if (name === 'table') this.frame(name, { table: new HtmlTable() });
    else if (name === 'tr') table?.openRow(line);
    else if (SECTIONS.has(name)) table?.openSection(name === 'thead');
    else if (name === 'ol')
      this.frame(name, { next: Number.parseInt(attributes['start'] ?? '1', 10) || 1 });
    else if (name === 'li') this.frame(name, { mark: this.markOf() });
    else if (FRAMED.has(name)) {
      // A term ends what stood under the one before.
      const list = name === 'dt' ? this.frames.findLast(frame => frame.name === 'dl') : undefined;
      if (list) list.lead = '';
      this.frame(name);
    }
  }

  private openCell(table: HtmlTable | undefined, name: string, attributes: Attributes): void {
    if (table === undefined || table.layout) {
      this.flush();
      return;
    }
    this.closeCell(table);
    const isHead = name === 'th' || TERM_CELL.test(attributes['class'] ?? '');
    const [columns, rows] = ['colspan', 'rowspan'].map(span =>
      Number.parseInt(attributes[span] ?? '1', 10),
    );
    table.openCell({ isHead, columns, rows });
  }

  /** Turns a table that holds headings, code or tables into running blocks. */
  private leaveCells(table: HtmlTable): void {
    const here = this.text;
    const links = this.links;
    this.text = '';
    for (const cell of table.becomeLayout()) this.write({ text: cell, kind: 'prose' });
    this.text = here;
    this.links = links;
    this.flush();
  }

  close(name: string, line: number): void {
    if (this.silentFrom === 0) {
      if (name === 'a' && this.inLink > 0) this.inLink--;
      else if (BLOCKS.has(name)) this.closeBlock(name);
      const content = this.frames.at(-1);
      if (content?.name === 'content' && content.depth === this.depth) {
        this.flush();
        this.frames.pop();
        this.inContent--;
      }
    } else if (this.silentFrom === this.depth) this.silentFrom = 0;
    this.depth--;
    if (this.text === '') this.line = line;
  }

  private closeBlock(name: string): void {
    if (name !== 'pre' && this.frames.at(-1)?.name === 'pre') return;
    const table = this.table();
    if (table !== undefined && !table.layout) {
      if (name === 'td' || name === 'th') {
        this.closeCell(table);
        return;
      }
      if (name === 'tr' || name === 'table') {
        this.closeCell(table);
        for (const row of table.closeRow(name === 'table')) this.write(row);
      } else if (name === 'thead') table.closeHead();
      else if (table.inCell) return;
    }
    this.flush();
    const frame = this.frames.at(-1);
    if (frame?.name !== name || frame.depth !== this.depth) return;
    this.frames.pop();
    // A list of terms without definitions is said as it stands.
    if (name === 'dl') this.flushTerms();
  }

  private closeCell(table: HtmlTable): void {
    if (!table.inCell) return;
    table.closeCell(this.text, this.links);
    this.clear();
  }

  /** Adds text outside tags. */
  add(text: string): void {
    if (this.silentFrom > 0) return;
    const shown = this.frames.at(-1)?.name === 'pre' ? text : text.replace(/\s+/g, ' ');
    if (this.inLink > 0) this.linkedCharacters += shown.trim().length;
    this.text += this.text === '' && this.frames.at(-1)?.name !== 'pre' ? shown.trimStart() : shown;
  }

  finish(): readonly HtmlBlock[] {
    this.flush();
    this.flushTerms();
    return this.blocks;
  }

  private frame(name: string, more: Partial<Frame> = {}): void {
    this.frames.push({ name, depth: this.depth, lead: '', mark: '', next: 1, ...more });
  }

  private table(): HtmlTable | undefined {
    return this.frames.findLast(({ table }) => table !== undefined)?.table;
  }

  private markOf(): string {
    const list = this.frames.findLast(({ name }) => name === 'ol' || name === 'ul');
    return list?.name === 'ol' ? `${list.next++}. ` : '- ';
  }

  /** Writes the text since the last border of a block. */
  private flush(): void {
    const { text } = this;
    const frame = this.frames.at(-1);
    if (text.trim() === '') {
      this.clear();
      return;
    }
    const level = /^h[1-6]$/.test(frame?.name ?? '') ? Number(frame!.name[1]) : 0;
    if (level > 0)
      this.write({
        text: oneLine(text).replace(/^§\s*(?=.)|(?<=.)\s*[¶#🔗]$/gu, ''),
        kind: 'heading',
        level,
      });
    else if (frame?.name === 'pre') this.write({ text, kind: 'code' });
    else if (frame?.name === 'dt') this.terms.push(oneLine(text).replace(/\s*[¶#]$/, ''));
    else if (frame?.name === 'figcaption' || frame?.name === 'caption')
      this.write({ text, kind: 'caption' });
    else this.flushText(text);
    this.clear();
  }

  private flushText(text: string): void {
    const item = this.frames.findLast(({ name }) => name === 'li' || name === 'dd');
    if (item?.name === 'dd' && this.terms.length > 0) {
      const { term, kind } = this.takeTerms();
      this.write({ text: `${term}: ${text}`, kind });
      this.stand(term);
    } else if (item?.mark) {
      this.write({ text: `${item.mark}${text.trimStart()}`, kind: 'list-item' });
      item.mark = '';
      item.lead = asLead(text);
    } else this.write({ text, kind: 'prose' });
  }

  private takeTerms(): { readonly term: string; readonly kind: BlockKind } {
    const term = this.terms.splice(0).join(', ').replace(/:$/, '');
    return { term, kind: /^-{1,2}\w/.test(term) ? 'option' : 'definition' };
  }

  /** Puts a term above what follows in its definitions. */
  private stand(term: string): void {
    const list = this.frames.findLast(({ name }) => name === 'dl');
    const frame = list ?? this.frames.findLast(({ name }) => name === 'dd');
    if (frame) frame.lead = termLead(term);
  }

  private flushTerms(): void {
    for (const term of this.terms.splice(0)) this.write({ text: term, kind: 'definition' });
  }

  private write(block: Pick<HtmlBlock, 'text' | 'kind'> & Partial<HtmlBlock>): void {
    // A definition that begins with a list, a table or code has no text to stand in.
    if (this.terms.length > 0 && this.frames.some(({ name }) => name === 'dd')) {
      const { term, kind } = this.takeTerms();
      this.write({ text: term, kind, links: [] });
      this.stand(term);
    }
    const characters = this.text.replace(/\s+/g, '').length;
    this.blocks.push({
      level: 0,
      line: this.line,
      links: this.links,
      ...block,
      under: this.frames
        .map(({ lead }) => lead)
        .filter(Boolean)
        .slice(-LEADS),
      content: this.inContent > 0,
      linked: block.kind !== 'heading' && characters > 0 && this.linkedCharacters >= characters / 2,
    });
  }

  private clear(): void {
    this.text = '';
    this.links = [];
    this.linkedCharacters = 0;
  }
}

/** Classes of cells that hold a term: of AsciiDoc's horizontal lists, and of fields of Docutils. */
const TERM_CELL = /(?:^|\s)(?:hdlist1|field-name)(?:\s|$)/;

/** Elements that mark the table around them as layout. */
const OUT_OF_CELLS: ReadonlySet<string> = new Set([
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'pre',
  'table',
  'dl',
]);
const SECTIONS: ReadonlySet<string> = new Set(['thead', 'tbody', 'tfoot']);
const PARTS_OF_TABLES: ReadonlySet<string> = new Set(['td', 'th', 'tr', ...SECTIONS]);
const FRAMED: ReadonlySet<string> = new Set(
  'h1 h2 h3 h4 h5 h6 pre ul li dl dt dd figcaption caption'.split(' '),
);

/** Writes blocks. `line`: number of their first line, if their lines are those of a file. */
export function writeBlocks(
  writer: BlockWriter,
  blocks: readonly HtmlBlock[],
  { line: from, under: above }: { readonly line?: number; readonly under: readonly string[] },
): void {
  for (const { text, kind, level, line, links, under } of blocks) {
    const first = text.startsWith('\n') ? line + 1 : line;
    const facts = {
      line: from === undefined ? undefined : from + (kind === 'code' ? first : line) - 1,
      links,
      under: [...above, ...under],
    };
    if (kind === 'heading') writer.heading(level, text, facts);
    else if (kind === 'code') writer.code(text.replace(/^\n/, ''), facts);
    else writer.block(text, { ...facts, kind });
  }
}
