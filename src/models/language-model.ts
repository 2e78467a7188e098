/**
 * Declares the port of language models: messages in, text out. No text is an error: callers parse
 * it, and it may be 'unparsed'.
 */
import type { Cut } from '../core/trace/answer.ts';
import type { Call } from '../core/trace/call.ts';
import type { Price } from './price.ts';

export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
}

/** A JSON Schema (2020-12) as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Prompt {
  /**
   * Names the purpose of the call in traces and ledgers, such as 'thought', 'sub-questions' or
   * 'answer'. It is not sent to the model.
   */
  readonly role: string;
  readonly messages: readonly Message[];
  /** Maximum length of the completion in the model's tokens; a budget reserves this amount. */
  readonly maxTokens: number;
  /** Sampling temperature; 0, greedy decoding, if missing. */
  readonly temperature?: number;
  /** Generation stops before any of these texts. */
  readonly stop?: readonly string[];
  readonly seed?: number;
  /**
   * JSON Schema of the reply. A provider passes it on if the model supports constrained output; the
   * caller still parses and validates the reply (see `generateStructured`).
   */
  readonly schema?: { readonly name: string; readonly schema: JsonSchema };
}

/** Token counts as the model reports them; `estimated` if the provider reports none. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  /** Those of `output` that are thoughts, if the provider says so. */
  readonly thoughts?: number;
  /** Those of `input` that were computed for an earlier prompt, if the provider says so. */
  readonly reused?: number;
  readonly estimated?: boolean;
}

export interface Completion {
  readonly text: string;
  readonly usage: TokenUsage;
  /** 'length': cut at `maxTokens`; 'filtered': refused by the provider. */
  readonly finish: 'stop' | 'length' | 'filtered' | 'other';
  /** The limit at which the text was cut, if `finish` is 'length'; `maxTokens` if missing. */
  readonly cut?: Cut;
}

/**
 * Completes prompts. Laws: `languageModelLaws`.
 *
 * @example
 * ```ts
 * import { ask, ingest, type LanguageModel } from 'multihop';
 *
 * const model: LanguageModel = {
 *   id: 'my-model',
 *   async generate(prompt, { signal }) {
 *     signal.throwIfAborted();
 *     const text = `A reply to ${prompt.messages.length} messages`;
 *     return { text, usage: { input: 100, output: 5 }, finish: 'stop' };
 *   },
 * };
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * await ask('Who built the engine?', { engine, reader: 'generative', resources: { model } });
 * ```
 */
export interface LanguageModel {
  /** Names the model and every setting that changes its texts. */
  readonly id: string;
  /** Price of its tokens; a budget in US dollars requires one. See `pricedModel`. */
  readonly price?: Price;
  /** Tokens that a prompt and its completion may have together; unknown if missing. */
  readonly contextTokens?: number;
  /**
   * Returns the most tokens that a reply may have if its prompt asks for at most `maxTokens`: more
   * than these where the model gets room for thoughts. A budget reserves them; `maxTokens` if
   * missing.
   */
  replyTokens?(maxTokens: number): number;
  /**
   * Counts the tokens that the model reads for a prompt, its chat format included: never fewer than
   * the completion reports. Without it a budget reserves an upper estimate (see `tokensOf`).
   */
  countTokens?(prompt: Pick<Prompt, 'messages' | 'schema'>): number;
  /**
   * Tells if its replies begin inside a thought, which a chat template opened and they close;
   * undefined while this is not known. A stream is held back until it is the answer.
   */
  startsInThought?(): boolean | undefined;
  /**
   * Generates a completion. Passes the text to `onText` in pieces as they arrive; together they are
   * the completion's text. Throws `PortError` for faults of the environment, with the code
   * `context-full` for a prompt that leaves no room for its completion. Reserves nothing in `call`:
   * the caller has done so (see `reservedModel`).
   */
  generate(prompt: Prompt, call: Call, onText?: (piece: string) => void): Promise<Completion>;
}
