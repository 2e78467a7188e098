/**
 * Declares the port of query updaters: models that compute the vector of the next query from the
 * vectors of a query and of a passage that it retrieved.
 */
import type { Call } from '../core/trace/call.ts';

export interface QueryUpdater {
  /** The id by which strategies name it. */
  readonly id: string;
  /** The one vector space of its input and output: an embedder's id, as in `dense(ID)`. */
  readonly space: string;
  readonly dimensions: number;
  /**
   * Returns one vector for each pair, in order: `dimensions` long, finite, of any length including
   * 0. A search uses only its direction; the next update receives the vector unchanged. Throws
   * `PortError` for faults of the environment.
   */
  update(
    queries: readonly Float32Array[],
    passages: readonly Float32Array[],
    call: Call,
  ): Promise<Float32Array[]>;
  /**
   * Returns the vector of a question as the published evaluation of the model computes it, if that
   * differs from the engine's: `dimensions` long, finite, of any length. Used by
   * `tree-hop(query-pooling=mean-raw)`.
   */
  publishedQuery?(text: string, call: Call): Promise<Float32Array>;
  /**
   * Returns the same model without one of its parts, named as in its paper; undefined if it has no
   * such part.
   */
  ablated?(variant: string): QueryUpdater | undefined;
}
