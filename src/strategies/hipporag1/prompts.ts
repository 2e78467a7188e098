/**
 * Builds the two prompts of the retrieval of HippoRAG (Gutiérrez et al., NeurIPS 2024, arXiv
 * 2405.14831, appendix) and parses the replies: the named entities of a question or thought, and
 * the next thought of IR-CoT, which the released code requests with one demonstration.
 */

import { DATA_RULE, type DataPassage, passagesAsData } from '../../core/text/passages-as-data.ts';
import type { Call } from '../../core/trace/call.ts';
import type { ModelOutput } from '../../core/trace/trace.ts';
import { jsonValuesIn } from '../../models/json-in-text.ts';
import type { Completion, LanguageModel, Prompt } from '../../models/language-model.ts';
import { firstTokens } from '../../models/prompt-tokens.ts';
import { listOf, objectOf, TEXT } from '../../models/reply-schema.ts';
import { withoutThinking } from '../../models/thoughts.ts';
import { textOf } from '../../planning/json-fields.ts';
import { firstWords, firstWordsOf, type Paragraph } from '../../planning/paragraphs.ts';
import { fittingPrompt, questionLine } from '../../planning/passages-prompt.ts';
import { isRefusal } from '../../planning/refusal.ts';
import { ENTITY_ROLE } from '../../planning/triples/triple-prompts.ts';
import { readEntities } from '../../planning/triples/triple-replies.ts';

/** Role of a thought in traces and ledgers. */
export const COT_STEP = 'cotStep';
const ENTITY_TOKENS = 200;
const THOUGHT_TOKENS = 150;
/** Tokens of a question or thought that are searched for names. */
const LONGEST_TEXT = 400;
/** The longest such text, for plans. */
export const LONG_TEXT: string = firstTokens('q'.repeat(10 * LONGEST_TEXT), LONGEST_TEXT);

/** Names of a question: the completion has room for no more. */
const MOST_NAMES = 25;

const NAMES_TASK =
  'Name the entities that are needed to answer the question, or that the thought is about: people, organisations, places, works, things with a name of their own, and dates, each as it is written. Reply with JSON alone: {"named_entities": ["...", ...]}.';
const NAMES_EXAMPLE = {
  text: 'Which ferry was launched first, the Linnet of Harbour Works or the Plover?',
  names: ['Linnet', 'Harbour Works', 'Plover'],
} as const;

/** `text`: a question, or a thought, which may repeat what passages say and is data as they are. */
export function queryEntityPrompt(text: string): Prompt {
  const shown = [NAMES_EXAMPLE.text, firstTokens(text, LONGEST_TEXT)].map(each => ({
    title: 'Question or thought',
    text: each,
  }));
  return {
    role: ENTITY_ROLE,
    messages: [
      { role: 'system', text: `${NAMES_TASK}\n${DATA_RULE}` },
      { role: 'user', text: passagesAsData([shown[0]!]) },
      { role: 'assistant', text: JSON.stringify({ named_entities: NAMES_EXAMPLE.names }) },
      { role: 'user', text: passagesAsData([shown[1]!]) },
    ],
    maxTokens: ENTITY_TOKENS,
    temperature: 0,
    schema: objectOf('named_entities', { named_entities: listOf({ type: 'string' }, MOST_NAMES) }),
  };
}

/** Names that a model found; undefined for a reply that holds no list. */
export interface NamedEntities {
  readonly names: readonly string[] | undefined;
  readonly output: ModelOutput;
}

/** Asks once. Throws the model's errors. */
export async function askEntities(
  model: LanguageModel,
  text: string,
  call: Call,
): Promise<NamedEntities> {
  const reply = await model.generate(queryEntityPrompt(text), call);
  const { values, state } = readEntities(reply.text);
  const parsed = state !== 'unread';
  return {
    names: parsed ? [...new Set(values)] : undefined,
    output: { role: ENTITY_ROLE, text: reply.text, parsed },
  };
}

const THOUGHT_TASK =
  'Answer a question by one thought at a time over the passages. Write exactly one next thought, one sentence in the language of the question: a fact from the passages that leads to the answer, or what to look for next. When the answer is known, the thought is "So the answer is: X." with X as short as can be. Reply with JSON alone: {"thought": "..."}.';
