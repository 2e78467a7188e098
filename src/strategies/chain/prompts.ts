/**
 * Prompts of the roles `judgeMultiHop`, `rewrite` and `summarise`, and the readers
 * of their replies. Sentences are shown as data.
 */

import type { DataPassage } from '../../core/text/passages-as-data.ts';
import type { Prompt } from '../../models/language-model.ts';
import { FLAG, objectOf, TEXT } from '../../models/reply-schema.ts';
import { isFields, textOf } from '../../planning/json-fields.ts';
import {
  fittedPassages,
  type PassagesRequest,
  questionLine,
} from '../../planning/passages-prompt.ts';

/** Roles in traces and ledgers. */
export const JUDGE_MULTI_HOP = 'judgeMultiHop';
export const REWRITE = 'rewrite';
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
  messages: [
    {
      role: 'system',
      text: [
        'Does the question need facts about more than one thing, so that it has to be split?',
        '"In which town was the writer of Solaris born?" gives {"is_multi_hop": true}',
        '"Is Solaris older than Roadside Picnic?" gives {"is_multi_hop": true}',
        '"Who wrote Solaris?" gives {"is_multi_hop": false}',
        'Reply with JSON alone: {"is_multi_hop": true} or {"is_multi_hop": false}',
      ].join('\n'),
    },
    { role: 'user', text: questionLine(question) },
  ],
  maxTokens: FLAG_TOKENS,
  temperature: 0,
  schema: objectOf(JUDGE_MULTI_HOP, { is_multi_hop: FLAG }),
});

/** A sub-question with its answer. */
export interface AnsweredPair {
  readonly question: string;
  readonly answer: string;
}

/** Asks for the sub-question with its references replaced by what the earlier answers name. */
export const rewritePrompt = (
  question: string,
  pairs: readonly AnsweredPair[],
  atMost: number,
): Prompt =>
  fitted(
    {
      role: REWRITE,
      question,
      task: [
        'Each passage is an earlier question with its answer. Rewrite the last question so that it is understood without them: replace each pronoun, and each phrase such as "this writer", by the name that the earlier answers give it. Change nothing else and do not answer it.',
      ],
      form: ['Reply with JSON alone: {"question": "..."}'],
      maxTokens: QUESTION_TOKENS,
      schema: objectOf(REWRITE, { question: TEXT }),
    },
    pairs.map(({ question: title, answer }) => ({ title, text: answer })),
    atMost,
  );

/** Asks what the sentences of an unanswered sub-question say about it. */
export const summarisePrompt = (
  question: string,
  passages: readonly DataPassage[],
  atMost: number,
): Prompt =>
  fitted(
    {
      role: SUMMARISE,
      question,
      task: [
        'The passages do not answer the question. Say in 2 or 3 sentences what they tell about what it asks for, with names, numbers and dates in full, and nothing that no passage says.',
      ],
      form: ['Reply with JSON alone: {"summary": "..."}'],
      maxTokens: SUMMARY_TOKENS,
      schema: objectOf(SUMMARISE, { summary: TEXT }),
    },
    passages,
    atMost,
  );

/** Passages are shortened alike, then dropped from the last, until the prompt fits. */
function fitted(
  request: PassagesRequest,
  passages: readonly DataPassage[],
  atMost: number,
): Prompt {
  const parts = passages.flatMap(({ title, about = '', text }) => [title, about, text]);
  const longest = parts.reduce((most, part) => Math.max(most, part.split(/\s+/).length), 1);
  return fittedPassages(request, passages, { words: Math.min(MOST_WORDS, longest), atMost });
}

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
