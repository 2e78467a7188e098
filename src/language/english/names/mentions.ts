/** Finds the spans of a sentence that may be answers: names, dates, numbers, quotes and phrases. */

import { findTimes, WEEKDAY } from '../values/dates.ts';
import { ENGLISH_STOP_WORDS } from '../words/stop-words.ts';
import { ADJECTIVES } from './demonyms.ts';

export type MentionKind = 'name' | 'time' | 'number' | 'adjective' | 'noun' | 'quote';

export interface Mention {
  readonly kind: MentionKind;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const WORD = String.raw`(?:(?:St|Dr|Mr|Mrs|Jr|Sr|No|Mt)\.|\p{Lu}\.(?:\s?\p{Lu}\.)*|\p{Lu}[\p{L}\p{N}’'&-]*|\d{1,4}(?:st|nd|rd|th)\b|[IVX]+\b)`;
const JOIN = `(?:of|the|for|de|van|von|der|den|al|bin|ibn|la|le|du|da|di|del|y|e|&|and|in|on|to|at|a|with)`;
const TITLE = new RegExp(String.raw`${WORD}(?:\s(?:${JOIN}\s){0,2}${WORD})*`, 'gu');
const PLAIN = new RegExp(
  String.raw`${WORD}(?:\s(?:(?:of|de|van|von|al|bin|ibn|la|del|di|da|du)\s)?${WORD})*`,
  'gu',
);
const WITH_PLACE = new RegExp(
  String.raw`${WORD}(?:\s${WORD})*(?:, ${WORD}(?:\s${WORD})*){1,2}`,
  'gu',
);
const QUOTE = /["“]([^"“”]{2,80})["”]/gu;
const NUMBER =
  /(?<![\p{L}\d])[$£€]?\d[\d,.]*\d?(?: (?:million|billion|thousand|hundred))?(?: \p{Ll}+)?|\b(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-(?:one|two|three|four|five|six|seven|eight|nine))?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|dozens?|hundreds?|thousands?)\b/giu;
/** A span of years: "between 1920 and 1939", "1985–1990". */
const YEARS = /\b[12]\d{3}(?: (?:and|to|until|till) | ?[–-] ?)[12]\d{3}\b/gu;
const NATIONAL = new RegExp(String.raw`\b(?:${ADJECTIVES})(?=\b|-)`, 'gu');
const PHRASE = /(?<![\p{L}\p{N}’'-])\p{Ll}[\p{L}’'-]*(?:[ -]\p{Ll}[\p{L}’'-]*)*/gu;
/** Ends no name: "Paris on Tuesday" is Paris. */
const OF_WEEK = new RegExp(String.raw`^${WEEKDAY}\W*$`, 'u');
const MAX_MENTIONS = 120;
const MAX_SENTENCE = 1200;

/** Returns the spans in order of position, each place and kind once, at most 120. */
export function findMentions(sentence: string): Mention[] {
  const text = sentence.slice(0, MAX_SENTENCE);
  const found = new Map<string, Mention>();
  const add = (kind: MentionKind, start: number, end: number): void => {
    const key = `${start} ${end}`;
    if (!found.has(key)) found.set(key, { kind, start, end, text: text.slice(start, end) });
  };
  const times = findTimes(text);
  for (const { start, end } of times) {
    add('time', start, end);
    const year = /\d{4}$/.exec(text.slice(start, end));
    if (year) add('time', end - 4, end);
  }
  for (const match of text.matchAll(YEARS)) add('time', match.index, match.index + match[0].length);
  for (const match of text.matchAll(NATIONAL))
    add('adjective', match.index, match.index + match[0].length);
  for (const pattern of [PLAIN, TITLE, WITH_PLACE])
    for (const match of text.matchAll(pattern)) addName(match[0], match.index, add);
  for (const match of text.matchAll(QUOTE))
    add('quote', match.index + 1, match.index + 1 + match[1]!.length);
  for (const match of text.matchAll(NUMBER)) addNumber(match[0], match.index, times, add);
  for (const match of text.matchAll(PHRASE)) addPhrases(match[0], match.index, add);
  return [...found.values()]
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .slice(0, MAX_MENTIONS);
}

type Add = (kind: MentionKind, start: number, end: number) => void;

const isPlain = (word: string): boolean => ENGLISH_STOP_WORDS.has(word.toLowerCase());

function addName(name: string, at: number, add: Add): void {
  const words = [...name.matchAll(/\S+/g)];
  let first = 0;
  let last = words.length - 1;
  while (first < last && isPlain(words[first]![0])) first++;
  if (first === last && (isPlain(words[first]![0]) || /^\d/.test(words[first]![0]))) return;
  while (
    last > first &&
    (OF_WEEK.test(words[last]![0]) || (isPlain(words[last]![0]) && words[last]![0] !== 'I'))
  )
    last--;
  const from = words[first]!.index;
  const whole = name.slice(from, words[last]!.index + words[last]![0].length);
  const text = whole.replace(/[’']s$/u, '').replace(/[’'&-]+$/u, '');
  if (text.length >= 2 && text.length <= 90) add('name', at + from, at + from + text.length);
}

function addNumber(
  text: string,
  at: number,
  times: readonly { start: number; end: number }[],
  add: Add,
): void {
  const number =
    /[$£€]?\d[\d,.]*\d?(?: (?:million|billion|thousand|hundred))?|\p{L}+(?:-\p{L}+)?/iu.exec(
      text,
    )![0];
  if (times.some(({ start, end }) => at < end && start < at + number.length)) return;
  add('number', at, at + number.replace(/[.,]$/, '').length);
  const counted = text.slice(number.length + 1);
  if (/^\p{Ll}/u.test(counted) && !isPlain(counted)) add('number', at, at + text.length);
}

/** Adds runs of content words, whole, and their ends of one and two words. */
function addPhrases(text: string, at: number, add: Add): void {
  let run: RegExpMatchArray[] = [];
  const flush = (): void => {
    for (const size of new Set([run.length, 2, 1]))
      if (size > 0 && size <= Math.min(run.length, 4)) {
        const first = run[run.length - size]!;
        const last = run.at(-1)!;
        if (size > 1 || last[0].length > 2)
          add('noun', at + first.index!, at + last.index! + last[0].length);
      }
    run = [];
  };
  for (const word of text.matchAll(/[\p{L}’'-]+/gu)) {
    if (isPlain(word[0])) flush();
    else run.push(word);
  }
  flush();
}
