/**
 * Resolves targets of links to documents of a store and places in them: the id of a document, a
 * path without extension or to a folder, a path from the root of a site, an address, a label. A
 * target that fits two documents resolves to none.
 */
import type { Document } from '../../core/corpus/document.ts';
import { LABEL } from '../../core/corpus/outline.ts';
import type { DocumentLinks } from './document-links.ts';
import { addressOf, frontOf, isForge } from './link-addresses.ts';

/** A place that a link leads to. */
export interface LinkPlace {
  readonly id: string;
  /** The anchor as it is written, without `#`; empty for the document as a whole. */
  readonly anchor: string;
  /** Start of the block, if a label names it. */
  readonly start?: number;
}

/** Names of files that stand for their folder. */
const INDEX = /(?:^|\/)(?:index|readme)$/i;

/** Separates the path or address from the anchor. */
export function splitTarget(target: string): LinkPlace {
  const at = target.indexOf('#');
  if (at < 0) return { id: target, anchor: '' };
  return { id: target.slice(0, at), anchor: target.slice(at + 1) };
}

/** The extension of a path, with its dot. */
const EXTENSION = /\.[a-z]\w*$/i;
/** Extensions of pages that sites are made of, whatever they are written in. */
const SITE_PAGES: readonly string[] = ['.html', '.htm'];

/** Returns a path without the numbers by which generators of sites order files: `02-guide/`. */
const unnumbered = (path: string): string => path.replace(/(^|\/)\d{1,3}[-_.]\s*(?=[^/])/g, '$1');

/** Folders and parts of addresses that hold a site and are not part of its pages' names. */
const SITE_PART =
  /^(?:docs?|documentation|dist|sources?|src|site|content|html|en|latest|stable|main|master|current|v?\d+(?:\.(?:\d+|x))*)\//;

/** The documents that links are resolved by. */
export interface LinkTargetsSource {
  /** Tells whether a document is in the store. */
  has(id: string): boolean;
  /** The documents, ascending by id; called only for targets that are not the id of one. */
  all(): readonly Pick<Document, 'id' | 'metadata'>[];
  /** The labels and addresses that documents state. */
  readonly links: DocumentLinks;
}

/** Keys that mean two documents map to undefined. */
type Unique<T> = ReadonlyMap<string, T | undefined>;

export class LinkTargets {
  private readonly source: LinkTargetsSource;
  private extensions: ReadonlySet<string> | undefined;
  private pages: ReadonlyMap<string, string> | undefined;
  private numbered: Unique<string> | undefined;
  private addresses: Unique<string> | undefined;
  private projects: Unique<string> | undefined;
  private labels: ReadonlyMap<string, readonly LinkPlace[]> | undefined;
  /** Pages by their path inside the site, by folder. */
  private readonly sites = new Map<string, Unique<string>>();

  constructor(source: LinkTargetsSource) {
    this.source = source;
  }

  /**
   * Returns a path without the extension of a document, and without a file that stands for its
   * folder: a page that is linked as `guide/start.html` or `guide/start/` is written in
   * `guide/start.md` or `guide/start/index.rst`.
   */
  private pageOf(path: string): string {
    this.extensions ??= new Set([
      ...SITE_PAGES,
      ...this.source.all().map(({ id }) => EXTENSION.exec(id)?.[0].toLowerCase() ?? ''),
    ]);
    const plain = path.replace(/\/+$/, '');
    const extension = EXTENSION.exec(plain)?.[0] ?? '';
    const isKnown = this.extensions.has(extension.toLowerCase());
    return (isKnown ? plain.slice(0, plain.length - extension.length) : plain).replace(INDEX, '');
  }

  /** Returns the path of a page inside its site, with which addresses and files name it alike. */
  private sitePath(path: string): string {
    let rest = unnumbered(this.pageOf(path.replace(/^\/+/, ''))).concat('/');
    while (SITE_PART.test(rest)) rest = rest.replace(SITE_PART, '');
    return rest.replace(/\/$/, '');
  }

  /** Returns the place of a target of the document `from`; undefined if no document has it. */
  find(target: string, from: string): LinkPlace | undefined {
    if (this.source.has(target)) return { id: target, anchor: '' };
    if (target.startsWith(LABEL)) return this.byLabel(target.slice(LABEL.length), from);
    const { id: path, anchor } = splitTarget(target);
    const id = this.source.has(path) ? path : this.idOf(path, from);
    return id === undefined ? undefined : { id, anchor };
  }

  private idOf(path: string, from: string): string | undefined {
    const address = addressOf(path);
    if (address !== undefined) return this.byAddress(address);
    return path.startsWith('/') ? this.fromRoot(path, from) : this.byPage(path);
  }

  /**
   * Finds a path from the root of a site below a folder above the document that links to it, the
   * outermost folder first; the folder that was read comes last, since it may hold many sites.
   */
  private fromRoot(path: string, from: string): string | undefined {
    const parts = from.split('/').slice(0, -1);
    const roots = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
    for (const root of [...roots, '']) {
      const full = root === '' ? path.slice(1) : `${root}${path}`;
      const id = this.byPage(full) ?? this.byNumberedPage(full);
      if (id !== undefined) return id;
    }
    return undefined;
  }

