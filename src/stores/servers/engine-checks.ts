/** Compares what an engine on a server holds with what is asked of it. */
import { chunkers } from '../../core/corpus/chunk.ts';
import type { Chunker } from '../../core/corpus/chunker.ts';
import { InputError } from '../../core/errors.ts';
import type { EngineAddress } from './engine-address.ts';
import { otherEmbedder } from './engine-errors.ts';
import type { SpaceRecord } from './remote-spaces.ts';

/** Throws `InputError('other-chunker')`. */
export function checkChunker(
  { label }: Pick<EngineAddress, 'label'>,
  chunker: string | Chunker | undefined,
  stored: string,
): void {
  if (chunker === undefined) return;
  const name = typeof chunker === 'string' ? chunkers.canonical(chunker) : chunker.name;
  if (name === stored) return;
  throw new InputError('other-chunker', `The engine ${label} uses another chunker`, {
    expected: stored,
    received: name,
    hint: 'Omit the chunker, or ingest the documents under another name.',
  });
}

/**
 * Refuses to write documents without the vectors that the others have. Throws
 * `PortError('other-embedder')`.
 */
export function checkWritable(
  address: EngineAddress,
  stored: readonly SpaceRecord[],
  opened: readonly SpaceRecord[],
): void {
  const names = opened.map(({ name }) => name);
  if (stored.every(({ name }) => names.includes(name))) return;
  throw otherEmbedder(
    address,
    `the embedders ${stored.map(({ name }) => name).join(', ')} for a write`,
    names.join(', ') || 'none',
  );
}
