/**
 * Finds the blocks that pages of one folder repeat at their beginning or end: navigation, search
 * boxes and footers that the page does not mark as such. They are a function of the files of the
 * folder alone, whatever order these are read in. The first page by name keeps them.
 */
import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Block, Document } from '../../core/corpus/document.ts';
import type { DetectedFormat } from '../format.ts';
import { uncompressedPath } from './gzip.ts';
import { fileSource, type Source } from './source.ts';

/** Fewest pages that tell what is repeated from what two of them happen to say. */
const FEWEST_PAGES = 3;
/** Most blocks at either end of a page that are looked at. */
const EDGE = 50;

/** Bytes of pages whose documents are kept until they are read; others are parsed twice. */
const MOST_KEPT = 16 << 20;

/** Hashes of the blocks that go from a page since others repeat them. */
export interface Repeated {
  readonly hashes: ReadonlySet<string>;
  /** Equal for equal hashes; empty if there are none. */
  readonly digest: string;
}

/** A page of a folder. */
export interface SiblingPage {
  readonly name: string;
  readonly size: number;
  readonly modified: number;
}

const NONE: Repeated = { hashes: new Set(), digest: '' };

/** Names what pages of a folder repeat, and what of it goes from a page that has some first. */
interface Folder {
  readonly all: Repeated;
  readonly ofFirst: ReadonlyMap<string, Repeated>;
}

/** Tells by a path if its file is read as a page, packed or not. */
export const isPage = (path: string): boolean =>
  /\.(?:html?|xhtml)$/i.test(uncompressedPath(path)) && !basename(path).startsWith('.');

/** Tells by the name of a file beside a page if their project leaves it out. */
type LeavesOut = (name: string) => boolean;

/**
 * Returns the pages beside a file that are there now, itself included, sorted by name. Pages that
 * their project leaves out are none: no document would keep what they have first.
 */
export async function siblingPages(
  path: string,
  leavesOut: LeavesOut = () => false,
): Promise<SiblingPage[]> {
  const folder = dirname(path);
  const pages: SiblingPage[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile() || !isPage(entry.name) || leavesOut(entry.name)) continue;
    // A page may vanish after it was listed, and must not end the reading of the others.
    const found = await lstat(join(folder, entry.name)).catch(() => undefined);
    if (found) pages.push({ name: entry.name, size: found.size, modified: found.mtimeMs });
  }
  return pages.sort((a, b) => (a.name < b.name ? -1 : 1));
}

type PageReader = (source: Source) => AsyncIterable<DetectedFormat>;

type FoundDocument = Extract<DetectedFormat, { readonly type: 'document' }>;

/** Finds what is repeated, once a folder. */
export class RepeatedBlocks {
  private readonly read: PageReader;
  private readonly folders = new Map<string, Promise<Folder>>();
  /** Documents of pages that wait for their turn. */
  private readonly found = new Map<
    string,
    { readonly page: FoundDocument; readonly size: number }
  >();
  private kept = 0;

  constructor(read: PageReader) {
    this.read = read;
  }

  /** Returns the blocks that pages beside a file repeat, without those that it has first. */
  async beside({ path, id }: Source, leavesOut?: LeavesOut): Promise<Repeated> {
    const folder = dirname(path);
    let found = this.folders.get(folder);
    if (!found) this.folders.set(folder, (found = this.of(path, id, leavesOut)));
    const { all, ofFirst } = await found;
    return ofFirst.get(basename(path)) ?? all;
  }

  private async of(path: string, id: string, leavesOut?: LeavesOut): Promise<Folder> {
    const pages = await siblingPages(path, leavesOut);
    if (pages.length < FEWEST_PAGES) return { all: NONE, ofFirst: new Map() };
    const counts = new Map<string, number>();
    const firsts = new Map<string, string>();
    let read = 0;
    // Most often these are the ids under which the plan will name the pages.
    const place = { path: dirname(path), id: id.slice(0, id.lastIndexOf('/') + 1) };
    for await (const { name, document } of this.documents(place, pages)) {
      read++;
      for (const hash of edgesOf(document)) {
        counts.set(hash, (counts.get(hash) ?? 0) + 1);
        if (!firsts.has(hash)) firsts.set(hash, name);
      }
    }
    // On most pages, so that no two sets of blocks alternate.
    const least = Math.max(FEWEST_PAGES, Math.floor(read / 2) + 1);
    const hashes = [...counts].filter(([, count]) => count >= least).map(([hash]) => hash);
    const ofFirst = Map.groupBy(hashes, hash => firsts.get(hash)!);
    return {
      all: repeatedOf(hashes),
      ofFirst: new Map(
        [...ofFirst].map(([name, own]) => [name, repeatedOf(hashes.filter(h => !own.includes(h)))]),
      ),
    };
  }

  /** Yields the documents of pages by name; a file that makes none is passed over. */
  private async *documents(folder: Pick<Source, 'path' | 'id'>, pages: readonly SiblingPage[]) {
    for (const { name, size } of pages) {
      const source = fileSource(join(folder.path, name), folder.id + name, size);
      try {
        for await (const page of this.read(source)) {
          if (page.type === 'skipped') continue;
          this.keep(source, page);
          yield { name, document: page.document };
        }
      } catch {
        // Reading the file itself says what is wrong with it.
      }
    }
  }

  private keep({ path, size }: Source, page: FoundDocument): void {
    if (this.kept + size > MOST_KEPT) return;
    this.kept += size;
    this.found.set(path, { page, size });
  }

  /** Returns the document of a page that was read under this id, once; undefined for any other. */
  take({ path, id }: Source): FoundDocument | undefined {
    const found = this.found.get(path);
    if (!found) return undefined;
    this.found.delete(path);
    this.kept -= found.size;
    return found.page.document.id === id ? found.page : undefined;
  }
}

const repeatedOf = (hashes: readonly string[]): Repeated =>
  hashes.length === 0
    ? NONE
    : { hashes: new Set(hashes), digest: digestOf(hashes.toSorted().join()) };

/**
 * Returns a page without the repeated blocks that it begins and ends with, and their number; the
 * page as it is if nothing else is left.
 */
export function withoutRepeated(
  document: Document,
  { hashes: repeated }: Repeated,
): { readonly document: Document; readonly leftOut: number } {
  const { text, outline = [] } = document;
  const isOwn = (_: unknown, at: number): boolean => !repeated.has(hashAt(document, at));
  const first = repeated.size === 0 ? 0 : outline.findIndex(isOwn);
  if (first < 0) return { document, leftOut: 0 };
  const last = repeated.size === 0 ? outline.length - 1 : outline.findLastIndex(isOwn);
  const leftOut = outline.length - (last - first + 1);
  if (leftOut === 0) return { document, leftOut };
  const from = outline[first]!.start;
  const kept = outline.slice(first, last + 1);
  return {
    document: {
      ...document,
      text: text.slice(from, outline[last + 1]?.start ?? text.length).trimEnd(),
      outline: kept.map((block): Block => ({ ...block, start: block.start - from })),
    },
    leftOut,
  };
}

/** Returns the hashes of the blocks at both ends of a page. */
function edgesOf(document: Document): ReadonlySet<string> {
  const count = document.outline?.length ?? 0;
  const hashes = new Set<string>();
  for (let at = 0; at < count; at++)
    if (at < EDGE || at >= count - EDGE) hashes.add(hashAt(document, at));
  return hashes;
}

function hashAt({ text, outline = [] }: Document, at: number): string {
  const block = text.slice(outline[at]!.start, outline[at + 1]?.start ?? text.length);
  return digestOf(block.replace(/\s+/g, ' ').trim());
}

const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16);
