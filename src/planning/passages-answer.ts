/**
 * Answers a question by a language model from passages, in one call and one repair, and finds the
 * citations of the answer.
 */

import type { Ranking } from '../core/ranking/ranking.ts';
import { sentenceSpans } from '../core/text/sentences.ts';
import type { Call } from '../core/trace/call.ts';
import type { Citation, End, ModelOutput } from '../core/trace/trace.ts';
import type { LanguageModel, Prompt } from '../models/language-model.ts';
import type { PlannedCalls } from '../models/planned-calls.ts';
import { repairable } from '../models/repairable-calls.ts';
import { type NamedSchema, numbersAmong, objectOf, TEXT } from '../models/reply-schema.ts';
import {
  ANSWER_TOKENS,
  bracketedAnswer,
  endOfAnswer,
  INSUFFICIENT,
  saysInsufficient,
  shortAnswerRules,
} from '../models/short-answer.ts';
import { generateStructured, outputsOf } from '../models/structured.ts';
import type { SearchEngine } from '../search/engine.ts';
import { draftCitations } from './draft-citations.ts';
import type { ModelInUse } from './model-in-use.ts';
import { type Paragraph, readParagraphs } from './paragraphs.ts';
import { fittedPassages } from './passages-prompt.ts';
import { type ParsedAnswer, subAnswerInJson } from './sub-questions/model-sub-answer.ts';

/** Role of the prompt in traces and ledgers. */
export const FINAL_ANSWER = 'finalAnswer';

/** Material of an answer. */
export interface AnswerMaterial {
  readonly question: string;
  /** Passages that may be cited, in the order in which they are shown. */
  readonly paragraphs: readonly Paragraph[];
  /** Text that a model wrote about other passages: shown last, and never cited. */
  readonly info?: string;
  /** Passages that the info rests on: they may be cited, and are not shown. */
  readonly beside?: readonly Paragraph[];
}

/** Size of a prompt. */
export interface AnswerRoom {
  /** Words of a passage that are shown. */
  readonly words: number;
  /** The longest prompt, in tokens. */
  readonly prompt: number;
}

/** A model that names its passages first answers from them. */
const schemaOf = (numbers: readonly number[]): NamedSchema =>
  objectOf('answer_with_passages', { passages: numbersAmong(numbers), answer: TEXT });

/**
 * Returns the prompt. Passages are shortened, then dropped from the last, until it fits; the info
 * stays.
 */
export const passagesAnswerPrompt = (
  { question, paragraphs, info }: AnswerMaterial,
  { words, prompt }: AnswerRoom,
): Prompt =>
  fittedPassages(
    {
      role: FINAL_ANSWER,
      question,
      task: [
        `Answer the question from the passages. ${shortAnswerRules(question)}`,
        'Give the numbers of the passages that support the answer.',
      ],
      form: ['Reply with JSON alone: {"passages": [1], "answer": "..."}'],
      maxTokens: ANSWER_TOKENS,
      schema: schemaOf,
    },
    paragraphs,
    { words, atMost: prompt, beside: info ? [{ title: 'Extracted information', text: info }] : [] },
  );

/** A question of 500 characters, for plans. */
export const LONG_QUESTION: string = 'q'.repeat(500);

/** Returns so many paragraphs of so many words, for plans. */
export const longParagraphs = (count: number, words: number): Paragraph[] =>
  Array.from({ length: count }, () => ({
    id: '',
    documentId: '',
    about: '',
    start: 0,
    end: 0,
    title: 't'.repeat(80),
    text: 'wwwwww '.repeat(words),
  }));

/** Plans the one answer of a run, from so many passages. */
export function plannedAnswer(passages: number, { words, prompt }: AnswerRoom): PlannedCalls {
  const paragraphs = longParagraphs(Math.min(passages, prompt), Math.min(words, prompt));
  const material = { question: LONG_QUESTION, paragraphs };
  return repairable(passagesAnswerPrompt(material, { words, prompt }), 1, prompt);
}

/** An answer as it ends a run, with all outputs of the model in order. */
export interface PassagesAnswer {
  readonly outputs: readonly ModelOutput[];
  readonly end: End;
}

/**
 * Answers by the model. An answer that nothing shown supports, or an unreadable reply, ends the run
 * without a draft, so that its reader answers. Throws the model's errors.
 */
export async function answerFromPassages(
  model: LanguageModel,
  material: AnswerMaterial,
  room: AnswerRoom,
  call: Call,
): Promise<PassagesAnswer> {
  const count = material.paragraphs.length;
  const reply = await generateStructured(
    model,
    passagesAnswerPrompt(material, room),
    json => subAnswerInJson(json, count),
    call,
  );
  const parsed =
    reply.kind === 'parsed' ? reply.value : bracketed(reply.texts.map(bracketedAnswer));
  const outputs = outputsOf(FINAL_ANSWER, reply.texts, parsed !== undefined);
  return { outputs, end: parsed === undefined ? { why: 'completed' } : endOf(parsed, material) };
}

/**
 * Answers from hits by the model of a run, if there is one and the settings ask for it; otherwise
 * its reader answers.
 */
export async function answerFromHits(
  model: ModelInUse,
  question: string,
  hits: Ranking,
  settings: AnswerRoom & { readonly answer: 'own' | 'reader' },
  engine: SearchEngine,
  call: Call,
): Promise<PassagesAnswer> {
  const answered =
    settings.answer === 'own' && hits.length > 0
      ? await model.ask(async language => {
          const paragraphs = await readParagraphs(hits, engine, call);
          return answerFromPassages(language, { question, paragraphs }, settings, call);
        })
      : undefined;
  return {
    outputs: [...(answered?.outputs ?? []), ...model.takeNotes()],
    end: answered?.end ?? { why: 'completed' },
  };
}

function bracketed(answers: readonly (string | undefined)[]): ParsedAnswer | undefined {
  const answer = answers.find(text => text !== undefined);
  if (answer === undefined) return undefined;
  return saysInsufficient(answer) ? { cited: [] } : { answer, cited: [] };
}

const endOf = ({ answer = INSUFFICIENT, cited }: ParsedAnswer, material: AnswerMaterial): End =>
  endOfAnswer(answer, text => citationsOfAnswer(text, material, cited));

/**
 * Returns the sentences that support an answer; if none does, the passages that the model names,
 * such as those of a yes or no.
 */
export function citationsOfAnswer(
  answer: string,
  { question, paragraphs, info = '', beside = [] }: AnswerMaterial,
  cited: readonly number[] = [],
): Citation[] {
  const thoughts = sentenceSpans(info).map(([start, end]) => info.slice(start, end));
  const found = draftCitations({
    question,
    thoughts,
    answer,
    paragraphs: [...paragraphs, ...beside],
  });
  if (found.length > 0) return found;
  return cited.map(place => {
    const { id, documentId, start, end } = paragraphs[place]!;
    return { id, documentId, start, end };
  });
}
