/** The prompt of the generative reader: the question and as many passages as fit, as data. */
import type { JsonSchema, Message, Prompt } from '../models/language-model.ts';
import { promptTokens } from '../models/prompt-tokens.ts';
import { dataRule, passageMarker, passagesAsData } from '../planning/passages-as-data.ts';
import { ANSWER_TOKENS, SHORT_ANSWER_RULES } from '../planning/short-answer.ts';
import { cutBehind, type ShownPassage } from './shown-passages.ts';

export interface ReadingPrompt {
  readonly prompt: Prompt;
  /** What it shows, numbered from 1 in this order. */
  readonly passages: readonly ShownPassage[];
  /** Passages that it does not show, or not to their end. */
  readonly unread: number;
}

const SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    answer: { type: 'string' },
    citations: { type: 'array', items: { type: 'integer' } },
    abstain: { type: 'boolean' },
  },
  required: ['answer', 'citations', 'abstain'],
  additionalProperties: false,
};

/**
 * The largest prompt of at most `limit` tokens (as `promptTokens` estimates them): passages from
 * the first on, whole; where not even the first fits, its first sentences. Undefined where the
 * question leaves no room for one sentence.
 */
export function readingPrompt(
  question: string,
  passages: readonly ShownPassage[],
  limit: number,
): ReadingPrompt | undefined {
  // What is said of passages left out has its room in every prompt, so that a shorter list is never
  // a longer prompt.
  const fits = (shown: readonly ShownPassage[]): boolean =>
    promptTokens(promptOf(question, shown, passages.length)) <= limit;
  const whole = most(passages.length, count => fits(passages.slice(0, count)));
  const [first] = passages;
  const sentences =
    whole === 0 && first
      ? most(first.sentences.length, count => fits([cutBehind(first, count - 1)]))
      : 0;
  if (whole + sentences === 0) return undefined;
  const shown = whole > 0 ? passages.slice(0, whole) : [cutBehind(first!, sentences - 1)];
  const unread = passages.length - whole;
  return { prompt: promptOf(question, shown, unread), passages: shown, unread };
}

/**
 * The largest count from 1 to `all` that fits, where one that fits makes every smaller one fit; 0
 * where none does.
 */
function most(all: number, fits: (count: number) => boolean): number {
  let [low, high] = [0, all];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function promptOf(question: string, shown: readonly ShownPassage[], unread: number): Prompt {
  const data = shown.map(({ head, body }) => ({ title: head, text: body }));
  const marker = passageMarker(question, data);
  const left = unread > 0 ? `\n${unread} passages are left out or cut.` : '';
  const messages: Message[] = [
    {
      role: 'system',
      text: `Answer the question from the passages alone. ${SHORT_ANSWER_RULES}\n${dataRule(marker)}\nReply with JSON alone: {"answer": "...", "citations": [numbers of the passages that state it], "abstain": false}; "abstain" is true only where they do not determine the answer`,
    },
    { role: 'user', text: `${passagesAsData(data, marker)}${left}\n\nQuestion: ${question}` },
  ];
  return {
    role: 'finalAnswer',
    messages,
    maxTokens: ANSWER_TOKENS,
    temperature: 0,
    schema: { name: 'cited_answer', schema: SCHEMA },
  };
}
