/** Reads whether a question refers to what was said before it, and by which words. */
import { blanked } from '../../core/text/replace-spans.ts';
import { isClear, isImpersonal } from './clear-mentions.ts';
import { type Mention, mentionsIn, spansOf, WORD } from './mentions.ts';
import { namedThings } from './named-things.ts';
import {
  OTHER_LETTERS,
  OTHER_PRONOUNS,
  OTHER_QUESTION_WORDS,
  REFERENCE_TABLES,
} from './reference-tables.ts';
import type { ReferenceWords } from './reference-words.ts';

export interface FollowUpReading {
  /**
   * `alone`: nothing refers back. `inside`: it may, by a pronoun that may stand for a name of the
   * question itself, a question without a name, or a language without words here. `back`: it does.
   */
  readonly refers: 'alone' | 'inside' | 'back';
  /** The words of its language; undefined for a language without them. */
  readonly words: ReferenceWords | undefined;
  readonly mentions: readonly Mention[];
  /** True if words refer back that do not say to what. */
  readonly unnamed: boolean;
}

/**
 * Returns the words of the language that a question is in; undefined if nothing tells. `before`: a
 * question whose language counts where several fit alike.
 */
export function referenceWords(question: string, before?: string): ReferenceWords | undefined {
  if (OTHER_QUESTION_WORDS.test(question) || OTHER_LETTERS.test(question)) return undefined;
  const all = Array.from(question.matchAll(/[\p{L}\p{M}]+/gu), ([word]) => word);
  const counts = REFERENCE_TABLES.map(words => countOf(all, words));
  const most = Math.max(...counts);
  const fitting = most === 0 ? [] : REFERENCE_TABLES.filter((_, at) => counts[at] === most);
  if (fitting.length < 2 || before === undefined) return fitting[0];
  const usual = referenceWords(before);
  return fitting.find(words => words === usual) ?? fitting[0];
}

/** Counts the words of a language; 0 where most others, and the first, may be of another one. */
function countOf(all: readonly string[], { marks, opening, about }: ReferenceWords): number {
  const lower = all.map(word => word.toLowerCase());
  const count = lower.filter(word => marks.has(word)).length;
  const text = lower.join(' ');
  const begins = marks.has(lower[0] ?? '') || opening.test(text) || about.test(text);
  const rest = all.filter((word, at) => at === 0 || !/^\p{Lu}/u.test(word)).length;
  return begins || VERB_FIRST.test(text) || count * 2 > rest ? count : 0;
}

/** Matches English words that begin a question and are no stop words. */
const VERB_FIRST =
  /^(?:does|did|tell|explain|describe|list|compare|summari[sz]e|define|name|ok(?:ay)?|thanks)\b/;

/** Reads a question; `before` is the one before it. */
export function followUpReading(question: string, before?: string): FollowUpReading {
  const words = referenceWords(question, before);
  const names = namedThings(question, words);
  if (words === undefined) {
    const unnamed = OTHER_PRONOUNS.test(question);
    const refers = unnamed ? 'back' : names.length > 0 ? 'alone' : 'inside';
    return { refers, words, mentions: [], unnamed };
  }
  const text = blanked(question, [...spansOf(QUOTED, question), ...spansOf(words.idle, question)]);
  const { mentions, inside } = mentionsIn(text, words, names.length === 0);
  const impersonal = isImpersonal({ text, words, names });
  const named = { text, words, names, impersonal };
  const isChoice = names.length > 1 || offersOthers(question, words);
  const unnamed = words.unnamed.test(text) && !isChoice;
  const isBack =
    unnamed ||
    words.about.test(question) ||
    (mentions.length > 0 && !inside && mentions.every(mention => isClear(mention, named))) ||
    (names.length === 0 ? isShort(question, words) : namesOnly(question, names, words));
  const first = Math.min(...names.map(name => question.indexOf(name)));
  const mayStand = mentions.some(({ start }) => start < first) && !impersonal;
  const hinted = (inside && names.length === 0) || mayStand || words.hints.test(text);
  const mayRefer = (hinted && !isChoice) || (names.length === 0 && isOpen(question, words));
  const refers = isBack ? 'back' : mayRefer ? 'inside' : 'alone';
  return { refers, words, mentions, unnamed };
}

/** Matches what a question quotes, which says nothing of what it refers to. */
const QUOTED = /["“”„«`][^"“”„«»`]{1,80}["“”»`]|(?<!\p{L})['‘][^'’]{1,80}['’](?!\p{L})/gu;

/** True for "Which of these is older: a whale or a shark?". */
function offersOthers(question: string, { code }: ReferenceWords): boolean {
  return new RegExp(`[,:].*(?<!\\p{L})${OR[code]}(?!\\p{L})`, 'iu').test(question);
}

const OR: Readonly<Record<string, string>> = {
  en: 'or',
  de: 'oder',
  fr: 'ou',
  es: '[ou]',
  it: 'o',
  pt: 'ou',
  nl: 'of',
  ru: 'или',
};

/** True for "What is the population?" and "Which is older?": of what is not said. */
function isOpen(question: string, { marks, articles }: ReferenceWords): boolean {
  const words = Array.from(question.toLowerCase().matchAll(WORD), ([word]) => word);
  const known = articles.split(' ');
  return (
    words.some(word => known.includes(word)) || words.filter(word => !marks.has(word)).length < 2
  );
}

/** True for "And Berlin?" and "And in Berlin?". */
function namesOnly(
  question: string,
  [name, second]: readonly string[],
  { opening, links }: ReferenceWords,
): boolean {
  if (second !== undefined || !opening.test(question)) return false;
  const rest = question.replace(opening, '').replace(name!, ' ').match(WORD) ?? [];
  return rest.every(word => links.split(' ').includes(word.toLowerCase()));
}

/** True for "And when?", "And the price?" and "¿Cuándo murió?": no word says what of. */
function isShort(question: string, words: ReferenceWords): boolean {
  const lower = question.toLowerCase();
  const opening = words.opening.exec(lower)?.[0] ?? '';
  const all = lower.slice(opening.length).match(WORD) ?? [];
  const content = all.filter(word => !words.marks.has(word) && !/^d(?:id|oes)$/u.test(word));
  const isAcronym = /\p{Ll}.*(?<!\p{L})\p{Lu}{2,}(?!\p{L})/u.test(question);
  if (content.length === 0) return all.length > 0 && !isAcronym && !ADDRESS.test(lower);
  const [first = ''] = all;
  const before = [...words.links.split(' '), ...words.articles.split(' ')];
  const isPhrase = all.every(word => before.includes(word) || content.includes(word));
  if (opening !== '' && content.length === 1 && all.length > 1 && isPhrase) return true;
  const isAdjunct = words.adjuncts.split(' ').includes(first);
  const verb = words.ofPersons.test(lower) || words.ofThings.test(lower);
  return words.dropsSubjects && content.length === 1 && isAdjunct && verb;
}

/** Matches words for the speaker and the hearer: "Who are you?" is about nothing before it. */
const ADDRESS =
  /(?<!\p{L})(?:you|your|i|we|du|ich|wir|vous|tu|je|nous|usted|yo|tú|voi|noi|você|eu|ik|jij|ты|вы|я|мы)(?!\p{L})/u;
