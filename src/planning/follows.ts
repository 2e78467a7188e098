/** Checks that an answer follows from answers to sub-questions. */
import { findTimes } from '../language/english/values/dates.ts';
import { contentWords } from '../language/english/words/content-words.ts';
import { saysInsufficient } from '../models/short-answer.ts';

interface Told {
  readonly question: string;
  readonly answer?: string | undefined;
}

/**
 * Returns true if an answer names nothing and counts nothing that the sub-answers, the question and
 * the sub-questions do not: all its words are theirs or verdicts, or one is and the others are
 * neither names nor numbers. Numbers may be computed from theirs. Forms of a word that share their
 * beginning are one, as endings differ.
 */
export function follows(answer: string, question: string, subAnswers: readonly Told[]): boolean {
  if (saysInsufficient(answer)) return true;
  const told = [question, ...subAnswers.flatMap(each => [each.question, each.answer ?? ''])];
  const answers = subAnswers.flatMap(each => each.answer ?? []);
  const words = [...contentWords(told.join(' '))];
  const computed = computedFrom(answers.join(' ; '));
  const isTold = (word: string): boolean =>
    words.some(other => other === word || sameBeginning(other, word)) || isCounted(word, computed);
  const own = [...contentWords(answer)].filter(word => !isTold(word));
  const rest = own.filter(word => !VERDICTS.has(word) && !isShortFor(word, answer, told));
  if (rest.length === 0) return true;
  if (rest.every(word => UNSPACED.test(word))) return answers.some(each => holds(answer, each));
  const isAnchored = own.length < contentWords(answer).size || rest.length < own.length;
  return isAnchored && rest.every(word => isPlain(word, answer));
}

/** Letters that two forms of a word share; a number has one form. */
const STEM = 5;
const sameBeginning = (a: string, b: string): boolean =>
  !/\d/.test(a + b) &&
  a.length >= STEM &&
  b.length >= STEM &&
  a.slice(0, STEM) === b.slice(0, STEM);

/** Words that judge what was asked and need not stand in it. */
const VERDICTS = new Set(
  'yes no ja nein oui non sí si não sim да нет 是 否 不是 はい いいえ 예 아니요 نعم لا both neither same different before after first second earlier later more less older younger equal years year'.split(
    ' ',
  ),
);

/** Words of scripts without spaces, which run on. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+$/u;

const holds = (answer: string, part: string): boolean => {
  const text = part.replace(/[\s。．.、]+$/u, '');
  return text.length >= 2 && answer.includes(text);
};

/** Most numbers and dates that are combined. */
const MOST = 20;

/** Returns sums, differences, ratios, percentages, centuries, decades, and months between dates. */
function computedFrom(text: string): ReadonlySet<number> {
  const numbers = Array.from(text.matchAll(/\d{1,9}/g), ([digits]) => Number(digits)).slice(
    0,
    MOST,
  );
  const months = findTimes(text)
    .filter(({ month }) => month > 0)
    .slice(0, MOST)
    .map(({ year, month }) => 12 * year + month);
  const isoMonths = Array.from(
    text.matchAll(/(?<!\d)(\d{4})-(\d{2})(?![\d-])/g),
    ([, year, month]) => 12 * Number(year) + Number(month),
  ).slice(0, MOST);
  const dated = [...months, ...isoMonths];
  return new Set([
    ...numbers.flatMap(a => numbers.flatMap(b => [a + b, Math.abs(a - b), a / b, (100 * a) / b])),
    ...numbers.filter(a => a >= 100).flatMap(a => [Math.ceil(a / 100), a - (a % 10)]),
    ...dated.flatMap(a => dated.map(b => Math.abs(a - b))),
  ]);
}

/** Tells if a word is a number, or the ordinal of one, that is among these. */
function isCounted(word: string, computed: ReadonlySet<number>): boolean {
  const [, digits] = /^(\d{1,9})(?:\p{L}{0,2})$/u.exec(word) ?? [];
  return digits !== undefined && computed.has(Number(digits));
}

/** Tells if a word is written in capitals that begin with the initials of told words: "USA". */
function isShortFor(word: string, answer: string, told: readonly string[]): boolean {
  const capitals = word.toUpperCase();
  if (!/^\p{Lu}{2,5}$/u.test(capitals) || !answer.includes(capitals)) return false;
  return told.some(text => {
    const names = text.match(/\p{Lu}[\p{L}'’]+/gu) ?? [];
    return names.some((name, at) => {
      const next = names[at + 1];
      return next !== undefined && capitals.startsWith(`${name[0]}${next[0]}`);
    });
  });
}

/** Tells if a word is no name and no number; nouns of German count something behind a number. */
function isPlain(word: string, answer: string): boolean {
  if (/\d/.test(word)) return false;
  const places = Array.from(answer.matchAll(/[\p{L}\p{M}\p{N}'’-]+/gu), ([text]) => text);
  return places.every(
    (text, at) =>
      text.toLowerCase() !== word ||
      (text === word && text.toUpperCase() !== word) ||
      /^\d/.test(places[at - 1] ?? ''),
  );
}
