/**
 * Reads long units with a language model in two calls: a long answer from the units, and a short
 * answer taken from the long one (Jiang, Ma and Chen, LongRAG, arXiv 2406.15319, section 2.3).
 */

import { countWords } from '../../core/text/words.ts';
import type { Call } from '../../core/trace/call.ts';
import type { End, ModelOutput } from '../../core/trace/trace.ts';
import { jsonValuesIn } from '../../models/json-in-text.ts';
import type { Completion, LanguageModel, Prompt } from '../../models/language-model.ts';
import { firstTokens, promptTokens } from '../../models/prompt-tokens.ts';
import {
  ANSWER_TOKENS,
  answerOf,
  endOfAnswer,
  INSUFFICIENT,
  LONGEST_ANSWER,
  SHORT_ANSWER_SCHEMA,
  saysInsufficient,
} from '../../models/short-answer.ts';
import { withShorter } from '../../models/shorter-prompt.ts';
import { withoutThinking } from '../../models/thoughts.ts';
import { firstWordsOf, type Paragraph } from '../../planning/paragraphs.ts';
import { citationsOfAnswer } from '../../planning/passages-answer.ts';
import { fittingPrompt, passagesPrompt } from '../../planning/passages-prompt.ts';

export const LONG_ANSWER = 'longAnswer';
export const SHORT_ANSWER = 'shortAnswer';
/** Most tokens of a long answer; the paper asks for a few sentences. */
export const LONG_TOKENS = 500;

/**
 * Returns the prompt over whole units, in order. Units are dropped from the last until it fits; the
 * documents of the first are shortened if it does not fit alone.
 */
export function longAnswerPrompt(
  question: string,
  units: readonly (readonly Paragraph[])[],
  atMost: number,
): Prompt {
  for (let count = units.length; count > 1; count--) {
    const prompt = longPrompt(question, units.slice(0, count).flat(), Number.POSITIVE_INFINITY);
    if (promptTokens(prompt) <= atMost)
      return withShorter(prompt, less => longAnswerPrompt(question, units, less));
  }
  const first = units[0] ?? [];
  return fittingPrompt(
    ({ words, passages }) => longPrompt(question, first.slice(0, passages), words),
    {
      demonstrations: 0,
      words: Math.max(0, ...first.map(({ text }) => countWords(text))),
      passages: first.length,
    },
    atMost,
  );
}

const longPrompt = (question: string, paragraphs: readonly Paragraph[], words: number): Prompt =>
  passagesPrompt(
    {
      role: LONG_ANSWER,
      question,
      task: [
        'Read the passages and answer the question in a few sentences that name the facts it rests on. If the question compares two things, the answer is yes, no or one of the two; otherwise it is stated in the exact words of a passage.',
        `If the passages do not determine the answer, reply "${INSUFFICIENT}"`,
      ],
      maxTokens: LONG_TOKENS,
    },
    paragraphs.map(paragraph => firstWordsOf(paragraph, words)),
  );

/** Examples of our own, about an invented world, where the paper takes eight of its data sets. */
const EXAMPLES: readonly (readonly [question: string, long: string, short: string])[] = [
  [
    'Who founded the Quill Works?',
    'The Quill Works of Tarn was founded by Ines Quill in 1931.',
    'Ines Quill',
  ],
  ['In which year was Cy Lund born?', 'The boat builder Cy Lund was born in Tarn in 1950.', '1950'],
  [
    'Are Blue Heron and Red Kite films of one director?',
    'Blue Heron is a film by Ines Quill, while Red Kite is one by Osk Maren, so they are not.',
    'no',
  ],
  [
    'Which film came out first, Blue Heron or Red Kite?',
    'Blue Heron came out in 1962 and Red Kite in 1971, so Blue Heron came first.',
    'Blue Heron',
  ],
  [
    'On which river does the town of Vell lie?',
    'Vell is a town that lies on the river Orr.',
    'Orr',
  ],
  [
    'How many people does the Quill Works employ?',
    'The Quill Works employs about forty people.',
    'forty',
  ],
  [
    'Do the ferry and the tram both stop in Tarn?',
    'The ferry stops in Tarn on weekdays, and so does the tram: both do.',
    'yes',
  ],
  [
    'What did the Vell Observatory count in that winter?',
    'The observatory counted fewer clear nights than in any winter since 1998.',
    'fewer clear nights',
  ],
];

/** Returns the prompt that takes the short answer out of a long one, which is shown as data. */
export const shortAnswerPrompt = (question: string, long: string): Prompt =>
  passagesPrompt(
    {
      role: SHORT_ANSWER,
      question,
      task: [
        `The passage is a long answer to the question. Take the short answer out of it: a name, a number, a date, a few of its words, or yes or no. If it states no answer, the short answer is "${INSUFFICIENT}"`,
      ],
      form: [
        'Reply with JSON alone: {"answer": "..."}',
        ...EXAMPLES.map(
          ([asked, told, short]) =>
            `Question: ${asked}\nLong answer: ${told}\n${JSON.stringify({ answer: short })}`,
        ),
      ],
      maxTokens: ANSWER_TOKENS,
      schema: SHORT_ANSWER_SCHEMA,
    },
    [{ title: '', text: long }],
  );

/** Returns a long answer, which is free text; undefined if nothing of it is left. Never throws. */
export function readLongAnswer({
  text,
  finish,
}: Pick<Completion, 'text' | 'finish'>): string | undefined {
  if (finish === 'filtered') return undefined;
  const said = firstTokens(withoutThinking(text).trim(), LONG_TOKENS);
  return /[\p{L}\p{N}]/u.test(said) ? said : undefined;
}

/**
 * Returns a short answer: the field of JSON, or what follows "answer:" on its line; undefined
 * otherwise. Never throws.
 */
export function readShortAnswer({
  text,
  finish,
}: Pick<Completion, 'text' | 'finish'>): string | undefined {
  if (finish === 'filtered') return undefined;
  for (const json of jsonValuesIn(text)) {
    const answer = answerOf(json);
    if (answer !== undefined) return answer;
  }
  const line = /\banswer:[ \t]*([^\n{}]+)/i.exec(withoutThinking(text).slice(0, LONGEST_ANSWER));
  const answer = line?.[1]?.trim().replace(/\.$/, '') ?? '';
  return /[\p{L}\p{N}]/u.test(answer) ? answer : undefined;
}

/**
 * Answers from units in two calls. An answer that no document supports, or an unreadable reply,
 * ends the run without a draft, so that its reader answers. Throws the model's errors.
 */
export async function readUnits(
  model: LanguageModel,
  question: string,
  units: readonly (readonly Paragraph[])[],
  atMost: number,
  call: Call,
): Promise<{ readonly outputs: readonly ModelOutput[]; readonly end: End }> {
  const first = await model.generate(longAnswerPrompt(question, units, atMost), call);
  const long = readLongAnswer(first);
  const said = { role: LONG_ANSWER, text: first.text, parsed: long !== undefined };
  if (long === undefined || saysInsufficient(long))
    return { outputs: [said], end: endOfAnswer(long, () => []) };
  const second = await model.generate(shortAnswerPrompt(question, long), call);
  const answer = readShortAnswer(second);
  const material = { question, paragraphs: units.flat(), info: long };
  return {
    outputs: [said, { role: SHORT_ANSWER, text: second.text, parsed: answer !== undefined }],
    end: endOfAnswer(answer, text => citationsOfAnswer(text, material)),
  };
}
