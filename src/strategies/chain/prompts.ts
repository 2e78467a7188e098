/**
 * Prompts of the roles `judgeMultiHop`, `rewrite`, `sufficiency` and `summarise`, and the readers
 * of their replies. Sentences are shown as data.
 */
import type { JsonSchema, Message, Prompt } from '../../models/language-model.ts';
import { isFields, textOf } from '../../planning/json-fields.ts';
import { firstWords } from '../../planning/paragraphs.ts';
import {
  type DataPassage,
  dataRule,
  passageMarker,
  passagesAsData,
} from '../../planning/passages-as-data.ts';
import { fittingPrompt } from '../../planning/passages-prompt.ts';

/** Roles in traces and ledgers. */
export const JUDGE_MULTI_HOP = 'judgeMultiHop';
export const REWRITE = 'rewrite';
export const SUFFICIENCY = 'sufficiency';
export const SUMMARISE = 'summarise';

const FLAG_TOKENS = 24;
const QUESTION_TOKENS = 160;
const SUMMARY_TOKENS = 240;
/** Longest texts of replies that count, in UTF-16 units. */
const LONGEST_QUESTION = 1000;
const LONGEST_SUMMARY = 2000;
/** Words of a passage that a prompt shows, before any are cut to fit. */
const MOST_WORDS = 100_000;

/** Asks if the question needs several facts. */
export const judgePrompt = (question: string): Prompt => ({
  role: JUDGE_MULTI_HOP,
  messages: asked(
    [
      'Does the question need facts about more than one thing, so that it has to be split?',
      '"In which town was the writer of Solaris born?" gives {"is_multi_hop": true}',
      '"Is Solaris older than Roadside Picnic?" gives {"is_multi_hop": true}',
      '"Who wrote Solaris?" gives {"is_multi_hop": false}',
      'Reply with JSON alone: {"is_multi_hop": true} or {"is_multi_hop": false}',
    ],
    `Question: ${question}`,
  ),
  ...reply(JUDGE_MULTI_HOP, { is_multi_hop: { type: 'boolean' } }, FLAG_TOKENS),
});

/** A sub-question with its answer. */
export interface AnsweredPair {
  readonly question: string;
  readonly answer: string;
}

/** Asks for the sub-question with its references replaced by what the earlier answers name. */
export function rewritePrompt(
  question: string,
  pairs: readonly AnsweredPair[],
  atMost: number,
): Prompt {
  const shown = pairs.map(({ question: title, answer }) => ({ title, text: answer }));
  return ofPassages(question, shown, atMost, marker => ({
    role: REWRITE,
    rules: [
      'Each passage is an earlier question with its answer. Rewrite the last question so that it is understood without them: replace each pronoun, and each phrase such as "this writer", by the name that the earlier answers give it. Change nothing else and do not answer it.',
      dataRule(marker),
      'Reply with JSON alone: {"question": "..."}',
    ],
    ...reply(REWRITE, { question: { type: 'string' } }, QUESTION_TOKENS),
  }));
}

/** Asks if the sentences suffice to answer the sub-question. */
export const sufficiencyPrompt = (
  question: string,
  passages: readonly DataPassage[],
  atMost: number,
): Prompt =>
  ofPassages(question, passages, atMost, marker => ({
    role: SUFFICIENCY,
    rules: [
      'Do the passages state all that is needed to answer the question? Do not answer it.',
      dataRule(marker),
      'Reply with JSON alone: {"sufficient": true} or {"sufficient": false}',
    ],
    ...reply(SUFFICIENCY, { sufficient: { type: 'boolean' } }, FLAG_TOKENS),
  }));

/** Asks what the sentences of an unanswered sub-question say about it. */
export const summarisePrompt = (
  question: string,
  passages: readonly DataPassage[],
  atMost: number,
): Prompt =>
  ofPassages(question, passages, atMost, marker => ({
    role: SUMMARISE,
    rules: [
      'The passages do not answer the question. Say in 2 or 3 sentences what they tell about what it asks for, with names, numbers and dates in full, and nothing that no passage says.',
      dataRule(marker),
      'Reply with JSON alone: {"summary": "..."}',
    ],
    ...reply(SUMMARISE, { summary: { type: 'string' } }, SUMMARY_TOKENS),
  }));

/** Reads a flag of a reply; undefined if it has none. Never throws. */
export const flagIn =
  (field: string) =>
  (json: unknown): boolean | undefined => {
    const value = isFields(json) ? json[field] : undefined;
    if (value === true || value === 'true') return true;
    return value === false || value === 'false' ? false : undefined;
  };

/** Reads the text of a reply, white space folded; undefined if it is missing or too long. */
const textIn =
  (field: string, longest: number) =>
  (json: unknown): string | undefined => {
    const text = textOf(json, field)?.replace(/\s+/g, ' ').trim();
    return text === undefined || text.length > longest ? undefined : text;
  };

export const readRewriting: (json: unknown) => string | undefined = textIn(
  'question',
  LONGEST_QUESTION,
);
export const readSummary: (json: unknown) => string | undefined = textIn(
  'summary',
  LONGEST_SUMMARY,
);

interface Request extends Pick<Prompt, 'maxTokens'> {
  readonly role: string;
  readonly rules: readonly string[];
  readonly temperature: 0;
  readonly schema: NonNullable<Prompt['schema']>;
}

/** Passages are shortened alike, then dropped from the last, until the prompt fits. */
function ofPassages(
  question: string,
  passages: readonly DataPassage[],
  atMost: number,
  request: (marker: string) => Request,
): Prompt {
  const most = { demonstrations: 0, words: longestOf(passages), passages: passages.length };
  return fittingPrompt(
    room => {
      const shown = passages.slice(0, room.passages).map(({ text, ...rest }) => ({
        ...rest,
        text: firstWords(text, room.words),
      }));
      const marker = passageMarker(question, shown);
      const { rules, ...rest } = request(marker);
      const user = `${passagesAsData(shown, marker)}\n\nQuestion: ${question}`;
      return { ...rest, messages: asked(rules, user) };
    },
    most,
    atMost,
  );
}

const longestOf = (passages: readonly DataPassage[]): number =>
  Math.min(
    MOST_WORDS,
    passages.reduce((most, { text }) => Math.max(most, text.split(/\s+/).length), 1),
  );

const asked = (rules: readonly string[], user: string): Message[] => [
  { role: 'system', text: rules.join('\n') },
  { role: 'user', text: user },
];

const reply = (name: string, properties: JsonSchema, maxTokens: number) => ({
  maxTokens,
  temperature: 0 as const,
  schema: {
    name,
    schema: {
      ...{ type: 'object', properties },
      required: Object.keys(properties),
      additionalProperties: false,
    },
  },
});
