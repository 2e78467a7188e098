/**
 * Runs one generation of Iter-RetGen: the prompt over the passages of this iteration alone, and the
 * parsing of the reply (arXiv 2305.15294, section 3).
 */

import { withBrokenTokens } from '../../core/text/control-tokens.ts';
import { DATA_RULE, passagesAsData } from '../../core/text/passages-as-data.ts';
import type { Call } from '../../core/trace/call.ts';
import type { ModelOutput } from '../../core/trace/trace.ts';
import type { LanguageModel, Prompt } from '../../models/language-model.ts';
import { type NamedSchema, objectOf, TEXT } from '../../models/reply-schema.ts';
import { INSUFFICIENT } from '../../models/short-answer.ts';
import { generateStructured } from '../../models/structured.ts';
import { withoutThinking } from '../../models/thoughts.ts';
import { firstWords, firstWordsOf, type Paragraph } from '../../planning/paragraphs.ts';
import { fittingPrompt, type PromptRoom } from '../../planning/passages-prompt.ts';

export const THOUGHT = 'thought';
export const GENERATED_ANSWER = 'answer';
/** Most tokens of a completion; the paper states none. */
export const GENERATION_TOKENS = 256;
export const DEMONSTRATIONS_AT_MOST = 3;
/**
 * Most words that a generation adds to a query; bounds models that ignore `GENERATION_TOKENS`.
 */
const LONGEST_WORDS = 400;

const SCHEMA: NamedSchema = objectOf('reasoned_answer', { thought: TEXT, answer: TEXT });

/**
 * Questions of EfficientRAG's MuSiQue prompt (arXiv 2408.04259), with thoughts of our own. Passages
 * are a placeholder there too.
 */
const DEMONSTRATIONS: readonly {
  readonly question: string;
  readonly thought: string;
  readonly answer: string;
}[] = [
  {
    question: 'In which year was the publisher of In Cold Blood formed?',
    thought: 'In Cold Blood was published by Random House. Random House was formed in 1927.',
    answer: '1927',
  },
  {
    question: 'Who was in charge of the city where The Killing of a Sacred Deer was filmed?',
    thought:
      'The Killing of a Sacred Deer was filmed in Cincinnati. The mayor of Cincinnati at that time was John Cranley.',
    answer: 'John Cranley',
  },
  {
    question: 'Where on the Avalon Peninsula is the city that Signal Hill overlooks?',
    thought:
      "Signal Hill overlooks the city of St. John's. St. John's lies on the eastern tip of the Avalon Peninsula.",
    answer: 'eastern tip',
  },
];

export interface GenerationSettings {
  readonly demonstrations: number;
  readonly words: number;
  readonly prompt: number;
  readonly field: 'thought' | 'full';
}

/** A parsed generation; `next` extends the next query. */
export interface Generation {
  readonly outputs: readonly ModelOutput[];
  readonly next?: string;
  readonly thought?: string;
  readonly answer?: string;
}

/**
 * Makes one call, and one repair if the reply is not the JSON asked for. More attempts at
 * temperature 0 would repeat the same reply.
 */
export async function generate(
  question: string,
  paragraphs: readonly Paragraph[],
  model: LanguageModel,
  settings: GenerationSettings,
  call: Call,
): Promise<Generation> {
  const reply = await generateStructured(
    model,
    generationPrompt(question, paragraphs, settings),
    readReply,
    call,
  );
  const whole = firstWords(withoutThinking(reply.texts.at(-1) ?? '').trim(), LONGEST_WORDS);
  const unread = (text: string): ModelOutput => ({ role: THOUGHT, text, parsed: false });
  if (reply.kind === 'unparsed')
    return {
      outputs: reply.texts.map(unread),
      next: settings.field === 'full' && whole !== '' ? whole : undefined,
    };
  const { thought, answer } = reply.value;
  const outputs = [
    ...reply.texts.slice(0, -1).map(unread),
    parsedOutput(THOUGHT, thought),
    parsedOutput(GENERATED_ANSWER, answer),
  ];
  const next = settings.field === 'full' ? `${thought} ${answer}`.trim() : thought;
  // Small models return brackets alone, which make no query.
  return { outputs, next: /[\p{L}\p{N}]/u.test(next) ? next : '', thought, answer };
}

const parsedOutput = (role: string, text: string): ModelOutput => ({ role, text, parsed: true });

/**
 * Returns the reply if it is an object with both texts; an answer may also be a number or a
 * boolean. Undefined otherwise.
 */
export function readReply(
  json: unknown,
): { readonly thought: string; readonly answer: string } | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const { thought: said, answer } = json as {
    readonly thought?: unknown;
    readonly answer?: unknown;
  };
  const thought = said === null ? '' : said;
  if (typeof thought !== 'string') return undefined;
  const stated =
    typeof answer === 'boolean'
      ? answer
        ? 'yes'
        : 'no'
      : typeof answer === 'number'
        ? String(answer)
        : answer === null
          ? INSUFFICIENT
          : answer;
  if (typeof stated !== 'string') return undefined;
  return {
    thought: firstWords(thought.trim(), LONGEST_WORDS),
    answer: firstWords(stated.trim(), LONGEST_WORDS),
  };
}

export function generationPrompt(
  question: string,
  paragraphs: readonly Paragraph[],
  { demonstrations, words, prompt }: GenerationSettings,
): Prompt {
  const build = (room: PromptRoom): Prompt => {
    const passages = paragraphs
      .slice(0, room.passages)
      .map(paragraph => firstWordsOf(paragraph, room.words));
    const shown = DEMONSTRATIONS.slice(0, room.demonstrations);
    const asked = (documents: string, text: string): string =>
      `<doc>\n${documents}\n</doc>\n<Question>: ${withBrokenTokens(text)}\nLet's think step by step.\n<Answer>:`;
    const examples = shown.map(
      ({ question: text, thought, answer }) =>
        `${asked('{passages}', text)}\n${JSON.stringify({ thought, answer })}`,
    );
    return {
      role: THOUGHT,
      messages: [
        { role: 'system', text: `${RULES}\n${DATA_RULE}` },
        {
          role: 'user',
          text: [...examples, asked(passagesAsData(passages), question)].join('\n\n'),
        },
      ],
      maxTokens: GENERATION_TOKENS,
      temperature: 0,
      schema: SCHEMA,
    };
  };
  return fittingPrompt(build, { demonstrations, words, passages: paragraphs.length }, prompt);
}

const RULES = `Think step by step and answer the question after <Question> with what the passages within <doc>...</doc> say. Reply after <Answer> with JSON alone, of two texts: "thought", your reasoning, and "answer", as short as can be and in the language of the question; "Insufficient information." where the passages do not hold it.`;
