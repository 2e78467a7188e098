/** Words the error of a vector space that nothing embeds. */
import { InputError } from '../core/errors.ts';
import { didYouMean } from '../core/naming/nearest.ts';
import type { PlaceSpace } from '../search/place.ts';

interface Searchable {
  /** Spaces that the store records; undefined if there is no store. */
  readonly recorded: readonly PlaceSpace[] | undefined;
  readonly offered: readonly string[];
}

/**
 * Suggests an ingest for a store without vectors, and naming the model for a store with some: it
 * keeps its first model, so that another can only be asked at search.
 */
export function unknownSpace(space: string, { recorded, offered }: Searchable): InputError {
  const known = [...new Set([...(recorded ?? []).map(({ name }) => name), ...offered])];
  const near = didYouMean(space, known);
  const embeds = recorded?.length === 0;
  const way = embeds
    ? `Embed the documents by it: openStore(path, { embedders: ["${space}"] }), then ingest them`
    : `Name its model too: embedders: ["${space}"]`;
  return new InputError('unknown-space', `Unknown vector space "${space}"`, {
    expected: known.length > 0 ? `one of ${known.join(', ')}` : 'an embedder',
    hint: near || way,
    remedy: near ? undefined : { id: embeds ? 'embed-documents' : 'give-embedder', name: space },
  });
}
