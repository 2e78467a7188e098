/** Opens entity recognisers by name: by spelling, or by a model. */
import { InputError } from '../../errors.ts';
import type { EntityRecogniser } from '../../models/entity-recogniser.ts';
import { nameRecogniser } from '../../models/name-recogniser.ts';

export interface OpenRecogniser {
  readonly recogniser: EntityRecogniser;
  close?(): Promise<void>;
}

/** Throws `InputError('unknown-recogniser')`. */
export async function openRecogniser(name: string): Promise<OpenRecogniser> {
  if (name === nameRecogniser.id) return { recogniser: nameRecogniser };
  throw new InputError('unknown-recogniser', `Unknown entity recogniser "${name.slice(0, 80)}"`, {
    expected: 'names, which goes by spelling',
  });
}
