/** How long a language model may take. */

/**
 * Milliseconds. A text that is not streamed comes whole, after all of it was generated: only
 * `totalMs` limits it.
 */
export interface GenerationLimits {
  /** To the first piece of a stream. */
  readonly firstMs: number;
  /** Between two pieces of a stream. */
  readonly pieceMs: number;
  readonly totalMs: number;
}

export const GENERATION_LIMITS: GenerationLimits = {
  firstMs: 30_000,
  pieceMs: 15_000,
  totalMs: 90_000,
};
