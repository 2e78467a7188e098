/** Opens a place by its address: `memory:`, the path of a folder, or the address of a server. */
import { InputError } from '../../core/errors.ts';
import type { Place } from '../../search/place.ts';
import { isServerAddress } from '../../stores/servers/engine-address.ts';
import type { Environment } from '../notices.ts';
import { type FolderOptions, FolderPlace } from './folder-place.ts';
import { MemoryPlace } from './memory-place.ts';

const MEMORY = 'memory:';

export interface PlaceOptions extends FolderOptions {
  readonly env: Environment;
}

/**
 * Reads nothing of a server yet. Throws `InputError('missing-store' | 'bad-engine')`, and
 * `PortError` for a folder that is no store, unless it may become a store.
 */
export async function openPlace(address: string, options: PlaceOptions): Promise<Place> {
  if (typeof address !== 'string' || address === '')
    throw new InputError('missing-store', 'The place of the store is missing', {
      expected: `a path, such as notes.store, the address of a server, or ${MEMORY}`,
    });
  const { env, ...folder } = options;
  const { create, chunker } = folder;
  if (address === MEMORY) return new MemoryPlace({ chunker });
  if (!isServerAddress(address)) return FolderPlace.open(address, folder);
  const { ServerPlace } = await import('./server-place.ts');
  return new ServerPlace(address, { create, chunker, env });
}
