/** Gathers the blocks of a file and makes its text, its outline and its title of them. */

import type { Block, BlockKind } from '../../core/corpus/document.ts';
import { defined } from '../../core/defined.ts';
import { linkTarget } from './link-target.ts';
import { titleOf } from './title.ts';

/** Everything about a block but its text and its headings. */
export interface BlockFacts {
  readonly kind?: BlockKind;
  readonly line?: number | undefined;
  readonly page?: number | undefined;
  /** Targets of its links as the file states them. */
  readonly links?: readonly string[];
  /** Names that the file gives the block, by which links reach it from anywhere. */
  readonly anchors?: readonly string[];
  /** Texts that stand above the block beside its headings: the item above a nested list. */
  readonly under?: readonly string[];
}

/** A readable document: blocks separated by a blank line, and what they are. */
export interface Readable {
  /** See `titleOf`. */
  readonly title: string;
  readonly text: string;
  readonly outline: readonly Block[];
}

interface Entry extends BlockFacts {
  readonly text: string;
  /** Level of a heading, from 1; 0 for other blocks. */
  readonly level: number;
}

/** Most characters of a block of code: about one passage of the default chunker. */
const CODE_CHARACTERS = 1000;
/** Symbols alone are ornament. */
const READABLE = /[\p{L}\p{N}]/u;
/** Headings are cut here: a longer heading is a paragraph marked as a heading by mistake. */
const HEADING_CHARACTERS = 200;

export class BlockWriter {
  private readonly entries: Entry[] = [];
  private readonly id: string;
  private readonly extensions: readonly string[];
  /** Links and names that wait for the next block. */
  private waiting: { links: string[]; anchors: string[] } = { links: [], anchors: [] };

  /**
   * `id`: the path of the file below the folder that was read, against which links resolve.
   * `extensions`: those of its format, which are no part of a title.
   */
  constructor(id: string, extensions: readonly string[]) {
    this.id = id;
    this.extensions = extensions;
  }

  /** Number of blocks so far. */
  get size(): number {
    return this.entries.length;
  }

  heading(level: number, text: string, facts: BlockFacts = {}): void {
    const shown = oneLine(text);
    if (!READABLE.test(shown)) return;
    if (shown.length > HEADING_CHARACTERS) this.block(shown, facts);
    else this.push({ ...facts, kind: 'heading', text: shown, level: Math.max(1, level) });
  }

  /** Adds a block of running text; line breaks inside stay, blank lines do not. */
  block(text: string, facts: BlockFacts = {}): void {
    const shown = tidyLines(text);
    if (READABLE.test(shown)) this.push({ ...facts, text: shown, level: 0 });
  }

  /** Gives the next block names and links of elements without text, such as badges. */
  ahead({ links = [], anchors = [] }: Pick<BlockFacts, 'links' | 'anchors'>): void {
    for (const link of links) this.waiting.links.push(link);
    for (const anchor of anchors) this.waiting.anchors.push(anchor);
  }

  /**
   * Adds code, as a single block without blank lines if it fits, otherwise cut at blank lines, or
   * at line ends where a part between blank lines is still too long.
   */
  code(text: string, facts: BlockFacts = {}): void {
    for (const piece of codePieces(text.replace(/\r\n?/g, '\n').toWellFormed()))
      this.push({
        ...facts,
        kind: 'code',
        text: piece.text,
        level: 0,
        line: facts.line === undefined ? undefined : facts.line + piece.line,
      });
  }

  private push(entry: Entry): void {
    this.entries.push(together(this.waiting, entry));
    this.waiting = { links: [], anchors: [] };
  }

  /**
   * Returns the document. `stated`: titles that the file states outside its text, best first. The
   * first heading is not repeated in text and paths if it is the title and no other is as far out.
   */
  finish(stated: readonly (string | undefined)[] = []): Readable {
    const first = this.entries.findIndex(({ level }) => level > 0);
    const entry = this.entries[first];
    const title = titleOf(this.id, [...stated, entry?.text], this.extensions);
    const shown =
      entry !== undefined &&
      names(title, entry.text) &&
      this.entries.every(({ level }, at) => level === 0 || at <= first || level > entry.level)
        ? entry
        : undefined;
    const outline: Block[] = [];
    const parts: string[] = [];
    let start = 0;
    let left: Pick<Entry, 'links' | 'anchors'> = {};
    for (const [each, path] of withPaths(this.entries, shown)) {
      if (each === shown && first === 0 && this.entries.length > 1) {
        left = each;
        continue;
      }
      outline.push(blockOf(together(left, each), start, path, this.id));
      left = {};
      parts.push(each.text);
      start += each.text.length + 2;
    }
    return { title, text: parts.join('\n\n'), outline };
  }
}

