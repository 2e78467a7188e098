/** Wraps a run's language model so that a strategy can continue after its failure. */
import { PortError } from '../core/errors.ts';
import type { ModelOutput } from '../core/trace/trace.ts';
import type { LanguageModel } from '../models/language-model.ts';

/**
 * A run's model until its first failure; after it the model is not called again, and the strategy
 * continues without it. `end` throws the failure after the last hop: a run whose model failed must
 * not count as one whose model answered.
 */
export class ModelInUse {
  private failure: PortError | undefined;
  private model: LanguageModel | undefined;
  private notes: ModelOutput[] = [];

  constructor(model: LanguageModel | undefined) {
    this.model = model;
  }

  /**
   * Calls the model. Returns undefined if there is none, or if the call fails. Limits and aborts
   * are rethrown.
   */
  async ask<T>(work: (model: LanguageModel) => Promise<T>): Promise<T | undefined> {
    if (!this.model) return undefined;
    try {
      return await work(this.model);
    } catch (error) {
      if (!PortError.is(error)) throw error;
      this.model = undefined;
      this.failure = error;
      this.notes.push(
        degraded(
          `The language model failed (${error.code}) and was not called again: its later outputs are missing`,
        ),
      );
      return undefined;
    }
  }

  get present(): boolean {
    return this.model !== undefined;
  }

  /** Throws the failure, if there was one. */
  end(): void {
    if (this.failure) throw this.failure;
  }

  /** Returns and clears the notes since the last call. */
  takeNotes(): ModelOutput[] {
    const { notes } = this;
    this.notes = [];
    return notes;
  }
}

/** Returns a note of a degraded step for the trace. */
export const degraded = (text: string): ModelOutput => ({ role: 'degraded', text, parsed: true });
