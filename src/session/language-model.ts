/** Opens the language model of a composition, decorated with its cassette, price and budget. */
import type { Budget } from '../core/trace/usage.ts';
import type { LanguageModel } from '../models/language-model.ts';
import { type MeteredModel, type ModelSpending, meteredModel } from '../models/metered-model.ts';
import type { ReplyRoom } from '../models/reply-room.ts';
import type { RequestOptions } from '../providers/ai-language-call.ts';
import { type DecoratedModel, type DecorateOptions, decorateModel } from './decorated-model.ts';
import { type GivenModel, languageModelOf } from './given-model.ts';
import { type Environment, type Notices, notesTo } from './notices.ts';
import { TotalBudget } from './total-budget.ts';

export interface LanguageModelSource {
  readonly env: Environment;
  /** A model, or a name that `resolveModel` takes. */
  readonly model?: string | GivenModel | undefined;
  /** Address of an `openai-compatible` model. */
  readonly baseUrl?: string | undefined;
  /** Milliseconds that a model behind a server may take over one answer. */
  readonly answerMs?: number | undefined;
  /** Limits on its replies. */
  readonly room?: ReplyRoom | undefined;
  /** Further fields of each request to a model behind a server. */
  readonly modelOptions?: RequestOptions | undefined;
  readonly notices?: Notices;
}

export type LanguageModelOptions = LanguageModelSource & Omit<DecorateOptions, 'name'>;

/** Tells whether the options name a model, or a cassette that replays one. */
export const namesModel = ({
  model,
  cassette,
}: Pick<LanguageModelOptions, 'model' | 'cassette'>): boolean =>
  model !== undefined || cassette !== undefined;

/** A member that a provider may have beside its port. */
interface Closable {
  close?(): Promise<void>;
}

export interface OpenModel {
  /** Undefined if the composition neither names a model nor replays one. */
  readonly decorated: DecoratedModel | undefined;
  close(): Promise<void>;
}

/**
 * Throws `InputError` for an unknown name, an unknown price, or a cassette of another model. Closes
 * no model that was given as a value.
 */
export async function openLanguageModel(options: LanguageModelOptions): Promise<OpenModel> {
  const { model } = options;
  const resolved = typeof model === 'string' ? await resolvedModel(model, options) : undefined;
  const name = typeof model === 'string' ? { name: model } : {};
  try {
    const provider = typeof model === 'object' ? await givenModel(model, options) : resolved;
    const decorated = await decorateModel(provider, { ...options, ...name });
    return {
      decorated,
      async close() {
        await decorated?.close();
        await resolved?.close?.();
      },
    };
  } catch (error) {
    await resolved?.close?.();
    throw error;
  }
}

/** Returns a model that was made in code, with the settings of the composition. */
export const givenModel = (
  model: GivenModel,
  { answerMs, room, modelOptions, notices }: LanguageModelSource,
): Promise<LanguageModel> =>
  languageModelOf(model, {
    ...room,
    ...notesTo(notices),
    options: modelOptions,
    limits: answerMs === undefined ? undefined : { totalMs: answerMs, firstMs: answerMs },
  });

/** Resolves a model by name; the library of its provider is loaded first here. */
export async function resolvedModel(
  name: string,
  { env, baseUrl, answerMs, room, modelOptions, notices }: LanguageModelSource,
): Promise<LanguageModel & Closable> {
  const { resolveModel } = await import('../providers/resolve-model.ts');
  return resolveModel('model', name, {
    env,
    baseUrl,
    answerMs,
    room,
    modelOptions,
    endpoint: notesTo(notices),
  });
}

export interface SessionModelOptions extends Omit<LanguageModelOptions, 'total'> {
  /** Limits of all questions together. */
  readonly totalBudget?: Budget | undefined;
}

/** Keeps the language model of a session open, under one total budget. */
export class SessionModel {
  private readonly options: SessionModelOptions;
  private readonly total: TotalBudget;
  private opened: Promise<OpenModel> | undefined;

  constructor(options: SessionModelOptions) {
    this.options = options;
    this.total = new TotalBudget(options.totalBudget ?? {}, new AbortController().signal);
  }

  /** True if the options name a model. */
  get isNamed(): boolean {
    return namesModel(this.options);
  }

  /**
   * Returns `passed` within the total budget, else the model of the options, opened once; metered
   * for one run.
   */
  async model(passed: LanguageModel | undefined): Promise<MeteredModel | undefined> {
    if (passed) return meteredModel(this.total.around(passed));
    if (!this.isNamed) return undefined;
    this.opened ??= this.open();
    const { decorated } = await this.opened;
    return decorated && meteredModel(decorated.model);
  }

  /** Returns what the model of the options spent so far; undefined before its first use. */
  async spent(): Promise<ModelSpending | undefined> {
    const opened = await this.opened?.catch(() => undefined);
    return opened?.decorated && { ...opened.decorated.spent };
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
