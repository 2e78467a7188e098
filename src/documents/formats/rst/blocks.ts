/** The blocks of reStructuredText: the common subset of docutils' markup specification. */
import type { BlockKind } from '../../../core/corpus/document.ts';
import { asLead } from '../../blocks/block-writer.ts';
import type { MarkedRow } from '../../blocks/table-rows.ts';
import { directiveOf, writeDirective } from './directives.ts';
import { referenceName } from './inline.ts';
import { endOfIndented, endOfParagraph, indentOf, leastIndent, type Range } from './lines.ts';
import { type RstContext, RstOutput } from './output.ts';
import { endOfSimpleTable, GRID_RULE, gridTable, SIMPLE_RULE, simpleTable } from './tables.ts';

/** Deeper blocks are read as code. */
const MAX_DEPTH = 30;
const ADORNMENT = /^([!-/:-@[-`{-~])\1{2,}$/;
const BULLET = /^([-*+•‣⁃])( +)\S/;
const NUMBER = /^(\(?(?:\d{1,4}|#|[a-z])[.)])( +)\S/;
const LINE_BLOCK = /^\|(?: |$)/;
const FIELD = /^:([^:\s`][^:]*):(?: +(.*))?$/;
const OPTION =
  /^((?:--?|\/)[A-Za-z0-9?][^ ]*(?:[ =](?:<[^>]*>|[\w.-]+))?(?:, (?:--?|\/)[A-Za-z0-9?][^ ]*(?:[ =](?:<[^>]*>|[\w.-]+))?)*)(?: {2,}(\S.*)|$)/;

export class RstBlocks extends RstOutput {
  /** Styles of headings in the order of their first use. */
  private readonly styles: string[] = [];

  read(): void {
    this.body({ from: 0, to: this.lines.length, indent: 0 }, { under: [], depth: 0 });
  }

  override body({ from, to, indent }: Range, context: RstContext): void {
    if (context.depth > MAX_DEPTH) {
      this.code({ from, to, indent }, context);
      return;
    }
    let at = from;
    while (at < to) {
      if (this.lines[at] === '') at++;
      else at = this.block({ from: at, to, indent }, context);
    }
    this.close(context, to);
  }

  /** Reads the block that begins a range, and returns its end. */
  private block(range: Range, context: RstContext): number {
    const { from, to, indent } = range;
    const line = this.lines[from]!.slice(indent);
    if (line.startsWith(' ')) return this.quote(range, context);
    if (context.depth === 0) {
      const end = this.heading(from, to, context);
      if (end > from) return end;
    }
    if (ADORNMENT.test(line) && !line.startsWith('::')) return from + 1;
    if (line === '..' || line.startsWith('.. ') || line.startsWith('__ '))
      return this.explicit(range, context);
    if (LINE_BLOCK.test(line)) return this.lineBlock(range, context);
    const item = BULLET.exec(line) ?? NUMBER.exec(line);
    if (item) return this.item(range, context, item);
    if (line.startsWith('>>> ')) return this.doctest(range, context);
    if (SIMPLE_RULE.test(line)) {
      const end = endOfSimpleTable(this.lines, from, to);
      return this.table(simpleTable(this.sliced({ from, to: end, indent })), range, context, end);
    }
    if (GRID_RULE.test(line)) {
      const end = endOfParagraph(this.lines, from, to);
      return this.table(gridTable(this.sliced({ from, to: end, indent })), range, context, end);
    }
    const field = FIELD.exec(line);
    if (field)
      return this.term(range, context, {
        term: field[1]!,
        first: field[2] ?? '',
        kind: 'definition',
      });
    const option = OPTION.exec(line);
    const next = this.lines[from + 1] ?? '';
    if (
      option &&
      (option[2] !== undefined || (next !== '' && indentOf(next) > indent && from + 1 < to))
    )
      return this.term(range, context, {
        term: option[1]!,
        first: option[2] ?? '',
        kind: 'option',
      });
    return this.paragraph(range, context);
  }

  private heading(from: number, to: number, context: RstContext): number {
    const [first, second = '', third = ''] = [0, 1, 2].map(step =>
      from + step < to ? this.lines[from + step]! : '',
    ) as [string, string, string];
    const over =
      ADORNMENT.test(first) && third === first && second.trim() !== '' && !ADORNMENT.test(second);
    const under =
      !over &&
      indentOf(first) === 0 &&
      /[\p{L}\p{N}]/u.test(first) &&
      ADORNMENT.test(second) &&
      (second.length >= first.length || second.length > 3);
    if (!over && !under) return from;
    const style = over ? `${first[0]} over` : second[0]!;
    if (!this.styles.includes(style)) this.styles.push(style);
    const { text, links } = this.inline(over ? second : first);
    this.close(context, from);
    this.writer.heading(this.styles.indexOf(style) + 1, text, {
      line: from + (over ? 2 : 1),
      links,
    });
    return from + (over ? 3 : 2);
  }

  private quote({ from, to, indent }: Range, context: RstContext): number {
    const end = endOfIndented(this.lines, from, { from, to, indent: indent + 1 });
    const least = leastIndent(this.lines, from, end, indent + 1);
    this.body(
      { from, to: end, indent: least },
      { under: context.under, depth: context.depth + 1, open: context.open },
    );
    context.open = undefined;
    return end;
  }

  private item(
    { from, to, indent }: Range,
    context: RstContext,
    [, mark, gap]: RegExpExecArray,
  ): number {
    const width = indent + mark!.length + gap!.length;
    // The text of an item may stand left of where its first line begins, but right of its mark.
    const end = endOfIndented(this.lines, from + 1, { from, to, indent: indent + 2 });
    const least = Math.min(width, leastIndent(this.lines, from + 1, end, width));
    this.close(context, from);
    const prefix = /^[-*+•‣⁃]$/.test(mark!) ? '- ' : `${mark} `;
    const inner: RstContext = {
      under: context.under,
      depth: context.depth + 1,
      open: { prefix, kind: 'list-item' },
    };
    const paragraph = this.paragraph(
      { from, to: Math.max(end, from + 1), indent: least },
      inner,
      width,
    );
    this.body({ from: paragraph, to: Math.max(end, paragraph), indent: least }, inner);
    return Math.max(end, from + 1);
  }

  /** Reads a term with the text behind it and the block below it. */
  private term(
    { from, to, indent }: Range,
    context: RstContext,
    {
      term,
      first,
      kind,
    }: { readonly term: string; readonly first: string; readonly kind: BlockKind },
  ): number {
    this.close(context, from);
    const end = Math.max(
      from + 1,
      endOfIndented(this.lines, from + 1, { from, to, indent: indent + 1 }),
    );
    const shown = this.inline(term).text.replace(/:$/, '');
    const inner: RstContext = {
      under: context.under,
      depth: context.depth + 1,
      open: { prefix: `${shown}: `, kind, lead: asLead(shown) },
    };
    const paragraph = first === '' ? from + 1 : endOfParagraph(this.lines, from + 1, end);
    if (first !== '') this.say([first, ...this.lines.slice(from + 1, paragraph)], from, inner);
    const least = leastIndent(this.lines, paragraph, end, indent + 1);
    this.body({ from: paragraph, to: end, indent: least }, inner);
    return end;
  }

  private doctest({ from, to, indent }: Range, context: RstContext): number {
    const end = endOfParagraph(this.lines, from, to);
    this.code({ from, to: end, indent }, context);
    return end;
  }

  /** Reads lines that each begin with a bar; they stay lines of one block. */
  private lineBlock({ from, to, indent }: Range, context: RstContext): number {
    const end = endOfParagraph(this.lines, from, to);
    const rows: string[] = [];
    for (const line of this.lines.slice(from, end)) {
      const row = line.slice(indent);
      if (LINE_BLOCK.test(row) || rows.length === 0) rows.push(row.replace(/^\| */, ''));
      else rows.push(`${rows.pop()!} ${row.trim()}`);
    }
    this.say(rows, from, context, '\n');
    return end;
  }

  private table(
    table: readonly MarkedRow[],
    { from }: Range,
    context: RstContext,
    end: number,
  ): number {
    this.close(context, from);
    this.rows(table, from + 1, context);
    return end;
  }

  /** Reads a paragraph, a definition, or a paragraph before a literal block. */
  private paragraph(
    { from, to, indent }: Range,
    context: RstContext,
    firstColumn: number = indent,
  ): number {
    let end = from + 1;
    while (end < to && this.lines[end] !== '' && indentOf(this.lines[end]!) === indent) end++;
    const next = end < to ? this.lines[end]! : '';
    if (
      end === from + 1 &&
      firstColumn === indent &&
      next !== '' &&
      indentOf(next) > indent &&
      !this.lines[from]!.endsWith('::')
    )
      return this.term({ from, to, indent }, context, {
        term: this.lines[from]!.slice(indent),
        first: '',
        kind: 'definition',
      });
    const parts = [this.lines[from]!.slice(firstColumn), ...this.lines.slice(from + 1, end)];
    const literal = parts.at(-1)!.endsWith('::');
    if (literal)
      parts.push(
        parts
          .pop()!
          .replace(/\s*::$/, match =>
            match === '::' && parts.length + match.length > 0 ? ':' : '',
          ),
      );
    const shown = parts.join(' ').trim();
    if (shown !== '' && shown !== ':') this.say(parts, from, context);
    return literal ? this.literal({ from: end, to, indent }, context) : end;
  }

  private literal({ from, to, indent }: Range, context: RstContext): number {
    let start = from;
    while (start < to && this.lines[start] === '') start++;
    const end = endOfIndented(this.lines, start, { from, to, indent: indent + 1 });
    if (end > start)
      this.code(
        { from: start, to: end, indent: leastIndent(this.lines, start, end, indent) },
        context,
      );
    return Math.max(end, start);
  }

  /** Reads what begins with `..`: a directive, a footnote, a target or a comment. */
  private explicit({ from, to, indent }: Range, context: RstContext): number {
    const line = this.lines[from]!.slice(indent);
    const end = Math.max(
      from + 1,
      endOfIndented(this.lines, from + 1, { from, to, indent: indent + 1 }),
    );
    const directive = directiveOf(line);
    if (directive) writeDirective(this, directive, { from, to: end, indent }, context);
    const label = /^\.\. _(`[^`]+`|[^`]*[^`:\\]):$/.exec(line);
    if (label) this.writer.ahead({ anchors: [referenceName(label[1]!)] });
    const note = /^\.\. \[([^\]]+)\](?: +(.*))?$/.exec(line);
    if (note) this.note(note[1]!, note[2] ?? '', { from, to: end, indent }, context);
    return end;
  }

  /** Reads a footnote, or a citation, whose name stands in the text. */
  private note(name: string, first: string, range: Range, context: RstContext): void {
    const { from, to } = range;
    this.close(context, from);
    const prefix = /^(?:\d+|#[\w-]*|\*)$/.test(name) ? '' : `[${name}] `;
    const inner: RstContext = {
      under: context.under,
      depth: context.depth + 1,
      open: { prefix, kind: 'prose', lead: '' },
    };
    const paragraph = first === '' ? from + 1 : endOfParagraph(this.lines, from + 1, to);
    if (first !== '') this.say([first, ...this.lines.slice(from + 1, paragraph)], from, inner);
    const indent = leastIndent(this.lines, paragraph, to, range.indent + 1);
    this.body({ from: paragraph, to, indent }, inner);
  }
}
