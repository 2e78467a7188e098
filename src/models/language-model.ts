/**
 * The port of language models: messages in, text out. What the text says is never an error: it is
 * parsed, and may be 'unparsed'.
 */
import type { Call } from '../trace/call.ts';
import type { Price } from './price.ts';

export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
}

/** A JSON Schema (2020-12) as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Prompt {
  /**
   * What is asked for, by the name that traces and ledgers know it by: 'thought', 'sub-questions',
   * 'answer'. It is not sent.
   */
  readonly role: string;
  readonly messages: readonly Message[];
  /** The longest completion, in the model's own tokens; a budget reserves as many. */
  readonly maxTokens: number;
  /** 0 where it is missing: the likeliest text. */
  readonly temperature?: number;
  /** Texts before which generation ends. */
  readonly stop?: readonly string[];
  readonly seed?: number;
  /**
   * What the text should be, as JSON. A provider passes it on where its model can be held to it;
   * whoever asks parses and checks what comes all the same (see `generateStructured`).
   */
  readonly schema?: { readonly name: string; readonly schema: JsonSchema };
}

/** Tokens as the model counts them; a provider that is not told estimates and says so. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly estimated?: boolean;
}

export interface Completion {
  readonly text: string;
  readonly usage: TokenUsage;
  /** 'length': cut at `maxTokens`; 'filtered': the provider refused. */
  readonly finish: 'stop' | 'length' | 'filtered' | 'other';
}

export interface LanguageModel {
  /** Names the model and whatever else changes its texts. */
  readonly id: string;
  /** What its tokens cost; without one, a budget in US dollars is refused. See `pricedModel`. */
  readonly price?: Price;
  /**
   * `onText` gets the text in pieces as they come; all pieces together are the completion's text.
   * Throws `PortError` for the world's faults. It reserves nothing in `call`: who asks has done so
   * (see `reservedModel`).
   */
  generate(prompt: Prompt, call: Call, onText?: (piece: string) => void): Promise<Completion>;
}
