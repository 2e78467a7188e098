/** Finds prompts that a server cut to its context without a word, as Ollama does at `num_ctx`. */
import { PortError } from '../core/errors.ts';
import type { Prompt, TokenUsage } from '../models/language-model.ts';
import type { AiProvider } from './ai-faults.ts';
import { bytesOf } from './metered.ts';

/** Contexts are set in multiples of this, and so many tokens remain of a prompt that is cut. */
const STEP = 512;
const LEAST_CONTEXT = 1024;
/**
 * Bytes a token, above which a prompt is suspect: tokenizers have a median of 3.4 to 4.7 on English
 * text, and down to 2 on numbers, code and other scripts.
 */
const MOST_BYTES = 2;

/**
 * Throws `PortError('context-full')` if the server read exactly a context of tokens and the prompt
 * may have more. One prompt in `STEP` has such a count by chance, whatever its density; it is then
 * asked with fewer passages.
 */
export function checkWasRead(
  { messages }: Prompt,
  { input, estimated }: TokenUsage,
  { label }: Pick<AiProvider, 'label'>,
): void {
  const isContext = input >= LEAST_CONTEXT && input % STEP === 0;
  const sent = bytesOf(messages.map(({ text }) => text));
  if (estimated || !isContext || sent <= MOST_BYTES * input) return;
  throw new PortError('model', 'context-full', `${label} read a part of the prompt`, {
    expected: `a context for ${sent} bytes of prompt`,
    received: `${input} tokens`,
    hint: 'Give the model a larger context on its server: num_ctx or OLLAMA_CONTEXT_LENGTH of Ollama.',
  });
}
