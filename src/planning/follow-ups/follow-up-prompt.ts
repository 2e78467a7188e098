/**
 * Builds the prompt by which a language model writes a follow-up as a question that stands alone.
 */
import { DATA_RULE, passagesAsData } from '../../core/text/passages-as-data.ts';
import { LONGEST_QUESTION } from '../../core/text/question-text.ts';
import type { Turn } from '../../language/follow-ups/turn.ts';
import type { Message, Prompt } from '../../models/language-model.ts';
import type { PlannedCalls } from '../../models/planned-calls.ts';
import { promptTokens } from '../../models/prompt-tokens.ts';
import { objectOf, TEXT } from '../../models/reply-schema.ts';
import { questionLine } from '../passages-prompt.ts';

/** Role of the prompt in traces and ledgers. */
export const FOLLOW_UP = 'follow-up';

const SYSTEM = [
  'You rewrite the last question of a conversation so that someone who has not seen the conversation understands it. Each passage is an earlier question with its answer, the oldest first.',
  'Put what it refers to in the place of words such as "it", "she", "there", "that company" or "the second one", by the name that the conversation gives it, and complete a question that leaves words out. Change nothing else, do not answer it, and keep its language. A question that is understood without the conversation is repeated word for word.',
  DATA_RULE,
  'Reply with JSON alone: {"question": "..."}',
].join('\n');

interface Example {
  readonly turns: readonly Turn[];
  readonly question: string;
  readonly written: string;
}

/** Invented names: a reply that has one of them was copied. */
const EXAMPLES: readonly Example[] = [
  {
    turns: [{ question: 'Who built the ferry Velmar?', answer: 'The yard Ostrin built it [1].' }],
    question: 'And when was it launched?',
    written: 'When was the ferry Velmar launched?',
  },
  {
    turns: [
      { question: 'Which yards lie on the Tornis?', answer: 'Ostrin, Halvik and Merrow.' },
      { question: 'How many people work at Ostrin?', answer: '120' },
    ],
    question: 'What about the second one?',
    written: 'How many people work at Halvik?',
  },
  {
    turns: [{ question: 'Wer leitet die Werft Halvik?', answer: 'Ines Brandal' }],
    question: 'Und wo wurde sie geboren?',
    written: 'Wo wurde Ines Brandal geboren?',
  },
  {
    turns: [{ question: 'Who built the ferry Velmar?', answer: 'Ostrin' }],
    question: 'Which rivers flow into the Merrow?',
    written: 'Which rivers flow into the Merrow?',
  },
];

const userText = (turns: readonly Turn[], question: string): string => {
  const passages = turns.map(({ question: title, answer }) => ({
    title,
    text: answer?.trim() ? answer : '-',
  }));
  return `${passagesAsData(passages)}\n\n${questionLine(question)}`;
};

const SHOWN: readonly Message[] = [
  { role: 'system', text: SYSTEM },
  ...EXAMPLES.flatMap(({ turns, question, written }): Message[] => [
    { role: 'user', text: userText(turns, question) },
    { role: 'assistant', text: JSON.stringify({ question: written }) },
  ]),
];

/** Tokens that names and a noun add to a question. */
const ADDED_TOKENS = 64;

export function followUpPrompt(question: string, turns: readonly Turn[]): Prompt {
  return {
    role: FOLLOW_UP,
    messages: [...SHOWN, { role: 'user', text: userText(turns, question) }],
    maxTokens: promptTokens({ messages: [{ role: 'user', text: question }] }) + ADDED_TOKENS,
    temperature: 0,
    schema: objectOf('stand_alone_question', { question: TEXT }),
  };
}

/** The call of one follow-up of up to 500 characters, for estimates of cost. */
export function plannedFollowUp(): PlannedCalls {
  const question = 'q'.repeat(500);
  const most = followUpPrompt(question, [{ question: 'q'.repeat(LONGEST_QUESTION) }]);
  const usual = followUpPrompt('q'.repeat(50), [
    { question: 'q'.repeat(80), answer: 'q'.repeat(200) },
  ]);
  return {
    role: FOLLOW_UP,
    atMost: 1,
    promptTokens: promptTokens(most),
    completionTokens: most.maxTokens,
    expected: { calls: 1, promptTokens: promptTokens(usual), completionTokens: 30 },
  };
}
