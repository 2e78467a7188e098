/**
 * Compiles filters to conditions on the number of a document, with bound values alone; they pass
 * what `matches` passes.
 */
import { booleanTexts, type Filter, type Scalar } from '../../../core/corpus/filter.ts';
import { storedText } from '../stored-text.ts';
import type { Sql } from './sql.ts';

/** Kinds of stored values, in the order of catalogues. */
export const KINDS = { none: -1, boolean: 0, number: 1, string: 2 } as const;

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
const NUMERIC = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;
/** Characters of a text that its index holds. */
const INDEXED = 128;

/** Columns of a stored scalar. A text that is a number is found by that number too. */
export function columnsOf(
  value: Scalar,
): readonly [kind: number, text: string | null, number: number | null] {
  if (typeof value === 'number') return [KINDS.number, null, value];
  if (typeof value === 'boolean') return [KINDS.boolean, String(value), null];
  return [KINDS.string, storedText(value), NUMERIC.test(value) ? Number(value) : null];
}

/** Returns a condition on `document`, an expression of its number. */
export function filterCondition(filter: Filter, document: string, sql: Sql): string {
  const among = (filters: readonly Filter[], join: string, none: string): string =>
    filters.length === 0
      ? none
      : `(${filters.map(part => filterCondition(part, document, sql)).join(join)})`;
  switch (filter.op) {
    case 'and':
      return among(filter.filters, ' AND ', 'true');
    case 'or':
      return among(filter.filters, ' OR ', 'false');
    case 'not':
      return `NOT ${filterCondition(filter.filter, document, sql)}`;
    case 'eq':
      return `(${document} IN ${having(filter.field, sameAs(filter.value, sql), sql)})`;
    case 'in':
    case 'nin': {
      const any = filter.values.map(value => sameAs(value, sql)).join(' OR ') || 'false';
      const negated = filter.op === 'nin' ? 'NOT ' : '';
      return `(${document} ${negated}IN ${having(filter.field, any, sql)})`;
    }
    case 'range': {
      const bounds = [
        ...(filter.from === undefined ? [] : [bounded(filter.from, 'from', sql)]),
        ...(filter.to === undefined ? [] : [bounded(filter.to, 'to', sql)]),
      ];
      return `(${document} IN ${having(filter.field, bounds.join(' AND ') || 'true', sql)})`;
    }
  }
}

const having = (field: string, condition: string, sql: Sql): string =>
  `(SELECT v.document FROM value v WHERE v.field = ${sql.bind(storedText(field))} AND v.kind >= 0 AND (${condition}))`;

function sameAs(value: Scalar, sql: Sql): string {
  if (typeof value === 'number')
    return Number.isNaN(value) ? 'false' : `v.number = ${sql.bind(value)}::float8`;
  if (typeof value === 'boolean') {
    const texts = booleanTexts(value).map(each => sql.bind(each));
    return `(v.kind IN (${KINDS.boolean}, ${KINDS.string}) AND v.text IN (${texts.join(', ')}))`;
  }
  const text = sql.bind(storedText(value));
  const equal = `("left"(v.text, ${INDEXED}) = "left"(${text}, ${INDEXED}) AND v.text = ${text})`;
  // A day equals every time of it.
  const times = `(starts_with(v.text, ${text}) AND substr(v.text, 11, 1) IN ('T', ' '))`;
  return `(v.kind = ${KINDS.string} AND ${ISO_DAY.test(value) ? `(${equal} OR ${times})` : equal})`;
}

function bounded(bound: string | number, side: 'from' | 'to', sql: Sql): string {
  if (typeof bound === 'string')
    return `(v.kind = ${KINDS.string} AND ${textBound(bound, side, sql)})`;
  if (Number.isNaN(bound)) return 'false';
  const sign = side === 'from' ? '>=' : '<=';
  const number = `v.number ${sign} ${sql.bind(bound)}::float8`;
  if (!(Number.isInteger(bound) && bound >= 1000 && bound <= 9999)) return `(${number})`;
  // A year compares with dates, which are no numbers.
  const year = `v.kind = ${KINDS.string} AND v.number IS NULL AND v.text ~ '^[0-9]{4}-[0-9]{2}' AND ${textBound(String(bound), side, sql)}`;
  return `(${number} OR (${year}))`;
}

/** Compares on the length of the bound, which a text that begins with it equals. */
function textBound(bound: string, side: 'from' | 'to', sql: Sql): string {
  const text = sql.bind(storedText(bound));
  return side === 'from'
    ? `v.text >= ${text}`
    : `(v.text < ${text} OR starts_with(v.text, ${text}))`;
}
