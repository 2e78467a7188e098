/** Declares the port of embedding models, which map texts to unit vectors. */
import type { Call } from '../core/trace/call.ts';

/** The role of a text: many models are trained with different prefixes for queries and passages. */
export type EmbeddingRole = 'query' | 'passage';

export interface Embedder {
  /** Names the vector space: the model and every setting that changes its vectors. */
  readonly id: string;
  readonly dimensions: number;
  /**
   * Returns one vector for each text, in order: `dimensions` long, finite, of length 1. Throws
   * `PortError` for faults of the environment.
   */
  embed(texts: readonly string[], as: EmbeddingRole, call: Call): Promise<Float32Array[]>;
}
