/**
 * A prompt of demonstrations and passages that fits into a model: less and less is shown until it
 * does.
 */
import type { Prompt } from '../models/language-model.ts';
import { promptTokens } from '../models/prompt-tokens.ts';

/** How much a prompt shows. */
export interface PromptRoom {
  /** The last so many demonstrations. */
  readonly demonstrations: number;
  /** The first so many words of each passage. */
  readonly words: number;
  /** The first so many passages. */
  readonly passages: number;
}

/** What is left of a passage when it has been cut to its last. */
const FEWEST_WORDS = 20;

/**
 * The first of these prompts that has at most `atMost` tokens, as `promptTokens` counts them: with
 * all there is room for; with ever fewer demonstrations, the first going first (ir-cot sheet,
 * section 3); with passages cut to half, a quarter, ... of their words; with ever fewer passages,
 * the last going first. Where none fits, the last of them: what only a question is made of is not
 * cut.
 */
export function fittingPrompt(
  build: (room: PromptRoom) => Prompt,
  most: PromptRoom,
  atMost: number,
): Prompt {
  let room = most;
  for (;;) {
    const prompt = build(room);
    const less = promptTokens(prompt) <= atMost ? undefined : smaller(room);
    if (!less) return prompt;
    room = less;
  }
}

function smaller({ demonstrations, words, passages }: PromptRoom): PromptRoom | undefined {
  if (demonstrations > 0) return { demonstrations: demonstrations - 1, words, passages };
  if (passages === 0) return undefined;
  if (words > FEWEST_WORDS)
    return { demonstrations, words: Math.max(FEWEST_WORDS, Math.floor(words / 2)), passages };
  return { demonstrations, words, passages: passages - 1 };
}
