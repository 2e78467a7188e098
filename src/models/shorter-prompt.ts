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

/** Returns the prompts that are asked in turn if none is answered, each half as long, at most. */
export function* shorterPrompts(prompt: Prompt): Generator<Prompt, void, void> {
  for (let asked: Prompt | undefined = prompt; asked; ) {
    asked = shorterThan(asked, Math.floor(promptTokens(asked) / 2));
    if (asked) yield asked;
  }
}

/** Returns the shorter prompt; undefined if there is none. */
function shorterThan(prompt: Prompt, atMost: number): Prompt | undefined {
  const shorter = (prompt as Shortened)[SHORTEN]?.(atMost);
  return shorter && promptTokens(shorter) < promptTokens(prompt) ? shorter : undefined;
}

/** A recording holds the prompts that were answered: one that was refused is not in it. */
const NO_ROOM: ReadonlySet<string> = new Set(['context-full', 'not-recorded']);

/**
 * Returns the same model. A prompt that its context has no room for is asked with half as many
 * tokens, as often as it takes; later prompts of that length are shortened before they are sent.
 * `onShorter` is called for each prompt that was shortened. Throws the model's first error for a
 * prompt that nothing shortens enough.
 */
export function shorteningModel(model: LanguageModel, onShorter: () => void): LanguageModel {
  let most = Number.POSITIVE_INFINITY;
  return decorated(model, async (prompt, call, onText) => {
    let asked = promptTokens(prompt) > most ? (shorterThan(prompt, most) ?? prompt) : prompt;
    let [refused, first] = [most, undefined as PortError | undefined];
    for (;;) {
      try {
        const completion = await model.generate(asked, call, onText);
        most = refused;
        if (asked !== prompt) onShorter();
        return completion;
      } catch (error) {
        if (!PortError.is(error) || !NO_ROOM.has(error.code)) throw error;
        first ??= error;
        const tokens = promptTokens(asked);
        const shorter = shorterThan(asked, Math.floor(tokens / 2));
        if (!shorter) throw first;
        refused = Math.min(refused, tokens - 1);
        asked = shorter;
      }
    }
  });
}
