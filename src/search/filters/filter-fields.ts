/** Refuses misspelt fields of filters, which no document or every document would pass. */
import { type Filter, filterFields } from '../../core/corpus/filter.ts';
import { InputError } from '../../core/errors.ts';
import { didYouMean } from '../../core/naming/nearest.ts';
import { OWN_FIELDS } from '../corpus/segment.ts';

/**
 * Throws `InputError('unknown-field')` for a field that no document has. `known`: the names of the
 * metadata fields of a corpus that has documents.
 */
export function checkFilterFields(filter: Filter, known: ReadonlySet<string>): void {
  for (const field of filterFields(filter)) {
    if (known.has(field) || OWN_FIELDS.includes(field)) continue;
    const names = [...known, ...OWN_FIELDS];
    const near = didYouMean(field, names);
    throw new InputError('unknown-field', `No document has the metadata field "${field}"`, {
      expected: `one of ${names.sort().join(', ')}`,
      hint: near,
    });
  }
}