const THOUGHT_EXAMPLE = {
  passages: [
    {
      title: 'Vell Observatory',
      text: 'The Vell Observatory was founded by the lens grinder Pia Sol.',
    },
    { title: 'Vell', text: 'Vell is a town on the river Orr.' },
    { title: 'Pia Sol', text: 'Pia Sol was born in Dunmar and learned to grind lenses there.' },
  ],
  question: 'Where was the founder of the Vell Observatory born?',
  thoughts: [
    'The Vell Observatory was founded by Pia Sol.',
    'Pia Sol was born in Dunmar.',
    'So the answer is: Dunmar.',
  ],
} as const;

export interface ThoughtMaterial {
  readonly question: string;
  readonly paragraphs: readonly Paragraph[];
  /** Thoughts so far, in order. */
  readonly thoughts: readonly string[];
}

/**
 * Returns the prompt. The demonstration is dropped, passages are shortened, then dropped from the
 * last, until it fits.
 */
export function thoughtPrompt(
  { question, paragraphs, thoughts }: ThoughtMaterial,
  { words, prompt }: { readonly words: number; readonly prompt: number },
): Prompt {
  return fittingPrompt(
    room => {
      const shown = paragraphs.slice(0, room.passages);
      return promptOf(
        question,
        shown.map(paragraph => firstWordsOf(paragraph, room.words)),
        thoughts,
        room.demonstrations > 0,
      );
    },
    { demonstrations: 1, words, passages: paragraphs.length },
    prompt,
  );
}

/** Thoughts repeat what passages say: they stand among the quoted data. */
function promptOf(
  question: string,
  passages: readonly DataPassage[],
  thoughts: readonly string[],
  demonstrated: boolean,
): Prompt {
  const all =
    thoughts.length > 0
      ? [...passages, { title: 'Thoughts so far', text: thoughts.join(' ') }]
      : passages;
  const asked = (data: readonly DataPassage[], of: string): string =>
    `${passagesAsData(data)}\n\n${questionLine(of)}`;
  const example = THOUGHT_EXAMPLE.thoughts.flatMap((thought, at): Prompt['messages'] => [
    {
      role: 'user',
      text: at === 0 ? asked(THOUGHT_EXAMPLE.passages, THOUGHT_EXAMPLE.question) : 'Next thought.',
    },
    { role: 'assistant', text: JSON.stringify({ thought }) },
  ]);
  return {
    role: COT_STEP,
    messages: [
      { role: 'system', text: `${THOUGHT_TASK}\n${DATA_RULE}` },
      ...(demonstrated ? example : []),
      { role: 'user', text: asked(all, question) },
    ],
    maxTokens: THOUGHT_TOKENS,
    temperature: 0,
    schema: objectOf('thought', { thought: TEXT }),
  };
}

/** Words of a thought; the rest is cut. */
const LONGEST_THOUGHT = 100;
/** Characters of a reply that are read. */
const READ_CHARACTERS = 20_000;
const ANSWERED = /so the answer is:/i;

/** A thought; `answers`: it states the answer, and is no query. */
export interface Thought {
  readonly text: string;
  readonly answers: boolean;
}

/**
 * Returns the thought in a reply: its JSON, else its first line. A refusal, a text without letters
 * or JSON of another shape is none: it would make a meaningless query.
 */
export function readThought({
  text,
  finish,
}: Pick<Completion, 'text' | 'finish'>): Thought | undefined {
  if (finish === 'filtered') return undefined;
  const reply = withoutThinking(text).slice(0, READ_CHARACTERS).trim();
  let said: string | undefined;
  for (const value of jsonValuesIn(text)) said ??= textOf(value, 'thought');
  if (said === undefined && /^(?:[{[]|```)/.test(reply)) return undefined;
  said ??= reply.replace(/^(?:Next )?(?:thought|A):\s*/i, '').split('\n', 1)[0]!;
  const words = said.slice(0, READ_CHARACTERS).toWellFormed().replace(/\s+/g, ' ').trim();
  const thought = firstWords(words, LONGEST_THOUGHT);
  if (!/\p{L}/u.test(thought) || isRefusal(thought)) return undefined;
  return { text: thought, answers: ANSWERED.test(thought) };
}
