/** Compiles filters to queries on the keywords of metadata; they pass what `matches` passes. */
import { booleanTexts, type Filter, type Scalar } from '../../../core/corpus/filter.ts';
import { storedText } from '../stored-text.ts';
import { factOf, factPrefix, KINDS, LAST, orderedNumber } from './facts.ts';

/** A query of OpenSearch. */
export type Query = Readonly<Record<string, unknown>>;

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
const isYear = (value: number): boolean =>
  Number.isInteger(value) && value >= 1000 && value <= 9999;

export const FACTS = 'facts';
const NOTHING: Query = { match_none: {} };
const any = (should: readonly Query[]): Query =>
  should.length === 0 ? NOTHING : { bool: { should, minimum_should_match: 1 } };
const not = (query: Query): Query => ({ bool: { must_not: [query] } });
const fact = (value: string): Query => ({ term: { [FACTS]: value } });

export function filterQuery(filter: Filter): Query {
  switch (filter.op) {
    case 'and':
      return filter.filters.length === 0
        ? { match_all: {} }
        : { bool: { filter: filter.filters.map(filterQuery) } };
    case 'or':
      return any(filter.filters.map(filterQuery));
    case 'not':
      return not(filterQuery(filter.filter));
    case 'eq':
      return any(sameAs(filter.field, filter.value));
    case 'in':
      return any(filter.values.flatMap(value => sameAs(filter.field, value)));
    case 'nin':
      return not(any(filter.values.flatMap(value => sameAs(filter.field, value))));
    case 'range':
      return rangeQuery(filter.field, filter.from, filter.to);
  }
}

function sameAs(field: string, value: Scalar): Query[] {
  const same = fact(factOf(field, value));
  if (typeof value === 'number')
    return [same, fact(factPrefix(field, KINDS.numericText) + orderedNumber(value))];
  if (typeof value === 'boolean')
    return [same, ...booleanTexts(value).map(text => fact(factOf(field, text)))];
  if (!ISO_DAY.test(value)) return [same];
  const prefix = factOf(field, value);
  return [same, { prefix: { [FACTS]: `${prefix}T` } }, { prefix: { [FACTS]: `${prefix} ` } }];
}

type Bound = string | number | undefined;

function rangeQuery(field: string, from: Bound, to: Bound): Query {
  const isText = (bound: Bound): bound is string => typeof bound === 'string';
  const bounds = [from, to].filter(bound => bound !== undefined);
  if (bounds.some(bound => Number.isNaN(bound))) return NOTHING;
  const text = texts(
    factPrefix(field, KINDS.text),
    isText(from) ? from : undefined,
    isText(to) ? to : undefined,
  );
  if (bounds.every(isText)) return text;
  const isMixed = bounds.some(isText);
  const numbers = [KINDS.numericText, ...(isMixed ? [] : [KINDS.number])].map(kind =>
    within(
      factPrefix(field, kind),
      orderedNumber(typeof from === 'number' ? from : Number.NEGATIVE_INFINITY),
      orderedNumber(typeof to === 'number' ? to : Number.POSITIVE_INFINITY),
    ),
  );
  // With bounds of both types, two texts of a list may keep one bound each.
  const among = isMixed ? { bool: { filter: [any(numbers), text] } } : any(numbers);
  // A number that is a year compares with dates.
  if (!bounds.every(bound => isText(bound) || isYear(bound))) return among;
  return any([among, texts(factPrefix(field, KINDS.date), from?.toString(), to?.toString())]);
}

const within = (prefix: string, from: string, to: string): Query => ({
  range: { [FACTS]: { gte: prefix + from, lte: prefix + to } },
});

/** Passes texts from one bound to all that begin with the other. */
function texts(prefix: string, from: string | undefined, to: string | undefined): Query {
  const begin = from === undefined ? '' : storedText(from);
  return within(prefix, begin, (to === undefined ? '' : storedText(to)) + LAST);
}
