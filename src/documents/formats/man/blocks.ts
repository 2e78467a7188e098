/** The blocks of manual pages: the macros of man(7) and mdoc(7), without the rest of roff. */
import type { BlockKind } from '../../../core/corpus/document.ts';
import { asLead, type BlockWriter } from '../../blocks/block-writer.ts';
import { type MarkedRow, rowText, writeRows } from '../../blocks/table-rows.ts';
import { mdocText } from './mdoc-inline.ts';
import { roffText } from './roff-text.ts';

const LEADS = 3;
/** Longer paragraphs before an indented block are no terms. */
const TERM_CHARACTERS = 200;
const BULLET = /^(?:[•*o+-]|\\\(bu|\d{1,3}[.)])$/;

/** A list of mdoc that is open. */
interface List {
  readonly kind: 'tag' | 'item' | 'number' | 'column';
  next: number;
}

export class ManBlocks {
  readonly writer: BlockWriter;
  /** Name and section of the page, as `ls(1)`. */
  name = '';
  /** Name that `Nm` stands for. */
  private pageName = '';
  description = '';
  date = '';
  private readonly strings = new Map<string, string>();
  private readonly lists: List[] = [];
  /** Terms above the text, by depth of indentation. */
  private leads: string[] = [''];
  private parts: string[] = [];
  private line = 1;
  /** Number of the line that is read. */
  number = 0;
  private code: string[] | undefined;
  private expectsTag = false;
  private prefix:
    | { readonly text: string; readonly kind: BlockKind; readonly line: number }
    | undefined;
  private section = '';
  private address = '';
  /** Number of the texts before an open link. */
  private linked = 0;
  private headingLevel = 0;
  /** Macros that the page defines, and that print their arguments. */
  readonly defined: Set<string> = new Set();

  constructor(writer: BlockWriter) {
    this.writer = writer;
  }

  text(line: string): void {
    const level = this.headingLevel;
    this.headingLevel = 0;
    if (level > 0 && line.trim() !== '') this.heading(level, [line]);
    else if (this.code !== undefined) this.code.push(this.plain(line));
    else if (line.trim() === '') this.flush();
    else this.say(this.plain(line));
  }

  private plain(text: string): string {
    return roffText(text, this.strings);
  }

  private say(text: string): void {
    if (this.code !== undefined) this.code.push(text);
    else if (this.expectsTag) this.tag(text);
    else {
      if (this.parts.length === 0) this.line = this.number;
      this.parts.push(text);
    }
  }

  private tag(text: string, line: number = this.number): void {
    this.expectsTag = false;
    const term = text.replace(/\s+/g, ' ').trim();
    const kind = /^-{1,2}[\w?]/.test(term) ? 'option' : 'definition';
    this.prefix = BULLET.test(term)
      ? { text: /\d/.test(term) ? `${term} ` : '- ', kind: 'list-item', line }
      : { text: term === '' ? '' : `${term.replace(/:$/, '')}: `, kind, line };
  }

  /** Adds macros of mdoc that stand inside running text. */
  inline(tokens: readonly string[]): void {
    this.say(this.inlineText(tokens));
  }

  private inlineText(tokens: readonly string[]): string {
    // Behind a mark of no width a word is no macro.
    const words = tokens.map(token => (/^\\&./.test(token) ? '\0' : '') + this.plain(token));
    return mdocText(words, this.pageName).replaceAll('\0', '');
  }

  /** Writes the text so far. */
  flush(): void {
    const text = this.parts
      .join(' ')
      .replace(/[^\S\n]+/g, ' ')
      .trim();
    this.parts = [];
    const { prefix } = this;
    if (text === '' && prefix === undefined) return;
    if (text === '' && this.code !== undefined) return;
    this.prefix = undefined;
    if (this.section === 'NAME' && text !== '') this.describe(text);
    this.writer.block(`${prefix?.text ?? ''}${text}`.replace(/: $/, ''), {
      kind: prefix?.text ? prefix.kind : undefined,
      line: prefix?.line ?? this.line,
      under: this.under(),
    });
    if (prefix !== undefined) this.enter(prefix.kind === 'list-item' ? text : prefix.text);
  }

