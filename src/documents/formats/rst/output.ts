/** Writes blocks of reStructuredText with what stands above them. */
import type { BlockKind } from '../../../core/corpus/document.ts';
import { asLead, type BlockWriter } from '../../blocks/block-writer.ts';
import type { Inline } from '../../blocks/inline.ts';
import { type MarkedRow, writeRows } from '../../blocks/table-rows.ts';
import { type HtmlBlock, writeBlocks } from '../html/html-block.ts';
import { type RstNames, referenceName, rstInline } from './inline.ts';
import type { Range } from './lines.ts';
import { substitutionsOf } from './substitutions.ts';

/** Position inside lists, definitions and directives. */
export interface RstContext {
  /** Texts above: items, terms. */
  under: readonly string[];
  readonly depth: number;
  /** Begins the next text: the mark of an item, a term. */
  open?: { readonly prefix: string; readonly kind: BlockKind; readonly lead?: string } | undefined;
}

const LEADS = 3;

/** Holds the lines of a text, and writes their blocks. */
export abstract class RstOutput {
  readonly writer: BlockWriter;
  readonly lines: readonly string[];
  private readonly names: RstNames;

  /** Pages of HTML that the text holds, by the number of their line, from 0. */
  private readonly pages: ReadonlyMap<number, readonly HtmlBlock[]>;

  constructor(
    lines: readonly string[],
    writer: BlockWriter,
    id: string,
    pages: ReadonlyMap<number, readonly HtmlBlock[]>,
  ) {
    this.pages = pages;
    this.writer = writer;
    this.lines = lines;
    const extension = /\.(?:rst|txt|rest)(?=$|\.gz$)/i.exec(id)?.[0] ?? '';
    const [substitutions, targets] = [substitutionsOf(this.lines), targetsOf(this.lines)];
    this.names = { substitutions, targets, extension };
  }

  protected sliced({ from, to, indent }: Range): string[] {
    return this.lines.slice(from, to).map(line => line.slice(indent));
  }

  /** Reads a range of lines as blocks. */
  abstract body(range: Range, context: RstContext): void;

  /** Reads running text without its markup. */
  inline(text: string): Inline {
    return rstInline(text.trim(), this.names);
  }

  /** Writes the rows of a table below the line `from`, from 1. */
  rows(table: readonly MarkedRow[], from: number, { under }: RstContext): void {
    writeRows(this.writer, table, { from, under }, cell => this.inline(cell));
  }

  /** Writes running text. */
  say(parts: readonly string[], from: number, context: RstContext, between = ' '): void {
    const { text, links } = this.inline(parts.map(part => part.trim()).join(between));
    const { open, under } = context;
    context.open = undefined;
    this.writer.block(`${open?.prefix ?? ''}${text}`, {
      kind: open?.kind,
      line: from + 1,
      links,
      under,
    });
    if (open !== undefined)
      this.enter(context, open.lead ?? (open.kind === 'list-item' ? asLead(text) : ''));
  }

  /** Writes what waits for a text that does not come. */
  protected close(context: RstContext, from: number): void {
    const { open } = context;
    if (open === undefined) return;
    context.open = undefined;
    if (open.kind !== 'list-item' && open.kind !== 'caption')
      this.writer.block(open.prefix.replace(/:\s*$/, ''), {
        kind: open.kind,
        line: from,
        under: context.under,
      });
    this.enter(context, open.lead ?? '');
  }

  private enter(context: RstContext, lead: string): void {
    if (lead !== '') context.under = [...context.under, lead].slice(-LEADS);
  }

  /** Writes each name of a list as an item. */
  items({ from, to }: Range, { under }: RstContext): void {
    for (let at = from; at < to; at++) {
      const { text, links } = this.inline(this.lines[at]!.replace(/^\s*~/, ''));
      this.writer.block(`- ${text}`, { kind: 'list-item', line: at + 1, under, links });
    }
  }

  /** Writes the HTML that a directive holds. */
  page(from: number, { under }: RstContext): void {
    const blocks = this.pages.get(from);
    if (blocks !== undefined) writeBlocks(this.writer, blocks, { line: from + 2, under });
  }

  /** Writes a formula. */
  formula(text: string, from: number, { under }: RstContext): void {
    this.writer.code(text, { line: from + 1, under });
  }

  /** Writes lines as they stand. */
  code({ from, to, indent }: Range, context: RstContext): void {
    this.close(context, from);
    this.writer.code(this.sliced({ from, to, indent }).join('\n'), {
      line: from + 1,
      under: context.under,
    });
  }
}

/** Returns the targets `.. _name: address`, by the name that references give. */
function targetsOf(lines: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of lines) {
    const [, name, target] = TARGET.exec(line) ?? [];
    if (name !== undefined && target !== undefined && !target.endsWith('_'))
      found.set(referenceName(name), target);
  }
  return found;
}

const TARGET = /^ *\.\. _(`[^`]+`|[^:`\\]+(?:\\:[^:\\]*)*): +(\S+)$/;
