/** The blocks of AsciiDoc, its common subset (the AsciiDoc language, docs.asciidoctor.org). */
import type { BlockKind } from '../core/corpus/document.ts';
import { asciidocInline } from './asciidoc-inline.ts';
import { asciidocCells } from './asciidoc-table.ts';
import { asLead, BlockWriter } from './block-writer.ts';
import type { Inline } from './markdown-inline.ts';
import { indentedLines } from './rst-lines.ts';
import { writeRows } from './table-rows.ts';

const DELIMITER = /^(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\/{4,}|\+{4,}|--|```\w*)$/;
const ITEM = /^\s*(\*{1,6}|-|\.{1,6}|\d{1,4}\.|[a-z]\.|<(?:\d+|\.)>)\s+(\S.*)$/;
const TERM = /^\s*(\S.{0,300}?)(:{2,4}|;;)(?:\s+(.*))?$/;
const NOTE = /^(NOTE|TIP|IMPORTANT|WARNING|CAUTION):\s+/;
const NOTE_STYLE = /^\[(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\b/;
const DIRECTIVE =
  /^(?:include|ifdef|ifndef|ifeval|endif|toc|image|video|audio)::\S*\[.*\]$|^endif::/;
/** Characters of underlines of titles, by level. */
const UNDERLINES = '=-~^+';
const LEADS = 3;

interface Level {
  /** The mark of an item, or the colons of a term. */
  readonly mark: string;
  lead: string;
}

export class AsciidocBlocks {
  private readonly writer: BlockWriter;
  private readonly lines: readonly string[];
  private readonly attributes = new Map<string, string>();
  /** Open items and terms, outermost first. */
  private levels: Level[] = [];
  /** Text that waits for the term's definition, or stands before the next paragraph. */
  private prefix: { text: string; readonly kind: BlockKind; readonly line: number } | undefined;
  private at = 0;
  /** The style of the next block, such as `[source,js]`. */
  private style = '';

  constructor(text: string, id: string) {
    this.writer = new BlockWriter(id);
    this.lines = indentedLines(text);
  }

  read(): BlockWriter {
    while (this.at < this.lines.length) this.next();
    this.closePrefix();
    return this.writer;
  }

  /** Values of the attributes that the file defines. */
  get defined(): ReadonlyMap<string, string> {
    return this.attributes;
  }

  private next(): void {
    const line = this.lines[this.at]!;
    if (line === '') {
      this.at++;
      return;
    }
    if (this.isNoText(line) || this.heading(line) || this.delimited(line)) return;
    const item = ITEM.exec(line);
    if (item) this.item(item[1]!, item[2]!);
    else if (this.term(line)) return;
    else if (/^\s/.test(line) && this.levels.length === 0) this.literal();
    else this.paragraph();
  }

  /** Passes attributes, comments, anchors, styles and macros of blocks. */
  private isNoText(line: string): boolean {
    const attribute = /^:!?([\w-]+)!?:(?:\s+(.*))?$/.exec(line);
    // Longer values would make a short file grow without limit.
    if (attribute) this.attributes.set(attribute[1]!, (attribute[2] ?? '').slice(0, 200));
    else if (/^\[.*\]$/.test(line)) this.style = line;
    else if (/^\.[^\s.].*$/.test(line)) this.say(line.slice(1), 'caption', this.at);
    else if (line.startsWith('image::'))
      this.say(/\[([^\],]*)/.exec(line)?.[1] ?? '', 'caption', this.at);
    else if (/^\/\/(?!\/)/.test(line)) {
      // A comment between two lists separates them.
      if (this.lines[this.at - 1] === '') this.closeLists();
    } else if (!DIRECTIVE.test(line) && line !== '+' && !/^(?:'{3,}|<{3,})$/.test(line))
      return false;
    this.at++;
    return true;
  }

  private heading(line: string): boolean {
    const marked = /^(={1,6}|#{1,6})\s+(\S.*)$/.exec(line);
    const below = this.lines[this.at + 1] ?? '';
    const underlined =
      /^[\p{L}\p{N}("'`]/u.test(line) &&
      /^([=\-~^+])\1+$/.test(below) &&
      Math.abs(below.length - line.length) <= 2 &&
      (this.at === 0 || /^$|\]$|^:/.test(this.lines[this.at - 1]!));
    if (!marked && !underlined) return false;
    this.closeLists();
    const level = marked ? marked[1]!.length : UNDERLINES.indexOf(below[0]!) + 1;
    const { text, links } = this.inline(marked ? withoutEnd(marked[2]!, marked[1]!) : line);
    const first = this.writer.size === 0;
    this.writer.heading(level, text, { line: this.at + 1, links });
    this.at += marked ? 1 : 2;
    this.style = '';
    if (first && level === 1) this.passAuthor();
    return true;
  }

  /** Passes the lines of author and revision below the title. */
  private passAuthor(): void {
    for (let passed = 0; passed < 2; passed++) {
      const line = this.lines[this.at] ?? '';
      if (line === '' || /^[:=[/]/.test(line)) return;
      this.attributes.set(passed === 0 ? 'author' : 'revision', line);
      this.at++;
    }
  }

  private delimited(line: string): boolean {
    if (/^[|,:!]={3,}$/.test(line)) {
      this.table(line);
      return true;
    }
    if (!DELIMITER.test(line)) return false;
    const verbatim = /^(?:-{4,}|\.{4,}|```)/.test(line);
    const silent = /^(?:\/{4,}|\+{4,})$/.test(line);
    const from = ++this.at;
    const note = NOTE_STYLE.exec(this.style)?.[1];
    this.style = '';
    // The content of other blocks is read like any text; their second delimiter ends nothing.
    if (!verbatim && !silent) {
      if (note !== undefined) this.note(note, this.at);
      return true;
    }
    const close = line.startsWith('```') ? '```' : line;
    while (this.at < this.lines.length && this.lines[this.at] !== close) this.at++;
    if (verbatim) this.code(from, this.at);
    this.at++;
    return true;
  }

  private code(from: number, to: number): void {
    this.closePrefix();
    const text = this.lines
      .slice(from, to)
      .join('\n')
      .replace(/<(?:\d+|\.)>$/gm, '');
    this.writer.code(text, { line: from + 1, under: this.under() });
  }

  private literal(): void {
    const from = this.at;
    while (this.at < this.lines.length && /^\s+\S/.test(this.lines[this.at]!)) this.at++;
    this.code(from, this.at);
  }

  private note(name: string, line: number): void {
    this.closePrefix();
    this.prefix = {
      text: `${name[0]}${name.slice(1).toLowerCase()}: `,
      kind: 'prose',
      line,
    };
  }

  private item(mark: string, first: string): void {
    this.closePrefix();
    const kind = mark
      .replace(/^\d+\.$/, '1.')
      .replace(/^[a-z]\.$/, 'a.')
      .replace(/^<.*>$/, '<>');
    const open = this.levels.findIndex(level => level.mark === kind);
    if (open >= 0) this.levels = this.levels.slice(0, open);
    const from = this.at++;
    const text = this.joined(first);
    const shown = /^(?:\d+\.|[a-z]\.)$/.test(mark) ? mark : '-';
    this.say(`${shown} ${text}`, 'list-item', from);
    this.levels.push({ mark: kind, lead: asLead(this.inline(text).text) });
  }

  private term(line: string): boolean {
    const found = TERM.exec(line);
    if (!found || /^(?:https?|include|ifdef|image)$/.test(found[1]!)) return false;
    const [, name, mark, first] = found as unknown as [string, string, string, string | undefined];
    const term = this.inline(name).text;
    const kind: BlockKind = /^-{1,2}\w/.test(term) ? 'option' : 'definition';
    const waits =
      this.prefix !== undefined &&
      this.prefix.text.length < 500 &&
      this.levels.at(-1)?.mark === mark;
    const open = this.levels.findIndex(level => level.mark === mark);
    if (waits && this.prefix !== undefined) {
      // Several terms of one definition.
      const terms = `${this.prefix.text.replace(/: $/, '')}, ${term}`;
      this.prefix.text = `${terms}: `;
      this.levels.at(-1)!.lead = asLead(terms);
    } else {
      this.closePrefix();
      if (open >= 0) this.levels = this.levels.slice(0, open);
      this.prefix = { text: `${term}: `, kind, line: this.at };
      this.levels.push({ mark, lead: asLead(term) });
    }
    const from = this.at++;
    if (first) this.say(this.joined(first), kind, from);
    return true;
  }

  private paragraph(): void {
    const from = this.at++;
    const note = NOTE.exec(this.lines[from]!);
    const style = NOTE_STYLE.exec(this.style)?.[1];
    // A paragraph that nothing ties to an item or a term ends the list.
    const tied =
      this.prefix !== undefined || this.lines[from - 1] === '+' || /^\s/.test(this.lines[from]!);
    if (!tied && this.levels.length > 0) this.levels = [];
    const verbatim = /^\[(?:source|listing|literal|verse)/.test(this.style);
    this.style = '';
    if (verbatim) {
      while ((this.lines[this.at] ?? '') !== '') this.at++;
      this.code(from, this.at);
      return;
    }
    const name = note?.[1] ?? style;
    if (name !== undefined) this.note(name, from);
    this.say(this.joined(this.lines[from]!.slice(note?.[0].length ?? 0)), 'prose', from);
  }

  /** Returns a text with the lines that continue it. */
  private joined(first: string): string {
    const parts = [first];
    for (; this.at < this.lines.length; this.at++) {
      const line = this.lines[this.at]!;
      if (line === '' || line === '+' || DELIMITER.test(line) || ITEM.test(line) || TERM.test(line))
        break;
      if (/^\[.*\]$|^[|,:!]={3,}$|^\/\/(?!\/)/.test(line) || DIRECTIVE.test(line)) break;
      parts.push(line.trim());
    }
    return parts.join(' ').replace(/ \+(?= |$)/g, '');
  }

  private table(delimiter: string): void {
    this.closePrefix();
    const from = ++this.at;
    while (this.at < this.lines.length && this.lines[this.at] !== delimiter) this.at++;
    const table = asciidocCells(this.lines.slice(from, this.at), this.style, delimiter[0]!);
    this.style = '';
    this.at++;
    writeRows(this.writer, table, { from: from + 1, under: this.under() }, cell =>
      this.inline(cell),
    );
  }

  private say(text: string, kind: BlockKind, from: number): void {
    const read = this.inline(text);
    const { prefix } = this;
    this.prefix = undefined;
    this.writer.block(`${prefix?.text ?? ''}${read.text}`, {
      kind: prefix?.kind ?? kind,
      line: (prefix?.line ?? from) + 1,
      links: read.links,
      under: this.under(prefix !== undefined && prefix.kind !== 'prose' ? 1 : 0),
    });
  }

  private closePrefix(): void {
    const { prefix } = this;
    if (prefix === undefined) return;
    this.prefix = undefined;
    if (prefix.kind !== 'prose')
      this.writer.block(prefix.text.replace(/: $/, ''), {
        kind: prefix.kind,
        line: prefix.line + 1,
        under: this.under(1),
      });
  }

  private closeLists(): void {
    this.closePrefix();
    this.levels = [];
  }

  /** Returns the items and terms above, without the last `own`. */
  private under(own: number = 0): string[] {
    return this.levels
      .slice(0, this.levels.length - own)
      .map(({ lead }) => lead)
      .filter(Boolean)
      .slice(-LEADS);
  }

  private inline(text: string): Inline {
    return asciidocInline(text, this.attributes);
  }
}

/** Removes the mark that a heading may end with as it begins: `== Title ==`. */
const withoutEnd = (title: string, mark: string): string =>
  title.endsWith(mark) && /\s/.test(title.at(-mark.length - 1) ?? '')
    ? title.slice(0, -mark.length).trimEnd()
    : title;
