/**
 * Reads outlines of documents: the block, headings and place of an offset; checks them, and packs
 * them for storage.
 */
import { defined } from '../defined.ts';
import type { Block, BlockKind, Document } from './document.ts';

/** Stored as numbers: new kinds are appended. */
const KINDS: readonly BlockKind[] = [
  'prose',
  'heading',
  'list-item',
  'definition',
  'table-row',
  'code',
  'caption',
  'option',
];

/** Begins the target of a link that names a block by its label. */
export const LABEL = 'ref:';

/** The parts of a document that these functions read. */
export type Outlined = Pick<Document, 'outline'>;

/** Position of a block in its file. */
export interface Place {
  readonly line?: number;
  readonly page?: number;
}

/** Returns the block that an offset lies in, undefined without an outline. O(log blocks). */
export function blockAt({ outline }: Outlined, offset: number): Block | undefined {
  if (outline === undefined || offset < 0) return undefined;
  let low = 0;
  let high = outline.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (outline[middle]!.start <= offset) low = middle + 1;
    else high = middle;
  }
  return outline[low - 1];
}

/** Returns the headings above an offset, outermost first; none without an outline. */
export function headingAt(document: Outlined, offset: number): readonly string[] {
  return blockAt(document, offset)?.heading ?? [];
}

/** Separates headings where a path of them is written. */
const STEP = ' > ';

/**
 * Returns the title with the headings above an offset, which say what a short block is about:
 * "Server > bodyLimit"; the title alone without an outline.
 */
export function titleAt(document: Pick<Document, 'outline' | 'title'>, offset: number): string {
  if (document.outline === undefined) return document.title;
  const path = [document.title, ...headingAt(document, offset)];
  return path.filter(part => part !== '').join(STEP);
}

/**
 * Returns the words that say what a block is about: those of the file's path, which names its
 * project, the title, and the headings above it; the title alone without an outline.
 */
export function subjectAt(
  document: Pick<Document, 'id' | 'outline' | 'title'>,
  offset: number,
): string {
  if (document.outline === undefined) return document.title;
  return `${pathWords(document.id)} ${titleAt(document, offset)}`;
}