  private byPage(path: string): string | undefined {
    this.pages ??= this.firstById();
    const page = this.pageOf(path);
    return page === '' ? undefined : this.pages.get(page);
  }

  private firstById(): ReadonlyMap<string, string> {
    const first = new Map<string, string>();
    for (const { id } of this.source.all()) {
      const key = this.pageOf(id);
      if (key !== '' && !first.has(key)) first.set(key, id);
    }
    return first;
  }

  private byNumberedPage(path: string): string | undefined {
    this.numbered ??= unique(
      this.source.all().map(({ id }) => [unnumbered(this.pageOf(id)), id] as const),
    );
    return this.numbered.get(unnumbered(this.pageOf(path)));
  }

  private byAddress(address: string): string | undefined {
    this.addresses ??= unique(
      this.source.all().flatMap(({ id, metadata: { url } }) => {
        const address = typeof url === 'string' ? addressOf(url) : undefined;
        return address === undefined ? [] : [[address, id] as const];
      }),
    );
    return this.addresses.get(address) ?? this.byProject(address);
  }

  /** Finds the longest beginning of an address that is a project's own, and the page below it. */
  private byProject(address: string): string | undefined {
    this.projects ??= unique(
      [...this.source.links].flatMap(([id, { addresses }]) =>
        addresses.map(each => [each, id] as const),
      ),
    );
    for (let end = address.length; end > 0; end = address.lastIndexOf('/', end - 1)) {
      const front = this.projects.get(address.slice(0, end));
      if (front !== undefined) return this.below(front, address.slice(0, end), address.slice(end));
    }
    return undefined;
  }

  private below(front: string, project: string, rest: string): string | undefined {
    if (rest === '') return front;
    const folder = frontOf(front);
    if (folder === undefined) return undefined;
    if (isForge(project)) {
      const path = /^(?:\/-)?\/(?:blob|tree|src)\/[^/]+\/(.+)$/.exec(rest)?.[1];
      if (path === undefined) return undefined;
      const full = folder === '' ? path : `${folder}/${path}`;
      return this.source.has(full) ? full : this.byPage(full);
    }
    if (project.includes('/')) return undefined;
    const path = this.sitePath(rest);
    return path === '' ? front : this.siteOf(folder).get(path);
  }

  private siteOf(folder: string): Unique<string> {
    let site = this.sites.get(folder);
    if (!site) {
      const prefix = folder === '' ? '' : `${folder}/`;
      const inside = this.source.all().filter(({ id }) => id.startsWith(prefix));
      site = unique(inside.map(({ id }) => [this.sitePath(id.slice(prefix.length)), id] as const));
      this.sites.set(folder, site);
    }
    return site;
  }

  /**
   * Finds the block of a label in the document nearest to the one that links to it. `project:label`
   * names a folder, as inventories of other projects are named.
   */
  private byLabel(label: string, from: string): LinkPlace | undefined {
    this.labels ??= labelsOf(this.source.links);
    const target = nearest(this.labels.get(label) ?? [], from);
    if (target) return target;
    const [, project, name] = /^([\w.-]+):(.+)$/.exec(label) ?? [];
    if (project === undefined) return undefined;
    const inside = (this.labels.get(name!) ?? []).filter(({ id }) =>
      id.toLowerCase().split('/').includes(project),
    );
    return inside.length === 1 ? inside[0] : undefined;
  }
}

function labelsOf(links: DocumentLinks): ReadonlyMap<string, readonly LinkPlace[]> {
  const labels = new Map<string, LinkPlace[]>();
  for (const [id, { anchors }] of links)
    for (const { name, start } of anchors) {
      const place = { id, anchor: '', start };
      const known = labels.get(name);
      if (known) known.push(place);
      else labels.set(name, [place]);
    }
  return labels;
}

/** Returns the one place whose document shares most folders with another; at least the first. */
function nearest(places: readonly LinkPlace[], from: string): LinkPlace | undefined {
  const folders = from.split('/').slice(0, -1);
  const shared = (id: string): number => {
    const parts = id.split('/').slice(0, -1);
    const end = folders.findIndex((folder, at) => parts[at] !== folder);
    return end < 0 ? folders.length : end;
  };
  const counts = places.map(({ id }) => shared(id));
  const most = Math.max(...counts);
  const found = places.filter((_, at) => counts[at] === most);
  if (found.length !== 1 || (most === 0 && folders.length > 0)) return undefined;
  return found[0];
}

function unique(pairs: readonly (readonly [string, string])[]): Unique<string> {
  const found = new Map<string, string | undefined>();
  for (const [key, id] of pairs) found.set(key, found.has(key) ? undefined : id);
  found.delete('');
  return found;
}

/** Returns what headings and anchors have in common: letters and digits, in lower case. */
const plainAnchor = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/**
 * Returns the start of the section that an anchor names by its heading, as Markdown, HTML and
 * reStructuredText make anchors of headings; 0 if there is none.
 */
export function anchorStart({ outline = [] }: Pick<Document, 'outline'>, anchor: string): number {
  const plain = plainAnchor(decoded(anchor));
  if (plain === '') return 0;
  const heading = outline.find(
    ({ heading, kind }) => kind === 'heading' && plainAnchor(heading.at(-1) ?? '') === plain,
  );
  return heading?.start ?? 0;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
