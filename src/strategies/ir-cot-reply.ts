/**
 * What a language model says in a step of IR-CoT, read: one sentence or the whole reply, with the
 * answer where it states one. Any text may come.
 */
import { jsonValuesIn, withoutThinking } from '../models/json-in-text.ts';
import type { Completion } from '../models/language-model.ts';
import { firstWords } from '../planning/paragraphs.ts';
import { sentenceSpans } from '../text/sentences.ts';

export const IR_COT_PROFILES = ['original', 'comparison-text', 'comparison-code'] as const;
export type IrCotProfile = (typeof IR_COT_PROFILES)[number];

/** `answer` is there when the sentence ends the chain. */
export type Thought =
  | { readonly kind: 'thought'; readonly text: string; readonly answer?: string }
  | { readonly kind: 'unparsed' };

const UNPARSED: Thought = { kind: 'unparsed' };
/** What is looked at of a reply; characters. */
const LOOKED_AT = 20_000;
/**
 * `null` as models write it that put everything between quotation marks: no answer so far, and none
 * that ends the chain.
 */
const NO_ANSWER_YET = /^(?:null|none)\W*$/i;
/** What goes on is no sentence; words. A whole reply may be longer. */
const LONGEST = { sentence: 100, reply: 400 };

/**
 * The thought in a completion. A refusal is none, nor is a text without a letter, nor JSON that is
 * not what was asked for: asking with such words would be a hop that nobody thought of.
 */
export function readThought(
  { text, finish }: Pick<Completion, 'text' | 'finish'>,
  profile: IrCotProfile,
): Thought {
  if (finish === 'filtered') return UNPARSED;
  if (profile === 'comparison-code') return wholeReply(withoutThinking(text).slice(0, LOOKED_AT));
  const json = jsonValuesIn(text).find(isReply);
  if (json) {
    const thought = firstSentence(json.sentence.slice(0, LOOKED_AT), profile);
    const stated = typeof json.answer === 'string' ? json.answer.slice(0, LOOKED_AT).trim() : '';
    const goesOn = stated === '' || NO_ANSWER_YET.test(stated);
    return thought.kind === 'unparsed' || thought.answer !== undefined || goesOn
      ? thought
      : { ...thought, answer: stated };
  }
  const said = withoutThinking(text).slice(0, LOOKED_AT).trim();
  if (/^(?:[{[]|```)/.test(said)) return UNPARSED;
  // "A:" is how the original's prompt ends, and models repeat it. Generation stops at a line's end
  // there.
  return firstSentence(
    said.replace(/^(?:A|Answer|Sentence|Reply):\s*/, '').split('\n', 1)[0]!,
    profile,
  );
}

const isReply = (json: unknown): json is { readonly sentence: string; readonly answer?: unknown } =>
  typeof (json as { readonly sentence?: unknown }).sentence === 'string';

function firstSentence(said: string, profile: IrCotProfile): Thought {
  const text = said.replace(/\s+/g, ' ').trim();
  const [start, end] = sentenceSpans(text)[0] ?? [0, 0];
  const sentence = firstWords(text.slice(start, end), LONGEST.sentence);
  if (isNoThought(sentence)) return UNPARSED;
  const answer =
    profile === 'original' ? statedAnswer(sentence) : after(/the answer is:/i, sentence);
  return { kind: 'thought', text: sentence, ...(answer === undefined ? {} : { answer }) };
}

function wholeReply(said: string): Thought {
  const text = firstWords(said.replace(/\s+/g, ' ').trim(), LONGEST.reply);
  if (isNoThought(text)) return UNPARSED;
  const answer = after(/answer is:/i, said);
  return { kind: 'thought', text, ...(answer === undefined ? {} : { answer }) };
}

/**
 * `.* answer is:? (.*)\.?` at the beginning, as the original matches it: the last " answer is" of
 * the sentence counts (sheet, section 3).
 */
export function statedAnswer(sentence: string): string | undefined {
  const stated = /^.* answer is:? (.*)/.exec(sentence)?.[1];
  return stated === undefined ? undefined : withoutPoint(stated);
}

/** The rest of the line after the mark; empty where nothing follows. */
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

/** One trailing full stop goes. */
const withoutPoint = (text: string): string => text.trim().replace(/\.$/, '');

const REFUSAL =
  /^(?:i['’]?m sorry|i am sorry|sorry\b|i apologi[sz]e|my apologies|i can(?:no|['’])?t\b|i can not\b|i(?: am|['’]?m) (?:unable|not able)\b|i won['’]?t\b|i will not\b|as an ai\b|as a language model\b)/i;

const isNoThought = (text: string): boolean => !/\p{L}/u.test(text) || REFUSAL.test(text);
