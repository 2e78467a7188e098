/** Options of opening a store. */
import type { Disk } from './disk.ts';
import type { StoreClaims } from './kept-claims.ts';
import type { StoreRecogniser } from './kept-graph.ts';
import type { OnWarning } from './read-packed.ts';
import type { StoreEmbedder } from './store-embedders.ts';

export interface StoreOptions {
  /** Creates the store if the folder is missing or empty. */
  readonly create?: boolean;
  /**
   * Chunker of the documents. A store keeps its chunker for ever; naming another one throws
   * `InputError('other-chunker')`.
   */
  readonly chunker?: string;
  /** Milliseconds that a write waits for another writer; 5,000 by default. */
  readonly waitMs?: number;
  /**
   * Embedders of queries for `dense(NAME)` and of documents for `embed`. Each must be the one that
   * the store was embedded with.
   */
  readonly embedders?: readonly StoreEmbedder[];
  /**
   * Finds the entities of the graph that `keepGraph` keeps; the recorded one if missing, or none
   * if the store keeps no graph.
   */
  readonly recogniser?: StoreRecogniser;
  /** Generates the claims of the claim base that `keepGraph` keeps; the recorded one if missing. */
  readonly claims?: StoreClaims;
  /** Called before a search builds a part of the graph of sentences that is not stored. */
  readonly onGraph?: (key: string) => void;
  /**
   * Called once before searches build indexes that the store lacks. A store that is closed after a
   * write has them.
   */
  readonly onBuilding?: () => void;
  /** Called with each damaged index, which is then rebuilt from the documents. */
  readonly onWarning?: OnWarning;
  /** The file system; that of this machine by default. */
  readonly disk?: Disk;
}