  private describe(text: string): void {
    const [, names = '', said = ''] = /^(.*?)\s[-–—]+\s(.*)$/.exec(text) ?? [];
    this.description ||= said;
    // `.TH` states the name in capitals, the text as it is typed.
    const stated = this.name.replace(/\(.*$/, '');
    const typed = names
      .split(/,\s*/)
      .find(each => each.toLowerCase().startsWith(stated.toLowerCase()));
    if (typed) this.name = typed + this.name.slice(stated.length);
  }

  private enter(text: string): void {
    this.leads[this.leads.length - 1] = asLead(text.replace(/:\s*$/, ''));
  }

  private under(): string[] {
    return this.leads.filter(Boolean).slice(-LEADS);
  }

  paragraph(): void {
    this.flush();
    this.leads[this.leads.length - 1] = '';
  }

  heading(level: number, words: readonly string[]): void {
    this.closeCode();
    this.flush();
    this.leads = [''];
    this.lists.length = 0;
    const text = this.plain(words.join(' ')).trim();
    if (level === 1) this.section = text.toUpperCase();
    this.writer.heading(level + 1, text, { line: this.number });
  }

  title(name: string, section: string, date: string): void {
    this.name = section === '' ? this.plain(name) : `${this.plain(name)}(${this.plain(section)})`;
    this.date = this.plain(date);
  }

  /** Joins arguments as text; fonts are left out. */
  words(words: readonly string[], between: string): void {
    if (words.length > 0) this.say(words.map(word => this.plain(word)).join(between));
  }

  expectTag(): void {
    this.paragraph();
    this.expectsTag = true;
  }

  /** A paragraph with a tag, or the next of the paragraph above. */
  indented(words: readonly string[]): void {
    if (words.length === 0 || words[0] === '') {
      this.flush();
      return;
    }
    this.paragraph();
    this.tag(this.plain(words[0]!));
  }

  openIndent(): void {
    const text = this.parts.join(' ').trim();
    // DocBook writes a term as a paragraph before an indented block.
    const isTerm =
      this.code === undefined &&
      this.prefix === undefined &&
      text !== '' &&
      text.length <= TERM_CHARACTERS &&
      !/[.:;]$/.test(text);
    if (isTerm) {
      this.parts = [];
      this.tag(text, this.line);
    } else this.flush();
    if (this.leads.length < 20) this.leads.push('');
  }

  closeIndent(): void {
    this.flush();
    if (this.leads.length > 1) this.leads.pop();
  }

  openCode(): void {
    this.flush();
    if (this.prefix !== undefined) this.flushTerm();
    this.code ??= [];
    this.line = this.number + 1;
  }

  private flushTerm(): void {
    const { prefix } = this;
    this.prefix = undefined;
    if (prefix === undefined || prefix.kind === 'list-item') return;
    this.writer.block(prefix.text.replace(/: $/, ''), {
      kind: prefix.kind,
      line: prefix.line,
      under: this.under(),
    });
    this.enter(prefix.text);
  }

  closeCode(): void {
    const { code } = this;
    if (code === undefined) return;
    this.code = undefined;
    this.writer.code(code.join('\n'), { line: this.line, under: this.under() });
  }

  codeLine(words: readonly string[]): void {
    this.flush();
    this.writer.code(this.inlineText(words), { line: this.number, under: this.under() });
  }

  nameLine(words: readonly string[]): void {
    if (words.length > 0 && this.pageName === '') this.pageName = this.plain(words[0]!);
    this.inline(['Nm', ...words]);
  }

  descriptionLine(words: readonly string[]): void {
    this.say(`- ${this.inlineText(words)}`);
  }

  openList(words: readonly string[]): void {
    this.flush();
    const kind = words.includes('-column')
      ? 'column'
      : words.includes('-enum')
        ? 'number'
        : words.some(word => /^-(?:bullet|dash|hyphen|item)$/.test(word))
          ? 'item'
          : 'tag';
    this.lists.push({ kind, next: 1 });
    if (this.leads.length < 20) this.leads.push('');
  }

  closeList(): void {
    this.flush();
    this.lists.pop();
    if (this.leads.length > 1) this.leads.pop();
  }

  item(words: readonly string[]): void {
    this.paragraph();
    const list = this.lists.at(-1);
    const text = this.inlineText(words);
    if (list?.kind === 'column') this.row(text.split(/\s*[|\t]\s*/));
    else if (list?.kind === 'item')
      this.prefix = { text: '- ', kind: 'list-item', line: this.number };
    else if (list?.kind === 'number')
      this.prefix = { text: `${list.next++}. `, kind: 'list-item', line: this.number };
    else this.tag(text);
  }

  private row(cells: readonly string[]): void {
    const facts = { kind: 'table-row', line: this.number, under: this.under() } as const;
    this.writer.block(rowText([], cells), facts);
  }

  table(rows: readonly MarkedRow[]): void {
    this.flush();
    const at = { from: 1, under: this.under() };
    writeRows(this.writer, rows, at, cell => ({ text: this.plain(cell), links: [] }));
  }

  /** Begins the text of a link, whose address stands behind it. */
  openLink(words: readonly string[], isMail: boolean): void {
    this.address = words[0] === undefined ? '' : this.plain(words[0]);
    if (isMail) this.address = this.address.replace(/^mailto:/, '');
    this.linked = this.parts.length;
  }

  /** Ends a link; `after` follows it without a space. */
  closeLink(after = ''): void {
    const { address } = this;
    this.address = '';
    if (address === '') return;
    const shown = this.parts.length > this.linked ? `<${address}>` : address;
    this.say(shown + this.plain(after));
  }

  /** Shows arguments that a macro of the page prints; punctuation closes up. */
  arguments(words: readonly string[]): void {
    const texts = words.map(word => this.plain(word)).filter(Boolean);
    this.say(texts.join(' ').replace(/ ([.,;:)]+)$/, '$1'));
  }

  /** Reads the next line as a heading: its macro has no words. */
  expectHeading(level: number): void {
    this.closeCode();
    this.flush();
    this.headingLevel = level;
  }

  define(name: string, value: string): void {
    // Longer values would make a short file grow without limit.
    this.strings.set(name, this.plain(value.replace(/^"/, '')).slice(0, 200));
  }
}
