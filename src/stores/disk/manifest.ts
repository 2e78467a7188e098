/**
 * Defines `store.json`, the only file of a store that changes. It names the immutable files of one
 * generation, with their sizes and checksums.
 */
import type { Unit } from '../../core/ranking/ranking.ts';
import { ANALYSIS_VERSION } from '../../core/text/search-form.ts';

export const MANIFEST_FILE = 'store.json';
export const STORE_FORMAT = 'multihop-store';
/** Raised if older stores can no longer be read, or older releases cannot read new stores. */
export const STORE_VERSION = 3;

/** An immutable file: its name, size and checksum. */
export interface StoredFile {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Missing in files of earlier releases. */
  readonly crc32?: number;
}
/** A file of documents, with the indexes of exactly its documents. */
export interface SegmentFile extends StoredFile {
  readonly documents: number;
  /** May lack indexes, which are then built in memory. Missing until first written. */
  readonly indexes?: readonly IndexFile[];
}
export interface IndexFile extends StoredFile {
  /** Unit and analysis, such as `document.plain`, or `table`. */
  readonly key: string;
}

/** Lines about the files that documents were read from, in the order in which they were written. */
export interface SourcesFile extends StoredFile {
  readonly lines: number;
}
/**
 * A folder that documents were read from. Ids of its files begin with its name, unless it is
 * `bare`.
 */
export interface RootRecord {
  /** The folder's own name; numbered where another root has it. */
  readonly name: string;
  readonly bare?: true;
  /** Path from the store's folder, with `/`; missing on another drive. */
  readonly at?: string;
  /** Digest of its absolute path, which recognises it after the store was moved. */
  readonly sha256: string;
}

/**
 * An embedder of the store: queries must be embedded by it, so that their vectors lie in the space
 * of the stored ones.
 */
export interface SpaceRecord {
  /** The space's name, as given by the user, such as `bge-small-en-v1.5`. */
  readonly name: string;
  /**
   * The embedder's identity: model, weights, pooling and everything else that changes its vectors.
   */
  readonly id: string;
  readonly dimensions: number;
  /** Prefix of the texts of each role, if known. */
  readonly prefixes?: { readonly query: string; readonly passage: string };
  /** URL of an embedder that is called over HTTP, without user and secrets. */
  readonly baseUrl?: string;
  /** Canonical name of the template of its texts. `header` if missing, as in early records. */
  readonly template?: string;
  /** Units embedded at ingest. */
  readonly units: readonly Unit[];
}
/** A graph of sentences that every ingest brings up to date. */
export interface GraphRecord {
  /** Name of the entity recogniser, as given by the user, such as `names`. */
  readonly recogniser: string;
  /** The recogniser's identity: model, weights and everything else that changes what it finds. */
  readonly id: string;
}
/** A claim base that every ingest brings up to date. */
export interface ClaimsRecord {
  /** `rules`, or the name of a language model as given by the user. */
  readonly name: string;
  /** Identity of the generator: model, version of the prompts. */
  readonly id: string;
}
/** A derived index: vectors of an embedder, or any kind in `DERIVED_KINDS`. */
export interface DerivedFile extends StoredFile {
  /** Kind, settings and unit, such as `vectors(MODEL) passage`. */
  readonly key: string;
  /** Number of documents that it was computed from; the file holds their ids and fingerprints. */
  readonly documents: number;
  /** Generation in which it was written. */
  readonly generation: number;
  /**
   * Number of documents that were written, or removed without being removed from it, since then; 0
   * if missing.
   */
  readonly behind?: number;
}

export interface Manifest {
  readonly format: typeof STORE_FORMAT;
  readonly version: typeof STORE_VERSION;
  /** Increases by one with every write. */
  readonly generation: number;
  /** `ANALYSIS_VERSION` of the indexes; missing before there was a second. */
  readonly analysis: number;
  /** The canonical name of the chunker. */
  readonly chunker: string;
  readonly documents: number;
  /** No document is in two of them. */
  readonly segments: readonly SegmentFile[];
  /** Missing if nothing was embedded. */
  readonly spaces?: readonly SpaceRecord[];
  /** Missing if no graph is kept. */
  readonly graph?: GraphRecord;
  /** Missing if no claim base is kept. */
  readonly claims?: ClaimsRecord;
  /** Computed from these documents or, if `behind` is above 0, from earlier ones. */
  readonly derived?: readonly DerivedFile[];
  /** Missing if no files were read. */
  readonly roots?: readonly RootRecord[];
  readonly sources?: readonly SourcesFile[];
}

/** Returns true if a derived index covers exactly these documents. */
export const isCurrent = ({ derived = [] }: Manifest, key: string): boolean =>
  derived.some(file => file.key === key && (file.behind ?? 0) === 0);

/**
 * Keys of what is stored of each file of documents when a store is closed after a write: what the
 * default strategy searches, `s1`, and where its documents and their items are. Other indexes are
 * built in memory at first use.
 */
export const STORED_INDEXES: readonly string[] = [
  'document.plain',
  'document.s1',
  'passage.plain',
  'sentence.plain',
  'table',
];

/** Returns the files of documents that lack an index. */
export const withoutIndexes = ({ segments }: Manifest): SegmentFile[] =>
  segments.filter(({ indexes = [] }) =>
    STORED_INDEXES.some(key => !indexes.some(index => index.key === key)),
  );

/** Returns true if an index file belongs to this generation. */
export const namesIndex = ({ segments }: Manifest, name: string): boolean =>
  segments.some(({ indexes = [] }) => indexes.some(({ file }) => file === name));

export function emptyManifest(chunker: string): Manifest {
  return {
    format: STORE_FORMAT,
    version: STORE_VERSION,
    generation: 0,
    analysis: ANALYSIS_VERSION,
    chunker,
    documents: 0,
    segments: [],
  };
}
