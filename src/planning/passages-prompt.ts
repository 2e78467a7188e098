/**
 * Builds prompts over passages, which are shown as data, and fits a prompt of demonstrations and
 * passages into a model's context by showing less.
 */
import { defined } from '../core/defined.ts';
import { withBrokenTokens } from '../core/text/control-tokens.ts';
import { DATA_RULE, type DataPassage, passagesAsData } from '../core/text/passages-as-data.ts';
import type { Prompt } from '../models/language-model.ts';
import { promptTokens } from '../models/prompt-tokens.ts';
import type { NamedSchema } from '../models/reply-schema.ts';
import { withShorter } from '../models/shorter-prompt.ts';
import { firstWordsOf } from './paragraphs.ts';

/** A request to a model about passages. */
export interface PassagesRequest {
  readonly role: string;
  /** Empty if the passages alone are asked about. */
  readonly question: string;
  readonly task: readonly string[];
  /** Says after the rule about data what the reply looks like. */
  readonly form?: readonly string[];
  readonly maxTokens: number;
  /** Missing for a reply in free text; over the numbers of the passages that may be cited. */
  readonly schema?: NamedSchema | ((numbers: readonly number[]) => NamedSchema);
}

/** Returns the line of a prompt that asks; it may quote documents, so its tokens are broken. */
export const questionLine = (question: string): string => `Question: ${withBrokenTokens(question)}`;

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

/** Returns the prompt of a request about passages, of which the first so many may be cited. */
export function passagesPrompt(
  { role, question, task, form = [], maxTokens, schema }: PassagesRequest,
  passages: readonly DataPassage[],
  citable: number = passages.length,
): Prompt {
  const data = passagesAsData(passages);
  return defined({
    role,
    messages: [
      { role: 'system', text: [...task, DATA_RULE, ...form].join('\n') },
      { role: 'user', text: question === '' ? data : `${data}\n\n${questionLine(question)}` },
    ],
    maxTokens,
    temperature: 0,
    schema: typeof schema === 'function' ? schema(numbersTo(citable)) : schema,
  });
}

/**
 * Returns the prompt with at most `words` words of each passage, fewer or fewer passages if it
 * would exceed `atMost` tokens. Passages `first` and `beside` are shown before and after them, and
 * never cut.
 */
export const fittedPassages = (
  request: PassagesRequest,
  passages: readonly DataPassage[],
  {
    words,
    atMost,
    first = [],
    beside = [],
  }: {
    readonly words: number;
    readonly atMost: number;
    readonly first?: readonly DataPassage[];
    readonly beside?: readonly DataPassage[];
  },
): Prompt =>
  fittingPrompt(
    room => {
      const shown = passages.slice(0, room.passages).map(each => firstWordsOf(each, room.words));
      return passagesPrompt(request, [...first, ...shown, ...beside], shown.length);
    },
    { demonstrations: 0, words, passages: passages.length },
    atMost,
  );

/** The parts of the material that a prompt shows. */
export interface PromptRoom {
  /** Number of demonstrations, from the last. */
  readonly demonstrations: number;
  /** Number of words of each passage, from the first. */
  readonly words: number;
  /** Number of passages, from the first. */
  readonly passages: number;
}

/** Least number of words to which a passage is cut before passages are dropped. */
const MIN_WORDS = 20;

/**
 * Returns the first of these prompts with at most `atMost` tokens, as `promptTokens` counts them:
 * with all of `most`; without demonstrations, dropped from the first; with passages cut to a half,
 * a quarter, ... of their words; without passages, dropped from the last. Returns the shortest if
 * none fits: the question itself is not cut. A model whose context has no room for it is asked with
 * a shorter one.
 */
export function fittingPrompt(
  build: (room: PromptRoom) => Prompt,
  most: PromptRoom,
  atMost: number,
): Prompt {
  return withShorter(firstFitting(build, most, atMost), less => fittingPrompt(build, most, less));
}

function firstFitting(
  build: (room: PromptRoom) => Prompt,
  most: PromptRoom,
  atMost: number,
): Prompt {
  let [room, prompt] = [most, build(most)];
  while (promptTokens(prompt) > atMost) {
    const less = shorter(room);
    if (!less) return withFewer(build, room, atMost);
    [room, prompt] = [less, build(less)];
  }
  return prompt;
}

/** Returns the room with less of each passage; undefined if they are to be dropped. */
function shorter({ demonstrations, words, passages }: PromptRoom): PromptRoom | undefined {
  if (demonstrations > 0) return { demonstrations: demonstrations - 1, words, passages };
  if (passages === 0 || words <= MIN_WORDS) return undefined;
  return { demonstrations, words: Math.max(MIN_WORDS, Math.floor(words / 2)), passages };
}

/** Finds the most passages that fit, fewer than those of the room, by halves. */
function withFewer(build: (room: PromptRoom) => Prompt, room: PromptRoom, atMost: number): Prompt {
  let [least, over] = [0, room.passages];
  while (over - least > 1) {
    const passages = Math.floor((least + over) / 2);
    if (promptTokens(build({ ...room, passages })) <= atMost) least = passages;
    else over = passages;
  }
  return build({ ...room, passages: least });
}
