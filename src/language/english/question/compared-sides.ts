/**
 * Reads what a question about documents compares: two things that a connective joins ("A or B",
 * "longer than that of B"), what is compared of them, and in which direction.
 */

import { findMentions } from '../names/mentions.ts';
import { isNegated } from '../values/polarity.ts';
import { type AskedTerm, askedTerms, holdsTerm } from '../words/terms.ts';
import { type AskedValue, formOfNoun, type ValueForm } from './asked-form.ts';

/** `more` and `less` ask for an order, `same` and `different` for equality. */
export type Comparative = 'more' | 'less' | 'same' | 'different';

export interface ComparedQuestion {
  /** Both things as the question writes them, in its order. */
  readonly things: readonly [string, string];
  /** The noun phrase and subject that each thing is asked about, in the form of its values. */
  readonly asked: readonly [AskedValue, AskedValue];
  readonly comparative: Comparative;
  /** True if it is answered by yes or no, about the first thing. */
  readonly isVerdict: boolean;
}

const WORDS: readonly (readonly [Comparative, RegExp])[] = [
  ['different', /\b(?:differ|differs|different|unequal|another .{1,40} than)\b/iu],
  ['same', /\b(?:same|equal|equals|equally|identical|as (?:many|much|long|large|often) as)\b/iu],
  [
    'less',
    /\b(?:less|least|fewer|fewest|smaller|smallest|shorter|shortest|lower|lowest|older|oldest|earlier|earliest|sooner)\b/iu,
  ],
  [
    'more',
    /\b(?:more|most|larger|largest|bigger|biggest|longer|longest|higher|highest|greater|greatest|newer|newest|later|latest)\b/iu,
  ],
];
const THAN = /\bthan\b|\bor (?:\p{L}+er|more|less)\b/iu;
/** Words that only say that two things are compared. */
const FILLERS =
  /\b(?:compare|compared|which|one|ones|of the two|of these|of them|two|both|often|number of|values?)\b/giu;
const TIME = /\b(?:longer|longest|shorter|shortest|sooner)\b/iu;
const AGE = /\b(?:older|oldest|newer|newest|earlier|earliest|later|latest)\b/iu;

/** Stand between two things. */
const JOINS = /\b(?:or|and|than|against|versus|vs|as|with|from)\b\.?/giu;
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

/** Returns undefined unless the question names two things and one direction. */
export function comparedQuestion(
  { text: question, value }: { readonly text: string; readonly value: AskedValue },
  { isProject, isSubject }: Things,
): ComparedQuestion | undefined {
  const found = WORDS.filter(([, pattern]) => pattern.test(question));
  const [comparative] = found[0] ?? [];
  // "The same or longer?" asks for both; "the largest body: is it equal?" for one.
  const unclear = found.length > 1 && (comparative === 'less' || THAN.test(question));
  // A denied comparison asks for what its words do not say.
  if (comparative === undefined || unclear || isNegated(question)) return undefined;
  const pair = thingsOf(question, isProject) ?? thingsOf(question, isSubject);
  if (!pair) return undefined;
  const words = new RegExp(WORDS.map(([, { source }]) => source).join('|'), 'giu');
  const [first, second] = pair;
  const rest = [
    value.subject
      .replace(first.text, ' ')
      .replace(second.text, ' ')
      .replace(words, ' ')
      .replace(FILLERS, ' '),
    formOf(question, comparative),
  ] as const;
  const askedOf = ({ text }: Word): AskedValue => ({
    form: rest[1],
    subject: `${rest[0]} ${text}`,
    default: value.default,
    noun: rest[0],
  });
  return {
    things: [first.text, second.text],
    asked: [askedOf(first), askedOf(second)],
    comparative,
    isVerdict: value.form === 'verdict' || comparative === 'same' || comparative === 'different',
  };
}

/** Returns the things on both sides of the first connective that has one on each. */
function thingsOf(
  question: string,
  isThing: (term: AskedTerm) => boolean,
  joins: RegExp = JOINS,
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

function formOf(question: string, comparative: Comparative): ValueForm {
  if (TIME.test(question)) return 'duration';
  const form = formOfNoun(question.replace(/(?<=\p{Ll}{3})s\b/gu, ''));
  if (AGE.test(question)) return form === 'date' ? 'date' : 'version';
  if (form !== undefined && MEASURED.has(form)) return form;
  return comparative === 'same' || comparative === 'different' ? 'value' : 'count';
}
const MEASURED: ReadonlySet<ValueForm> = new Set<ValueForm>([
  'duration',
  'size',
  'count',
  'number',
  'price',
  'version',
  'date',
]);

/** Returns true if all words of the thing stand in the place of a section. */
export const isAbout = (place: ReadonlySet<string>, thing: string): boolean =>
  askedTerms(`a ${thing}`).every(term => holdsTerm(place, term));
