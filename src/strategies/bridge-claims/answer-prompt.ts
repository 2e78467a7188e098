/** Asks a model for the type and the answer of a question over the claims, and reads the reply. */

import type { DataPassage } from '../../core/text/passages-as-data.ts';
import type { Call } from '../../core/trace/call.ts';
import type { ModelOutput } from '../../core/trace/trace.ts';
import type { LanguageModel, Prompt } from '../../models/language-model.ts';
import { type NamedSchema, numbersAmong, objectOf, TEXT } from '../../models/reply-schema.ts';
import {
  ANSWER_TOKENS,
  answerOf,
  INSUFFICIENT,
  saysInsufficient,
  shortAnswerRules,
} from '../../models/short-answer.ts';
import { generateStructured, outputsOf } from '../../models/structured.ts';
import { isFields } from '../../planning/json-fields.ts';
import { firstWordsOf } from '../../planning/paragraphs.ts';
import {
  fittingPrompt,
  type PassagesRequest,
  passagesPrompt,
} from '../../planning/passages-prompt.ts';

export const FINAL_ANSWER = 'finalAnswer';
export const QUESTION_TYPES = ['inference', 'comparison', 'temporal', 'null'] as const;
export type ClaimQuestionType = (typeof QUESTION_TYPES)[number];

export interface ClaimAnswer {
  readonly type: ClaimQuestionType | undefined;
  readonly answer: string;
  /** Distinct positions of claims that support it, from 0. */
  readonly evidence: readonly number[];
}

const WORDS = 120;

/** Returns the prompt over claims, with as many of them as fit. */
export const answerPrompt = (
  question: string,
  claims: readonly DataPassage[],
  atMost: number,
): Prompt => fitting(question, claims, atMost).prompt;

/** Returns the prompt and the number of claims that it shows. */
function fitting(
  question: string,
  claims: readonly DataPassage[],
  atMost: number,
): { readonly prompt: Prompt; readonly shown: number } {
  const request: PassagesRequest = {
    role: FINAL_ANSWER,
    question,
    task: [
      `Answer the question from the claims in the passages alone. ${shortAnswerRules(question)}`,
      'Name the type of the question: "inference" (asks for an entity), "comparison" (of what two say), "temporal" (of an order or a change in time), or "null" (the claims hold no answer). Give the numbers of the passages that support the answer.',
    ],
    form: ['Reply with JSON alone: {"type": "inference", "evidenceIds": [1], "answer": "..."}'],
    maxTokens: ANSWER_TOKENS,
    schema: schemaOf,
  };
  let shown = 0;
  const prompt = fittingPrompt(
    room => {
      shown = room.passages;
      const passages = claims.slice(0, shown).map(claim => firstWordsOf(claim, room.words));
      return passagesPrompt(request, passages);
    },
    { demonstrations: 0, words: WORDS, passages: claims.length },
    atMost,
  );
  return { prompt, shown };
}

const schemaOf = (numbers: readonly number[]): NamedSchema =>
  objectOf('claim_answer', {
    type: { type: ['string', 'null'], enum: [...QUESTION_TYPES, null] },
    evidenceIds: numbersAmong(numbers),
    answer: TEXT,
  });

/** Reads `{ type, answer, evidenceIds }`; undefined without an answer. Never throws. */
export function readClaimAnswer(json: unknown, claims: number): ClaimAnswer | undefined {
  const stated = answerOf(json);
  if (stated === undefined || !isFields(json)) return undefined;
  const type = QUESTION_TYPES.find(known => known === json['type']);
  const answer = type === 'null' || saysInsufficient(stated) ? INSUFFICIENT : stated;
  const ids: unknown = json['evidenceIds'];
  const numbers: readonly unknown[] = Array.isArray(ids) ? ids : [ids];
  const evidence = numbers.filter(
    (number): number is number =>
      typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= claims,
  );
  return { type, answer, evidence: [...new Set(evidence)].map(number => number - 1) };
}

/** Asks the model; `answer` is undefined if no reply could be read. */
export async function answerFromClaims(
  model: LanguageModel,
  question: string,
  claims: readonly DataPassage[],
  atMost: number,
  call: Call,
): Promise<{ readonly answer: ClaimAnswer | undefined; readonly outputs: readonly ModelOutput[] }> {
  const { prompt, shown } = fitting(question, claims, atMost);
  const read = (json: unknown): ClaimAnswer | undefined => readClaimAnswer(json, shown);
  const reply = await generateStructured(model, prompt, read, call);
  const parsed = reply.kind === 'parsed';
  return {
    answer: parsed ? reply.value : undefined,
    outputs: outputsOf(FINAL_ANSWER, reply.texts, parsed),
  };
}
