/**
 * A run's language model that may fail: what goes on without it, and what the trace says of that.
 */
import { PortError } from '../errors.ts';
import type { LanguageModel } from '../models/language-model.ts';
import type { ModelOutput } from '../trace/trace.ts';

/**
 * The run's model for as long as it answers: once it has failed it is not asked again, and the hops
 * go on without it (sheet, section 7: outage). The failure is thrown behind the last hop: a run
 * whose model failed must not pass for one whose model answered.
 */
export class ModelInUse {
  private failure: PortError | undefined;
  private model: LanguageModel | undefined;
  private unsaid: ModelOutput[] = [];

  constructor(model: LanguageModel | undefined) {
    this.model = model;
  }

  /** Undefined where there is no model, or where it fails now. Limits and aborts pass through. */
  async ask<T>(work: (model: LanguageModel) => Promise<T>): Promise<T | undefined> {
    if (!this.model) return undefined;
    try {
      return await work(this.model);
    } catch (error) {
      if (!PortError.is(error)) throw error;
      this.model = undefined;
      this.failure = error;
      this.unsaid.push(
        degraded(
          `The language model failed (${error.code}) and was not asked again: what it had not said yet is missing`,
        ),
      );
      return undefined;
    }
  }

  get present(): boolean {
    return this.model !== undefined;
  }

  /** Throws the failure, where there was one. */
  end(): void {
    if (this.failure) throw this.failure;
  }

  /** What was lost since it was last asked for. */
  lost(): ModelOutput[] {
    const { unsaid } = this;
    this.unsaid = [];
    return unsaid;
  }
}

/** A line of the trace that says what is missing. */
export const degraded = (text: string): ModelOutput => ({ role: 'degraded', text, parsed: true });