/** Returns an entry with these links and names before those it has. */
function together(before: Pick<Entry, 'links' | 'anchors'>, entry: Entry): Entry {
  const [links, anchors] = [before.links ?? [], before.anchors ?? []];
  if (links.length === 0 && anchors.length === 0) return entry;
  return {
    ...entry,
    links: [...links, ...(entry.links ?? [])],
    anchors: [...anchors, ...(entry.anchors ?? [])],
  };
}

/** Tells whether a heading is the title, or what a title says beside the name of its site. */
function names(title: string, heading: string): boolean {
  return title.startsWith(`${heading} (`) || title.split(SITE).includes(heading);
}

/** Separates the title of a page from the name of its site. */
const SITE = /\s+[|·»—–:-]\s+|:\s+/;

/** Yields each entry with the headings above it, itself included for a heading. */
function* withPaths(
  entries: readonly Entry[],
  title: Entry | undefined,
): Generator<readonly [Entry, readonly string[]], void, void> {
  let open: readonly Entry[] = [];
  let path: readonly string[] = [];
  for (const entry of entries) {
    if (entry.level > 0) {
      open = [...open.filter(({ level }) => level < entry.level), entry];
      path = open.filter(each => each !== title).map(({ text }) => text);
    }
    const stated = entry.under?.filter(Boolean) ?? [];
    // A section is often named as the one thing that it describes.
    const under = stated[0] === path.at(-1) ? stated.slice(1) : stated;
    yield [entry, under.length > 0 ? [...path, ...under] : path];
  }
}

function blockOf(entry: Entry, start: number, heading: readonly string[], id: string): Block {
  const { kind, line, page, links = [], anchors = [] } = entry;
  const targets = [...new Set(links.flatMap(link => linkTarget(link, id)))];
  return defined<Block>({
    start,
    heading,
    kind: kind === 'prose' ? undefined : kind,
    line,
    page,
    links: targets.length > 0 ? targets : undefined,
    anchors: anchors.length > 0 ? [...new Set(anchors)] : undefined,
  });
}

/** A line of code and its number, from 0. */
interface CodeLine {
  readonly text: string;
  readonly number: number;
}

function codePieces(text: string): { readonly text: string; readonly line: number }[] {
  const pieces: { text: string; line: number }[] = [];
  const lines: CodeLine[] = [];
  let size = 0;
  /** Number of lines before the last blank line, where code is cut. */
  let blank = 0;
  const cut = (count: number): void => {
    const kept = lines.splice(0, count);
    if (kept.length > 0) pieces.push({ text: outdented(kept), line: kept[0]!.number });
    size = lines.reduce((sum, line) => sum + line.text.length + 1, 0);
    blank = 0;
  };
  for (const [number, row] of text.split('\n').entries()) {
    const line = row.trimEnd();
    if (line === '') {
      blank = lines.length;
      continue;
    }
    if (size + line.length > CODE_CHARACTERS) cut(blank > 0 ? blank : lines.length);
    lines.push({ text: line, number });
    size += line.length + 1;
  }
  cut(lines.length);
  return pieces;
}

/** Returns lines without the white space that all of them begin with. */
function outdented(lines: readonly CodeLine[]): string {
  const indent = Math.min(...lines.map(({ text }) => text.length - text.trimStart().length));
  return lines.map(({ text }) => text.slice(indent)).join('\n');
}

/** White space that `oneLine` changes: to look for it takes less than to replace each space. */
const SPACES = /\s\s|[^\S ]/;

/** Returns a text on one line. */
export function oneLine(text: string): string {
  return (SPACES.test(text) ? text.replace(/\s+/g, ' ') : text).trim().toWellFormed();
}

/** White space within lines that `tidyLines` changes. */
const LINE_SPACES = /[^\S\u00a0]{2}|[^\S \u00a0]/;

/** Returns lines without white space at their ends and without blank lines. */
function tidyLines(text: string): string {
  const tidy = (line: string): string =>
    (LINE_SPACES.test(line) ? line.replace(/[^\S\u00a0]+/g, ' ') : line).trim();
  const lines = text.replace(/\r\n?|[\v\f\u2028\u2029]/g, '\n');
  if (!lines.includes('\n')) return tidy(lines).toWellFormed();
  return lines
    .split('\n')
    .map(tidy)
    .filter(line => line !== '')
    .join('\n')
    .toWellFormed();
}

/**
 * Cuts a term to what can stand among headings: a signature that is too long to its name; empty if
 * that is too long too.
 */
export const termLead = (term: string): string =>
  asLead(term) || asLead(term.replace(/\s*\(.*$/s, ''));

/** Cuts the text of an item to what can stand among headings; empty if it is longer. */
export function asLead(text: string): string {
  const shown = oneLine(text)
    .replace(/^(?:[-*+•]|\d+[.)])\s+/, '')
    .replace(/\s*:$/, '');
  return shown.length <= 80 ? shown : '';
}
