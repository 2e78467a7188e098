/**
 * Declares the planned model calls of a strategy or reader for one question, which `--dry-run` adds
 * up.
 */

/**
 * The calls of one role, computed from the member's parameters. `Strategy.modelCalls` and
 * `Reader.modelCalls` are lists of these; a member that needs a model and declares none is shown as
 * bounded by the budget only.
 */
export interface PlannedCalls {
  /** `Prompt.role` of these calls. */
  readonly role: string;
  /** Maximum number of calls for one question, including the one repair of `generateStructured`. */
  readonly atMost: number;
  /**
   * Size of the largest prompt in tokens as `promptTokens` estimates them: templates,
   * demonstrations and the most passages that it can show.
   */
  readonly promptTokens: number;
  /** `Prompt.maxTokens`. */
  readonly completionTokens: number;
  /**
   * Typical use, if it is known to be lower: calls, and tokens of one call. Missing fields default
   * to the maxima above.
   */
  readonly expected?: {
    readonly calls?: number;
    readonly promptTokens?: number;
    readonly completionTokens?: number;
  };
}
