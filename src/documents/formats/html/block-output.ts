/** Writes the text of open elements as blocks, with the items and terms that they stand in. */
import type { BlockKind } from '../../../core/corpus/document.ts';
import { asLead, oneLine, termLead } from '../../blocks/block-writer.ts';
import type { HtmlBlock } from './html-block.ts';
import { type BlockText, isImage, LineText } from './line-text.ts';
import { PageParts } from './page-parts.ts';
import { measuresOf } from './prose.ts';
import type { HtmlTable } from './table.ts';

/** Most items above a nested one that are kept. */
const LEADS = 3;
const LEVELS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const NOWHERE: readonly string[] = [];
/** Marks of links to a heading. */
const ANCHOR = /^§\s*(?=.)|(?<=.)\s*[¶#🔗]$/gu;

/** Matches what a page says to browsers without scripts about itself. */
const ASKS_FOR_SCRIPTS = /java\s?script/i;

/** Says the mark of an item or a heading, in HTML that is made of another file. */
export const MARK_ATTRIBUTE = 'data-multihop-mark';

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

export class BlockOutput {
  readonly blocks: HtmlBlock[] = [];
  protected readonly parts: PageParts;
  protected readonly frames: Frame[] = [];
  protected readonly words: LineText = new LineText();
  protected line = 1;
  protected depth = 0;
  /** Depth of the open button; 0 if there is none. */
  protected button = 0;
  /** A button of the open block shows or hides what follows. */
  protected isPanel = false;
  /** Terms of a definition list that wait for their definition. */
  private terms: string[] = [];

  /** `isPage`: the HTML is a page with furniture, and no piece of a text or chapter of a book. */
  constructor(isPage: boolean) {
    this.parts = new PageParts(isPage);
  }

  finish(): readonly HtmlBlock[] {
    this.flush();
    this.flushTerms();
    this.parts.finish();
    return this.blocks;
  }

  protected frame(name: string, more: Partial<Frame> = {}): void {
    this.frames.push({ name, depth: this.depth, lead: '', mark: '', next: 1, ...more });
  }

  protected table(): HtmlTable | undefined {
    for (let at = this.frames.length - 1; at >= 0; at--) {
      const { table } = this.frames[at]!;
      if (table) return table;
    }
    return undefined;
  }

  protected markOf(): string {
    const list = this.frames.findLast(({ name }) => name === 'ol' || name === 'ul');
    return list?.name === 'ol' ? `${list.next++}. ` : '- ';
  }

  /** Writes the text since the last border of a block. */
  protected flush(): void {
    if (this.words.isUntouched) {
      this.button = 0;
      this.isPanel = false;
      return;
    }
    const frame = this.frames.at(-1);
    const level = LEVELS.indexOf(frame?.name ?? '') + 1;
    const taken = this.words.take(level > 0);
    const { text } = taken;
    this.button = 0;
    if (text.trim() === '') this.isPanel = false;
    else if (level > 0)
      this.write({ text: oneLine(text).replace(ANCHOR, ''), kind: 'heading', level }, taken);
    else if (frame?.name === 'pre') this.write({ text, kind: 'code' }, taken);
    else if (frame?.name === 'dt') this.terms.push(oneLine(text).replace(/\s*[¶#]$/, ''));
    else if (frame?.name === 'figcaption' || frame?.name === 'caption')
      this.write({ text, kind: 'caption' }, taken);
    else this.flushText(taken);
    this.isPanel = false;
  }

  private flushText(taken: BlockText): void {
    const { text, only } = taken;
    const item = this.frames.findLast(({ name }) => name === 'li' || name === 'dd');
    if (item?.name === 'dd' && this.terms.length > 0) {
      const { term, kind } = this.takeTerms();
      this.write({ text: `${term}: ${text}`, kind }, taken);
      this.stand(term);
    } else if (item?.mark && !isImage(only)) {
      this.write({ text: `${item.mark}${text.trimStart()}`, kind: 'list-item' }, taken);
      item.mark = '';
      item.lead = asLead(text);
    } else this.write({ text, kind: isImage(only) ? 'caption' : 'prose' }, taken);
  }

  /** Gives the open item the mark that its file shows; outside items the mark is text. */
  protected mark(mark: string): void {
    const item = this.frames.findLast(({ name }) => name === 'li');
    if (item?.mark && this.words.isEmpty && this.table()?.inCell !== true) item.mark = `${mark} `;
    else this.words.add(`${mark} `, false);
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

  protected flushTerms(): void {
    for (const term of this.terms.splice(0))
      this.write({ text: term, kind: 'definition' }, { characters: term.length, linked: 0 });
  }

  protected write(
    block: Pick<HtmlBlock, 'text' | 'kind'> & Partial<HtmlBlock>,
    taken: Pick<BlockText, 'characters' | 'linked'> & Partial<BlockText>,
  ): void {
    if (this.parts.isWithoutScripts && ASKS_FOR_SCRIPTS.test(block.text)) return;
    // A definition that begins with a list, a table or code has no text to stand in.
    if (this.terms.length > 0 && this.frames.some(({ name }) => name === 'dd')) {
      const { term, kind } = this.takeTerms();
      this.write({ text: term, kind }, { characters: term.length, linked: 0 });
      this.stand(term);
    }
    const only = taken.only === 'button' && this.isPanel ? 'panel' : taken.only;
    const isControl = only === 'button' && block.kind !== 'heading';
    const { characters } = taken;
    const linked = isControl ? characters : Math.min(characters, taken.linked);
    const isLink = isControl || (taken.isLink ?? linked * 2 >= characters);
    // A row of several cells states facts, linked or not.
    const isRow = block.kind === 'table-row' && block.text.includes(' | ');
    const isLinked = block.kind !== 'heading' && !isRow && characters > 0 && isLink;
    const measures = measuresOf(block, { characters, linked });
    this.blocks.push({
      text: block.text,
      kind: block.kind,
      level: block.level ?? 0,
      at: this.blocks.length,
      line: block.line ?? this.line,
      links: block.links ?? taken.links ?? [],
      under: this.under(),
      region: this.parts.region,
      measures,
      linked: isLinked,
      introduction: this.parts.introduction,
      container: this.parts.container,
      only,
    });
    this.parts.add(this.blocks.at(-1)!, this.blocks.length);
  }

  /** Returns the items and terms that a block stands in. */
  private under(): readonly string[] {
    if (this.frames.every(({ lead }) => lead === '')) return NOWHERE;
    return this.frames
      .map(({ lead }) => lead)
      .filter(Boolean)
      .slice(-LEADS);
  }
}
