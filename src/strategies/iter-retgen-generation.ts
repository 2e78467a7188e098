/**
 * One generation of Iter-RetGen: the prompt with the passages of this iteration alone, and what is
 * read from the reply (our sheet, sections 5 and 3).
 */
import { withoutThinking } from '../models/json-in-text.ts';
import type { JsonSchema, LanguageModel, Prompt } from '../models/language-model.ts';
import { generateStructured } from '../models/structured.ts';
import { firstWords, type Paragraph, shownParagraph } from '../planning/paragraphs.ts';
import { dataRule, passageMarker, passagesAsData } from '../planning/passages-as-data.ts';
import { fittingPrompt, type PromptRoom } from '../planning/passages-prompt.ts';
import type { Call } from '../trace/call.ts';
import type { ModelOutput } from '../trace/trace.ts';

export const THOUGHT = 'thought';
export const GENERATED_ANSWER = 'answer';
/** Sheet, section 6. */
export const GENERATION_TOKENS = 256;
export const DEMONSTRATIONS_AT_MOST = 3;
/**
 * Longer than `GENERATION_TOKENS` can say; what a model without a limit adds to a query ends here.
 */
const LONGEST_WORDS = 400;

const SCHEMA: { readonly name: string; readonly schema: JsonSchema } = {
  name: 'reasoned_answer',
  schema: {
    type: 'object',
    properties: { thought: { type: 'string' }, answer: { type: 'string' } },
    required: ['thought', 'answer'],
    additionalProperties: false,
  },
};

/**
 * The questions are those of EfficientRAG's MuSiQue prompt; the words of the thoughts are ours.
 * Their passages are a placeholder there too.
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

/** What a generation brought: `next` goes into the next query. */
export interface Generation {
  readonly outputs: readonly ModelOutput[];
  readonly next?: string;
  readonly thought?: string;
  readonly answer?: string;
}

/**
 * One call, and one repair where the reply is not the JSON that was asked for; the sheet's three
 * attempts at temperature 0 would be one thrice.
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
      ...(settings.field === 'full' && whole !== '' ? { next: whole } : {}),
    };
  const { thought, answer } = reply.value;
  const outputs = [
    ...reply.texts.slice(0, -1).map(unread),
    spoken(THOUGHT, thought),
    spoken(GENERATED_ANSWER, answer),
  ];
  const next = settings.field === 'full' ? `${thought} ${answer}`.trim() : thought;
  // Brackets alone, as small models think them, would only stand in the trace as a reason.
  return { outputs, next: /[\p{L}\p{N}]/u.test(next) ? next : '', thought, answer };
}

const spoken = (role: string, text: string): ModelOutput => ({ role, text, parsed: true });

/**
 * Valid when it is an object with both keys, both of them texts; an answer may be a number or a
 * truth value too.
 */
export function readReply(
  json: unknown,
): { readonly thought: string; readonly answer: string } | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const { thought, answer } = json as { readonly thought?: unknown; readonly answer?: unknown };
  if (typeof thought !== 'string') return undefined;
  const given =
    typeof answer === 'boolean'
      ? answer
        ? 'yes'
        : 'no'
      : typeof answer === 'number'
        ? String(answer)
        : answer;
  if (typeof given !== 'string') return undefined;
  return {
    thought: firstWords(thought.trim(), LONGEST_WORDS),
    answer: firstWords(given.trim(), LONGEST_WORDS),
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
      .map(paragraph => shownParagraph(paragraph, room.words));
    const marker = passageMarker(question, passages);
    const shown = room.demonstrations === 0 ? [] : DEMONSTRATIONS.slice(-room.demonstrations);
    const asked = (documents: string, text: string): string =>
      `<doc>\n${documents}\n</doc>\n<Question>: ${text}\nLet's think step by step.\n<Answer>:`;
    const examples = shown.map(
      ({ question: text, thought, answer }) =>
        `${asked('{passages}', text)}\n\`\`\`json\n${JSON.stringify({ thought, answer })}\n\`\`\``,
    );
    return {
      role: THOUGHT,
      messages: [
        { role: 'system', text: `${RULES}\n${dataRule(marker)}` },
        {
          role: 'user',
          text: [...examples, asked(passagesAsData(passages, marker), question)].join('\n\n'),
        },
      ],
      maxTokens: GENERATION_TOKENS,
      temperature: 0,
      schema: SCHEMA,
    };
  };
  return fittingPrompt(build, { demonstrations, words, passages: paragraphs.length }, prompt);
}

const RULES = `Think step by step and answer the question after <Question> with what the passages within <doc>...</doc> say. Reply after <Answer> with JSON alone, of two texts: "thought", your reasoning, and "answer", as short as can be; "Insufficient information." where the passages do not hold it.`;
