/** Lists the family of readers. */
import { type Family, family } from '../naming/family.ts';
import { evidenceOnly } from './evidence-only.ts';
import { extractive } from './extractive.ts';
import { factReader } from './fact-reader.ts';
import { generative } from './generative.ts';
import type { Reader } from './reader.ts';

export const readers: Family<Reader> = family('reader', [
  extractive,
  factReader,
  generative,
  evidenceOnly,
]);
