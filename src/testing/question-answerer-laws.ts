/**
 * Defines the laws of question answerers: distinct spans of the text, best first, equal for equal
 * questions and texts.
 */

import { freeCall } from '../core/trace/call.ts';
import type { QuestionAnswerer } from '../models/question-answerer.ts';
import { checkSpans } from '../models/question-answerer.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from './fixture-corpus.ts';
import { holds, type Law, law, same, throws } from './law.ts';

const ODD = ['', ' \n\t ', '?', '東京は日本の首都です。😀', '\ud800 \u0000 $& "', 'x'.repeat(5000)];
const WHOLE = FIXTURE_DOCUMENTS.map(({ title, text }) => `${title}\n${text}`).join('\n\n');

/**
 * Returns the laws of a question answerer.
 *
 * @example
 * <!-- not run: needs a model -->
 *
 * ```ts
 * import { transformersQuestionAnswerer } from 'multihop/providers';
 * import { questionAnswererLaws } from 'multihop/testing';
 *
 * const model = 'Xenova/distilbert-base-cased-distilled-squad';
 * const answerer = await transformersQuestionAnswerer({ model });
 * for (const law of questionAnswererLaws(answerer)) await law.run();
 * ```
 */
export function questionAnswererLaws(answerer: QuestionAnswerer): Law[] {
  const answer = (question: string, text: string) => answerer.answer(question, text, freeCall());
  return [
    law('question answerer: has an id', () =>
      holds(answerer.id.length > 0, 'id', 'a name', answerer.id),
    ),
    law('question answerer: returns distinct spans of the text, best first', async () => {
      for (const { text: question } of FIXTURE_QUESTIONS)
        checkSpans(answerer, await answer(question, WHOLE), WHOLE);
    }),
    law('question answerer: finds spans in a text, and none without one', async () => {
      const question = FIXTURE_QUESTIONS[0]!.text;
      const { spans } = await answer(question, WHOLE);
      holds(spans.length > 0, 'spans', 'at least one', spans.length);
      same((await answer(question, '')).spans, [], 'spans of an empty text');
    }),
    law('question answerer: equal questions and texts have equal spans', async () => {
      for (const { text: question } of FIXTURE_QUESTIONS.slice(0, 3)) {
        const first = await answer(question, WHOLE);
        await answer('Another question?', FIXTURE_DOCUMENTS[0]!.text);
        same(await answer(question, WHOLE), first, question);
      }
    }),
    law('question answerer: reads odd questions and texts', async () => {
      for (const text of [...ODD, FIXTURE_DOCUMENTS[0]!.text])
        for (const question of [...ODD, FIXTURE_QUESTIONS[0]!.text])
          checkSpans(answerer, await answer(question, text), text);
    }),
    law('question answerer: rejects an aborted call', () =>
      throws(
        () => answerer.answer('Who?', WHOLE, freeCall(AbortSignal.abort())),
        () => true,
        'answer',
        'an error',
      ),
    ),
  ];
}
