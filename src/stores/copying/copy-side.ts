/** The two kinds of places between which documents are copied: stores, and engines on servers. */
import type { Document } from '../../core/corpus/document.ts';
import type { Call } from '../../core/trace/call.ts';
import type { EngineSnapshot, Stored } from '../../search/engine.ts';
import type { StoreEmbedder } from '../disk/store-embedders.ts';
import type { CopiedSpace, CopiedVectors } from './copied-vectors.ts';

/** One state of a place, which is read whole. */
export interface CopySource extends AsyncDisposable {
  /** Name for messages, without credentials. */
  readonly label: string;
  readonly documents: number;
  readonly chunker: string;
  readonly spaces: readonly CopiedSpace[];
  /** False if some of its documents have no vectors in one of the spaces. */
  readonly isEmbedded: boolean;
  /** Indexes computed from the documents, which stay behind: a graph. */
  readonly derived: readonly string[];
  readonly snapshot: EngineSnapshot;
  /** Yields all documents, so many at a time. */
  pages(size: number, call: Call): AsyncIterable<readonly Document[]>;
}

/** A place that is written to. */
export interface CopyTarget extends AsyncDisposable {
  /** True if `finish` reads the vectors of all documents; else each write reads its own. */
  readonly embedsLast: boolean;
  put(documents: readonly Document[], call: Call): Promise<Stored>;
  remove(ids: readonly string[], call: Call): Promise<Stored>;
  /** Writes what follows from the documents. */
  finish(call: Call): Promise<void>;
}

export interface TargetSettings {
  readonly chunker: string;
  readonly vectors: CopiedVectors;
  /** Models by which a new store records its spaces, where the source does not name them. */
  readonly models: readonly StoreEmbedder[];
}

export interface CopyPlace {
  /** Returns undefined if there is nothing yet. */
  read(isThere: 'required' | 'optional'): Promise<CopySource | undefined>;
  /** Creates the place if it is missing. Throws for settings that it does not share. */
  write(settings: TargetSettings): Promise<CopyTarget>;
}
