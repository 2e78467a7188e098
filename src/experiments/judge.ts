/**
 * Opens the judge of an evaluation: a language model other than the answering one, or the scripted
 * judge.
 */

import { defined } from '../core/defined.ts';
import { type Judge, judgeBy } from '../evaluation/judge.ts';
import { SCRIPTED_JUDGE, scriptedJudge } from '../evaluation/scripted-judge.ts';
import type { LanguageModel } from '../models/language-model.ts';
import {
  type DecoratedModel,
  type DecorateOptions,
  decorateModel,
} from '../session/decorated-model.ts';
import { givenModel, type LanguageModelSource, resolvedModel } from '../session/language-model.ts';

export interface OpenJudge {
  readonly judge: Judge;
  readonly decorated: DecoratedModel;
  close(): Promise<void>;
}

/** `model` is `SCRIPTED_JUDGE`, a name, or a model. */
export interface JudgeOptions extends LanguageModelSource, Omit<DecorateOptions, 'name'> {
  /** Id of the answering model, or of the model of its cassette. */
  readonly answering?: string | undefined;
  /** Allows the answering model to judge; the report says so. */
  readonly same?: boolean;
}

/**
 * Returns undefined without a model and without a cassette. Throws `InputError` for an unknown
 * name, or for the answering model.
 */
export async function openJudge(options: JudgeOptions): Promise<OpenJudge | undefined> {
  const { model, answering, same = false } = options;
  const scripted = model === SCRIPTED_JUDGE;
  const isName = typeof model === 'string' && !scripted;
  const opened = isName ? await resolvedModel(model, options) : undefined;
  const provider: LanguageModel | undefined = scripted
    ? scriptedJudge()
    : (opened ?? (typeof model === 'object' ? await givenModel(model, options) : undefined));
  try {
    const judgeOptions = { answering, same, scripted };
    // Checks the name before any cassette is opened.
    if (provider) judgeBy(provider, judgeOptions);
    // The scripted judge costs nothing and needs no recording.
    const decorating = scripted ? {} : defined({ ...options, name: isName ? model : undefined });
    const decorated = await decorateModel(provider, decorating);
    if (!decorated) return undefined;
    const judge = judgeBy(decorated.model, judgeOptions);
    return {
      judge,
      decorated,
      async close() {
        await decorated.close();
        await opened?.close?.();
      },
    };
  } catch (error) {
    await opened?.close?.();
    throw error;
  }
}
