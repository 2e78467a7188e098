/** The blocks of an HTML page or of a piece of a page, read in one pass over its tags. */
import { Unreadable } from '../../files/unreadable.ts';
import { BlockOutput, MARK_ATTRIBUTE } from './block-output.ts';
import { BLOCKS, isRemoved, statedAttributes } from './elements.ts';
import { MathReader } from './math.ts';
import { HtmlTable } from './table.ts';

const MAX_DEPTH = 2000;

/** Thrown for pages nested beyond any reading. */
export class TooDeep extends Unreadable {}

type Attributes = Readonly<Record<string, string>>;

export class HtmlBlocks extends BlockOutput {
  /** All text that the page shows, kept or not. */
  private readonly shown: string[] = [];
  /** Depth of the element that silenced us; 0 while we read. */
  private silentFrom = 0;
  /** Readers do not see what is silent now. */
  private isUnseen = false;
  /** Open links, superscripts and subscripts. */
  private readonly marks: { readonly name: 'a' | 'sup' | 'sub'; readonly depth: number }[] = [];
  private math: MathReader | undefined;
  private mathDepth = 0;
  /** Measures of the cells of the open row. */
  private row = EMPTY_ROW;

  get visible(): string {
    return this.shown.join('');
  }

  open(name: string, given: Attributes, line: number): void {
    if (++this.depth > MAX_DEPTH) throw new TooDeep(`nested deeper than ${MAX_DEPTH} elements`);
    if (this.silentFrom > 0) return;
    const attributes = statedAttributes(given);
    if (this.math) this.math.enter(name, attributes);
    else if (name === 'script' && MATH_SCRIPT.test(attributes['type'] ?? '')) this.words.space();
    else if (isRemoved(name, attributes) || (name === 'noscript' && !this.words.isEmpty)) {
      this.parts.meet(name, attributes, this.depth);
      this.silence(true);
    } else if (name === 'math') {
      this.math = new MathReader(attributes);
      this.mathDepth = this.depth;
    } else if (this.openPart(name, attributes)) {
      if (BLOCKS.has(name)) {
        this.part();
        this.openBlock(name, attributes, line);
      } else this.openInline(name, attributes);
      if (this.words.isEmpty) this.line = line;
    }
  }

  /** Parts what is visible of blocks. */
  private part(): void {
    if (this.shown.at(-1) !== '\n') this.shown.push('\n');
  }

  /** Enters the part of the page that an element states; false if nothing in it is read. */
  private openPart(name: string, attributes: Attributes): boolean {
    const standing = this.parts.standingOf(name, attributes);
    if (standing !== undefined) {
      if (this.isInLine(name)) {
        // A part within a line is too short to be measured: it goes by its name, but a variant
        // that a script shows belongs to its sentence.
        const isIcon = standing === 'hidden' && !('hidden' in attributes);
        if (isIcon || standing === 'furniture') this.silence(isIcon);
        if (isIcon || standing === 'furniture') return false;
        if (standing === 'hidden') this.words.space();
      } else {
        this.flush();
        this.parts.open(standing, name, attributes, this.depth);
      }
    }
    this.parts.meet(name, attributes, this.depth);
    return true;
  }

  private isInLine(name: string): boolean {
    if (!BLOCKS.has(name) || PARTS_OF_TABLES.has(name) || this.button > 0) return true;
    const table = this.table();
    return (table?.inCell === true && !table.layout) || this.frames.at(-1)?.name === 'pre';
  }

  private silence(isUnseen: boolean): void {
    this.silentFrom = this.depth;
    this.isUnseen = isUnseen;
  }

  private openInline(name: string, attributes: Attributes): void {
    const mark = raisedBy(name, attributes);
    const isNote = (mark !== undefined || name === 'a') && isNoteReference(attributes);
    if (name === 'html') this.words.language = attributes['lang'] ?? '';
    else if (name === 'a') this.openLink(attributes['href'], isNote);
    else if (name === 'br') this.words.lineBreak();
    else if (attributes[MARK_ATTRIBUTE] !== undefined) this.mark(attributes[MARK_ATTRIBUTE]);
    else if (mark) this.openRaised(mark, isNote);
    else if (name === 'img') this.image(attributes);
    else if (name === 'input' || name === 'label') this.input(attributes);
    else if (name === 'button' && this.button === 0) this.openButton(attributes);
  }

  /** Opens a link; an anchor, which leads nowhere, is none, and may not end. */
  private openLink(href: string | undefined, isNote: boolean): void {
    if (href === undefined) return;
    this.marks.push({ name: 'a', depth: this.depth });
    this.words.openLink(href, isNote);
  }

  private openRaised(name: 'sup' | 'sub', isNote: boolean): void {
    this.marks.push({ name, depth: this.depth });
    this.words.openRaised(name, isNote);
  }

  private image(attributes: Attributes): void {
    const { alt = '', role } = attributes;
    if (role === 'presentation' || role === 'none') return;
    if (alt.trim() !== '' && !isImageName(alt)) this.words.image(alt, isIcon(attributes));
  }

  /** Says whether a box is ticked in a list of tasks or a table. */
  private input({ type = '', checked }: Attributes): void {
    const isListed = this.table()?.inCell || this.frames.some(({ name }) => name === 'li');
    const isTicked = checked !== undefined;
    if (type === 'checkbox' && isListed) this.words.add(isTicked ? '[x] ' : '[ ] ', true);
    else this.words.space();
  }

