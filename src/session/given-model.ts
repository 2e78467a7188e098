/** Takes language models as programs have them: of this package, or of the AI SDK. */
import type { LanguageModel } from '../models/language-model.ts';
import type { AiLanguageModelOptions } from '../providers/ai-language-model.ts';
import type { AiLanguageModel } from '../providers/ai-language-shapes.ts';

/** A language model, or one of the AI SDK, version 2 to 4 of its specification. */
export type GivenModel = LanguageModel | AiLanguageModel;

/** Returns the model as this package asks it. Throws `InputError('bad-model')`. */
export async function languageModelOf(
  model: GivenModel,
  options: AiLanguageModelOptions = {},
): Promise<LanguageModel> {
  if (!('specificationVersion' in model)) return model;
  const { aiLanguageModel } = await import('../providers/ai-language-model.ts');
  return aiLanguageModel(model, options);
}
