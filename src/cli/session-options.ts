/** The options of a session that stays open over many questions: its models and what they cost. */
import type { OpenStoreOptions } from '../session/document-store.ts';
import { parseTotalBudget } from './budget-option.ts';
import type { CommandContext } from './command.ts';
import { languageModelOptions } from './language-model-options.ts';
import { modelSources } from './model-options.ts';

/** Throws `InputError` for a wrong price or a wrong total budget. */
export function sessionOptions(context: CommandContext): OpenStoreOptions {
  const { options, env, output } = context;
  const { embedders = [], baseUrl, rerankerUrl } = modelSources(context);
  const { model, baseUrl: modelUrl, ...language } = languageModelOptions(context);
  const { answerMs: modelTimeoutMs, price, cassette } = language;
  return {
    ...{ env, embedders, notices: output },
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(rerankerUrl === undefined ? {} : { rerankerUrl }),
    ...(model === undefined ? {} : { model }),
    ...(modelUrl === undefined ? {} : { modelUrl }),
    ...(modelTimeoutMs === undefined ? {} : { modelTimeoutMs }),
    ...(price === undefined ? {} : { price }),
    ...(cassette === undefined ? {} : { cassette }),
    totalBudget: parseTotalBudget(options.text('total-budget')),
  };
}
