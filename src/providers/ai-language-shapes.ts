/**
 * Declares the parts of AI SDK language models, versions 2 to 4, that multihop uses, and normalises
 * their results.
 */
import { defined } from '../core/defined.ts';
import { cutOf, MAX_COMPLETION } from '../models/checked-completion.ts';
import type { Completion, Prompt, TokenUsage } from '../models/language-model.ts';
import type { ProviderOptions } from './ai-models.ts';
import { bytesOf } from './metered.ts';

type TextPart = { type: 'text'; text: string };
export type AiMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: TextPart[] }
  | { role: 'assistant'; content: TextPart[] };

export interface AiLanguageCall {
  prompt: AiMessage[];
  maxOutputTokens?: number;
  temperature?: number;
  stopSequences?: string[];
  seed?: number;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own type is that of a JSON Schema library
  responseFormat?: { type: 'json'; name: string; schema: any };
  abortSignal: AbortSignal;
  providerOptions?: ProviderOptions;
}

/** A number in version 2; a total with parts in versions 3 and 4. */
type AiTokens =
  | number
  | {
      total?: number | undefined;
      reasoning?: number | undefined;
      cacheRead?: number | undefined;
    }
  | undefined
  | null;
export interface AiUsage {
  inputTokens?: AiTokens;
  outputTokens?: AiTokens;
  /** Stands in version 2; later versions count thoughts in `outputTokens`. */
  reasoningTokens?: number | undefined;
  /** Stands in version 2; later versions count what was cached in `inputTokens`. */
  cachedInputTokens?: number | undefined;
}
/** A string in version 2; the SDK's and the provider's own in versions 3 and 4. */
export type AiFinish = string | { unified?: string; raw?: string | undefined } | undefined | null;

export interface AiGenerated {
  content: readonly { readonly type: string; readonly text?: string }[];
  finishReason: AiFinish;
  usage?: AiUsage | undefined;
}

/** The parts of a stream that are read: text, thoughts, finish, errors. */
export interface AiStreamPart {
  readonly type: string;
  readonly delta?: unknown;
  readonly finishReason?: AiFinish;
  readonly usage?: AiUsage | undefined;
  readonly error?: unknown;
}

/** `LanguageModelV2`, `V3` or `V4` of `@ai-sdk/provider`. */
export interface AiLanguageModel {
  readonly specificationVersion: 'v2' | 'v3' | 'v4';
  readonly provider: string;
  readonly modelId: string;
  // biome-ignore lint/suspicious/noExplicitAny: each version has its own type of what it returns
  doGenerate(options: AiLanguageCall): PromiseLike<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  doStream(options: AiLanguageCall): PromiseLike<{ stream: ReadableStream<any> }>;
}

export function aiPrompt({ messages }: Prompt): AiMessage[] {
  return messages.map(({ role, text }) => {
    const whole = text.toWellFormed();
    return role === 'system'
      ? { role, content: whole }
      : { role, content: [{ type: 'text', text: whole }] };
  });
}

/** Returns the prompt with the texts of the system before those of its first user. */
export function withoutSystem(prompt: Prompt): Prompt {
  const system = prompt.messages.filter(({ role }) => role === 'system');
  const rest = prompt.messages.filter(({ role }) => role !== 'system');
  const isAsked = rest[0]?.role === 'user';
  const joined = [...system, ...rest.slice(0, isAsked ? 1 : 0)].map(({ text }) => text);
  const first = { role: 'user', text: joined.join('\n\n') } as const;
  return { ...prompt, messages: [first, ...rest.slice(isAsked ? 1 : 0)] };
}

/** Matches the reasons by which servers say that a limit on tokens was met. */
const CUT =
  /^(?:(?:model_)?(?:max_?(?:output_?|completion_?)?)?(?:tokens|length)|incomplete|token_?limit|(?:context|model)_(?:window|context).*|truncated?)$/i;

/**
 * Returns the normalised finish reason; undefined if the model stopped because of an error or gave
 * no reason, which means that a stream was cut.
 */
