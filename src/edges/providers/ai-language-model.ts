/**
 * Any language model of the AI SDK as a language model of multihop's: one retry loop, one deadline,
 * a text that is whole or an error.
 */
import type { Completion, LanguageModel, Prompt } from '../../models/language-model.ts';
import { type AiParty, aiFault, refusesSchema } from './ai-faults.ts';
import {
  type AiGenerated,
  type AiLanguageCall,
  type AiLanguageModel,
  aiPrompt,
  completionOf,
  finishOf,
} from './ai-language-shapes.ts';
import { readStream } from './ai-language-stream.ts';
import {
  type AiCall,
  callAiModel,
  checkAiModel,
  optionsMark,
  type ProviderOptions,
} from './ai-models.ts';
import { answerError, finalFault } from './fault.ts';
import { GENERATION_LIMITS, type GenerationLimits } from './generation-limits.ts';
import { RetryLoop, type RetryOptions } from './retry-loop.ts';

export interface AiLanguageModelOptions {
  /** Passed on as they are. They may change the texts, so they are a part of the model's id. */
  readonly providerOptions?: ProviderOptions;
  readonly limits?: Partial<GenerationLimits>;
  readonly retries?: RetryOptions;
}

/** Throws `InputError` for what is no such model. */
export function aiLanguageModel(
  model: AiLanguageModel,
  options: AiLanguageModelOptions = {},
): LanguageModel {
  checkAiModel(model, 'doGenerate', ['v2', 'v3', 'v4']);
  const name = `${model.provider}:${model.modelId}`;
  return languageModelOver([model], { port: 'model', who: `The model "${name}"` }, name, options);
}

/**
 * `models`: one and the same, as it is held to a schema in one way or another; whoever refuses one
 * is asked in the next, and at last without.
 */
export function languageModelOver(
  models: readonly [AiLanguageModel, ...AiLanguageModel[]],
  party: AiParty,
  name: string,
  options: AiLanguageModelOptions,
): LanguageModel {
  const { providerOptions } = options;
  const limits = { ...GENERATION_LIMITS, ...options.limits };
  const ai: AiCall = {
    ...party,
    loop: new RetryLoop(party.port, party.who, options.retries),
    totalMs: limits.totalMs,
  };
  const plain = { model: models[0], withSchema: false };
  const ways = [...models.map(model => ({ model, withSchema: true })), plain];
  /** The first way that has not been refused so far. */
  let first = 0;
  return {
    id: `${name}${optionsMark(providerOptions)}`,
    async generate(prompt, call, onText) {
      let refused = false;
      const ask = ({ model, withSchema }: typeof plain): Promise<Completion> =>
        callAiModel(ai, call, async (signal, expire) => {
          const asked = {
            ...callOf(prompt, withSchema, signal),
            ...(providerOptions ? { providerOptions } : {}),
          };
          try {
            if (!onText)
              return wholeText((await model.doGenerate(asked)) as AiGenerated, prompt, party);
            return await readStream({ model, asked, prompt, party, limits, onText, expire });
          } catch (error) {
            refused = withSchema && refusesSchema(error);
            throw refused ? finalFault(aiFault(error, party)) : error;
          }
        });
      if (prompt.schema === undefined) return ask(plain);
      for (let at = first; ; at++) {
        try {
          const completion = await ask(ways[at]!);
          // It was the schema that was refused, and not the rest of what was asked.
          first = Math.max(first, at);
          return completion;
        } catch (error) {
          if (!refused || call.signal.aborted) throw error;
        }
      }
    },
  };
}

function callOf(prompt: Prompt, withSchema: boolean, abortSignal: AbortSignal): AiLanguageCall {
  const { maxTokens, temperature = 0, stop, seed, schema } = prompt;
  return {
    prompt: aiPrompt(prompt),
    maxOutputTokens: maxTokens,
    temperature,
    abortSignal,
    ...(stop && stop.length > 0 ? { stopSequences: [...stop] } : {}),
    ...(seed === undefined ? {} : { seed }),
    ...(schema && withSchema ? { responseFormat: { type: 'json', ...schema } } : {}),
  };
}

/** A provider that says nothing of the end has sent a whole answer all the same. */
function wholeText(
  answer: AiGenerated | null | undefined,
  prompt: Prompt,
  { port, who }: AiParty,
): Completion {
  if (!Array.isArray(answer?.content))
    throw answerError(port, 'malformed', who, 'a content', 'none');
  const text = answer.content
    .map(part => (part?.type === 'text' && typeof part.text === 'string' ? part.text : ''))
    .join('');
  return completionOf(text, answer, prompt, finishOf(answer.finishReason) ?? 'other');
}
