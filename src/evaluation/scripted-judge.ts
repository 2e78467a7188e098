/**
 * A judge that is a script and no model: `QaAccuracy(clean)` in the place of an opinion.
 *
 * It runs every step of a verdict - prompt, words, record, measures, agreement - where only the
 * answering model is at hand. Its verdicts are no second opinion, and reports say that it is a
 * script.
 */
import type { LanguageModel } from '../models/language-model.ts';
import { promptTokens } from '../models/prompt-tokens.ts';
import { isRight } from './answer-rules.ts';

export const SCRIPTED_JUDGE = 'scripted';

/**
 * Reads the accepted and the generated answer from the prompt that every judge gets; what is no
 * such prompt gets no verdict.
 */
export function scriptedJudge(): LanguageModel {
  return {
    id: SCRIPTED_JUDGE,
    async generate(prompt, call, onText) {
      call.signal.throwIfAborted();
      const shown =
        /^<<passage 1>> Question\n.*\n<<passage 2>> Accepted answer\n(.*)\n<<passage 3>> Generated answer\n(.*)\n<<end>>$/.exec(
          prompt.messages.at(-1)?.text ?? '',
        );
      const match = shown && isRight('clean', shown[2]!, shown[1]!.split(' | '));
      const text = shown
        ? JSON.stringify({
            match,
            reason: match ? 'a content word in common' : 'no content word in common',
          })
        : '';
      onText?.(text);
      return {
        text,
        usage: { input: promptTokens(prompt), output: Math.ceil(text.length / 4), estimated: true },
        finish: 'stop',
      };
    },
  };
}