export function finishOf(reason: AiFinish): Completion['finish'] | undefined {
  const { unified, raw } =
    typeof reason === 'object' && reason !== null
      ? reason
      : { unified: reason ?? undefined, raw: reason };
  if (unified === 'stop' || unified === 'length') return unified;
  if (CUT.test(raw ?? '')) return 'length';
  if (unified === 'content-filter') return 'filtered';
  const unspecified =
    unified === undefined || unified === 'unknown' || (unified === 'other' && raw === undefined);
  return unspecified || unified === 'error' || unified === 'interrupted' ? undefined : 'other';
}

/** A prompt without `maxTokens` if that was not sent: a model may count more tokens then. */
export interface Asked extends Omit<Prompt, 'maxTokens'> {
  readonly maxTokens: number | undefined;
}

/** The text of a reply, and the thoughts that its provider passes on beside it. */
export interface Written {
  readonly text: string;
  readonly thoughts: string;
}

/** Returns the completion, cut to `MAX_COMPLETION`. */
export function completionOf(
  { text, thoughts }: Written,
  { usage }: Pick<AiGenerated, 'usage'>,
  prompt: Asked,
  finish: Completion['finish'],
): Completion {
  const isLong = text.length > MAX_COMPLETION;
  const kept = isLong ? text.slice(0, MAX_COMPLETION).toWellFormed() : text;
  const used = usageOf(usage, prompt, { text: kept, thoughts });
  const isCut = isLong || finish === 'length';
  const tokens = isLong ? used.output : (prompt.maxTokens ?? used.output);
  return defined<Completion>({
    text: kept,
    usage: used,
    finish: isCut ? 'length' : finish,
    cut: isCut ? cutOf(kept, tokens) : undefined,
  });
}

/**
 * Tolerance for tokens of a provider's chat template and system prompt; and the tokens that a
 * template usually adds to a message.
 */
const TEMPLATE_TOKENS = 1024;
const TOKENS_PER_MESSAGE = 8;

/**
 * Returns the provider's token counts. Missing or impossible counts (no tokenizer makes more tokens
 * than bytes) are estimated as one token per four bytes and eight per message.
 */
function usageOf(
  usage: AiUsage | undefined | null,
  { messages, maxTokens = Number.POSITIVE_INFINITY, schema }: Asked,
  { text, thoughts }: Written,
): TokenUsage {
  const sent =
    bytesOf(messages.map(message => message.text)) +
    (schema ? bytesOf([JSON.stringify(schema)]) : 0);
  const received = bytesOf([text, thoughts]);
  const input = counted(usage?.inputTokens, 1, sent + TEMPLATE_TOKENS);
  const least = text === '' ? 0 : 1;
  const output = counted(usage?.outputTokens, least, maxTokens + received);
  const { reasoning = usage?.reasoningTokens } =
    typeof usage?.outputTokens === 'object' && usage.outputTokens !== null
      ? usage.outputTokens
      : {};
  const guessed = Math.ceil(bytesOf([thoughts]) / 4);
  const thought = counted(reasoning, 1, output ?? 0) ?? Math.min(guessed, output ?? guessed);
  const { cacheRead: cached = usage?.cachedInputTokens } =
    typeof usage?.inputTokens === 'object' && usage.inputTokens !== null ? usage.inputTokens : {};
  const known = input !== undefined && output !== undefined;
  return defined<TokenUsage>({
    input: input ?? Math.ceil(sent / 4) + TOKENS_PER_MESSAGE * messages.length,
    output: output ?? Math.ceil(received / 4),
    thoughts: thought > 0 ? thought : undefined,
    reused: counted(cached, 1, input ?? 0),
    estimated: known ? undefined : true,
  });
}

function counted(tokens: AiTokens, least: number, most: number): number | undefined {
  const count = typeof tokens === 'object' ? tokens?.total : tokens;
  return Number.isSafeInteger(count) && count! >= least && count! <= most ? count : undefined;
}
