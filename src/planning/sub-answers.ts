/** Integrates answers to sub-questions after Hieu et al. (docs/papers/query-decomposition.md). */

import type { Call } from '../core/trace/call.ts';
import type { Citation } from '../core/trace/trace.ts';
import type { LanguageModel, Prompt } from '../models/language-model.ts';
import {
  ANSWER_TOKENS,
  answerOf,
  bracketedAnswer,
  SHORT_ANSWER_RULES,
  SHORT_ANSWER_SCHEMA,
  saysInsufficient,
} from '../models/short-answer.ts';
import { generateStructured } from '../models/structured.ts';
import { passagesPrompt } from './passages-prompt.ts';

/** Result of a prompt; `texts` are all outputs of the model in order. */
export type Answered =
  | { readonly kind: 'answered'; readonly text: string; readonly texts: readonly string[] }
  | { readonly kind: 'insufficient'; readonly texts: readonly string[] }
  | { readonly kind: 'unparsed'; readonly texts: readonly string[] };

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
export async function integrateSubAnswers(
  question: string,
  subAnswers: readonly SubAnswer[],
  model: LanguageModel,
  call: Call,
): Promise<Answered> {
  if (subAnswers.every(({ answer }) => answer === undefined))
    return { kind: 'insufficient', texts: [] };
  const structured = await generateStructured(
    model,
    integrationPrompt(question, subAnswers),
    answerOf,
    call,
  );
  const { texts } = structured;
  const text =
    structured.kind === 'parsed'
      ? structured.value
      : texts.map(bracketedAnswer).find(answer => answer !== undefined);
  if (text === undefined) return { kind: 'unparsed', texts };
  return saysInsufficient(text)
    ? { kind: 'insufficient', texts }
    : { kind: 'answered', text, texts };
}

/** Returns the prompt of `integrateSubAnswers`. */
export function integrationPrompt(
  question: string,
  subAnswers: readonly Pick<SubAnswer, 'question' | 'answer'>[],
): Prompt {
  const shown = subAnswers.map(({ question: title, answer }) => ({
    title,
    text: answer ?? 'unknown',
  }));
  return passagesPrompt(
    {
      role: 'finalAnswer',
      question,
      task: [
        `Each passage is a sub-question with its answer. Put them together. ${SHORT_ANSWER_RULES}`,
      ],
      form: ['Reply with JSON alone: {"answer": "..."}'],
      maxTokens: ANSWER_TOKENS,
      schema: SHORT_ANSWER_SCHEMA,
    },
    shown,
  );
}

/** Returns the distinct citations of the known sub-answers, in order. */
export function citationsOfSubAnswers(subAnswers: readonly SubAnswer[]): Citation[] {
  const cited = new Map<string, Citation>();
  for (const { answer, citations } of subAnswers)
    if (answer !== undefined)
      for (const citation of citations)
        cited.set(JSON.stringify(Object.values(citation)), citation);
  return [...cited.values()];
}
