/** Streams the answer of a language model while it is being written. */
import { AnswerPieces } from './answer-pieces.ts';
import { decorated } from './checked-completion.ts';
import type { LanguageModel } from './language-model.ts';
import { ReplyPieces } from './reply-pieces.ts';

/**
 * Returns the same model, which passes each piece of a reply to `onText`: the text of the field
 * `answer` if the prompt has a schema, else all of it but thoughts. The call that repairs a reply
 * starts over.
 */
export function streamedModel(
  model: LanguageModel,
  onText: (piece: string) => void,
): LanguageModel {
  return decorated(model, async (prompt, call, forward) => {
    const shown = prompt.schema ? new AnswerPieces() : new ReplyPieces(model.startsInThought?.());
    const show = (text: string): void => {
      if (text !== '') onText(text);
    };
    const completion = await model.generate(prompt, call, piece => {
      forward?.(piece);
      show(shown.push(piece));
    });
    show(shown.end());
    return completion;
  });
}
