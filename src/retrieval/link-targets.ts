/**
 * Resolves targets of links to documents of a store and places in them: the id of a document, a
 * path without extension or to a folder, the address of a document, each with an anchor.
 */
import type { Document } from '../corpus/document.ts';

/** A place that a link leads to. */
export interface LinkPlace {
  readonly id: string;
  /** The anchor as it is written, without `#`; empty for the document as a whole. */
  readonly anchor: string;
}

/** Names of files that stand for their folder. */
const INDEX = /(?:^|\/)(?:index|readme)$/i;

/** Separates the path or address from the anchor. */
export function splitTarget(target: string): LinkPlace {
  const at = target.indexOf('#');
  if (at < 0) return { id: target, anchor: '' };
  return { id: target.slice(0, at), anchor: target.slice(at + 1) };
}

/**
 * Returns a path without extension, and without a file that stands for its folder: a page that is
 * linked as `guide/start.html` or `guide/start/` is written in `guide/start.md` or
 * `guide/start/index.rst`.
 */
const pageOf = (path: string): string =>
  path
    .replace(/\/+$/, '')
    .replace(/\.(?:md|mdx|markdown|html?|rst|txt|adoc|asciidoc)$/i, '')
    .replace(INDEX, '');

/** Returns an address without what does not tell pages apart; undefined for any other text. */
function addressOf(text: string): string | undefined {
  const rest = /^https?:\/\/(.+)$/i.exec(text)?.[1];
  return rest?.replace(/^www\./i, '').replace(/\/+$/, '');
}

/** Finds documents by what links name. The first of several by id is taken. */
export class LinkTargets {
  private readonly has: (id: string) => boolean;
  private readonly all: () => readonly Document[];
  private pages: ReadonlyMap<string, string> | undefined;
  private addresses: ReadonlyMap<string, string> | undefined;

  /**
   * `has` tells whether a document is in the store; `all` returns the documents, ascending by id,
   * and is called only for targets that are not the id of one.
   */
  constructor(has: (id: string) => boolean, all: () => readonly Document[]) {
    [this.has, this.all] = [has, all];
  }

  /** Returns the place of a target; undefined if it is in no document of the store. */
  find(target: string): LinkPlace | undefined {
    if (this.has(target)) return { id: target, anchor: '' };
    const { id: path, anchor } = splitTarget(target);
    const id = this.has(path) ? path : (this.byAddress(path) ?? this.byPage(path));
    return id === undefined ? undefined : { id, anchor };
  }

  private byAddress(path: string): string | undefined {
    const address = addressOf(path);
    if (address === undefined) return undefined;
    this.addresses ??= firstById(this.all(), ({ metadata }) =>
      typeof metadata['url'] === 'string' ? addressOf(splitTarget(metadata['url']).id) : undefined,
    );
    return this.addresses.get(address);
  }

  private byPage(path: string): string | undefined {
    if (addressOf(path) !== undefined) return undefined;
    this.pages ??= firstById(this.all(), ({ id }) => pageOf(id));
    return this.pages.get(pageOf(path));
  }
}

function firstById(
  documents: readonly Document[],
  keyOf: (document: Document) => string | undefined,
): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const document of documents) {
    const key = keyOf(document);
    if (key !== undefined && key !== '' && !first.has(key)) first.set(key, document.id);
  }
  return first;
}

/** Returns what headings and anchors have in common: letters and digits, in lower case. */
const plainAnchor = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/**
 * Returns the start of the section that an anchor names by its heading, as Markdown, HTML and
 * reStructuredText make anchors of headings; 0 if there is none.
 */
export function anchorStart({ outline = [] }: Pick<Document, 'outline'>, anchor: string): number {
  const wanted = plainAnchor(decoded(anchor));
  if (wanted === '') return 0;
  const named = outline.find(
    ({ heading, kind }) => kind === 'heading' && plainAnchor(heading.at(-1) ?? '') === wanted,
  );
  return named?.start ?? 0;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
