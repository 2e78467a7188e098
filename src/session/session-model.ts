/** Keeps the language model of a session open, under one total budget. */
import type { LanguageModel } from '../models/language-model.ts';
import {
  type LanguageModelOptions,
  namesModel,
  type OpenModel,
  openLanguageModel,
} from './language-model.ts';
import { TotalBudget } from './total-budget.ts';

export interface SessionModelOptions extends Omit<LanguageModelOptions, 'total'> {
  /** Limits of all questions together. */
  readonly totalBudget?: ConstructorParameters<typeof TotalBudget>[0] | undefined;
}

export class SessionModel {
  private readonly options: SessionModelOptions;
  private readonly total: TotalBudget;
  private opened: Promise<OpenModel> | undefined;

  constructor(options: SessionModelOptions) {
    this.options = options;
    this.total = new TotalBudget(options.totalBudget ?? {}, new AbortController().signal);
  }

  /** True if the session has a model of its own. */
  get named(): boolean {
    return namesModel(this.options);
  }

  /** Returns the given model within the total budget, else the session's own, opened once. */
  async model(given: LanguageModel | undefined): Promise<LanguageModel | undefined> {
    if (given) return this.total.around(given);
    if (!this.named) return undefined;
    this.opened ??= this.open();
    return (await this.opened).decorated?.model;
  }

  async close(): Promise<void> {
    const opened = await this.opened?.catch(() => undefined);
    await opened?.close();
  }

  /** Tries again after a failure. */
  private open(): Promise<OpenModel> {
    const opening = openLanguageModel({ ...this.options, total: this.total });
    opening.catch(() => {
      this.opened = undefined;
    });
    return opening;
  }
}
