/** Lists the kinds of derived indexes. */
import { InputError } from '../../core/errors.ts';
import { CLAIMS_KIND } from '../claims/stored-claims.ts';
import { NEAREST_KIND } from '../graphs/nearest-sentences.ts';
import { ENTITIES_KIND } from '../graphs/sentence-entities.ts';
import { LINKS_KIND } from '../links/document-links.ts';
import { VECTORS_KIND } from '../vectors/document-vectors.ts';
import type { DerivedIndex, DerivedKind } from './derived-index.ts';

export const DERIVED_KINDS: readonly DerivedKind[] = [
  VECTORS_KIND,
  LINKS_KIND,
  ENTITIES_KIND,
  NEAREST_KIND,
  CLAIMS_KIND,
] as DerivedKind[];

/** Returns the derived index of a key. Throws `InputError('unknown-derived-index')`. */
export function derivedByKey(key: string): DerivedIndex {
  const name = /^[^( ]*/.exec(key)![0];
  const kind = DERIVED_KINDS.find(known => known.name === name);
  if (kind) return kind.of(key);
  throw new InputError('unknown-derived-index', `Unknown derived index "${key}"`, {
    expected: `one of ${DERIVED_KINDS.map(known => known.name).join(', ')}`,
    hint: 'Use the release that wrote the store, or ingest the documents into a new store.',
  });
}
