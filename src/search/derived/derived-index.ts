/**
 * Defines derived indexes: indexes computed from the documents of a snapshot, stored and
 * rebuildable at any time, such as vectors of an embedder or a graph of entities.
 */

import type { Document, Passage } from '../../core/corpus/document.ts';
import { outlineDigest } from '../../core/corpus/outline.ts';
import { describeValue, InputError } from '../../core/errors.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';

export type DerivedArray = Uint8Array | Uint32Array | Float32Array | Float64Array;

/** The stored form: a JSON header and typed arrays, used in place when loaded. */
export interface PackedDerived {
  readonly header: Readonly<Record<string, unknown>>;
  readonly arrays: Readonly<Record<string, DerivedArray>>;
}

/** Gives the event loop a turn. */
export type Turn = () => Promise<void>;

/** The documents that an index is computed from, and how they are cut. */
export interface DerivedSource {
  /** Ascending by id. */
  readonly documents: readonly Document[];
  /** Cuts a document into its items, in the document's order. */
  cut(unit: Unit, document: Document): readonly Passage[];
}

/**
 * One kind of index with its settings. Indexes are immutable: `add` and `remove` return new ones.
 * Any order of additions and removals gives the bytes of one addition of what stays.
 */
export interface DerivedIndex<T = unknown> {
  /** Unique within a store: kind, settings and unit, such as `vectors(MODEL) passage`. */
  readonly key: string;
  /** Returns the index of no documents. */
  empty(): T;
  /**
   * Adds documents of the source that the index does not have. Passes finished parts to `keep`, so
   * that a failure loses at most one step; calls `turn` every few milliseconds.
   */
  add(
    index: T,
    added: readonly Document[],
    source: DerivedSource,
    call: Call,
    keep?: (index: T, finished: readonly Document[]) => void,
    turn?: Turn,
  ): Promise<T>;
  remove(index: T, ids: ReadonlySet<string>): T;
  /** Returns the problem of an index of these documents, or undefined. */
  check(index: T, source: DerivedSource): string | undefined;
  pack(index: T): PackedDerived;
  /** Throws `InputError('bad-index')`. */
  unpack(packed: PackedDerived): T;
}

/** One kind of derived index, identified by the first word of its keys. */
export interface DerivedKind<T = unknown> {
  readonly name: string;
  /** Returns the index of a key, `NAME(SETTINGS) UNIT`. */
  of(key: string): DerivedIndex<T>;
}

/** The documents that an index was computed from: a fingerprint of the content by id. */
export type Members = ReadonlyMap<string, string>;

/** The difference between the documents of an index and those of a snapshot. */
export interface MemberChanges {
  /** Documents that the index does not have. */
  readonly added: readonly string[];
  /** Documents whose content differs. */
  readonly changed: readonly string[];
  /** Documents that the snapshot does not have. */
  readonly removed: readonly string[];
}

/** A stored index that lags: computed from `documents` documents, of which some changed since. */
export interface Staleness {
  readonly key: string;
  readonly documents: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** Returns the documents of `part` that the index lacks or has in another version. */
export function additionsTo(indexed: Members, part: Members): MemberChanges {
  const [added, changed]: string[][] = [[], []];
  for (const [id, version] of part) {
    const known = indexed.get(id);
    if (known === undefined) added!.push(id);
    else if (known !== version) changed!.push(id);
  }
  return { added: added!, changed: changed!, removed: [] };
}

export function changesBetween(indexed: Members, current: Members): MemberChanges {
  const removed = [...indexed.keys()].filter(id => !current.has(id));
  return { ...additionsTo(indexed, current), removed };
}

/** Returns the staleness of an index, undefined if it is of exactly the current documents. */
export function stalenessOf(
  key: string,
  indexed: Members,
  current: Members,
): Staleness | undefined {
  const { added, changed, removed } = changesBetween(indexed, current);
  if (added.length + changed.length + removed.length === 0) return undefined;
  return {
    key,
    documents: indexed.size,
    added: added.length,
    changed: changed.length,
    removed: removed.length,
  };
}

/**
 * Returns a fingerprint of title, text, metadata and outline: 64 bits of two hashes (FNV-1a and one
 * with another prime), as hexadecimal. It detects changes; it does not resist forgery.
 */
export function fingerprint(document: Document): string {
  const { title, text, metadata } = document;
  const fields = Object.keys(metadata)
    .sort()
    .map(field => [field, metadata[field]]);
  const rest = JSON.stringify([title, fields, ...outlineDigest(document)]);
  let [a, b] = [0x811c9dc5, 0x2545f491];
  for (const part of [rest, text])
    for (let at = 0; at < part.length; at++) {
      const unit = part.charCodeAt(at);
      a = Math.imul(a ^ unit, 0x01000193);
      b = Math.imul((b << 5) ^ (b >>> 27) ^ unit, 0x85ebca6b);
    }
  return [a, b].map(hash => (hash >>> 0).toString(16).padStart(8, '0')).join('');
}

const FORMAT = 'multihop-derived-1';

/** Packs an index together with the documents that it was computed from. */
export function packDerived<T>(
  derived: DerivedIndex<T>,
  index: T,
  members: Members,
): PackedDerived {
  const { header, arrays } = derived.pack(index);
  return {
    header: { format: FORMAT, index: header },
    arrays: { ...arrays, members: packText([...members].sort(([a], [b]) => (a < b ? -1 : 1))) },
  };
}

/** Restores an index. Throws `InputError('bad-index')` if `packDerived` did not create it. */
export function unpackDerived<T>(
  derived: DerivedIndex<T>,
  { header, arrays }: PackedDerived,
): { readonly index: T; readonly members: Members } {
  if (header['format'] !== FORMAT) throw badIndex(FORMAT, describeValue(header['format']));
  const { members, ...rest } = arrays;
  const inner = header['index'] as PackedDerived['header'];
  const index = derived.unpack({ header: inner, arrays: rest });
  return { index, members: new Map(unpackText(members, 'members') as [string, string][]) };
}

/** Packs a JSON value as UTF-8. */
export const packText = (value: unknown): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(value));

/** Throws `InputError('bad-index')`. */
export function unpackText(array: DerivedArray | undefined, name: string): unknown {
  if (!(array instanceof Uint8Array)) throw badIndex(`an array "${name}"`, 'nothing');
  try {
    return JSON.parse(new TextDecoder().decode(array));
  } catch {
    throw badIndex(`"${name}" as JSON`, 'other bytes');
  }
}

export function badIndex(expected: string, received: string): InputError {
  return new InputError('bad-index', 'Not a stored derived index', {
    expected,
    received,
    hint: 'Build it again: open the store by Store.open; call rebuild and embed.',
    remedy: { id: 'repair-store' },
  });
}
