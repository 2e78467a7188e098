/** Integrates answers to sub-questions after Hieu et al. (docs/papers/query-decomposition.md). */

import type { Call } from '../core/trace/call.ts';
import type { Citation, End, ModelOutput } from '../core/trace/trace.ts';
import type { LanguageModel, Prompt } from '../models/language-model.ts';
import {
  ANSWER_TOKENS,
  answerOf,
  bracketedAnswer,
  endOfAnswer,
  INSUFFICIENT,
  SHORT_ANSWER_SCHEMA,
  shortAnswerRules,
} from '../models/short-answer.ts';
import { generateStructured, outputsOf } from '../models/structured.ts';
import { follows } from './follows.ts';
import { degraded } from './model-in-use.ts';
import { passagesPrompt } from './passages-prompt.ts';

/** Longest answer to a sub-question that a prompt shows, in UTF-16 units. */
export const LONGEST_SUB_ANSWER = 300;

export interface SubAnswer {
  readonly question: string;
  /** Undefined if the passages do not tell, there are none, or the output is unreadable. */
  readonly answer?: string | undefined;
  /** Citations that support the answer. */
  readonly citations: readonly Citation[];
}

/**
 * Answers the question from the answers to its sub-questions, with one call and one repair. The
 * answers are shown as data, because they may quote passages. Makes no call if none is known.
 */
export async function answerFromSubAnswers(
  question: string,
  subAnswers: readonly SubAnswer[],
  model: LanguageModel,
  call: Call,
): Promise<{ readonly outputs: readonly ModelOutput[]; readonly end: End }> {
  if (subAnswers.every(({ answer }) => answer === undefined))
    return { outputs: [], end: endOfAnswer(INSUFFICIENT, () => []) };
  const reply = await generateStructured(
    model,
    integrationPrompt(question, subAnswers),
    answerOf,
    call,
  );
  const answer =
    reply.kind === 'parsed'
      ? reply.value
      : reply.texts.map(bracketedAnswer).find(text => text !== undefined);
  const outputs = outputsOf('finalAnswer', reply.texts, answer !== undefined);
  if (answer === undefined || follows(answer, question, subAnswers))
    return { outputs, end: endOfAnswer(answer, () => citationsOfSubAnswers(subAnswers)) };
  return {
    outputs: [...outputs, degraded('The answer does not follow from the answers to sub-questions')],
    end: { why: 'completed' },
  };
}

/** Returns the prompt of `answerFromSubAnswers`. */
export function integrationPrompt(
  question: string,
  subAnswers: readonly Pick<SubAnswer, 'question' | 'answer'>[],
): Prompt {
  const shown = subAnswers.map(({ question: title, answer }) => ({
    title,
    text: answer?.slice(0, LONGEST_SUB_ANSWER).toWellFormed() ?? 'unknown',
  }));
  return passagesPrompt(
    {
      role: 'finalAnswer',
      question,
      task: [
        `Each passage is a sub-question with its answer. Put them together, and add nothing that they do not say. ${shortAnswerRules(question)}`,
      ],
      form: ['Reply with JSON alone: {"answer": "..."}'],
      maxTokens: ANSWER_TOKENS,
      schema: SHORT_ANSWER_SCHEMA,
    },
    shown,
  );
}

/** Returns the distinct citations of the known sub-answers, in order. */
function citationsOfSubAnswers(subAnswers: readonly SubAnswer[]): Citation[] {
  const cited = new Map<string, Citation>();
  for (const { answer, citations } of subAnswers)
    if (answer !== undefined)
      for (const citation of citations)
        cited.set(JSON.stringify(Object.values(citation)), citation);
  return [...cited.values()];
}
