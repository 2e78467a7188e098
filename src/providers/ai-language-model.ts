/**
 * Adapts any language model of the AI SDK to the port `LanguageModel`: one retry loop, one
 * deadline, and a complete text or an error.
 */

import { defined } from '../core/defined.ts';
import { PortError } from '../core/errors.ts';
import { cutOf } from '../models/checked-completion.ts';
import type { Completion, LanguageModel, Prompt } from '../models/language-model.ts';
import { type ReplyRoom, withReplyRoom } from '../models/reply-room.ts';
import { type AiProvider, aiFault, refusesSchema } from './ai-faults.ts';
import {
  aiCall,
  parametersOf,
  type RequestOptions,
  type SentCall,
  withOptions,
} from './ai-language-call.ts';
import {
  type AiGenerated,
  type AiLanguageModel,
  type Asked,
  completionOf,
  finishOf,
} from './ai-language-shapes.ts';
import { NEXT_PIECE, readStream, type StreamRequest } from './ai-language-stream.ts';
import {
  aiCallOf,
  callAiModel,
  checkAiModel,
  optionsMark,
  type ProviderOptions,
} from './ai-models.ts';
import { answerError, finalFault, RefusedError } from './fault.ts';
import { GENERATION_LIMITS, type GenerationLimits } from './generation-limits.ts';
import { refusesContext } from './refused-parameter.ts';
import {
  ModelParameters,
  type OnNote,
  type Parameters,
  warnProcess,
} from './request-parameters.ts';
import type { RetryOptions } from './retry-loop.ts';
import { checkWasRead } from './silent-cut.ts';
import { StoppedText } from './stopped-text.ts';

