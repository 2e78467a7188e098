/**
 * Parses a language model's output for the generative reader into an answer whose citations point
 * into the shown passages.
 */

import { defined } from '../core/defined.ts';
import {
  answerOf,
  INSUFFICIENT,
  LONGEST_ANSWER,
  saysInsufficient,
} from '../models/short-answer.ts';
import type { Structured } from '../models/structured.ts';
import { citedText } from './cited-sentences.ts';
import { type Answered, abstained, NOTHING_CITED, orNone } from './draft.ts';
import { groundsOf, type Prompted, shownText } from './grounds.ts';
import { lexicalSupport } from './lexical-support.ts';
import type { ShownPassage } from './shown-passages.ts';

export interface ParsedAnswer {
  readonly answer: string;
  /** Numbers of passages, valid or not. */
  readonly citations: readonly number[];
  readonly abstain: boolean;
}

/** Reasons of abstentions. */
export const UNREADABLE = 'The output of the model is not a readable answer';
export const ONLY_NUMBERS = 'The output of the model names passages and gives no answer';

/** Greatest number of citations that are read. */
const MAX_CITATIONS = 100;

/**
 * Reads the answer from parsed JSON; returns undefined if it has another shape. An abstention needs
 * neither text nor citations.
 */
export function parseAnswer(json: unknown): ParsedAnswer | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const { citations, abstain } = json as { citations?: unknown; abstain?: unknown };
  const abstains = abstain === true || abstain === 'true';
  const answer = answerOf(json) ?? (abstains ? INSUFFICIENT : undefined);
  if (answer === undefined) return undefined;
  const numbers =
    numbersIn(citations) ??
    (abstains || citations === null || saysInsufficient(answer) ? [] : undefined);
  return numbers && { answer, citations: numbers, abstain: abstains };
}

/** Reads `[1, "2", "[3]"]`, or a single one of these. */
export function numbersIn(citations: unknown): number[] | undefined {
  const list =
    typeof citations === 'number' || typeof citations === 'string' ? [citations] : citations;
  if (!Array.isArray(list)) return undefined;
  const numbers = list.slice(0, MAX_CITATIONS).map(each => {
    const digits =
      typeof each === 'string' && each.length <= 40
        ? /^[^-\d]*(\d{1,4})\D*$/.exec(each)?.[1]
        : undefined;
    return typeof each === 'number' ? each : Number(digits ?? Number.NaN);
  });
  return [...new Set(numbers.filter(Number.isInteger))];
}

/**
 * Returns an abstention, or an answer with its supporting sentences, marked `unsupported` if the
 * cited passages do not contain it.
 */
export function readAnswer(output: Structured<ParsedAnswer>, prompted: Prompted): Answered {
  const { question, passages, uncited } = prompted;
  if (output.kind === 'unparsed') return unread(output.texts);
  const { abstain, citations: numbers } = output.value;
  const shownNumbers = new Set(passages.keys().map(at => at + 1));
  const written = citedText(output.value.answer.toWellFormed().trim(), shownNumbers);
  const { text } = written;
  const marks = new Set([...numbers, ...written.sentences.flatMap(each => each.numbers)]);
  const numbered = [...marks].flatMap(number => passages[number - 1] ?? []);
  if (namesPassagesAlone(text, question.text, shownNumbers)) return abstained(ONLY_NUMBERS);
  if (saysInsufficient(text) && !isStated(text, question.text, numbered)) return abstained();
  const groups = numbered.map(passage => [passage]);
  const { citations, support, unsupported } = groundsOf(text, groups, prompted);
  if (abstain) return { ...abstained(), withheld: { text, citations } };
  const dropped = [...marks].filter(number => passages[number - 1] === undefined);
  if (citations.length === 0 && uncited === 'withhold') return nothingCited(text, dropped);
  return defined({
    kind: 'answered',
    text,
    citations,
    support,
    unsupported: orNone(unsupported),
    dropped: orNone(dropped),
  });
}

/** Matches a list of numbers and nothing else; "2-1" and "1/2" are no lists. */
const NUMBERS =
  /^[\s([{]{0,9}\d{1,3}(?:\s{0,2}(?:[,;&]|and|und|et|y)\s{0,2}\d{1,3}){0,50}[\s)\]}.]{0,9}$/u;
/** Asks for a number, a year or a time, which a bare number may answer. */
const ASKS_NUMBER =
  /(?<!\p{L})(?:how|when|what|which|number|many|much|year|age|wie|wann|welche\p{L}*|combien|quand|quel\p{L}*|cuánt\p{L}*|cuándo|qué|cuál|quant\p{L}*|quando|qual|hoeveel|wanneer|welk\p{L}*|сколько|когда|како\p{L}*)(?!\p{L})|多少|几|幾|何|哪|いつ|いくつ|몇|언제|كم|متى/iu;

/** Returns true for a reply that is empty without its marks, or lists numbers of passages alone. */
export function namesPassagesAlone(
  text: string,
  question: string,
  shown: ReadonlySet<number>,
): boolean {
  if (!/[\p{L}\p{N}]/u.test(text)) return true;
  if (!NUMBERS.test(text)) return false;
  const numbers = Array.from(text.matchAll(/\d+/g), ([digits]) => Number(digits));
  return (
    numbers.every(number => shown.has(number)) &&
    !(numbers.length === 1 && ASKS_NUMBER.test(question))
  );
}

/**
 * Returns true for a sentence whose words the cited passages hold: "It was never found" may answer,
 * and what says that nothing answers has words of its own.
 */
export function isStated(text: string, question: string, cited: readonly ShownPassage[]): boolean {
  const words = text.match(/\p{L}+/gu)?.length ?? 0;
  if (cited.length === 0 || words < FEWEST_WORDS) return false;
  return lexicalSupport(text, question, cited.map(shownText)).support === 1;
}

/** Fewer words are a statement of ignorance, "unknown", which passages may hold as well. */
const FEWEST_WORDS = 3;

/** Withholds an answer without a valid citation. */
export const nothingCited = (text: string, dropped: readonly number[]): Answered =>
  defined({
    ...abstained(NOTHING_CITED),
    withheld: { text, citations: [] },
    dropped: orNone(dropped),
  });

/**
 * Abstains for unreadable output, as a refusal if it states in plain words that there is no answer.
 */
function unread(texts: readonly string[]): Answered {
  const readable = texts
    .map(text => text.slice(0, LONGEST_ANSWER).toWellFormed())
    .filter(text => text.trim() !== '');
  if (readable.some(saysInsufficient)) return abstained();
  const text = readable.at(-1);
  return defined({
    ...abstained(UNREADABLE),
    withheld: text === undefined ? undefined : { text, citations: [] },
  });
}
