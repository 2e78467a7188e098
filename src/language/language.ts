/**
 * Declares the table of a language: all that strategies and readers need of a language beside
 * English. `tables/` has a file for each, `tables/tables.ts` lists them, and
 * `tables/tables.test.ts` holds their laws.
 */

export interface LanguageTable {
  /** ISO 639-1. */
  readonly code: string;
  /** In English, as "German". */
  readonly name: string;
  /**
   * Words without content, in lower case, the more common ones of questions included. Where
   * `unspaced` is true they are taken out of the middle of a text, the longest first.
   */
  readonly stopWords: ReadonlySet<string>;
  /** Words that contain a stop word of a text without spaces and are no such word. */
  readonly whole?: readonly string[];
  /** Question words in lower case, and the English ones, which tell the kind of an answer. */
  readonly questionWords: readonly (readonly [asked: string, english: string])[];
  /**
   * Match a date, with the named groups `year`, `month` and, where it stands there, `day`. A month
   * is a number or one of `months`.
   */
  readonly dates: readonly RegExp[];
  /** Lower case, from January; empty where dates have numbers only. */
  readonly months: readonly string[];
  /** True where 1.234,5 is one thousand and more; false where it is 1,234.5. */
  readonly decimalComma: boolean;
  /** True where every noun has a capital, so that a capital alone makes no name. */
  readonly capitalNouns: boolean;
  /** Particles that are written at the end of a word, the longest first. */
  readonly particles?: readonly string[];
  /** Words for yes and no, as an answer has them. */
  readonly verdicts: readonly [yes: string, no: string];
  /** True where words have no spaces between them. */
  readonly unspaced: boolean;
}

/** Returns the words of a list in a table. */
export const listed = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));