export interface AiLanguageModelOptions extends ReplyRoom {
  /** Passed on unchanged. They may change the texts, so they are part of the model's id. */
  readonly providerOptions?: ProviderOptions;
  /** Further fields of each request, such as `{ reasoning_effort: 'low' }`; part of the id. */
  readonly options?: RequestOptions | undefined;
  readonly limits?: Partial<GenerationLimits> | undefined;
  readonly retries?: RetryOptions | undefined;
  /** Receives a note on each parameter that the model refuses; by default a process warning. */
  readonly onNote?: OnNote | undefined;
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
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * await ask('Who built the engine?', { engine, reader: 'generative', resources: { model } });
 * ```
 */
export function aiLanguageModel(
  model: AiLanguageModel,
  options: AiLanguageModelOptions = {},
): LanguageModel {
  checkAiModel(model, 'doGenerate', ['v2', 'v3', 'v4']);
  const name = `${model.provider}:${model.modelId}`;
  const provider = { port: 'model', label: `The model "${name}"` } as const;
  return languageModelOver({ schemas: [model] }, provider, name, options);
}

/** Forms of one model that send a request differently. */
export interface ModelForms {
  /** Differ in how they pass a schema, best first. */
  readonly schemas: readonly [AiLanguageModel, ...AiLanguageModel[]];
  /** The same without `stream_options`; missing if the model does not send them. */
  readonly withoutUsage?: readonly AiLanguageModel[];
}

/**
 * Returns a language model over forms of one model: a form that refuses a schema is replaced by the
 * next, and at last the schema is omitted. A parameter that the model refuses is renamed or left
 * out.
 */
export function languageModelOver(
  forms: ModelForms,
  provider: AiProvider,
  name: string,
  options: AiLanguageModelOptions,
): LanguageModel {
  const { onNote = warnProcess } = options;
  const providerOptions = withOptions(forms.schemas[0], options.providerOptions, options.options);
  const limits = { ...GENERATION_LIMITS, ...options.limits };
  const ai = aiCallOf(provider, { totalMs: limits.totalMs, retries: options.retries });
  const parameters = new ModelParameters(provider.label, onNote);
  const asksUsage = forms.withoutUsage !== undefined;
  const plain = { form: 0, withSchema: false };
  const variants = [...forms.schemas.map((_, form) => ({ form, withSchema: true })), plain];
  const schemas = new RefusedSchemas(provider.label, onNote);
  const model: LanguageModel = {
    id: `${name}${optionsMark(providerOptions)}`,
    replyTokens: maxTokens => Math.min(maxTokens, parameters.mostTokens),
    async generate(prompt, call, onText) {
      const form = { providerOptions, isStreamed: onText !== undefined, asksUsage };
      const request = parameters.request(parametersOf(prompt, form));
      let refused = false;
      let passedOn = '';
      const pass = (piece: string): void => {
        passedOn += piece;
        onText?.(piece);
      };
      const ask = ({ form, withSchema }: typeof plain): Promise<Completion> =>
        callAiModel(ai, call, async (abortSignal, expire) => {
          const { sent } = request;
          const model = modelFor(sent, forms, form);
          const sentCall = { prompt, sent, withSchema, abortSignal, providerOptions };
          try {
            return await completed(sentCall, { model, provider, limits, expire }, pass);
          } catch (error) {
            refused = withSchema && refusesSchema(error);
            throw refused ? finalFault(aiFault(error, provider)) : error;
          }
        });
      for (let at = prompt.schema === undefined ? variants.length - 1 : schemas.first(prompt); ; ) {
        refused = false;
        try {
          const completion = await ask(variants[at]!);
          checkWasRead(prompt, completion.usage, provider);
          // The request succeeded without the refused variants, so the schema was the reason.
          schemas.learn(prompt, at);
          request.accepted();
          return completion;
        } catch (error) {
          if (call.signal.aborted) throw error;
          if (passedOn !== '') return untilTimeout(passedOn, prompt, error, limits);
          if (request.change(error)) continue;
          const known = contextFull(error);
          if (!refused || known !== error) throw known;
          at++;
        }
      }
    },
  };
  return withReplyRoom(model, options, onNote);
}

/** Remembers which form of a request each schema needs: a server may refuse one and take others. */
class RefusedSchemas {
  private readonly forms = new Map<string, number>();
  private readonly label: string;
  private readonly onNote: OnNote;

  constructor(label: string, onNote: OnNote) {
    this.label = label;
    this.onNote = onNote;
  }

  /** Returns the index of the first variant that has not refused the schema of a prompt. */
  first({ schema }: Prompt): number {
    return schema === undefined ? 0 : (this.forms.get(shapeOf(schema)) ?? 0);
  }

  learn({ schema }: Prompt, at: number): void {
    if (schema === undefined || at === this.first({ schema } as Prompt)) return;
    this.forms.set(shapeOf(schema), at);
    this.onNote(`${this.label} refuses the schema "${schema.name}": it is sent in another form`);
  }
}

/** Returns a schema without the values that its prompt sets, such as numbers of passages. */
const shapeOf = (schema: NonNullable<Prompt['schema']>): string =>
  JSON.stringify(schema, (key, value: unknown) => (VALUES.has(key) ? undefined : value));

const VALUES: ReadonlySet<string> = new Set(['enum', 'maxItems', 'minimum', 'maximum']);

/** Returns what was streamed until the time was up as a reply that was cut; throws other errors. */
function untilTimeout(
  text: string,
  prompt: Prompt,
  error: unknown,
  { totalMs, pieceMs }: GenerationLimits,
): Completion {
  if (!PortError.is(error) || error.code !== 'timeout') throw error;
  const ms = error.message.includes(NEXT_PIECE) ? pieceMs : totalMs;
  const { thinking } = cutOf(text, 0);
  const written = completionOf({ text, thoughts: '' }, {}, prompt, 'length');
  return { ...written, cut: defined({ ms, thinking }) };
}

/** Returns the error of a prompt that does not fit, as models in the process throw it. */
function contextFull(error: unknown): unknown {
  if (!(error instanceof RefusedError) || !refusesContext(error)) return error;
  return new PortError('model', 'context-full', error.message);
}

const modelFor = (
  sent: Parameters,
  { schemas, withoutUsage = schemas }: ModelForms,
  form: number,
): AiLanguageModel => ('stream_options' in sent ? schemas : withoutUsage)[form]!;

/**
 * Returns the completion of one request. Does for the model what it was not asked for: ends the
 * text before a stop, and passes a whole text on.
 */
async function completed(
  call: SentCall,
  request: Omit<StreamRequest, 'onText' | 'prompt' | 'languageCall'>,
  onText: (piece: string) => void,
): Promise<Completion> {
  const { sent, prompt } = call;
  const languageCall = aiCall(request.model, call);
  const limits = [sent['max_tokens'], sent['max_completion_tokens']];
  const asked = { ...prompt, maxTokens: limits.find(limit => typeof limit === 'number') };
  const text = new StoppedText('stop' in sent ? [] : (prompt.stop ?? []), onText);
  const push = (piece: string): void => text.push(piece);
  const completion =
    'stream' in sent
      ? await readStream({ ...request, languageCall, prompt: asked, onText: push })
      : wholeText(await request.model.doGenerate(languageCall), asked, request.provider);
  if (!('stream' in sent)) text.push(completion.text);
  text.end();
  return text.stopped ? { ...completion, text: text.text, finish: 'stop' } : completion;
}

/**
 * Returns the completion of a whole answer; a missing finish reason is 'other', because the text is
 * complete anyway.
 */
function wholeText(
  answer: AiGenerated | null | undefined,
  prompt: Asked,
  { port, label }: AiProvider,
): Completion {
  if (!Array.isArray(answer?.content))
    throw answerError(port, 'malformed', label, 'a content', 'none');
  const ofType = (type: string): string =>
    answer.content
      .map(part => (part?.type === type && typeof part.text === 'string' ? part.text : ''))
      .join('');
  const written = { text: ofType('text'), thoughts: ofType('reasoning') };
  return completionOf(written, answer, prompt, finishOf(answer.finishReason) ?? 'other');
}
