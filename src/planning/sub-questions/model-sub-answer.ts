/**
 * A sub-question's answer by a language model from its passages, which it is shown as data
 * (query-decomposition sheet, section 5).
 */
import type { LanguageModel, Prompt } from '../../models/language-model.ts';
import { generateStructured } from '../../models/structured.ts';
import { countWords } from '../../text/words.ts';
import type { Call } from '../../trace/call.ts';
import type { Citation, ModelOutput } from '../../trace/trace.ts';
import { isFields } from '../json-fields.ts';
import { firstWords } from '../paragraphs.ts';
import { dataRule, passageMarker, passagesAsData } from '../passages-as-data.ts';
import { fittingPrompt, type PromptRoom } from '../passages-prompt.ts';
import { answerOf, SHORT_ANSWER_RULES, saysInsufficient } from '../short-answer.ts';
import { type ReadAnswer, UNKNOWN } from './read-answer.ts';
import { beginningOf, citationsOf, citationTo, type ReadPassage } from './read-passage.ts';

/** The role in traces and ledgers. */
export const SUB_ANSWER = 'subAnswer';
export const SUB_ANSWER_TOKENS = 160;

export function subAnswerPrompt(question: string, passages: readonly ReadPassage[]): Prompt {
  const marker = passageMarker(question, passages);
  const system = [
    `Answer the question from the passages alone. ${SHORT_ANSWER_RULES}`,
    'Say whether the passages support the answer, and give the numbers of those that do.',
    dataRule(marker),
    'Reply with JSON alone: {"answer": "...", "supported": true, "passages": [1]}',
  ].join('\n');
  return {
    role: SUB_ANSWER,
    messages: [
      { role: 'system', text: system },
      { role: 'user', text: `${passagesAsData(passages, marker)}\n\nQuestion: ${question}` },
    ],
    maxTokens: SUB_ANSWER_TOKENS,
    temperature: 0,
    schema: { name: 'sub_answer', schema: SCHEMA },
  };
}

const SCHEMA = {
  type: 'object',
  properties: {
    answer: { type: 'string' },
    supported: { type: 'boolean' },
    passages: { type: 'array', items: { type: 'integer' } },
  },
  required: ['answer', 'supported', 'passages'],
  additionalProperties: false,
};

export interface SaidAnswer {
  /** Undefined: unknown, or said to be unsupported. */
  readonly answer?: string;
  /** Positions of the passages that it names, from 0; each once, only those that there are. */
  readonly named: readonly number[];
}

/**
 * Reads `{ answer, supported, passages }`; undefined where there is no answer in it. Never throws.
 */
export function subAnswerInJson(json: unknown, passages: number): SaidAnswer | undefined {
  const answer = answerOf(json);
  if (answer === undefined || !isFields(json)) return undefined;
  const numbers = Array.isArray(json['passages']) ? json['passages'] : [json['passages']];
  const places = numbers.filter(
    (number): number is number => Number.isInteger(number) && number >= 1 && number <= passages,
  );
  const named = [...new Set(places)].map(number => number - 1);
  const unsupported = json['supported'] === false || json['supported'] === 'false';
  return unsupported || saysInsufficient(answer) ? { named } : { answer, named };
}

/**
 * The prompt with all passages, or with as much of them as has room in `atMost` tokens; and what it
 * shows.
 */
function fitting(
  question: string,
  given: readonly ReadPassage[],
  atMost: number,
): { readonly prompt: Prompt; readonly passages: readonly ReadPassage[] } {
  let passages = given;
  const most = {
    demonstrations: 0,
    words: Math.max(0, ...given.map(({ text }) => countWords(text))),
    passages: given.length,
  };
  const build = (room: PromptRoom): Prompt => {
    passages = given.slice(0, room.passages).map(passage => shown(passage, room.words));
    return subAnswerPrompt(question, passages);
  };
  return { prompt: fittingPrompt(build, most, atMost), passages };
}

/** A beginning of the text as it is: citations point into it. */
const shown = (passage: ReadPassage, words: number): ReadPassage => ({
  ...passage,
  title: firstWords(passage.title, words),
  about: firstWords(passage.about, words),
  text: beginningOf(passage.text, words),
});

/**
 * From a prompt of at most `atMost` tokens. Unknown without a call where there are no passages, or
 * room for none; unknown where nothing could be read. Throws what the model throws.
 */
export async function modelSubAnswer(
  model: LanguageModel,
  question: string,
  given: readonly ReadPassage[],
  call: Call,
  atMost: number = Number.POSITIVE_INFINITY,
): Promise<ReadAnswer> {
  const { prompt, passages } = fitting(question, given, atMost);
  if (passages.length === 0) return UNKNOWN;
  const read = (json: unknown): SaidAnswer | undefined => subAnswerInJson(json, passages.length);
  const structured = await generateStructured(model, prompt, read, call);
  const { texts } = structured;
  const parsed = structured.kind === 'parsed' ? structured.value : undefined;
  const answer =
    parsed?.answer === undefined ? UNKNOWN : supported(parsed.answer, parsed.named, passages);
  const said = texts.map((text, index): ModelOutput => {
    const counts = parsed !== undefined && index === texts.length - 1;
    const citations = counts && answer.citations.length > 0 ? { citations: answer.citations } : {};
    return { role: SUB_ANSWER, text, parsed: counts, ...citations };
  });
  return { ...answer, said };
}

/**
 * The passages that the model names, in the sentence that holds the answer where one does; the
 * first that holds it, where the model names none.
 */
function supported(
  answer: string,
  named: readonly number[],
  passages: readonly ReadPassage[],
): ReadAnswer {
  const stands = citationsOf(answer, passages);
  const cited = named.map((position): Citation => {
    const passage = passages[position]!;
    return stands.find(({ id }) => id === passage.id) ?? citationTo(passage);
  });
  return { answer, stands, citations: cited.length > 0 ? cited : stands.slice(0, 1), said: [] };
}
