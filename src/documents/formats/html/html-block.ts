/** The blocks of HTML, and how they are written to a document. */
import type { BlockKind } from '../../../core/corpus/document.ts';
import type { BlockWriter } from '../../blocks/block-writer.ts';
import type { BlockText } from './line-text.ts';
import type { Container } from './page-parts.ts';
import type { Measures, Region } from './regions.ts';

/** A block of a page, before it is known which blocks are kept. */
export interface HtmlBlock {
  readonly text: string;
  readonly kind: BlockKind;
  /** 1 to 6 for headings, 0 for others. */
  readonly level: number;
  /** Number of blocks before it. */
  readonly at: number;
  readonly line: number;
  readonly links: readonly string[];
  readonly under: readonly string[];
  /** The part of the page that it stands in. */
  readonly region: Region | undefined;
  readonly measures: Measures;
  /** All of its text is links. */
  readonly linked: boolean;
  /** Level of the heading above it in the element around it; 0 for prose, `NONE` for nothing. */
  readonly introduction: number;
  /** The element that gives it its place. */
  readonly container: Container | undefined;
  /** All of it is alternatives of images or labels of buttons; labels of a `panel` show a part. */
  readonly only: BlockText['only'] | 'panel';
}

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