/** Returns the names in a path as words, without the extension. */
export const pathWords = (path: string): string =>
  path
    .replace(/\.\w{1,5}$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Returns the headings above an offset as one line; the empty string if there are none. */
export const headingLine = (document: Outlined, offset: number): string =>
  headingAt(document, offset).join(STEP);

/** Returns line and page on which the block of an offset begins, where they are known. */
export function placeAt(document: Outlined, offset: number): Place {
  const { line, page } = blockAt(document, offset) ?? {};
  return defined({ line, page });
}

/**
 * Returns the outline among the fields of a record: a list of blocks. A field of that name that is
 * a text or a list of texts is metadata, as any other.
 */
export function statedOutline(value: unknown): readonly Block[] | undefined {
  const list = Array.isArray(value) ? (value as readonly unknown[]) : [];
  return list.some(item => typeof item === 'object' && item !== null && 'start' in item)
    ? (list as readonly Block[])
    : undefined;
}

/** Returns the expected form if a document's outline is none, undefined if it is one. */
export function outlineProblem({
  outline,
  text,
}: Pick<Document, 'outline' | 'text'>): string | undefined {
  if (outline === undefined) return undefined;
  if (!Array.isArray(outline)) return 'an outline as a list of blocks';
  let before = -1;
  for (const block of outline as readonly unknown[]) {
    if (!isBlock(block))
      return 'blocks as { start, heading, kind?, line?, page?, links?, anchors? }';
    const first = before < 0;
    if (first ? block.start !== 0 : block.start <= before || block.start >= text.length)
      return 'blocks that ascend by start within the text, the first at 0';
    before = block.start;
  }
  return undefined;
}

function isBlock(value: unknown): value is Block {
  if (typeof value !== 'object' || value === null) return false;
  const { start, heading, kind, line, page, links, anchors } = value as Record<string, unknown>;
  return (
    isCount(start, 0) &&
    isTexts(heading) &&
    (kind === undefined || (KINDS as readonly unknown[]).includes(kind)) &&
    (line === undefined || isCount(line, 1)) &&
    (page === undefined || isCount(page, 1)) &&
    (links === undefined || isTexts(links)) &&
    (anchors === undefined || isTexts(anchors))
  );
}

function isCount(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string');
}

/** An outline as it is stored: each heading path once, a block as five numbers. */
export interface PackedOutline {
  readonly headings: readonly (readonly string[])[];
  /**
   * For each block: characters since the start of the previous block, position of its path in
   * `headings`, kind (0 none, else its number in the list of kinds plus 1), line and page (0 none).
   */
  readonly blocks: readonly number[];
  /** Links by the position of their block; missing if there are none. */
  readonly links?: readonly PackedTexts[];
  /** Anchors by the position of their block; missing if there are none. */
  readonly anchors?: readonly PackedTexts[];
}

type PackedTexts = readonly [block: number, ...texts: string[]];

const WIDTH = 5;

/** Packs a valid outline. Equal outlines give equal JSON. */
export function packOutline(outline: readonly Block[]): PackedOutline {
  const numbers = new Map<string, number>();
  const headings: (readonly string[])[] = [];
  const blocks: number[] = [];
  const [links, anchors]: PackedTexts[][] = [[], []];
  let before = 0;
  for (const [index, block] of outline.entries()) {
    const { start, heading, kind, line, page } = block;
    const key = JSON.stringify(heading);
    let number = numbers.get(key);
    if (number === undefined) {
      numbers.set(key, (number = headings.length));
      headings.push(heading);
    }
    const kindNumber = kind === undefined ? 0 : KINDS.indexOf(kind) + 1;
    blocks.push(start - before, number, kindNumber, line ?? 0, page ?? 0);
    before = start;
    if (block.links !== undefined) links!.push([index, ...block.links]);
    if (block.anchors !== undefined) anchors!.push([index, ...block.anchors]);
  }
  return defined({
    headings,
    blocks,
    links: links!.length > 0 ? links! : undefined,
    anchors: anchors!.length > 0 ? anchors! : undefined,
  });
}

/**
 * Restores a packed outline; blocks under the same headings share one list. The packed one must be
 * free of problems, see `packedProblem`.
 */
export function unpackOutline({
  headings,
  blocks,
  links = [],
  anchors = [],
}: PackedOutline): Block[] {
  const [targets, names] = [links, anchors].map(
    lists => new Map(lists.map(([block, ...list]) => [block, list])),
  );
  let start = 0;
  return Array.from({ length: blocks.length / WIDTH }, (_, index) => {
    const at = index * WIDTH;
    start += blocks[at]!;
    const [kind, line, page] = [blocks[at + 2]!, blocks[at + 3]!, blocks[at + 4]!];
    const [links, anchors] = [targets!.get(index), names!.get(index)];
    return defined({
      start,
      heading: headings[blocks[at + 1]!]!,
      kind: kind === 0 ? undefined : KINDS[kind - 1]!,
      line: line === 0 ? undefined : line,
      page: page === 0 ? undefined : page,
      links,
      anchors,
    });
  });
}

/** Returns what is wrong with a packed outline of a text, undefined if it can be unpacked. */
export function packedProblem(packed: unknown, textLength: number): string | undefined {
  const { headings, blocks, links, anchors } = (packed ?? {}) as Record<string, unknown>;
  if (!Array.isArray(headings) || !headings.every(isTexts)) return 'headings that are no paths';
  if (!Array.isArray(blocks) || blocks.length % WIDTH !== 0) return 'blocks that are cut';
  let start = 0;
  for (let at = 0; at < blocks.length; at += WIDTH) {
    for (let column = 0; column < WIDTH; column++)
      if (!isCount(blocks[at + column], 0)) return 'a block of other than counts';
    if (at === 0 ? blocks[0] !== 0 : blocks[at] === 0) return 'blocks that do not ascend';
    start += blocks[at] as number;
    if (at > 0 && start >= textLength) return 'a block past the end of the text';
    if ((blocks[at + 1] as number) >= headings.length) return 'an unknown heading';
    if ((blocks[at + 2] as number) > KINDS.length) return 'an unknown kind of block';
  }
  const isLink = (link: unknown): boolean =>
    Array.isArray(link) && isCount(link[0], 0) && link.slice(1).every(item => isTexts([item]));
  const areLinks = (lists: unknown): boolean =>
    lists === undefined || (Array.isArray(lists) && lists.every(isLink));
  if (!areLinks(links)) return 'links without their block';
  return areLinks(anchors) ? undefined : 'anchors without their block';
}

/**
 * Returns a document whose packed outline is unpacked at its first use: most documents of a store
 * are never shown.
 */
export function withPackedOutline(document: Document, packed: PackedOutline): Document {
  let outline: readonly Block[] | undefined;
  return Object.defineProperty({ ...document }, 'outline', {
    enumerable: true,
    configurable: true,
    get: () => (outline ??= unpackOutline(packed)),
  });
}

/**
 * Returns what an outline adds to a digest of its document: nothing without one, so that such
 * documents keep their digests.
 */
export function outlineDigest({ outline }: Outlined): readonly [PackedOutline] | readonly [] {
  return outline === undefined ? [] : [packOutline(outline)];
}

/** Compares two outlines, either of which may be missing. */
export function sameOutline(a: Outlined, b: Outlined): boolean {
  return (
    a.outline === b.outline || JSON.stringify(outlineDigest(a)) === JSON.stringify(outlineDigest(b))
  );
}
