/**
 * Checks whether the cited passages contain the words of an answer: a check of form, not of
 * meaning.
 *
 * All names, numbers and dates of a sentence must occur in a cited passage, and at least half of
 * its other words. A sentence that is only a verdict (yes, no, before, consistent) has no such
 * words: the cited passages must then contain half of the question's names, which is weak support.
 */

import { wordSpans } from '../core/text/matched-words.ts';
import { withReplacements } from '../core/text/replace-spans.ts';
import { sentenceSpans } from '../core/text/sentences.ts';
import { findNames } from '../language/english/names/names.ts';
import { findDates } from '../language/english/values/dates.ts';
import { ENGLISH_STOP_WORDS } from '../language/english/words/stop-words.ts';

export interface LexicalSupport {
  /** Sentences of the answer that the cited passages do not support. */
  readonly unsupported: readonly string[];
  /** Share of the answer's words that they contain, 0 to 1. */
  readonly support: number;
}

const VERDICTS = new Set(
  'yes no not true false before after earlier later same different similar consistent inconsistent agree agreement disagree disagreement both neither'.split(
    ' ',
  ),
);
/**
 * Chosen on the MultiHop-RAG dev half (90-word leads): marks verdicts for 8 % of the questions if
 * their own gold articles are cited, and for 92 % if those of another question are. With all
 * content words instead of names, 73 % and 100 %.
 */
const MIN_SHARE = 0.5;
const MIN_SHARE_OF_WORDS = 0.25;

/**
 * Returns the support of an answer by the cited passages, as they were shown; without passages,
 * nothing is supported.
 */
export function lexicalSupport(
  answer: string,
  question: string,
  passages: readonly string[],
): LexicalSupport {
  const shown = wordsAndDaysOf(passages);
  const sentences = sentenceSpans(answer).map(([start, end]) => answer.slice(start, end));
  const checked = (sentences.length > 0 ? sentences : [answer]).map(sentence => {
    const { exact, others } = wordsOf(sentence);
    return exact.length + others.length > 0
      ? wordSupport(exact, others, shown, sentence)
      : verdictSupport(question, shown, sentence);
  });
  const [matched, required] = checked.reduce(
    ([a, b], each) => [a + each.matched, b + each.required],
    [0, 0],
  );
  return {
    unsupported: checked.flatMap(({ sentence, supported }) => (supported ? [] : [sentence])),
    support: required === 0 ? 0 : matched / required,
  };
}

interface Checked {
  readonly sentence: string;
  readonly supported: boolean;
  readonly matched: number;
  readonly required: number;
}

function wordSupport(
  exact: readonly string[],
  others: readonly string[],
  shown: ReadonlySet<string>,
  sentence: string,
): Checked {
  const countShown = (words: readonly string[]): number =>
    words.filter(word => shown.has(word)).length;
  const [names, rest] = [countShown(exact), countShown(others)];
  const supported = names === exact.length && rest >= MIN_SHARE * others.length;
  return { sentence, supported, matched: names + rest, required: exact.length + others.length };
}

/**
 * Checks the words of the question's names, or, if it names nothing, its content words, of which a
 * passage repeats fewer.
 */
function verdictSupport(question: string, shown: ReadonlySet<string>, sentence: string): Checked {
  const names = findNames(folded(question));
  const words = tokens(question).filter(
    ({ word }) => word.length > 1 && !ENGLISH_STOP_WORDS.has(word),
  );
  // A name may begin inside a word: iPhone.
  const nameWords = words.filter(token =>
    names.some(({ start, end }) => token.start < end && start < token.end),
  );
  const questionWords = [
    ...new Set((nameWords.length > 0 ? nameWords : words).map(({ word }) => word)),
  ];
  const least = (nameWords.length > 0 ? MIN_SHARE : MIN_SHARE_OF_WORDS) * questionWords.length;
  const matched = questionWords.filter(word => shown.has(word)).length;
  return {
    sentence,
    supported: shown.size > 0 && matched >= least,
    matched,
    required: questionWords.length,
  };
}

/**
 * Returns true if a sentence holds what an answer adds to the question: all its names, numbers and
 * days and half of its other words, or all of these where it adds nothing else.
 */
export function supportedBySentence(answer: string, question: string, sentence: string): boolean {
  const [shown, asked] = [wordsAndDaysOf([sentence]), wordsAndDaysOf([question])];
  const added = (words: readonly string[]): string[] => words.filter(word => !asked.has(word));
  const { exact, others } = wordsOf(answer);
  const [names, rest] = [added(exact), added(others)];
  if (names.length + rest.length === 0) return false;
  const held = rest.filter(word => shown.has(word)).length;
  return (
    names.every(word => shown.has(word)) &&
    (names.length > 0 ? held >= MIN_SHARE * rest.length : held === rest.length)
  );
}

/** Returns all words and days in the passages. */
function wordsAndDaysOf(passages: readonly string[]): Set<string> {
  return new Set(
    passages.flatMap(passage => [
      ...findDates(passage).map(({ day }) => day),
      ...tokens(passage).map(({ word }) => word),
    ]),
  );
}

/**
 * Returns the words that must all occur (days, numbers, names) and those of which a share must.
 * Stop words and verdicts count only if there is nothing else.
 */
function wordsOf(sentence: string): {
  readonly exact: readonly string[];
  readonly others: readonly string[];
} {
  const dates = findDates(sentence);
  const rest = withReplacements(
    sentence,
    dates.map(({ start, end }) => ({ start, end, by: ' ' })),
  );
  const all = tokens(rest);
  const telling = all.filter(({ word }) => !ENGLISH_STOP_WORDS.has(word) && !VERDICTS.has(word));
  const words =
    telling.length > 0 || dates.length > 0
      ? telling
      : all.filter(({ word }) => !VERDICTS.has(word) && word.length > 1);
  // The first word of a sentence is capitalised whether or not it is a name.
  const allNames = words.every(({ capital, digit }) => capital || digit);
  const isExact = ({ capital, digit, first }: Token): boolean =>
    digit || (capital && (!first || allNames));
  return {
    exact: [...dates.map(({ day }) => day), ...words.filter(isExact).map(({ word }) => word)],
    others: words.filter(token => !isExact(token)).map(({ word }) => word),
  };
}

interface Token {
  readonly word: string;
  /** Offsets in the folded text. */
  readonly start: number;
  readonly end: number;
  readonly capital: boolean;
  readonly digit: boolean;
  readonly first: boolean;
}

function tokens(text: string): Token[] {
  const list: Token[] = [];
  const plain = folded(text);
  for (const [start, end] of wordSpans(plain)) {
    const written = plain.slice(start, end);
    const word = written.toLowerCase();
    // "Quill's" is Quill.
    if (word === 's' && /['’]/.test(plain[start - 1] ?? '')) continue;
    list.push({
      word,
      start,
      end,
      capital: /\p{Lu}/u.test(written),
      digit: /\p{N}/u.test(written),
      first: list.length === 0,
    });
  }
  return list;
}

/** Separates numbers from their units and drops separators of thousands: "1MiB" is "1 MiB". */
export const unitsApart = (text: string): string =>
  text
    .replace(/(?<=\p{Nd})[,\u00a0\u202f](?=\p{Nd}{3}(?!\p{Nd}))/gu, '')
    .replace(/(?<=\p{Nd})(?=\p{L})/gu, ' ');

/** Removes accents, and separates units. */
const folded = (text: string): string => unitsApart(text.normalize('NFKD').replace(/\p{M}/gu, ''));
