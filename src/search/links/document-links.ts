/**
 * Links of documents as a derived index: for each document the targets and anchors in its outline,
 * with their positions, and its addresses. The snapshot that reads them resolves targets, so linked
 * documents may be added and removed.
 */
import type { Document } from '../../core/corpus/document.ts';
import {
  badIndex,
  type DerivedArray,
  type DerivedIndex,
  type DerivedKind,
  type PackedDerived,
  packText,
  unpackText,
} from '../derived/derived-index.ts';
import { ownAddresses } from './link-addresses.ts';

/** A link of a document. */
export interface StatedLink {
  /** The start of its block. */
  readonly start: number;
  /** The target in the words of the outline. */
  readonly target: string;
}

/** A name that a document gives one of its blocks. */
export interface StatedAnchor {
  /** The start of the block. */
  readonly start: number;
  readonly name: string;
}

/** Links of a document, and the names by which others reach it. */
export interface LinkedDocument {
  readonly links: readonly StatedLink[];
  readonly anchors: readonly StatedAnchor[];
  /** Addresses of what it stands for, see `ownAddresses`. */
  readonly addresses: readonly string[];
}

/** Links by document; documents without any are missing. */
export type DocumentLinks = ReadonlyMap<string, LinkedDocument>;

const FORMAT = 'multihop-document-links-2';
const KEY = 'links document';

/** Returns the links of a document, in their order. */
export const linksOf = ({ outline = [] }: Pick<Document, 'outline'>): StatedLink[] =>
  outline.flatMap(({ start, links = [] }) => links.map(target => ({ start, target })));

/** Returns what a document says about links; undefined if that is nothing. */
export function linkedDocument(document: Document): LinkedDocument | undefined {
  const links = linksOf(document);
  const anchors = (document.outline ?? []).flatMap(({ start, anchors: names = [] }) =>
    names.map(name => ({ start, name })),
  );
  const addresses = ownAddresses(document);
  const nothing = links.length + anchors.length + addresses.length === 0;
  return nothing ? undefined : { links, anchors, addresses };
}

function withAll(index: DocumentLinks, documents: readonly Document[]): DocumentLinks {
  const next = new Map(index);
  for (const document of documents) {
    const linked = linkedDocument(document);
    if (linked) next.set(document.id, linked);
  }
  return next;
}

/** The links of all documents. */
export const DOCUMENT_LINKS: DerivedIndex<DocumentLinks> = {
  key: KEY,
  empty: () => new Map(),
  add: async (index, documents) => withAll(index, documents),
  remove: (index, ids) => new Map([...index].filter(([id]) => !ids.has(id))),
  pack: packLinks,
  unpack: unpackLinks,
  check(index, { documents }) {
    const expected = JSON.stringify([...withAll(new Map(), documents)]);
    const sorted = [...index].sort(([a], [b]) => (a < b ? -1 : 1));
    return JSON.stringify(sorted) === expected ? undefined : 'it has other links';
  },
};

export const LINKS_KIND: DerivedKind<DocumentLinks> = { name: 'links', of: () => DOCUMENT_LINKS };

/** Packs each text once; a link and an anchor as three numbers, an address as two. */
function packLinks(index: DocumentLinks): PackedDerived {
  const sorted = [...index].sort(([a], [b]) => (a < b ? -1 : 1));
  const all = sorted.map(([, linked]) => linked);
  const texts = [
    ...new Set(
      all.flatMap(({ links, anchors, addresses }) => [
        ...links.map(({ target }) => target),
        ...anchors.map(({ name }) => name),
        ...addresses,
      ]),
    ),
  ].sort();
  const numbers = new Map(texts.map((text, number) => [text, number]));
  const rows = (rowsOf: (linked: LinkedDocument) => readonly (readonly number[])[]): Uint32Array =>
    Uint32Array.from(all.flatMap((entry, at) => rowsOf(entry).flatMap(row => [at, ...row])));
  return {
    header: { format: FORMAT },
    arrays: {
      ids: packText(sorted.map(([id]) => id)),
      texts: packText(texts),
      links: rows(({ links }) => links.map(({ start, target }) => [start, numbers.get(target)!])),
      anchors: rows(({ anchors }) => anchors.map(({ start, name }) => [start, numbers.get(name)!])),
      addresses: rows(({ addresses }) => addresses.map(text => [numbers.get(text)!])),
    },
  };
}

function unpackLinks({ header, arrays }: PackedDerived): DocumentLinks {
  if (header['format'] !== FORMAT) throw badIndex(FORMAT, String(header['format']));
  const [ids, texts] = ['ids', 'texts'].map(name => unpackText(arrays[name], name));
  const { links, anchors, addresses } = arrays;
  if (
    !(isTexts(ids) && isTexts(texts)) ||
    !areRows(links, 3, ids, texts) ||
    !areRows(anchors, 3, ids, texts) ||
    !areRows(addresses, 2, ids, texts)
  )
    throw badIndex('links of documents', 'arrays that do not fit together');
  const found = ids.map(() => ({
    links: [] as StatedLink[],
    anchors: [] as StatedAnchor[],
    addresses: [] as string[],
  }));
  for (let at = 0; at < links.length; at += 3)
    found[links[at]!]!.links.push({ start: links[at + 1]!, target: texts[links[at + 2]!]! });
  for (let at = 0; at < anchors.length; at += 3)
    found[anchors[at]!]!.anchors.push({ start: anchors[at + 1]!, name: texts[anchors[at + 2]!]! });
  for (let at = 0; at < addresses.length; at += 2)
    found[addresses[at]!]!.addresses.push(texts[addresses[at + 1]!]!);
  return new Map(ids.map((id, at) => [id, found[at]!]));
}

/** Tells whether an array is rows that begin with a document and end with a text. */
function areRows(
  rows: DerivedArray | undefined,
  width: number,
  ids: readonly string[],
  texts: readonly string[],
): rows is Uint32Array {
  if (!(rows instanceof Uint32Array) || rows.length % width !== 0) return false;
  for (let at = 0; at < rows.length; at += width)
    if (rows[at]! >= ids.length || rows[at + width - 1]! >= texts.length) return false;
  return true;
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string');
