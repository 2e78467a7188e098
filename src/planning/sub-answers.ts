/**
 * What becomes of sub-questions, after the query-decomposition sheet, sections 4 and 5: mode A puts
 * their answers together (`integrateSubAnswers`), mode B pools their passages for one reader
 * (`integrateSubContexts`).
 */
import type { LanguageModel, Message, Prompt } from '../models/language-model.ts';
import { generateStructured } from '../models/structured.ts';
import type { Call } from '../trace/call.ts';
import type { Citation } from '../trace/trace.ts';
import { dataRule, passageMarker, passagesAsData } from './passages-as-data.ts';
import {
  ANSWER_TOKENS,
  answerOf,
  bracketedAnswer,
  SHORT_ANSWER_RULES,
  SHORT_ANSWER_SCHEMA,
  saysInsufficient,
} from './short-answer.ts';

/** What a model made of one prompt; `texts` is everything that it said, the last one last. */
export type Answered =
  | { readonly kind: 'answered'; readonly text: string; readonly texts: readonly string[] }
  | { readonly kind: 'insufficient'; readonly texts: readonly string[] }
  | { readonly kind: 'unparsed'; readonly texts: readonly string[] };

export interface SubAnswer {
  readonly question: string;
  /**
   * Undefined: its passages do not say, there were none, or the model's words could not be read.
   */
  readonly answer?: string | undefined;
  /** What the answer rests on. */
  readonly citations: readonly Citation[];
}

/**
 * One call (and one repair): the answer to the question from the answers to its sub-questions,
 * which are shown as data since passages speak through them. Where none of them is known there is
 * no call.
 */
export async function integrateSubAnswers(
  question: string,
  subAnswers: readonly SubAnswer[],
  model: LanguageModel,
  call: Call,
): Promise<Answered> {
  if (subAnswers.every(({ answer }) => answer === undefined))
    return { kind: 'insufficient', texts: [] };
  const said = await generateStructured(
    model,
    integrationPrompt(question, subAnswers),
    answerOf,
    call,
  );
  const { texts } = said;
  const text =
    said.kind === 'parsed'
      ? said.value
      : texts.map(bracketedAnswer).find(answer => answer !== undefined);
  if (text === undefined) return { kind: 'unparsed', texts };
  return saysInsufficient(text)
    ? { kind: 'insufficient', texts }
    : { kind: 'answered', text, texts };
}

/** What `integrateSubAnswers` asks. */
export function integrationPrompt(
  question: string,
  subAnswers: readonly Pick<SubAnswer, 'question' | 'answer'>[],
): Prompt {
  const shown = subAnswers.map(({ question: title, answer }) => ({
    title,
    text: answer ?? 'unknown',
  }));
  const marker = passageMarker(question, shown);
  const system = [
    `Each passage is a sub-question with its answer. Put them together. ${SHORT_ANSWER_RULES}`,
    dataRule(marker),
    'Reply with JSON alone: {"answer": "..."}',
  ].join('\n');
  const messages: Message[] = [
    { role: 'system', text: system },
    { role: 'user', text: `${passagesAsData(shown, marker)}\n\nQuestion: ${question}` },
  ];
  return {
    role: 'finalAnswer',
    messages,
    maxTokens: ANSWER_TOKENS,
    temperature: 0,
    schema: SHORT_ANSWER_SCHEMA,
  };
}

/**
 * What an answer made of sub-answers rests on: the citations of those that are known, each once.
 */
export function citationsOfSubAnswers(subAnswers: readonly SubAnswer[]): Citation[] {
  const cited = new Map<string, Citation>();
  for (const { answer, citations } of subAnswers)
    if (answer !== undefined)
      for (const citation of citations)
        cited.set(JSON.stringify(Object.values(citation)), citation);
  return [...cited.values()];
}

/**
 * The passages of all sub-questions in one list: round robin by rank, each once, up to a number of
 * words where one is given.
 */
export function integrateSubContexts<T extends { readonly id: string }>(
  rankings: readonly (readonly T[])[],
  cap?: { readonly words: number; wordsOf(item: T): number },
): T[] {
  const pooled = new Map<string, T>();
  let left = cap?.words ?? Number.POSITIVE_INFINITY;
  const deepest = Math.max(0, ...rankings.map(({ length }) => length));
  for (let rank = 0; rank < deepest; rank++) {
    for (const ranking of rankings) {
      const item = ranking[rank];
      if (!item || pooled.has(item.id)) continue;
      const words = cap?.wordsOf(item) ?? 0;
      if (words > left) return [...pooled.values()];
      left -= words;
      pooled.set(item.id, item);
    }
  }
  return [...pooled.values()];
}
