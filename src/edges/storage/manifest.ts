/**
 * `store.json`: the only file of a store that changes. It names the immutable files of one
 * generation, with their sizes and checksums.
 */
import { PortError } from '../../errors.ts';
import type { Unit } from '../../ranking/ranking.ts';
import { sha256 } from '../sha256.ts';
import { damaged } from './store-errors.ts';

export const MANIFEST_FILE = 'store.json';
export const STORE_FORMAT = 'multihop-store';
/** Raised when a store that was written before can no longer be read, or the other way round. */
export const STORE_VERSION = 3;

/** An immutable file: what must be found under its name. */
export interface StoredFile {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}
/** A file of documents, with the indexes of exactly its documents. */
export interface SegmentFile extends StoredFile {
  readonly documents: number;
  /** May be fewer than are asked for: those are built in memory. Missing until first written. */
  readonly indexes?: readonly IndexFile[];
}
export interface IndexFile extends StoredFile {
  /** `document.plain`: unit and analysis. */
  readonly key: string;
}

/**
 * An embedder of the store: what a query must be embedded by, so that its vector lies in the space
 * of the stored ones.
 */
export interface SpaceRecord {
  /** As it was asked for, `bge-small-en-v1.5`: the space's name. */
  readonly name: string;
  /** The embedder's identity: model, weights, pooling and whatever else changes its vectors. */
  readonly id: string;
  readonly dimensions: number;
  /** What the texts of each role begin with, where that is known. */
  readonly prefixes?: { readonly query: string; readonly passage: string };
  /** Where it was asked, for one that is asked over HTTP; without user and secrets. */
  readonly baseUrl?: string;
  /**
   * Canonical: what it read of passages. Missing in records that were made before it was recorded:
   * `header`.
   */
  readonly template?: string;
  /** What is embedded at ingest. */
  readonly units: readonly Unit[];
}
/** A space that is fitted on the documents themselves, as `lsa`. */
export interface FittedRecord {
  /** Canonical. */
  readonly space: string;
  /** What it is fitted on at ingest. */
  readonly units: readonly Unit[];
}
/** A derived index: vectors of an embedder, a fitted space, and whatever `DERIVED_KINDS` lists. */
export interface DerivedFile extends StoredFile {
  /** Kind, settings and unit, `lsa(dimensions=256) passage`. */
  readonly key: string;
  /** Documents that it was computed from; the file has their ids and fingerprints. */
  readonly documents: number;
  /** Generation that wrote it. */
  readonly generation: number;
  /** Documents that were put, or removed without being removed from it, since; 0 if missing. */
  readonly behind?: number;
}

export interface Manifest {
  readonly format: typeof STORE_FORMAT;
  readonly version: typeof STORE_VERSION;
  /** One more with every write. */
  readonly generation: number;
  /** The canonical name of the chunker. */
  readonly chunker: string;
  readonly documents: number;
  /** No document stands in two of them. */
  readonly segments: readonly SegmentFile[];
  /** Missing where nothing was embedded. */
  readonly spaces?: readonly SpaceRecord[];
  /** Missing where nothing was fitted. */
  readonly fitted?: readonly FittedRecord[];
  /** Computed from these documents or, where `behind` says so, from earlier ones. */
  readonly derived?: readonly DerivedFile[];
}

/** Tells whether a derived index is of exactly these documents. */
export const isCurrent = ({ derived = [] }: Manifest, key: string): boolean =>
  derived.some(file => file.key === key && (file.behind ?? 0) === 0);

/** Returns the files of documents whose indexes are not written yet. */
export const withoutIndexes = ({ segments }: Manifest): SegmentFile[] =>
  segments.filter(({ indexes }) => indexes === undefined);

/** Tells whether an index file belongs to this generation. */
export const namesIndex = ({ segments }: Manifest, name: string): boolean =>
  segments.some(({ indexes = [] }) => indexes.some(({ file }) => file === name));

export function emptyManifest(chunker: string): Manifest {
  return {
    format: STORE_FORMAT,
    version: STORE_VERSION,
    generation: 0,
    chunker,
    documents: 0,
    segments: [],
  };
}

/** The file's content: readable JSON whose last entry is the checksum of the rest. */
export function printManifest(manifest: Manifest): string {
  return `${JSON.stringify({ ...manifest, checksum: sha256(JSON.stringify(manifest)) }, null, 2)}\n`;
}

/**
 * Throws `PortError` 'not-a-store', 'other-store-version' or 'store-damaged', in that order of
 * looking.
 */
export function parseManifest(path: string, bytes: Uint8Array): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw damaged(path, bytes.length === 0 ? 'it is empty' : 'it is not JSON', error);
  }
  if (
    typeof value !== 'object' ||
    value === null ||
    (value as Partial<Manifest>).format !== STORE_FORMAT
  )
    throw new PortError('store', 'not-a-store', `"${path}" is not the file of a multihop store`, {
      expected: `"format": "${STORE_FORMAT}"`,
      hint: 'Give the folder that `multihop ingest --store DIR` made.',
    });
  const { checksum, ...manifest } = value as Manifest & { checksum?: unknown };
  if (manifest.version !== STORE_VERSION) throw otherVersion(path, manifest.version);
  if (checksum !== sha256(JSON.stringify(manifest)))
    throw damaged(path, 'its content does not fit its checksum');
  return manifest;
}

function otherVersion(path: string, version: unknown): PortError {
  const newer = typeof version === 'number' && version > STORE_VERSION;
  return new PortError(
    'store',
    'other-store-version',
    `"${path}" was written by ${newer ? 'a newer' : 'another'} release of multihop`,
    {
      expected: `store version ${STORE_VERSION}`,
      received: `version ${JSON.stringify(version) ?? 'missing'}`,
      hint: newer
        ? 'Nothing was changed. Use that release, or ingest the documents into a new store.'
        : 'Nothing was changed. Ingest the documents into a new store.',
    },
  );
}
