/** How many tokens a prompt may have, before any model has counted them. */
import type { Prompt } from './language-model.ts';

/**
 * The shortest token of running text, on average. Measured with the tokenizers o200k, cl100k and
 * Llama 2's (the one with the shortest tokens): English paragraphs have 3.4 to 4.7 bytes a token at
 * the median. Of 1,192 texts of five paragraphs of MuSiQue and 2WikiMultiHopQA none has more tokens
 * than this allows (fewest bytes a token: 2.47), of 7,167 single paragraphs 15, lists of numbers
 * and names (fewest: 1.45). Digits alone have 1 to 3, Chinese and Greek 1.8 to 3, emoji 1 to 2.
 */
const BYTES_A_TOKEN = 2.5;
/** What the templates of chat models put around a message. */
const TOKENS_A_MESSAGE = 8;

/**
 * What a budget reserves for the prompt: more than it will have, but for texts that hold little but
 * digits or other alphabets.
 */
export function promptTokens({ messages, schema }: Pick<Prompt, 'messages' | 'schema'>): number {
  const bytes = messages.reduce(
    (sum, { text }) => sum + byteLength(text),
    schema ? byteLength(JSON.stringify(schema)) : 0,
  );
  return Math.ceil(bytes / BYTES_A_TOKEN) + TOKENS_A_MESSAGE * (messages.length + 1);
}

/** The beginning of a text that is at most so many tokens, as `promptTokens` counts. */
export function firstTokens(text: string, tokens: number): string {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    bytes += unitBytes(text.charCodeAt(at));
    if (bytes > tokens * BYTES_A_TOKEN) return text.slice(0, at).toWellFormed();
  }
  return text;
}

/** In UTF-8. */
function byteLength(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) bytes += unitBytes(text.charCodeAt(at));
  return bytes;
}

/**
 * Of one UTF-16 unit; the two of a character beyond the first plane count for 6 bytes, which is
 * more than their 4.
 */
function unitBytes(code: number): number {
  if (code <= 0x7f) return 1;
  return code > 0x7ff ? 3 : 2;
}
