/** Declares metadata filters: a typed tree that is applied before top-k. */
import { InputError } from '../errors.ts';
import type { Metadata, MetadataValue } from './document.ts';

export type Scalar = string | number | boolean;

/**
 * A condition on the metadata of documents.
 *
 * @example
 * ```ts
 * import { ask, type Filter, ingest } from 'multihop';
 *
 * const engine = await ingest([
 *   { text: 'The ferry sails at nine.', source: 'Ledger', published_at: '2023-10-07' },
 *   { text: 'The ferry sails at ten.', source: 'Courier', published_at: '2024-01-02' },
 * ]);
 * const filter: Filter = { op: 'range', field: 'published_at', from: '2023', to: '2023' };
 * const trace = await ask('When does the ferry sail?', { engine, filter });
 * console.log(trace.evidence.map(({ metadata }) => metadata['source']));
 * ```
 */
export type Filter =
  | { readonly op: 'eq'; readonly field: string; readonly value: Scalar }
  | { readonly op: 'in' | 'nin'; readonly field: string; readonly values: readonly Scalar[] }
  | {
      readonly op: 'range';
      readonly field: string;
      readonly from?: string | number;
      readonly to?: string | number;
    }
  | { readonly op: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly op: 'not'; readonly filter: Filter };

/** Limits against hostile filters (clauses and depth). */
export const FILTER_LIMITS = { clauses: 256, depth: 16 } as const;

/**
 * Returns true if a document's metadata pass the filter.
 *
 * A list-valued field equals a value if one of its items does. A missing field equals nothing, so
 * that it passes `nin` and `not`. A value that is an ISO day (`2023-10-07`) equals every time of
 * that day. A number or a boolean equals a stored text that is it (CSV has texts only); as a bound
 * a number also compares with dates: 2023 is then a year.
 */
export function matches(filter: Filter, metadata: Metadata): boolean {
  switch (filter.op) {
    case 'eq':
      return some(metadata, filter.field, value => same(value, filter.value));
    case 'in':
      return some(metadata, filter.field, value =>
        filter.values.some(sought => same(value, sought)),
      );
    case 'nin':
      return !some(metadata, filter.field, value =>
        filter.values.some(sought => same(value, sought)),
      );
    case 'range':
      return some(metadata, filter.field, value => within(value, filter.from, filter.to));
    case 'and':
      return filter.filters.every(part => matches(part, metadata));
    case 'or':
      return filter.filters.some(part => matches(part, metadata));
    case 'not':
      return !matches(filter.filter, metadata);
  }
}

function some(metadata: Metadata, field: string, test: (value: Scalar) => boolean): boolean {
  // A field named like a property of every object ("constructor", "__proto__") is missing unless
  // the document has it.
  const value: MetadataValue | undefined = Object.hasOwn(metadata, field)
    ? metadata[field]
    : undefined;
  if (value === undefined) return false;
  return typeof value === 'object' ? value.some(test) : test(value);
}

const isoDay = /^\d{4}-\d{2}-\d{2}$/;

const numeric = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;
const isoDate = /^\d{4}-\d{2}/;
const isYear = (value: number): boolean =>
  Number.isInteger(value) && value >= 1000 && value <= 9999;

/** Returns the texts that equal a boolean, as YAML, Python and spreadsheets write it. */
export function booleanTexts(value: boolean): readonly string[] {
  return value ? ['true', 'True', 'TRUE'] : ['false', 'False', 'FALSE'];
}

function same(stored: Scalar, sought: Scalar): boolean {
  if (stored === sought) return true;
  if (typeof sought === 'number')
    return typeof stored === 'string' && numeric.test(stored) && Number(stored) === sought;
  if (typeof sought === 'boolean')
    return typeof stored === 'string' && booleanTexts(sought).includes(stored);
  return (
    typeof stored === 'string' &&
    typeof sought === 'string' &&
    isoDay.test(sought) &&
    /^[T ]/.test(stored.slice(10, 11)) &&
    stored.startsWith(sought)
  );
}

/**
 * Returns true if the value lies within the bounds, both inclusive. Texts compare by code units on
 * the length of the bound, so that `to: "2023-10"` includes all of October.
 */
function within(
  value: Scalar,
  from: string | number | undefined,
  to: string | number | undefined,
): boolean {
  return (
    (from === undefined || compared(value, from) >= 0) &&
    (to === undefined || compared(value, to) <= 0)
  );
}

/**
 * Returns a number below, equal to or above 0 as the value lies below, on or above the bound; NaN
 * if the two cannot be compared.
 */
function compared(value: Scalar, bound: string | number): number {
  if (typeof value === 'boolean') return Number.NaN;
  if (typeof bound === 'number') {
    if (typeof value === 'number') return value - bound;
    if (numeric.test(value)) return Number(value) - bound;
    return isYear(bound) && isoDate.test(value) ? compared(value, String(bound)) : Number.NaN;
  }
  if (typeof value === 'number') return Number.NaN;
  const start = value.slice(0, bound.length);
  return start < bound ? -1 : start > bound ? 1 : 0;
}

/** Returns every field that a filter names. */
export function filterFields(filter: Filter): Set<string> {
  const fields = new Set<string>();
  const visit = (part: Filter): void => {
    // By the operation: a filter of somebody else may have further keys.
    switch (part.op) {
      case 'and':
      case 'or':
        part.filters.forEach(visit);
        break;
      case 'not':
        visit(part.filter);
        break;
      default:
        fields.add(part.field);
    }
  };
  visit(filter);
  return fields;
}

/**
 * Validates a filter from outside the library. Throws `InputError('bad-filter')` unless the value
 * is a filter within the limits.
 */
export function checkFilter(value: unknown): Filter {
  const pending: { part: unknown; depth: number }[] = [{ part: value, depth: 0 }];
  for (let clauses = 0; pending.length > 0; clauses++) {
    const { part, depth } = pending.pop()!;
    if (clauses >= FILTER_LIMITS.clauses || depth > FILTER_LIMITS.depth)
      throw new InputError('bad-filter', 'The filter is too large', {
        expected: `at most ${FILTER_LIMITS.clauses} clauses, ${FILTER_LIMITS.depth} deep`,
      });
    const inner = partsOf(part);
    if (inner === undefined)
      throw new InputError('bad-filter', 'Not a metadata filter', {
        expected: '{ op: "eq" | "in" | "nin" | "range" | "and" | "or" | "not", ... }',
        received: (JSON.stringify(part) ?? String(part)).slice(0, 120),
      });
    for (const next of inner) pending.push({ part: next, depth: depth + 1 });
  }
  return value as Filter;
}

const isScalar = (value: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);
const isBound = (value: unknown): boolean =>
  ['string', 'number', 'undefined'].includes(typeof value);

/** Returns the parts of a well-formed filter; undefined if it is malformed. */
function partsOf(part: unknown): unknown[] | undefined {
  if (typeof part !== 'object' || part === null) return undefined;
  const { op, field, value, values, from, to, filters, filter } = part as Record<string, unknown>;
  if ((op === 'and' || op === 'or') && Array.isArray(filters)) return filters;
  if (op === 'not') return [filter];
  if (typeof field !== 'string') return undefined;
  if (op === 'eq') return isScalar(value) ? [] : undefined;
  if (op === 'in' || op === 'nin')
    return Array.isArray(values) && values.every(isScalar) ? [] : undefined;
  return op === 'range' && isBound(from) && isBound(to) && (from !== undefined || to !== undefined)
    ? []
    : undefined;
}
