/** Checks the catalogue of metadata: fields, values, their orders and pages. */
import { matches } from '../core/corpus/filter.ts';
import { defined } from '../core/defined.ts';
import { InputError } from '../core/errors.ts';
import { freeCall } from '../core/trace/call.ts';
import type { FieldValue, SearchEngine, ValuesRequest } from '../search/engine.ts';
import { FIXTURE_DOCUMENTS } from './fixture-corpus.ts';
import { same, throws } from './law.ts';

type Value = FieldValue['value'];

const call = freeCall();
const FIELDS: readonly string[] = [
  ...new Set(FIXTURE_DOCUMENTS.flatMap(({ metadata }) => Object.keys(metadata))),
].sort();
const ORDERS = ['frequency', 'ascending', 'descending'] as const;
const FILTERS: readonly (ValuesRequest['filter'] | undefined)[] = [
  undefined,
  { op: 'eq', field: 'source', value: 'Coast Courier' },
  { op: 'in', field: 'source', values: [] },
];
const PREFIXES = [undefined, '', '2024', 'C', 'no such'];

/**
 * Checks that fields and values are those of the documents, counted by definition, in every order.
 */
export async function checkCatalogue(engine: SearchEngine): Promise<void> {
  same(await engine.fields(call), FIELDS, 'fields');
  for (const { field, request, what } of requests(engine))
    same(await engine.values(field, request, call), valuesByDefinition(field, request), what);
  same(await engine.values('constructor', {}, call), [], 'values of a field that no document has');
}

/**
 * Checks that pages of any size, each continued after the last value of the one before, add up to
 * the whole.
 */
export async function checkPages(engine: SearchEngine): Promise<void> {
  for (const { field, request, what } of requests(engine)) {
    const whole = await engine.values(field, request, call);
    for (const limit of [1, 2, 5]) {
      const pages: FieldValue[] = [];
      for (let after: FieldValue | undefined; ; after = pages.at(-1)) {
        const page = defined({ ...request, limit, after: after || undefined });
        const values = await engine.values(field, page, call);
        same(values.length <= limit, true, `${what}: at most ${limit} values a page`);
        pages.push(...values);
        if (values.length < limit) break;
      }
      same(pages, whole, `${what} in pages of ${limit}`);
    }
    same(await engine.values(field, { ...request, limit: 0 }, call), [], `${what}: limit 0`);
  }
  await checkCursors(engine);
}

/** Checks pages that begin after a value that no document has. */
async function checkCursors(engine: SearchEngine): Promise<void> {
  const whole = await engine.values('published_at', { order: 'ascending' }, call);
  for (const value of ['', '2023-99', '2024-02-11', '~'])
    for (const order of ['ascending', 'descending'] as const) {
      const expected = whole.filter(each =>
        order === 'ascending'
          ? compareByDefinition(each.value, value) > 0
          : compareByDefinition(each.value, value) < 0,
      );
      same(
        await engine.values('published_at', { order, after: { value } }, call),
        order === 'ascending' ? expected : expected.reverse(),
        `published_at, ${order} after "${value}"`,
      );
    }
  for (const request of [{ limit: -1 }, { limit: 1.5 }, { after: { value: 'x' } }])
    await throws(
      () => engine.values('source', request, call),
      error => InputError.is(error),
      `values by ${JSON.stringify(request)}`,
      'an InputError',
    );
}

function* requests(
  engine: SearchEngine,
): Generator<{ readonly field: string; readonly request: ValuesRequest; readonly what: string }> {
  const can = new Set<string>(engine.capabilities.filters);
  for (const field of FIELDS)
    for (const order of ORDERS)
      for (const filter of FILTERS.filter(each => !each || can.has(each.op)))
        for (const prefix of PREFIXES) {
          const request = defined({ order, filter: filter || undefined, prefix });
          yield { field, request, what: `values of ${field} by ${JSON.stringify(request)}` };
        }
}

/** Returns values by definition: counts document by document, then sorts, then selects. */
function valuesByDefinition(field: string, { filter, prefix, order }: ValuesRequest): FieldValue[] {
  const counted: FieldValue[] = [];
  for (const { metadata } of FIXTURE_DOCUMENTS) {
    if (filter && !matches(filter, metadata)) continue;
    for (const value of new Set([metadata[field] ?? []].flat() as Value[])) {
      const at = counted.findIndex(each => each.value === value);
      if (at < 0) counted.push({ value, documents: 1 });
      else counted[at] = { value, documents: counted[at]!.documents + 1 };
    }
  }
  const ascending = counted
    .filter(
      ({ value }) =>
        prefix === undefined || (typeof value === 'string' && value.startsWith(prefix)),
    )
    .sort((a, b) => compareByDefinition(a.value, b.value));
  if (order === 'descending') return ascending.reverse();
  return order === 'ascending' ? ascending : ascending.sort((a, b) => b.documents - a.documents);
}

function compareByDefinition(a: Value, b: Value): number {
  const rank = (value: Value): number => ['boolean', 'number', 'string'].indexOf(typeof value);
  return rank(a) - rank(b) || (a === b ? 0 : a < b ? -1 : 1);
}
