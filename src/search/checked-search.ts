/** Validates searches before any work, so that every engine refuses the same requests. */

import { defined } from '../core/defined.ts';
import { InputError } from '../core/errors.ts';
import type { Embedder } from '../models/embedder.ts';
import { type CapableEngine, checkRequirements, filterOperations } from './capabilities.ts';
import type { SearchRequest } from './engine.ts';
import { checkFilterFields } from './filters/filter-fields.ts';

/**
 * Checks a search against capabilities and the fields of the documents. `fields` is undefined for
 * an engine without documents. Throws `InputError`.
 */
export function checkSearch(
  request: SearchRequest,
  engine: CapableEngine,
  fields: ReadonlySet<string> | undefined,
): void {
  const { unit, queries, scorer, space } = request;
  const filters = queries.flatMap(({ filter }) => filter ?? []);
  const requirements = defined({
    units: [unit],
    filters: filters.flatMap(filterOperations),
    scorer,
    vectorSearch: space === undefined ? undefined : ('any' as const),
  });
  checkCount(request.k);
  checkRequirements('The search', requirements, engine);
  checkQueries(request);
  if (fields) for (const filter of filters) checkFilterFields(filter, fields);
}

/** Throws `InputError('bad-k')`. */
export function checkCount(k: number, noun = 'The number of hits'): void {
  if (Number.isInteger(k) && k >= 0) return;
  throw new InputError('bad-k', noun, {
    expected: 'a whole number of at least 0',
    received: String(k),
  });
}

/** Throws `InputError('scorer-and-space' | 'no-space' | 'empty-query')`. */
export function checkQueries({
  queries,
  scorer,
  space,
}: Pick<SearchRequest, 'queries' | 'scorer' | 'space'>): void {
  if (space !== undefined && scorer !== undefined)
    throw new InputError('scorer-and-space', 'A search', {
      expected: 'a scorer or a space',
      received: `${scorer} and ${space}`,
    });
  for (const { text, vector } of queries) {
    if (space === undefined && (vector !== undefined || text === undefined))
      throw new InputError('no-space', 'A query by vector', {
        expected: 'the space of the vector',
        received: 'no space',
      });
    if (text === undefined && vector === undefined)
      throw new InputError('empty-query', 'A query', {
        expected: 'a text or a vector',
        received: 'neither',
      });
  }
}

/** Returns the vector. Throws `InputError('wrong-dimensions' | 'not-finite')`. */
export function checkedVector(
  vector: Float32Array,
  { id, dimensions }: Pick<Embedder, 'id' | 'dimensions'>,
): Float32Array {
  const what = `A query vector for the space "${id}"`;
  if (vector.length !== dimensions)
    throw new InputError('wrong-dimensions', what, {
      expected: `${dimensions} dimensions`,
      received: `${vector.length} dimensions`,
    });
  const bad = vector.find(value => !Number.isFinite(value));
  if (bad !== undefined)
    throw new InputError('not-finite', what, { expected: 'finite numbers', received: String(bad) });
  return vector;
}

export const unknownId = (unit: string, id: string): InputError =>
  new InputError('unknown-id', `There is no ${unit} "${id}"`);
