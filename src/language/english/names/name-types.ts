/** Determines the types of a name from what the evidence calls it and how it is written. */
import { countryNamed } from './demonyms.ts';
import type { NameKind } from './name-kinds.ts';
import { hasGivenName, type TypeName, typesOfEnding } from './types.ts';

/** Share of mentions from which a pronoun of persons, or a preposition of place, tells. */
const MOSTLY = 0.5;

/** Returns the types that the name may have; empty if nothing tells. */
export function nameTypes(text: string, known: NameKind | undefined): Set<TypeName> {
  const types = new Set<TypeName>([...typesOfEnding(text), ...(known?.types ?? [])]);
  if (countryNamed(text) !== undefined) types.add('place');
  // "Michael Bay": a given name tells more than an ending, and leaves both open.
  if (hasGivenName(text) || (types.size === 0 && known && isPerson(known))) types.add('person');
  if (types.size === 0 && known && known.place >= MOSTLY) types.add('place');
  return types;
}

const isPerson = ({ person, speaks, personal, role }: NameKind): boolean =>
  speaks || (person && (personal >= MOSTLY || role));
