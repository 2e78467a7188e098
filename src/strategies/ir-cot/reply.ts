/**
 * Parses a model's reply in a step of IR-CoT: one sentence or the whole reply, with the answer if
 * it states one. Accepts any text.
 */

import { defined } from '../../core/defined.ts';
import { sentenceSpans } from '../../core/text/sentences.ts';
import { jsonValuesIn } from '../../models/json-in-text.ts';
import type { Completion } from '../../models/language-model.ts';
import { withoutThinking } from '../../models/thoughts.ts';
import { firstWords } from '../../planning/paragraphs.ts';
import { isRefusal } from '../../planning/refusal.ts';

export const IR_COT_PROFILES = ['original', 'comparison-text', 'comparison-code'] as const;
export type IrCotProfile = (typeof IR_COT_PROFILES)[number];

/** A parsed reply; `answer` is set if the sentence ends the chain. */
export type Thought =
  | { readonly kind: 'thought'; readonly text: string; readonly answer?: string }
  | { readonly kind: 'unparsed' };

const UNPARSED: Thought = { kind: 'unparsed' };
/** Most characters of a reply that are parsed. */
const READ_CHARACTERS = 20_000;
/**
 * Matches `null` as a quoted text, which some models write: no answer, so the chain continues.
 */
const NO_ANSWER_YET = /^(?:null|none)\W*$/i;
/** Most words of a sentence, and of a whole reply; the rest is cut. */
const LONGEST = { sentence: 100, reply: 400 };

/**
 * Returns the thought in a completion. Refusals, texts without letters and JSON of another shape
 * are unparsed: they would make meaningless queries.
 */
export function readThought(
  { text, finish }: Pick<Completion, 'text' | 'finish'>,
  profile: IrCotProfile,
): Thought {
  if (finish === 'filtered') return UNPARSED;
  if (profile === 'comparison-code')
    return wholeReply(withoutThinking(text).slice(0, READ_CHARACTERS));
  const json = jsonValuesIn(text).find(isReply);
  if (json) {
    const thought = firstSentence(json.sentence.slice(0, READ_CHARACTERS), profile);
    const stated =
      typeof json.answer === 'string' ? json.answer.slice(0, READ_CHARACTERS).trim() : '';
    const goesOn = stated === '' || NO_ANSWER_YET.test(stated);
    return thought.kind === 'unparsed' || thought.answer !== undefined || goesOn
      ? thought
      : { ...thought, answer: stated };
  }
  const reply = withoutThinking(text).slice(0, READ_CHARACTERS).trim();
  if (/^(?:[{[]|```)/.test(reply)) return UNPARSED;
  // The original's prompt ends with "A:", which models repeat; its generation stops at the line's
  // end.
  return firstSentence(
    reply.replace(/^(?:A|Answer|Sentence|Reply):\s*/, '').split('\n', 1)[0]!,
    profile,
  );
}

const isReply = (json: unknown): json is { readonly sentence: string; readonly answer?: unknown } =>
  typeof (json as { readonly sentence?: unknown }).sentence === 'string';

function firstSentence(reply: string, profile: IrCotProfile): Thought {
  const text = reply.replace(/\s+/g, ' ').trim();
  const [start, end] = sentenceSpans(text)[0] ?? [0, 0];
  const sentence = firstWords(text.slice(start, end), LONGEST.sentence);
  if (isNoThought(sentence)) return UNPARSED;
  const answer =
    profile === 'original' ? statedAnswer(sentence) : after(/the answer is:/i, sentence);
  return defined({ kind: 'thought', text: sentence, answer });
}

function wholeReply(reply: string): Thought {
  const text = firstWords(reply.replace(/\s+/g, ' ').trim(), LONGEST.reply);
  if (isNoThought(text)) return UNPARSED;
  const answer = after(/answer is:/i, reply);
  return defined({ kind: 'thought', text, answer });
}

/**
 * Returns what `.* answer is:? (.*)\.?` matches, as in IRCoT's released code: the text after the
 * last " answer is" of the sentence.
 */
export function statedAnswer(sentence: string): string | undefined {
  const stated = /^.* answer is:? (.*)/.exec(sentence)?.[1];
  return stated === undefined ? undefined : withoutPoint(stated);
}

/** Returns the rest of the line after the mark, possibly empty. */
function after(mark: RegExp, text: string): string | undefined {
  const found = mark.exec(text);
  return found
    ? withoutPoint(
        text
          .slice(found.index + found[0].length)
          .trim()
          .split('\n', 1)[0]!,
      )
    : undefined;
}

/** Removes one trailing full stop. */
const withoutPoint = (text: string): string => text.trim().replace(/\.$/, '');

const isNoThought = (text: string): boolean => !/\p{L}/u.test(text) || isRefusal(text);
