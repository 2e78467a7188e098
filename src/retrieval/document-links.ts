/**
 * Links of documents as a derived index: for each document the targets that its outline states,
 * with their places. Targets are resolved by the snapshot that reads them, so that what a link
 * leads to may come and go.
 */
import type { Document } from '../corpus/document.ts';
import {
  badIndex,
  type DerivedIndex,
  type DerivedKind,
  type PackedDerived,
  packText,
  unpackText,
} from './derived-index.ts';

/** A link of a document. */
export interface StatedLink {
  /** The start of its block. */
  readonly start: number;
  /** As the outline states it. */
  readonly target: string;
}

/** Links by document; documents without any are missing. */
export type DocumentLinks = ReadonlyMap<string, readonly StatedLink[]>;

const FORMAT = 'multihop-document-links-1';
const KEY = 'links document';

/** Returns the links of a document, in their order. */
export const linksOf = ({ outline = [] }: Pick<Document, 'outline'>): StatedLink[] =>
  outline.flatMap(({ start, links = [] }) => links.map(target => ({ start, target })));

function withAll(index: DocumentLinks, documents: readonly Document[]): DocumentLinks {
  const next = new Map(index);
  for (const document of documents) {
    const links = linksOf(document);
    if (links.length > 0) next.set(document.id, links);
  }
  return next;
}

/** The links of all documents. */
export const DOCUMENT_LINKS: DerivedIndex<DocumentLinks> = {
  key: KEY,
  build: async ({ documents }) => withAll(new Map(), documents),
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

/** Packs each target once; a link as two numbers. */
function packLinks(index: DocumentLinks): PackedDerived {
  const sorted = [...index].sort(([a], [b]) => (a < b ? -1 : 1));
  const all = sorted.flatMap(([, links]) => links);
  const targets = [...new Set(all.map(({ target }) => target))].sort();
  const numbers = new Map(targets.map((target, number) => [target, number]));
  let end = 0;
  return {
    header: { format: FORMAT },
    arrays: {
      ids: packText(sorted.map(([id]) => id)),
      targets: packText(targets),
      ends: Uint32Array.from(sorted, ([, links]) => (end += links.length)),
      links: Uint32Array.from(all.flatMap(({ start, target }) => [start, numbers.get(target)!])),
    },
  };
}

function unpackLinks({ header, arrays }: PackedDerived): DocumentLinks {
  if (header['format'] !== FORMAT) throw badIndex(FORMAT, String(header['format']));
  const [ids, targets] = ['ids', 'targets'].map(name => unpackText(arrays[name], name));
  const { ends, links } = arrays;
  if (
    !(isTexts(ids) && isTexts(targets) && ends instanceof Uint32Array) ||
    !(links instanceof Uint32Array && ends.length === ids.length) ||
    links.length !== 2 * (ends.at(-1) ?? 0) ||
    ends.some((end, at) => end <= (ends[at - 1] ?? 0)) ||
    links.some((number, at) => at % 2 === 1 && number >= targets.length)
  )
    throw badIndex('links of documents', 'arrays that do not fit together');
  const linkAt = (at: number): StatedLink => ({
    start: links[2 * at]!,
    target: targets[links[2 * at + 1]!]!,
  });
  return new Map(
    ids.map((id, document) => {
      const from = document === 0 ? 0 : ends[document - 1]!;
      return [id, Array.from({ length: ends[document]! - from }, (_, at) => linkAt(from + at))];
    }),
  );
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string');
