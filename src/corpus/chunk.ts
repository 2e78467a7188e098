/** Lists the family of chunkers, which cut documents into passages. */
import { type Family, family } from '../naming/family.ts';
import { sentences } from './chunk-sentences.ts';
import { tokens } from './chunk-tokens.ts';
import { whole } from './chunk-whole.ts';
import type { Chunker } from './chunker.ts';

export { type Chunker, sentencesOf } from './chunker.ts';

export const chunkers: Family<Chunker> = family<Chunker>('chunker', [whole, sentences, tokens]);