  private openButton(attributes: Attributes): void {
    if (this.frames.at(-1)?.name === 'pre') {
      this.silence(false);
      return;
    }
    this.button = this.depth;
    this.isPanel ||= isDisclosure(attributes);
    this.words.openButton();
  }

  private openBlock(name: string, attributes: Attributes, line: number): void {
    if (this.frames.at(-1)?.name === 'pre') {
      this.words.lineEnd();
      return;
    }
    if (this.button > 0 && !/^h[1-6]$/.test(name)) {
      this.words.space();
      return;
    }
    this.button = 0;
    const table = this.table();
    const inCell = table?.inCell === true && !table.layout;
    if (inCell && !OUT_OF_CELLS.has(name) && !PARTS_OF_TABLES.has(name)) {
      this.words.space();
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
    for (const text of table.becomeLayout())
      this.write({ text, kind: 'prose' }, { characters: text.length, linked: 0 });
    this.flush();
  }

  close(name: string, line: number): void {
    if (this.silentFrom > 0) {
      if (this.silentFrom === this.depth) this.silentFrom = 0;
    } else if (this.math) {
      if (this.mathDepth < this.depth) this.math.leave();
      else this.closeMath(this.math);
    } else {
      if (BLOCKS.has(name)) {
        this.part();
        this.closeBlock(name);
      } else this.closeInline(name);
      if (this.parts.isOpenAt(this.depth)) this.flush();
      this.parts.close(this.depth);
    }
    this.depth--;
    if (this.words.isEmpty) this.line = line;
  }

  private closeInline(name: string): void {
    if (this.marks.at(-1)?.depth === this.depth) this.words.close(this.marks.pop()!.name);
    else if (name === 'button' && this.button === this.depth) {
      this.words.closeButton();
      this.button = 0;
    }
  }

  private closeMath(math: MathReader): void {
    this.math = undefined;
    const formula = math.text();
    this.shown.push(` ${formula} `);
    this.words.add(formula, false);
  }

  private closeBlock(name: string): void {
    if (name !== 'pre' && this.frames.at(-1)?.name === 'pre') return;
    if (this.button > 0) return;
    const table = this.table();
    if (table !== undefined && !table.layout) {
      if (name === 'td' || name === 'th') {
        this.closeCell(table);
        return;
      }
      if (name === 'tr' || name === 'table') {
        this.closeCell(table);
        for (const row of table.closeRow(name === 'table')) this.write(row, this.row);
        this.row = EMPTY_ROW;
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
    const { text, links, characters, linked, isLink, only } = this.words.take();
    this.row = {
      characters: this.row.characters + characters,
      linked: this.row.linked + linked,
      isLink: this.row.isLink && (isLink || characters === 0),
    };
    table.closeCell(only === 'button' ? '' : text, links);
    this.isPanel = false;
  }

  /** Adds text outside tags. */
  add(text: string): void {
    if (this.silentFrom === 0 || !this.isUnseen) this.shown.push(text);
    if (this.silentFrom > 0) return;
    if (this.math) this.math.add(text);
    else this.words.add(text, this.frames.at(-1)?.name === 'pre');
  }
}

/** MathJax reads formulas in LaTeX from scripts of this type. */
const MATH_SCRIPT = /^math\/tex\b/i;

/** Returns which mark an element is, also by its style. */
function raisedBy(name: string, { style = '' }: Attributes): 'sup' | 'sub' | undefined {
  if (name === 'sup' || name === 'sub') return name;
  if (!style.includes('vertical-align')) return undefined;
  return /\bvertical-align: ?(su[pb])/i.exec(style)?.[1]?.toLowerCase() as
    | 'sup'
    | 'sub'
    | undefined;
}

const EMPTY_ROW = { characters: 0, linked: 0, isLink: true };
const IMAGE_FILE = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico)$/i;

/** Tells whether an alternative is the name of a file, as programs and cameras write them. */
function isImageName(alternative: string): boolean {
  const name = alternative.trim();
  if (/\s/.test(name)) return /^(?:img|dsc|image) \d+$/i.test(name);
  return IMAGE_FILE.test(name) || name.includes('_') || (name.includes('-') && /\d/.test(name));
}

/** The largest icon that the icon themes of freedesktop.org must have, in pixels. */
const ICON = 48;

/**
 * Tells whether an image states the size of an icon and stands for words: alone it marks the text
 * beside it, as a box of a note. Signs may be a formula.
 */
function isIcon({ alt = '', width, height, style = '' }: Attributes): boolean {
  const stated = (name: string, attribute = ''): number => {
    const [, pixels] = new RegExp(`(?:^|;)\\s*${name}:\\s*(\\d+)px`, 'i').exec(style) ?? [];
    return Number(pixels ?? (/^\d+$/.exec(attribute)?.[0] || Number.NaN));
  };
  const isSmall = stated('width', width) <= ICON && stated('height', height) <= ICON;
  return isSmall && /^\p{L}[\p{L}\p{M}\s'’-]+$/u.test(alt.trim());
}

/** Tells whether a link leads to a note, by the vocabularies of books and of roles. */
const isNoteReference = ({ 'epub:type': type, role }: Attributes): boolean =>
  (type !== undefined || role !== undefined) &&
  /\b(?:doc-)?noteref\b/.test(`${type ?? ''} ${role ?? ''}`);

/** Tells whether a button says that it shows or hides something of the page. */
const isDisclosure = (attributes: Attributes): boolean =>
  attributes['role'] === 'tab' || 'aria-expanded' in attributes || 'aria-controls' in attributes;

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
