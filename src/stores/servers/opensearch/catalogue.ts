/** Lists the values of metadata fields: counted and paged by the server. */
import type { Filter } from '../../../core/corpus/filter.ts';
import { defined } from '../../../core/defined.ts';
import type { Call } from '../../../core/trace/call.ts';
import type { FieldValue, ValuesRequest } from '../../../search/engine.ts';
import { checkValuesRequest, ValueCatalogue } from '../../../search/filters/value-catalogue.ts';
import { originalText, storedText } from '../stored-text.ts';
import type { Body } from './client.ts';
import { factOf, factPrefix, factValue, LAST } from './facts.ts';
import { FACTS, filterQuery, type Query } from './filter.ts';

/** Counts documents of one state: sends a search and returns its aggregations. */
export type Aggregate = (
  filters: readonly Query[],
  aggregations: Readonly<Record<string, unknown>>,
  call: Call,
) => Promise<Body>;

/** Buckets of one answer. */
const PAGE = 1000;
/** Behind the kinds that catalogues list: booleans, numbers and texts. */
const BEHIND_KINDS = 'u';

/** Throws `InputError('bad-values-request')`. */
export async function listValues(
  aggregate: Aggregate,
  field: string,
  request: ValuesRequest,
  call: Call,
): Promise<FieldValue[]> {
  checkValuesRequest(request);
  const { filter, order = 'frequency', limit = Number.POSITIVE_INFINITY } = request;
  if (limit === 0) return [];
  if (order !== 'frequency') return inOrder(aggregate, field, { ...request, order, limit }, call);
  const all = await inOrder(
    aggregate,
    field,
    { ...request, order: 'ascending', limit: Number.POSITIVE_INFINITY, after: undefined },
    call,
  );
  const { filter: _, ...rest } = request;
  return new ValueCatalogue(() => all).values(field, filter ? rest : request);
}

interface OrderedRequest {
  readonly filter?: Filter | undefined;
  readonly prefix?: string | undefined;
  readonly after?: ValuesRequest['after'] | undefined;
  readonly order: 'ascending' | 'descending';
  readonly limit: number;
}

async function inOrder(
  aggregate: Aggregate,
  field: string,
  { filter, prefix, after, order, limit }: OrderedRequest,
  call: Call,
): Promise<FieldValue[]> {
  const isUp = order === 'ascending';
  const first = prefix === undefined ? factPrefix(field) : factOf(field, prefix);
  const end = prefix === undefined ? factPrefix(field) + BEHIND_KINDS : first + LAST;
  const filters = [
    { term: { fields: storedText(field) } },
    ...(filter ? [filterQuery(filter)] : []),
  ];
  const values: FieldValue[] = [];
  const add = (fact: string, documents: number): void => {
    if (values.length < limit) values.push({ value: factValue(field, fact), documents });
  };
  const cursor = after && factOf(field, after.value);
  let from = isUp ? first : end;
  if (cursor !== undefined && (isUp ? !isBelow(cursor, from) : isBelow(cursor, from)))
    from = cursor;
  // A page begins behind its cursor: the first value of all is counted by itself.
  let isFirst = isUp && from === first && cursor !== first;
  for (;;) {
    const size = Math.min(PAGE, limit - values.length + 1);
    const sources = [{ fact: { terms: { field: FACTS, order: isUp ? 'asc' : 'desc' } } }];
    const { page, itself } = await aggregate(
      filters,
      defined({
        page: { composite: { size, sources, after: { fact: from } } },
        itself: isFirst ? { filter: { term: { [FACTS]: first } } } : undefined,
      }),
      call,
    );
    if (itself?.doc_count > 0) add(first, itself.doc_count);
    isFirst = false;
    for (const { key, doc_count } of page.buckets as Body[]) {
      // Compares as the server orders: the bytes of UTF-8.
      if (isUp ? !isBelow(key.fact, end) : isBelow(key.fact, first)) return values;
      add(key.fact, doc_count);
      from = key.fact;
    }
    if (page.buckets.length < size || values.length >= limit) return values;
  }
}

const isBelow = (a: string, b: string): boolean =>
  Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;

/** Returns the names of all metadata fields, sorted. */
export async function listFields(aggregate: Aggregate, call: Call): Promise<string[]> {
  const fields: string[] = [];
  for (let after: Body; ; ) {
    const sources = [{ field: { terms: { field: 'fields' } } }];
    const composite = defined({ size: PAGE, sources, after });
    const { page } = await aggregate([], { page: { composite } }, call);
    for (const { key } of page.buckets) fields.push(originalText(key.field));
    if (page.buckets.length < PAGE) return fields.sort();
    after = page.after_key;
  }
}
