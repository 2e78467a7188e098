/**
 * The port of models that move a query on: from a query's vector and that of a passage which it
 * found, the vector of the next query.
 */
import type { Call } from '../trace/call.ts';

export interface QueryUpdater {
  /** What strategies name it by. */
  readonly id: string;
  /** The one vector space that it works in: an embedder's id, as in `dense(ID)`. */
  readonly space: string;
  readonly dimensions: number;
  /**
   * One vector a pair, in order: `dimensions` long and finite, of any length above 0 or of 0. What
   * a search goes by is its direction; what is passed in again for the hop after next is the vector
   * as it came. Throws `PortError` for the world's faults.
   */
  update(
    queries: readonly Float32Array[],
    passages: readonly Float32Array[],
    call: Call,
  ): Promise<Float32Array[]>;
  /**
   * The vector of a question as the published evaluation of the model has it, where that is not the
   * engine's: `dimensions` long, finite, of any length. For `tree-hop(query-pooling=mean-raw)`.
   */
  publishedQuery?(text: string, call: Call): Promise<Float32Array>;
  /**
   * The same model with a part left out, by the part's name in its paper; undefined where there is
   * no such part.
   */
  ablated?(variant: string): QueryUpdater | undefined;
}
