/**
 * Writes a question of another language for the analysis, which reads English: its dates, numbers
 * and question words in English, and of the rest the words that have content. So strategies and
 * readers find what is asked, days and names, and compare content with documents in the language.
 */
import { type Replacement, withReplacements } from '../core/text/replace-spans.ts';
import { MONTHS } from './english/values/dates.ts';
import type { LanguageTable } from './language.ts';
import { datesIn } from './language-dates.ts';
import { questionLanguage } from './question-language.ts';

/** Returns the question with its content alone; a question in English is returned unchanged. */
export function withPlainWords(question: string): string {
  const { table } = questionLanguage(question);
  if (table === undefined) return question;
  const { asked, rest } = questionWord(question.replace(/[¿¡]/gu, ''), table);
  const named = table.capitalNouns ? withoutCapitalNouns(rest, table) : rest;
  const dated = inEnglishDates(withEnglishNumbers(named, table), table);
  const content = withoutStopWords(dated, table).replace(/\s+/gu, ' ').trim();
  // A question of nothing but function words stays as it is.
  return /[\p{L}\p{N}]/u.test(content) ? `${asked} ${content}`.trim() : question;
}

/**
 * Returns true if a question word of its language opens a question, behind a preposition at most,
 * and nothing says that yes or no may answer: further on, or before a comma, the word may be a
 * relative pronoun or a conjunction. Names of works hold words of their own.
 */
export function opensWithQuestionWord(question: string): boolean {
  const { table } = questionLanguage(question);
  const text = question.replace(/[¿¡]|《[^》]*》|「[^」]*」|『[^』]*』/gu, '').trim();
  if (table === undefined || MAY_ASK_VERDICT.test(text)) return false;
  const { asked, before, behind } = questionWord(text, table);
  return (
    asked !== '' && (table.unspaced || PREPOSITION.test(before)) && !/[,，、;；]/u.test(behind)
  );
}

/** Particles of yes and no in Chinese, Russian and Korean, and indefinite pronouns of Japanese. */
const MAY_ASK_VERDICT =
  /[吗嗎]|是否|(?<!\p{L})ли(?!\p{L})|[는은인]지(?!\p{L})|いつ[もか]|[誰何]でも|[誰何][もか]|どれも|どこ[もか]|あいつ|幾何/u;
const PREPOSITION =
  /^(?:(?:à|de|en|dans|par|pour|avec|sur|depuis|sous|a|con|desde|hasta|sobre|in|an|auf|mit|von|zu|für|aus|bei|seit|nach|um|unter|über|durch|в|во|на|с|со|к|о|об|от|из|до|для|по|за|у|при)\s+)?$/iu;

/** Returns the question without the function words of its language, which needs a table. */
export function withoutFunctionWords(question: string): string {
  const { table } = questionLanguage(question);
  if (table === undefined) return question;
  const content = withoutStopWords(question, table);
  return /[\p{L}\p{N}]/u.test(content) ? content : question;
}

const withoutStopWords = (text: string, table: LanguageTable): string =>
  table.unspaced ? unspacedCut(table)(text) : withoutWords(text, table);

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Writes "3. Mai 2020" and 2020年5月3日 as "May 3, 2020". */
export const inEnglishDates = (text: string, table: LanguageTable): string =>
  withReplacements(
    text,
    datesIn(text, table).map(({ start, end, year, month, day }) => {
      const name = capitalised(MONTHS[month - 1]!);
      const by = day === 0 ? `${name} ${year}` : `${name} ${day}, ${year}`;
      return { start, end, by: table.unspaced ? ` ${by} ` : by };
    }),
  );

/** Matches a number with marks at thousands, a decimal part, or both. */
const COMMA_NUMBER =
  /(?<![\p{N}.,])(?:\d{1,3}(?:[.\u00a0\u202f]\d{3})+(?:,\d+)?|\d+,\d+)(?![\p{N}.,]\p{N}|\p{N})/gu;

const withEnglishNumbers = (text: string, { decimalComma }: LanguageTable): string =>
  decimalComma
    ? text.replace(COMMA_NUMBER, number =>
        number.replace(/[.,\u00a0\u202f]/gu, mark => (mark === ',' ? '.' : ',')),
      )
    : text;

