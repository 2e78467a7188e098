/** Defines the family of lexical scorers. */
import { type Family, family } from '../../../core/naming/family.ts';
import { bm25 } from './bm25.ts';
import { s1 } from './s1.ts';
import type { Scorer } from './scorer.ts';

export const scorers: Family<Scorer> = family('scorer', [bm25, s1]);

export type { Scorer };
