/** Counts the tokens of a prompt by its model, or estimates them from above without a tokenizer. */
import type { LanguageModel, Prompt } from './language-model.ts';

/**
 * Bytes per token, a low estimate for running text. Measured with the tokenizers o200k, cl100k and
 * Llama 2's (which has the shortest tokens): English paragraphs have a median of 3.4 to 4.7 bytes
 * per token. Of 1,192 texts of five paragraphs of MuSiQue and 2WikiMultiHopQA none has more tokens
 * than this allows (minimum: 2.47 bytes per token); of 7,167 single paragraphs 15 do, all lists of
 * numbers and names (minimum: 1.45). Digits alone have 1 to 3 bytes per token, Chinese and Greek
 * 1.8 to 3, emoji 1 to 2.
 */
const BYTES_PER_TOKEN = 2.5;
/** Tokens that chat templates add to each message. */
const TOKENS_PER_MESSAGE = 8;

/**
 * Returns the tokens that a budget reserves for the prompt: an upper estimate, except for texts
 * that consist mostly of digits or non-Latin scripts.
 */
export function promptTokens({ messages, schema }: Pick<Prompt, 'messages' | 'schema'>): number {
  const bytes = messages.reduce(
    (sum, { text }) => sum + byteLength(text),
    schema ? byteLength(JSON.stringify(schema)) : 0,
  );
  return Math.ceil(bytes / BYTES_PER_TOKEN) + TOKENS_PER_MESSAGE * (messages.length + 1);
}

/** Returns the tokens of the prompt as its model counts them, else the upper estimate. */
export const tokensOf = (
  model: Pick<LanguageModel, 'countTokens'>,
  prompt: Pick<Prompt, 'messages' | 'schema'>,
): number => model.countTokens?.(prompt) ?? promptTokens(prompt);

/** Returns the most tokens that the model may write for the prompt. */
export const replyTokensOf = (
  model: Pick<LanguageModel, 'replyTokens'>,
  { maxTokens }: Pick<Prompt, 'maxTokens'>,
): number => model.replyTokens?.(maxTokens) ?? maxTokens;

/**
 * Returns the longest prefix of a text that has at most `tokens` tokens, as `promptTokens` counts.
 */
export function firstTokens(text: string, tokens: number): string {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    bytes += unitBytes(text.charCodeAt(at));
    if (bytes > tokens * BYTES_PER_TOKEN) return text.slice(0, at).toWellFormed();
  }
  return text;
}

/** Returns the length of the text in UTF-8. */
function byteLength(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) bytes += unitBytes(text.charCodeAt(at));
  return bytes;
}

/** Returns the UTF-8 bytes of one UTF-16 unit; a surrogate pair counts as 6 bytes instead of 4. */
function unitBytes(code: number): number {
  if (code <= 0x7f) return 1;
  return code > 0x7ff ? 3 : 2;
}
