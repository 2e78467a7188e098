/** Lists the family of readers. */
import { type Family, family } from '../core/naming/family.ts';
import { cascade } from './cascade.ts';
import { combinedReader } from './combined-reader.ts';
import { evidenceOnly } from './evidence-only.ts';
import { extractive } from './extractive.ts';
import { factReader } from './fact-reader.ts';
import { generative } from './generative.ts';
import { openReader } from './open-reader.ts';
import type { Reader } from './reader.ts';
import type { ReaderName } from './reader-names.ts';
import { sectionReader } from './section-reader.ts';
import { span } from './span.ts';

/**
 * All readers by name.
 *
 * @example
 * ```ts
 * import { ask, ingest } from 'multihop';
 * import { readers } from 'multihop/reading';
 *
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * const reader = readers.create('extractive');
 * console.log((await ask('Who built the engine?', { engine, reader })).answer);
 * ```
 */
export const readers: Family<Reader, ReaderName> = family('reader', [
  combinedReader,
  extractive,
  factReader,
  openReader,
  sectionReader,
  span,
  generative,
  cascade,
  evidenceOnly,
]);
