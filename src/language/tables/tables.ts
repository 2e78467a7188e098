/** Lists the tables of languages beside English. */
import type { LanguageTable } from '../language.ts';
import { CHINESE } from './chinese.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import { JAPANESE } from './japanese.ts';
import { KOREAN } from './korean.ts';
import { RUSSIAN } from './russian.ts';
import { SPANISH } from './spanish.ts';

export const LANGUAGE_TABLES: readonly LanguageTable[] = [
  GERMAN,
  FRENCH,
  SPANISH,
  CHINESE,
  JAPANESE,
  KOREAN,
  RUSSIAN,
];
