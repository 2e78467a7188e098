/** The port of embedding models: texts in, unit vectors out. */
import type { Call } from '../trace/call.ts';

/**
 * What a text is to the model: many are trained with another prefix for queries than for passages.
 */
export type EmbeddingRole = 'query' | 'passage';

export interface Embedder {
  /** Names the vector space: model and whatever else changes its vectors. */
  readonly id: string;
  readonly dimensions: number;
  /**
   * One vector a text, in order: `dimensions` long, finite, of length 1. Throws `PortError` for the
   * world's faults.
   */
  embed(texts: readonly string[], as: EmbeddingRole, call: Call): Promise<Float32Array[]>;
}
