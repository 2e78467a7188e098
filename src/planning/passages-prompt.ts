/** Fits a prompt of demonstrations and passages into a model's context by showing less. */
import type { Prompt } from '../models/language-model.ts';
import { promptTokens } from '../models/prompt-tokens.ts';

/** The parts of the material that a prompt shows. */
export interface PromptRoom {
  /** Number of demonstrations, from the last. */
  readonly demonstrations: number;
  /** Number of words of each passage, from the first. */
  readonly words: number;
  /** Number of passages, from the first. */
  readonly passages: number;
}

/** Least number of words to which a passage is cut before passages are dropped. */
const MIN_WORDS = 20;

/**
 * Returns the first of these prompts with at most `atMost` tokens, as `promptTokens` counts them:
 * with all of `most`; without demonstrations, dropped from the first; with passages cut to a half,
 * a quarter, ... of their words; without passages, dropped from the last. Returns the shortest if
 * none fits: the question itself is not cut.
 */
export function fittingPrompt(
  build: (room: PromptRoom) => Prompt,
  most: PromptRoom,
  atMost: number,
): Prompt {
  let [room, prompt] = [most, build(most)];
  while (promptTokens(prompt) > atMost) {
    const less = shorter(room);
    if (!less) return withFewer(build, room, atMost);
    [room, prompt] = [less, build(less)];
  }
  return prompt;
}

/** Returns the room with less of each passage; undefined if they are to be dropped. */
function shorter({ demonstrations, words, passages }: PromptRoom): PromptRoom | undefined {
  if (demonstrations > 0) return { demonstrations: demonstrations - 1, words, passages };
  if (passages === 0 || words <= MIN_WORDS) return undefined;
  return { demonstrations, words: Math.max(MIN_WORDS, Math.floor(words / 2)), passages };
}

/** Finds the most passages that fit, fewer than those of the room, by halves. */
function withFewer(build: (room: PromptRoom) => Prompt, room: PromptRoom, atMost: number): Prompt {
  let [least, over] = [0, room.passages];
  while (over - least > 1) {
    const passages = Math.floor((least + over) / 2);
    if (promptTokens(build({ ...room, passages })) <= atMost) least = passages;
    else over = passages;
  }
  return build({ ...room, passages: least });
}
