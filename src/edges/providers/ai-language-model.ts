/**
 * Adapts any language model of the AI SDK to the port `LanguageModel`: one retry loop, one
 * deadline, and a complete text or an error.
 */
import type { Completion, LanguageModel, Prompt } from '../../models/language-model.ts';
import { type AiProvider, aiFault, refusesSchema } from './ai-faults.ts';
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
  /** Passed on unchanged. They may change the texts, so they are part of the model's id. */
  readonly providerOptions?: ProviderOptions;
  readonly limits?: Partial<GenerationLimits>;
  readonly retries?: RetryOptions;
}

/**
 * Returns a language model over an AI SDK model. Throws `InputError` if `model` is not one.
 *
 * @example
 * <!-- not run: needs a server -->
 *
 * ```ts
 * import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
 * import { ask, ingest } from 'multihop';
 * import { aiLanguageModel } from 'multihop/providers';
 *
 * const model = aiLanguageModel(
 *   createOpenAICompatible({ name: 'local', baseURL: 'http://localhost:11434/v1' })('llama3.2'),
 * );
 * const engine = await ingest(['Ada wrote the first program.', 'Charles built the engine.']);
 * await ask('Who built the engine?', { engine, reader: 'generative', resources: { model } });
 * ```
 */
export function aiLanguageModel(
  model: AiLanguageModel,
  options: AiLanguageModelOptions = {},
): LanguageModel {
  checkAiModel(model, 'doGenerate', ['v2', 'v3', 'v4']);
  const name = `${model.provider}:${model.modelId}`;
  return languageModelOver([model], { port: 'model', label: `The model "${name}"` }, name, options);
}

/**
 * Returns a language model over variants of one model that differ in how they pass a schema: a
 * variant that refuses it is replaced by the next, and at last the schema is omitted.
 */
export function languageModelOver(
  models: readonly [AiLanguageModel, ...AiLanguageModel[]],
  provider: AiProvider,
  name: string,
  options: AiLanguageModelOptions,
): LanguageModel {
  const { providerOptions } = options;
  const limits = { ...GENERATION_LIMITS, ...options.limits };
  const ai: AiCall = {
    ...provider,
    loop: new RetryLoop(provider.port, provider.label, options.retries),
    totalMs: limits.totalMs,
  };
  const plain = { model: models[0], withSchema: false };
  const variants = [...models.map(model => ({ model, withSchema: true })), plain];
  /** Index of the first variant that has not refused a schema. */
  let first = 0;
  return {
    id: `${name}${optionsMark(providerOptions)}`,
    async generate(prompt, call, onText) {
      let refused = false;
      const ask = ({ model, withSchema }: typeof plain): Promise<Completion> =>
        callAiModel(ai, call, async (signal, expire) => {
          const languageCall = {
            ...callOf(prompt, withSchema, signal),
            ...(providerOptions ? { providerOptions } : {}),
          };
          try {
            if (!onText)
              return wholeText(
                (await model.doGenerate(languageCall)) as AiGenerated,
                prompt,
                provider,
              );
            return await readStream({
              model,
              languageCall,
              prompt,
              provider,
              limits,
              onText,
              expire,
            });
          } catch (error) {
            refused = withSchema && refusesSchema(error);
            throw refused ? finalFault(aiFault(error, provider)) : error;
          }
        });
      if (prompt.schema === undefined) return ask(plain);
      for (let at = first; ; at++) {
        try {
          const completion = await ask(variants[at]!);
          // The request succeeded without the refused variants, so the schema was the reason.
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

/**
 * Returns the completion of a whole answer; a missing finish reason is 'other', because the text is
 * complete anyway.
 */
function wholeText(
  answer: AiGenerated | null | undefined,
  prompt: Prompt,
  { port, label }: AiProvider,
): Completion {
  if (!Array.isArray(answer?.content))
    throw answerError(port, 'malformed', label, 'a content', 'none');
  const text = answer.content
    .map(part => (part?.type === 'text' && typeof part.text === 'string' ? part.text : ''))
    .join('');
  return completionOf(text, answer, prompt, finishOf(answer.finishReason) ?? 'other');
}
