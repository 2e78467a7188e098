/** Opens the language model of a composition, decorated with its cassette, price and budget. */
import type { LanguageModel } from '../models/language-model.ts';
import { type DecoratedModel, type DecorateOptions, decorateModel } from './decorated-model.ts';
import { type Environment, type Notices, notesTo } from './notices.ts';

export interface LanguageModelSource {
  readonly env: Environment;
  /** A model, or a name that `resolveModel` takes. */
  readonly model?: string | LanguageModel | undefined;
  /** Address of an `openai-compatible` model. */
  readonly baseUrl?: string | undefined;
  /** Milliseconds that a model behind a server may take over one answer. */
  readonly answerMs?: number | undefined;
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
  const own = typeof model === 'string' ? await resolvedModel(model, options) : undefined;
  const name = typeof model === 'string' ? { name: model } : {};
  try {
    const provider = typeof model === 'string' ? own : model;
    const decorated = await decorateModel(provider, { ...options, ...name });
    return {
      decorated,
      async close() {
        await decorated?.close();
        await own?.close?.();
      },
    };
  } catch (error) {
    await own?.close?.();
    throw error;
  }
}

/** Resolves a model by name; the library of its provider is loaded first here. */
export async function resolvedModel(
  name: string,
  { env, baseUrl, answerMs, notices }: LanguageModelSource,
): Promise<LanguageModel & Closable> {
  const { resolveModel } = await import('../providers/resolve-model.ts');
  return resolveModel('model', name, { env, baseUrl, answerMs, endpoint: notesTo(notices) });
}
