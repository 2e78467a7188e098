/** A control that reads no document: what the language model knows by heart. */

import { required } from '../../src/core/port.ts';
import { languageModel } from '../../src/models/ports.ts';
import { objectOf, TEXT } from '../../src/models/reply-schema.ts';
import {
  ANSWER_TOKENS,
  saysInsufficient,
  shortAnswerRules,
} from '../../src/models/short-answer.ts';
import { generateStructured } from '../../src/models/structured.ts';
import { abstained } from '../../src/readers/draft.ts';
import { parseAnswer } from '../../src/readers/generative-answer.ts';
import { type Reader, readerOf } from '../../src/readers/reader.ts';

const MODEL = required(languageModel);

/** Name of the control among readers. */
export const BY_HEART = 'by-heart';

/** Asks the model for the short form of an answer without any passage. */
export const byHeart: Reader = readerOf(
  BY_HEART,
  async ({ question, kit, call }) => {
    const prompt = {
      role: 'finalAnswer',
      messages: [
        {
          role: 'system',
          text: `Answer the question. ${shortAnswerRules(question.text)}\n${REPLY}`,
        },
        { role: 'user', text: `Question: ${question.text}` },
      ],
      maxTokens: ANSWER_TOKENS,
      temperature: 0,
      schema: objectOf('answer', { answer: TEXT }),
    } as const;
    const read = (json: unknown) => parseAnswer({ citations: [], ...(json as object) });
    const reply = await generateStructured(kit.resource(MODEL), prompt, read, call);
    if (reply.kind === 'unparsed' || saysInsufficient(reply.value.answer)) return abstained();
    return { kind: 'answered', text: reply.value.answer, citations: [] };
  },
  { needs: [MODEL] },
);

const REPLY = 'Reply with JSON alone: {"answer": "..."}';
