/**
 * Reads what a question about documents compares: two things that a connective joins ("A or B",
 * "longer than that of B").
 */

import { findMentions } from '../names/mentions.ts';
import { type AskedTerm, askedTerms, holdsTerm } from '../words/terms.ts';
import type { AskedValue } from './asked-form.ts';

/** Compares two things, of which one sentence tells nothing. */
const COMPARES =
  /\b(?:same|equal|equals|both|identical|differ|different|than|older|newer|larger|smaller|compared|against|versus)\b/iu;

/** Returns true if the answer follows from two things and not from one sentence. */
export const isCompared = ({ form, subject }: AskedValue): boolean =>
  form === 'choice' || (form === 'verdict' && COMPARES.test(subject));

/** Words between a thing and the connective beside it. */
const REACH = 6;

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}
const wordsOf = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{N}](?:[\p{L}\p{N}_]|[-./](?=[\p{L}\p{N}]))*/gu)].map(match => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));

/** Tells if the evidence has sections about a word, or a whole project. */
export interface Things {
  readonly isProject: (term: AskedTerm) => boolean;
  readonly isSubject: (term: AskedTerm) => boolean;
}

/** Words of a question that sets two things against each other. */
const AGAINST = /\b(?:differ(?:s|ences?|ent)?|compared?|comparison|versus|vs)\b/iu;
export const setsAgainst = (question: string): boolean => AGAINST.test(question);

/** Stand between the things of any comparison; "with" and "from" need a word that compares. */
const joinsOf = (question: string): RegExp => {
  const compared = /\bcompar/iu.test(question) ? '|with|to' : '';
  const differing = /\bdiffer/iu.test(question) ? '|from' : '';
  return new RegExp(
    String.raw`\b(?:or|and|than|against|versus|vs|as${compared}${differing})\b\.?`,
    'giu',
  );
};

/** Ends what stands before the second thing: "or that of", "than the". */
const LEADS =
  /\b(?:or|and|than|against|versus|vs|as|with|to|from|of|in|for|by|on|at)\b\.?(?:\s+(?:the|an?|that|those))*[^\p{L}\p{N}]*$/iu;

/**
 * Returns the names of the two things that a connective joins, in the order of the question.
 *
 * @param titles names that may stand in the question, such as titles of documents
 */
export function joinedThings(
  question: string,
  { isProject, isSubject }: Things,
  titles: readonly string[] = [],
): readonly [string, string] | undefined {
  const joins = joinsOf(question);
  const pair = thingsOf(question, isProject, joins) ?? thingsOf(question, isSubject, joins);
  // "Does A or B use C?" compares no A with C where nothing is known of B.
  if (!pair || !LEADS.test(question.slice(pair[0].end, pair[1].start))) return undefined;
  const names = [...placesOf(titles, question), ...namesOf(question)];
  const [first, second] = pair.map((word, at) => {
    const other = pair[1 - at]!;
    const whole = names.find(
      name =>
        name.start <= word.start &&
        word.end <= name.end &&
        (name.end <= other.start || other.end <= name.start),
    );
    return whole?.text ?? word.text;
  });
  return [first!, second!];
}

/** Returns where a question holds a title in any case, the longest first. */
const placesOf = (titles: readonly string[], question: string): Word[] =>
  longestFirst(
    titles.flatMap(title => {
      const start = title === '' ? -1 : question.toLowerCase().indexOf(title.toLowerCase());
      const end = start + title.length;
      return start < 0 ? [] : [{ start, end, text: question.slice(start, end) }];
    }),
  );

const namesOf = (question: string): Word[] =>
  longestFirst(
    findMentions(question).filter(
      ({ kind, text }) => (kind === 'name' && !text.includes(',')) || kind === 'quote',
    ),
  );

const longestFirst = (words: readonly Word[]): Word[] =>
  [...words].sort((a, b) => b.text.length - a.text.length);

/** Returns the things on both sides of the first connective that has one on each. */
function thingsOf(
  question: string,
  isThing: (term: AskedTerm) => boolean,
  joins: RegExp,
): readonly [Word, Word] | undefined {
  const words = wordsOf(question);
  const things = words.map(({ text }) => {
    // A word that opens no sentence: capitals count.
    const terms = askedTerms(`a ${text}`);
    return terms.length > 0 && terms.every(isThing);
  });
  for (const join of question.matchAll(joins)) {
    const at = words.findIndex(({ start }) => start === join.index);
    const left = nearest(things, at, -1);
    const right = nearest(things, at, 1);
    if (left === undefined || right === undefined) continue;
    const pair = [joined(question, words, things, left), joined(question, words, things, right)];
    if (pair[0]!.text.toLowerCase() !== pair[1]!.text.toLowerCase()) return pair as [Word, Word];
  }
  return undefined;
}

function nearest(things: readonly boolean[], from: number, step: 1 | -1): number | undefined {
  for (let distance = 1; distance <= REACH; distance++)
    if (things[from + step * distance]) return from + step * distance;
  return undefined;
}

/** Returns a thing of several words: "AI SDK". */
function joined(
  question: string,
  words: readonly Word[],
  things: readonly boolean[],
  at: number,
): Word {
  let [from, to] = [at, at];
  const touches = (left: number, right: number): boolean =>
    things[left] === true &&
    things[right] === true &&
    question.slice(words[left]!.end, words[right]!.start) === ' ';
  while (touches(from - 1, from)) from -= 1;
  while (touches(to, to + 1)) to += 1;
  const [start, end] = [words[from]!.start, words[to]!.end];
  return { text: question.slice(start, end), start, end };
}

/** Returns true if all words of the thing stand in the place of a section. */
export const isAbout = (place: ReadonlySet<string>, thing: string): boolean =>
  askedTerms(`a ${thing}`).every(term => holdsTerm(place, term));
