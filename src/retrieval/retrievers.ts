/** The family of retrievers, from name to factory. */
import { type Family, family } from '../naming/family.ts';
import { lexical } from './lexical.ts';
import type { UnboundRetriever } from './retriever.ts';

export const retrievers: Family<UnboundRetriever> = family('retriever', [lexical]);
