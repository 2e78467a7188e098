/** Prints ids for TREC files, whose fields are separated by white space. */
import { InputError } from '../../core/errors.ts';

const SEPARATOR = /[\s\p{Cc}]/gu;

/** Returns an id with its white space and control characters percent-encoded. */
export const escapedId = (id: string): string =>
  id.toWellFormed().replace(SEPARATOR, character => encodeURIComponent(character));

/**
 * Prints white space and control characters of an id as percent-encoded UTF-8 (`a b` as `a%20b`)
 * and anything else as it is, so that ids without white space read the same in every tool. Readers
 * do not decode: run files are scored by ids as they are printed.
 */
export class TrecIds {
  private readonly originals = new Map<string, string>();
  private readonly kind: string;

  constructor(kind: 'question' | 'document') {
    this.kind = kind;
  }

  /** Throws `InputError`: `bad-id` for an empty id, `ambiguous-id` if two ids print the same. */
  printed(id: string): string {
    if (id === '')
      throw new InputError('bad-id', `A ${this.kind} without an id cannot stand in a TREC file`);
    const text = escapedId(id);
    const before = this.originals.get(text) ?? id;
    if (before !== id)
      throw new InputError('ambiguous-id', `Two ${this.kind} ids print as "${text}"`, {
        expected: 'ids that differ once white space is percent-encoded',
        received: `${JSON.stringify(before)} and ${JSON.stringify(id)}`,
      });
    this.originals.set(text, id);
    return text;
  }
}
