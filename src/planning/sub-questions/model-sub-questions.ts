/**
 * Splits a question into sub-questions by a language model: one call, one repair, then any numbered
 * lines of its outputs.
 */

import type { Call } from '../../core/trace/call.ts';
import type { ModelOutput } from '../../core/trace/trace.ts';
import type { LanguageModel, Message, Prompt } from '../../models/language-model.ts';
import { listOf, objectOf } from '../../models/reply-schema.ts';
import { generateStructured } from '../../models/structured.ts';
import { degraded, type ModelInUse } from '../model-in-use.ts';
import { questionLine } from '../passages-prompt.ts';
import { FERRIES, splitExamples } from './split-examples.ts';
import {
  distinctSubQuestions,
  subQuestionsInJson,
  subQuestionsInLines,
} from './sub-question-list.ts';

/** Role of the prompt in traces and ledgers. */
export const DECOMPOSE = 'decompose';

/** Completion tokens allowed for each sub-question. */
const TOKENS_PER_QUESTION = 60;
/**
 * Match the names of the worked examples, and a list of second questions alone. Small models repeat
 * them: a list that names an example, if the question does not, or that consists only of its second
 * question is rejected.
 */
const EXAMPLE = new RegExp(`\\b(?:solaris|roadside picnic|${FERRIES.join('|')})\\b`, 'i');
const EXAMPLE_REST = /^\s*(?:#\d{1,2}|in which town was #\d{1,2} born)\W*$/i;

export interface SplitSettings {
  /** Most sub-questions. */
  readonly parts: number;
  /** True if a later sub-question may refer to the answer of an earlier one. */
  readonly chained: boolean;
  /** True for the fewest sub-questions that suffice, by the rules of ChainRAG's decomposition. */
  readonly minimal?: boolean;
  /** True for lines in the words of a manual, one where the question needs one fact. */
  readonly searched?: boolean;
}

export function decomposePrompt(
  question: string,
  { parts, chained, minimal = false, searched = false }: SplitSettings,
): Prompt {
  const instructions = minimal ? MINIMAL : chained ? CHAINED : APART;
  const system = [
    ...(searched ? SEARCHED(parts) : [...instructions(parts), FAITHFUL]),
    'Reply with JSON alone: {"subqueries": ["...", "..."]}',
  ].join('\n');
  const examples = splitExamples({ parts, chained, minimal, searched });
  return {
    role: DECOMPOSE,
    messages: [
      { role: 'system', text: system },
      ...examples.flatMap(({ question, subqueries }): Message[] => [
        { role: 'user', text: questionLine(question) },
        { role: 'assistant', text: JSON.stringify({ subqueries }) },
      ]),
      { role: 'user', text: questionLine(question) },
    ],
    maxTokens: TOKENS_PER_QUESTION * parts + 20,
    temperature: 0,
    schema: objectOf('sub_questions', {
      subqueries: { ...listOf({ type: 'string' }, parts), minItems: 1 },
    }),
  };
}

const FAITHFUL =
  'Name its entities in full, and the source and the date where the question names them. Keep quoted names as they are, and the language of the question. Add nothing that the question does not say.';

const SEARCHED = (parts: number): string[] => [
  `Write what to search for in the manuals of software, in the words that a manual would use: one line, or where the question needs several facts a line for each, at most ${parts}. Never answer it.`,
  'Where a line needs the answer of an earlier one, write # and the number of that one in its place: #1 is the answer of the first. Name the software in each line.',
];

const CHAINED = (parts: number): string[] => [
  `Split the question into at most ${parts} simpler sub-questions, in the order in which they have to be answered.`,
  'Where a sub-question needs the answer of an earlier one, write # and the number of that one in its place: #1 is the answer of the first.',
  'Apart from that, each must be understood by someone who sees neither the question nor the other sub-questions.',
];

const APART = (parts: number): string[] => [
  `Split the question into exactly ${parts} simpler sub-questions that together answer it.`,
  'Each is searched for and answered alone, by someone who sees neither the question nor the other sub-questions.',
];

/**
 * Returns the rules of ChainRAG's prompt in words of our own (section 3.1: sub-questions in
 * parallel, in sequence or for a comparison, one example each).
 */
const MINIMAL = (parts: number): string[] => [
  `Split the question into the fewest sub-questions that are needed to answer it, at most ${parts}, usually 1 or 2. Do so only if it needs several distinct facts; otherwise repeat it as the only one. Sub-questions do not overlap.`,
];

/**
 * Returns the outputs of the model and its sub-questions, none if the outputs are unreadable.
 * Throws the model's errors.
 */
export async function modelSubQuestions(
  model: LanguageModel,
  question: string,
  settings: SplitSettings,
  call: Call,
): Promise<{ readonly questions: readonly string[]; readonly outputs: readonly ModelOutput[] }> {
  const ofQuestion = (list: readonly string[]): boolean =>
    EXAMPLE.test(question) ||
    (!list.some(text => EXAMPLE.test(text)) && !list.every(text => EXAMPLE_REST.test(text)));
  const inJson = (json: unknown): string[] | undefined => {
    const list = subQuestionsInJson(json);
    return list && ofQuestion(list) ? list : undefined;
  };
  const inLines = (text: string): string[] => {
    const list = subQuestionsInLines(text);
    return ofQuestion(list) ? list : [];
  };
  const { texts, ...structured } = await generateStructured(
    model,
    decomposePrompt(question, settings),
    inJson,
    call,
  );
  const read =
    structured.kind === 'parsed'
      ? structured.value
      : (texts.map(inLines).findLast(list => list.length > 0) ?? []);
  const questions = distinctSubQuestions(read, settings.parts);
  // The last readable output counts; earlier ones were repaired.
  const counted =
    structured.kind === 'parsed'
      ? texts.length - 1
      : texts.findLastIndex(text => inLines(text).length > 0);
  return {
    questions,
    outputs: texts.map((text, index) => ({
      role: DECOMPOSE,
      text,
      parsed: questions.length > 0 && index === counted,
    })),
  };
}

/**
 * Splits by the model of a run. Returns undefined if there is none or if it fails, and a note with
 * what is done otherwise if its reply holds no sub-questions.
 */
export async function splitByModel(
  model: ModelInUse,
  question: string,
  settings: SplitSettings,
  otherwise: string,
  call: Call,
): Promise<Awaited<ReturnType<typeof modelSubQuestions>> | undefined> {
  const split = await model.ask(language => modelSubQuestions(language, question, settings, call));
  if (!split || split.questions.length > 0) return split;
  const note = degraded(`The reply of the model holds no sub-questions: ${otherwise}`);
  return { questions: [], outputs: [...split.outputs, note] };
}
