/**
 * What a part of a run may ask of a language model for one question: what `--dry-run` adds up, and
 * what nothing else reads.
 */

/**
 * The calls of one role, computed from the part's parameters alone. A plain list of these stands in
 * `Strategy.modelCalls` and `Reader.modelCalls`; a part that needs a model and does not say is
 * shown as one that only a budget bounds.
 */
export interface PlannedCalls {
  /** `Prompt.role` of these calls. */
  readonly role: string;
  /** Calls for one question at most; the one repair of `generateStructured` is a call too. */
  readonly atMost: number;
  /**
   * The largest prompt, in tokens as `promptTokens` estimates them: templates, demonstrations and
   * all the passages that may be shown.
   */
  readonly promptTokens: number;
  /** `Prompt.maxTokens`. */
  readonly completionTokens: number;
  /**
   * What a usual question takes, where that is known to be less: calls, and tokens of one call.
   * What is missing is as above.
   */
  readonly expected?: {
    readonly calls?: number;
    readonly promptTokens?: number;
    readonly completionTokens?: number;
  };
}
