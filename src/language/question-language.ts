/**
 * Tells the language of a question: by its script, else by the language whose words without content
 * it has most of. English where nothing tells.
 */
import { wordsIn } from '../core/text/matched-words.ts';
import { ENGLISH_STOP_WORDS } from './english/words/stop-words.ts';
import type { LanguageTable } from './language.ts';
import { LANGUAGE_TABLES } from './tables/tables.ts';

/** Scripts that one language uses, or that tell languages apart, in the order of the test. */
const SCRIPTS: readonly (readonly [letters: RegExp, code: string, name: string])[] = [
  [/[\u3041-\u30ff]/u, 'ja', 'Japanese'],
  [/[\u1100-\u11ff\uac00-\ud7a3]/u, 'ko', 'Korean'],
  [/[\u3400-\u9fff\uf900-\ufaff]|[\u{20000}-\u{3fffd}]/u, 'zh', 'Chinese'],
  [/[іїєґІЇЄҐ]/u, 'uk', 'Ukrainian'],
  [/[\u0400-\u04ff]/u, 'ru', 'Russian'],
  [/[\u0370-\u03ff]/u, 'el', 'Greek'],
  [/[\u0590-\u05ff]/u, 'he', 'Hebrew'],
  [/[پچژگ]/u, 'fa', 'Persian'],
  [/[\u0600-\u06ff]/u, 'ar', 'Arabic'],
  [/[\u0900-\u097f]/u, 'hi', 'Hindi'],
  [/[\u0980-\u09ff]/u, 'bn', 'Bengali'],
  [/[\u0b80-\u0bff]/u, 'ta', 'Tamil'],
  [/[\u0e00-\u0e7f]/u, 'th', 'Thai'],
  [/[\u0e80-\u0eff]/u, 'lo', 'Lao'],
  [/[\u1000-\u109f]/u, 'my', 'Burmese'],
  [/[\u1780-\u17ff]/u, 'km', 'Khmer'],
  [/[\u10a0-\u10ff]/u, 'ka', 'Georgian'],
  [/[\u0530-\u058f]/u, 'hy', 'Armenian'],
  [/[\u1200-\u137f]/u, 'am', 'Amharic'],
];

/** The language of a question: its ISO 639-1 code and its name; the table where there is one. */
export interface QuestionLanguage {
  readonly code: string;
  readonly name: string;
  readonly table: LanguageTable | undefined;
}

const ENGLISH: QuestionLanguage = { code: 'en', name: 'English', table: undefined };
const LATIN = /\p{Script=Latin}/gu;

/** Returns the language of a question. */
export function questionLanguage(text: string): QuestionLanguage {
  const script = SCRIPTS.find(([letters]) => letters.test(text));
  if (script === undefined) return latinLanguage(text);
  // "What does 微信 mean?" is English: it has its function words, and names of another script.
  const english = countOf(wordsIn(text.toLowerCase()), ENGLISH_STOP_WORDS);
  const others = text.replace(LATIN, '').match(/\p{L}/gu)?.length ?? 0;
  if (english > 1 && others < (text.match(LATIN)?.length ?? 0)) return ENGLISH;
  const [, code, name] = script;
  return { code, name, table: LANGUAGE_TABLES.find(table => table.code === code) };
}

function latinLanguage(text: string): QuestionLanguage {
  const words = wordsIn(text.toLowerCase());
  let [best, most] = [ENGLISH, countOf(words, ENGLISH_STOP_WORDS)];
  for (const table of LANGUAGE_TABLES) {
    const count = table.unspaced ? 0 : countOf(words, table.stopWords);
    if (count > most) [best, most] = [{ code: table.code, name: table.name, table }, count];
  }
  return best;
}

/** Returns true if a text has a word without content of English, so that it may be English. */
export const hasEnglishWords = (text: string): boolean =>
  countOf(wordsIn(text.toLowerCase()), ENGLISH_STOP_WORDS) > 0;

/** Counts words of a list, without single letters: "Suicide's" has no French "s". */
const countOf = (words: readonly string[], list: ReadonlySet<string>): number =>
  words.filter(word => word.length > 1 && list.has(word)).length;
