/**
 * Builds the prompt of the generative reader: the question and as many passages as fit, as data.
 */
import { defined } from '../core/defined.ts';
import { withBrokenTokens } from '../core/text/control-tokens.ts';
import { DATA_RULE, passagesAsData } from '../core/text/passages-as-data.ts';
import type { Message, Prompt } from '../models/language-model.ts';
import { promptTokens } from '../models/prompt-tokens.ts';
import { FLAG, numbersAmong, objectOf, TEXT } from '../models/reply-schema.ts';
import { ANSWER_TOKENS, shortAnswerRules } from '../models/short-answer.ts';
import { cutAfter, type ShownPassage } from './shown-passages.ts';

export interface ReadingPrompt {
  readonly prompt: Prompt;
  /** Shown passages, numbered from 1 in this order. */
  readonly passages: readonly ShownPassage[];
  /** Number of passages that are left out or cut. */
  readonly unread: number;
}

/** Instructions for the form of the answer. */
export interface PromptForm {
  /** Stand before the passages are declared as data. */
  readonly rules: (question: string) => string;
  /** Stands after that; empty if the rules say it all. */
  readonly reply: string;
  /** Greatest length of the completion, in the model's tokens. */
  readonly maxTokens: number;
  /** Texts that may be the answer, shown after the passages; none if missing. */
  readonly candidates?: readonly string[] | undefined;
  /** Returns the schema of the reply over the numbers of the shown passages. */
  readonly schema?: (numbers: readonly number[]) => Prompt['schema'];
}

/** Asks for a word, a name, a number or a date as JSON, as evaluations compare answers. */
export const SHORT_FORM: PromptForm = {
  rules: question => `Answer the question from the passages alone. ${shortAnswerRules(question)}`,
  reply:
    '\nReply with JSON alone: {"citations": [numbers of the passages that state the answer], "answer": "...", "abstain": false}; "abstain" is true only where they do not determine the answer',
  maxTokens: ANSWER_TOKENS,
  // A model that names its passages first answers from them.
  schema: numbers =>
    objectOf('cited_answer', { citations: numbersAmong(numbers), answer: TEXT, abstain: FLAG }),
};

/**
 * Returns the largest prompt of at most `limit` tokens (as estimated by `promptTokens`): whole
 * passages from the first on; if the first does not fit, its first sentences. Returns undefined if
 * not even one sentence fits.
 */
export function readingPrompt(
  question: string,
  passages: readonly ShownPassage[],
  limit: number,
  form: PromptForm = SHORT_FORM,
): ReadingPrompt | undefined {
  // Most lists fit whole: then they are rendered once.
  const everything = promptOf(question, passages, 0, form);
  const note: Message = { role: 'user', text: leftOut(passages.length) };
  const messages = [...everything.messages, note];
  if (passages.length > 0 && promptTokens({ ...everything, messages }) <= limit)
    return { prompt: everything, passages, unread: 0 };
  // Every prompt reserves room for the note on omitted passages, so that a shorter list is never a
  // longer prompt.
  const fits = (shown: readonly ShownPassage[]): boolean =>
    promptTokens(promptOf(question, shown, passages.length, form)) <= limit;
  const whole = largestFitting(passages.length, count => fits(passages.slice(0, count)));
  const [first] = passages;
  const sentences =
    whole === 0 && first
      ? largestFitting(first.sentences.length, count => fits([cutAfter(first, count - 1)]))
      : 0;
  if (whole + sentences === 0) return undefined;
  const shown = whole > 0 ? passages.slice(0, whole) : [cutAfter(first!, sentences - 1)];
  const unread = passages.length - whole;
  return {
    prompt: promptOf(question, shown, unread, form),
    passages: shown,
    unread,
  };
}

/**
 * Returns the largest count from 1 to `all` that fits, if every count below one that fits does too;
 * 0 if none does.
 */
function largestFitting(all: number, fits: (count: number) => boolean): number {
  let [low, high] = [0, all];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

const leftOut = (count: number): string => `\n${count} passages are left out or cut.`;

/** Names candidates as data: they are words of documents. */
const considered = (candidates: readonly string[]): string =>
  candidates.length === 0
    ? ''
    : `\n\nA search by rules considers these answers; all may be wrong: ${candidates
        .map(text => JSON.stringify(withBrokenTokens(text)))
        .join(', ')}.`;

function promptOf(
  question: string,
  shown: readonly ShownPassage[],
  unread: number,
  { rules, reply, maxTokens, schema, candidates = [] }: PromptForm,
): Prompt {
  const data = shown.map(({ head, body, number }) => ({ title: head, text: body, number }));
  const left = unread > 0 ? leftOut(unread) : '';
  const messages: Message[] = [
    { role: 'system', text: `${rules(question)}\n${DATA_RULE}${reply}` },
    {
      role: 'user',
      text: `${passagesAsData(data)}${left}${considered(candidates)}\n\nQuestion: ${withBrokenTokens(question)}`,
    },
  ];
  const numbers = shown.map(({ number }, at) => number ?? at + 1);
  return defined({
    role: 'finalAnswer',
    messages,
    maxTokens,
    temperature: 0,
    schema: schema?.(numbers),
  });
}