interface QuestionWord {
  /** In English; empty without any. */
  readonly asked: string;
  readonly before: string;
  readonly behind: string;
  /** The question without the word. */
  readonly rest: string;
}

/** Finds the first of the question words, the longest at its place. */
function questionWord(text: string, { questionWords, unspaced }: LanguageTable): QuestionWord {
  const lower = text.toLowerCase();
  const [left, right] = unspaced
    ? ['', '']
    : [String.raw`(?<![\p{L}\p{N}])`, String.raw`(?![\p{L}\p{N}])`];
  const words = new Map(questionWords);
  const pattern = new RegExp(`${left}(?:${alternatives(words.keys())})${right}`, 'u');
  const match = lower.length === text.length ? pattern.exec(lower) : null;
  if (match === null) return { asked: '', before: text, behind: '', rest: text };
  const before = text.slice(0, match.index);
  const behind = text.slice(match.index + match[0].length);
  return { asked: words.get(match[0])!, before, behind, rest: `${before} ${behind}` };
}

const alternatives = (words: Iterable<string>): string =>
  [...words]
    .sort((a, b) => b.length - a.length)
    .map(word => word.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('|');

const withoutWords = (text: string, { stopWords }: LanguageTable): string =>
  text.replace(/[\p{L}\p{M}\p{N}]+/gu, (word, at: number) =>
    stopWords.has(word.toLowerCase()) && !(isNameLike(word) && at > 0) ? ' ' : word,
  );

/** Returns true for a word in capitals throughout: "IST", "DER". */
const isNameLike = (word: string): boolean => word.length > 1 && word === word.toUpperCase();

const HIRAGANA = String.raw`[\u3041-\u309f]`;

/**
 * Returns what takes the stop words out of a text without spaces, but none out of the middle of
 * another word.
 */
export function unspacedCut({ stopWords, whole = [] }: LanguageTable): (text: string) => string {
  const stop = `(?<!${HIRAGANA})(?:${alternatives(stopWords)})+(?!${HIRAGANA})`;
  const kept = whole.length > 0 ? `(?<kept>${alternatives(whole)})|` : '(?<kept>(?!))|';
  const words = new RegExp(`${kept}${stop}`, 'gu');
  return text =>
    text.replace(/[？?。！!]/gu, ' ').replace(words, (...parts) => {
      const { kept: word } = parts.at(-1) as { readonly kept?: string };
      return word ?? ' ';
    });
}

/**
 * Writes nouns small, so that they are no names: a capital word that stands alone behind an article
 * or another word that agrees with a noun, or at the beginning. Two capital words in a row, a word
 * with a further capital or a digit, and one behind a preposition without an article stay names.
 */
function withoutCapitalNouns(text: string, { stopWords }: LanguageTable): string {
  const words = Array.from(text.matchAll(/[\p{L}\p{M}\p{N}]+/gu), match => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match[0],
  }));
  const isCapital = (at: number): boolean =>
    /^\p{Lu}\p{Ll}+$/u.test(words[at]?.text ?? '') && !stopWords.has(words[at]!.text.toLowerCase());
  const spans: Replacement[] = words.flatMap(({ start, end, text: word }, at) => {
    if (!isCapital(at) || isCapital(at - 1) || isCapital(at + 1)) return [];
    const before = words[at - 1]?.text.toLowerCase();
    const isNoun =
      before === undefined ||
      ARTICLE.test(before) ||
      (ADJECTIVE.test(before) && !stopWords.has(before));
    return isNoun ? [{ start, end, by: word.toLowerCase() }] : [];
  });
  return withReplacements(text, spans);
}

/** Matches words that agree with the noun behind them; a name has none of them. */
const ARTICLE =
  /^(?:d(?:er|ie|as|en|em|es)|[kmds]?eine?[rsmn]?|ihre?[rsmn]?|unsere?[rsmn]?|zu[mr]|im|ins|beim|vom|ans|am|viele[rn]?|mehrere[rn]?|alle[rn]?|jede[rsmn]?|diese[rsmn]?|welche[rsmn]?)$/u;
const ADJECTIVE = /^\p{L}{3,}e[rsmn]?$/u;
