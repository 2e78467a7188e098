/** Defines the time limits of a language model. */

/**
 * Time limits in milliseconds. A text that is not streamed arrives after all of it was generated:
 * only `totalMs` applies.
 */
export interface GenerationLimits {
  /** Until the first piece of a stream. */
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
