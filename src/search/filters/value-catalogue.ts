/** The values of metadata fields: counted, ordered and paged. */
import type { Filter, Scalar } from '../../core/corpus/filter.ts';
import { InputError } from '../../core/errors.ts';
import type { FieldValue, ValuesRequest } from '../engine.ts';

type Order = NonNullable<ValuesRequest['order']>;
type Compare = (a: FieldValue, b: FieldValue) => number;

const TYPES = ['boolean', 'number', 'string'];

/** Compares values: booleans, then numbers, then texts by their code units. */
export function compareValues(a: Scalar, b: Scalar): number {
  if (typeof a !== typeof b) return TYPES.indexOf(typeof a) - TYPES.indexOf(typeof b);
  return a < b ? -1 : a > b ? 1 : 0;
}

const ORDERS: Readonly<Record<Order, Compare>> = {
  frequency: (a, b) => b.documents - a.documents || compareValues(a.value, b.value),
  ascending: (a, b) => compareValues(a.value, b.value),
  descending: (a, b) => compareValues(b.value, a.value),
};

/** Counts the values of a field, in no order, among all documents or those that pass the filter. */
type CountValues = (field: string, filter?: Filter) => FieldValue[];

/** Caches the requested orders of values without a filter. */
export class ValueCatalogue {
  private readonly count: CountValues;
  private readonly orders = new Map<string, readonly FieldValue[]>();

  constructor(count: CountValues) {
    this.count = count;
  }

  values(field: string, request: ValuesRequest): FieldValue[] {
    checkValuesRequest(request);
    const { filter, prefix, limit = Number.POSITIVE_INFINITY, after } = request;
    const compare = ORDERS[request.order ?? 'frequency'];
    const all = filter
      ? this.count(field, filter).sort(compare)
      : this.ordered(field, request.order ?? 'frequency');
    const values: FieldValue[] = [];
    for (let at = after ? firstBehind(all, asCursor(after), compare) : 0; at < all.length; at++) {
      if (values.length >= limit) break;
      if (prefix === undefined || begins(all[at]!, prefix)) values.push(all[at]!);
    }
    return values;
  }

  private ordered(field: string, order: Order): readonly FieldValue[] {
    const key = `${order} ${field}`;
    let known = this.orders.get(key);
    if (!known) this.orders.set(key, (known = this.count(field).sort(ORDERS[order])));
    return known;
  }
}

const begins = ({ value }: FieldValue, prefix: string): boolean =>
  typeof value === 'string' && value.startsWith(prefix);

const asCursor = ({ value, documents = 0 }: NonNullable<ValuesRequest['after']>): FieldValue => ({
  value,
  documents,
});

/** Returns the first position whose value follows the cursor, by bisection. */
function firstBehind(sorted: readonly FieldValue[], cursor: FieldValue, compare: Compare): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(sorted[middle]!, cursor) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Throws `InputError('bad-values-request')`. */
export function checkValuesRequest({ order = 'frequency', limit, after }: ValuesRequest): void {
  const bad = (what: string, expected: string, received: unknown): InputError =>
    new InputError('bad-values-request', what, { expected, received: String(received) });
  if (!Object.hasOwn(ORDERS, order))
    throw bad('The order of values', `one of ${Object.keys(ORDERS).join(', ')}`, order);
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 0))
    throw bad('The number of values', 'a whole number of at least 0', limit);
  if (after && order === 'frequency' && after.documents === undefined)
    throw bad('The value to go on after', 'its number of documents too', 'the value alone');
}
