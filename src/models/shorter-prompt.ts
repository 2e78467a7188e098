/** Asks with a shorter prompt where the context of a model has no room for the first one. */
import { PortError } from '../core/errors.ts';
import { decorated } from './checked-completion.ts';
import type { LanguageModel, Prompt } from './language-model.ts';
import { promptTokens } from './prompt-tokens.ts';

/** Builds the same prompt over less material, of at most so many tokens if it can be. */
type Shorten = (atMost: number) => Prompt;

/** Marks a prompt that can be shortened; nothing that is sent or recorded shows it. */
const SHORTEN = Symbol('shorten');
type Shortened = Prompt & { readonly [SHORTEN]?: Shorten };

/** Returns the prompt, of which a shorter one can be built. */
export const withShorter = <T extends Prompt>(prompt: T, shorten: Shorten): T =>
  Object.defineProperty(prompt, SHORTEN, { value: shorten });

/** Returns another prompt over the same material, which is shortened as the first is. */
export const shortenedLike = (prompt: Prompt, change: (prompt: Prompt) => Prompt): Prompt => {
  const shorten = (prompt as Shortened)[SHORTEN];
  const changed = change(prompt);
  return shorten ? withShorter(changed, atMost => shortenedLike(shorten(atMost), change)) : changed;
};

/** Returns the shorter prompt; undefined if there is none. */
function shorterThan(prompt: Prompt, atMost: number): Prompt | undefined {
  const shorter = (prompt as Shortened)[SHORTEN]?.(atMost);
  return shorter && promptTokens(shorter) < promptTokens(prompt) ? shorter : undefined;
}

/**
 * Returns the same model. A prompt that its context has no room for is asked with half as many
 * tokens, as often as it takes; later prompts of that length are shortened before they are sent.
 * `onShorter` is called for each prompt that was shortened. Throws the model's error for a prompt
 * that nothing shortens.
 */
export function shorteningModel(model: LanguageModel, onShorter: () => void): LanguageModel {
  let most = Number.POSITIVE_INFINITY;
  return decorated(model, async (prompt, call, onText) => {
    let asked = promptTokens(prompt) > most ? (shorterThan(prompt, most) ?? prompt) : prompt;
    for (;;) {
      try {
        const completion = await model.generate(asked, call, onText);
        if (asked !== prompt) onShorter();
        return completion;
      } catch (error) {
        if (!PortError.is(error) || error.code !== 'context-full') throw error;
        const tokens = promptTokens(asked);
        const shorter = shorterThan(asked, Math.floor(tokens / 2));
        if (!shorter) throw error;
        most = Math.min(most, tokens - 1);
        asked = shorter;
      }
    }
  });
}
