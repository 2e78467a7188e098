/** Streams the answer of a language model while it is written. */
import { AnswerPieces } from './answer-pieces.ts';
import type { LanguageModel } from './language-model.ts';

/**
 * Passes on each piece that the model writes: of a reply in JSON the text of its field `answer`, of
 * any other reply all of it. A call that repairs a reply starts anew.
 */
export function heardModel(model: LanguageModel, onText: (piece: string) => void): LanguageModel {
  return {
    id: model.id,
    ...(model.price ? { price: model.price } : {}),
    generate(prompt, call, own) {
      const words = prompt.schema ? new AnswerPieces() : undefined;
      return model.generate(prompt, call, piece => {
        own?.(piece);
        const text = words ? words.push(piece) : piece;
        if (text !== '') onText(text);
      });
    },
  };
}
