/** Lists the family of chunkers, which cut documents into passages. */
import { type Family, family } from '../naming/family.ts';
import { sentences } from './chunk-sentences.ts';
import { tokens } from './chunk-tokens.ts';
import { whole } from './chunk-whole.ts';
import type { Chunker } from './chunker.ts';

export { type Chunker, sentencesOf } from './chunker.ts';

/**
 * All chunkers by name.
 *
 * @example
 * ```ts
 * import { chunkers } from 'multihop/retrieval';
 *
 * const chunker = chunkers.create('tokens(size=4, overlap=1)');
 * const text = 'Ada wrote the first program.';
 * console.log(chunker.chunk({ id: 'ada', title: '', text, metadata: {} }));
 * ```
 */
export const chunkers: Family<Chunker> = family<Chunker>('chunker', [whole, sentences, tokens]);
