/** Lists the values of metadata fields in SQL: counted, ordered and paged by the server. */
import type { Scalar } from '../../../core/corpus/filter.ts';
import type { Call } from '../../../core/trace/call.ts';
import type { FieldValue, ValuesRequest } from '../../../search/engine.ts';
import { checkValuesRequest } from '../../../search/filters/value-catalogue.ts';
import { originalText, storedText } from '../stored-text.ts';
import type { Row, Session } from './client.ts';
import { columnsOf, filterCondition, KINDS } from './filter.ts';
import { Sql } from './sql.ts';

/** Numbers stand beside texts that are numbers: only their own kind is ordered by them. */
const NUMBER = `CASE v.kind WHEN ${KINDS.number} THEN v.number END`;

/** Throws `InputError('bad-values-request')`. */
export async function listValues(
  session: Session,
  field: string,
  request: ValuesRequest,
  call: Call,
): Promise<FieldValue[]> {
  checkValuesRequest(request);
  const { filter, prefix, order = 'frequency', limit, after } = request;
  const sql = new Sql();
  const where = [`v.field = ${sql.bind(storedText(field))}`, 'NOT v.own', 'v.kind >= 0'];
  if (filter) where.push(filterCondition(filter, 'v.document', sql));
  if (prefix !== undefined)
    where.push(`v.kind = ${KINDS.string} AND starts_with(v.text, ${sql.bind(storedText(prefix))})`);
  const having: string[] = [];
  if (after) {
    const behind = compared(after.value, order === 'descending' ? '<' : '>', sql);
    if (order !== 'frequency') where.push(behind);
    else {
      const count = sql.bind(after.documents);
      having.push(`count(*) < ${count} OR (count(*) = ${count} AND ${behind})`);
    }
  }
  const direction = order === 'descending' ? 'DESC' : 'ASC';
  const rows = await session.rows(
    `SELECT v.kind, v.text, v.number, count(*)::int AS documents FROM value v
      WHERE ${where.join(' AND ')} GROUP BY v.kind, v.text, v.number
      ${having.length > 0 ? `HAVING ${having.join(' AND ')}` : ''}
      ORDER BY ${order === 'frequency' ? 'documents DESC,' : ''}
        v.kind ${direction}, ${NUMBER} ${direction}, v.text ${direction}
      ${limit === undefined ? '' : `LIMIT ${sql.bind(limit)}`}`,
    sql.values,
    call,
  );
  return rows.map(row => ({ value: scalarOf(row), documents: row.documents }));
}

function scalarOf({ kind, text, number }: Row): Scalar {
  if (kind === KINDS.number) return number;
  return kind === KINDS.boolean ? text === 'true' : originalText(text);
}

/** Returns a condition that a value stands behind another in the order of a catalogue. */
function compared(value: Scalar, sign: '<' | '>', sql: Sql): string {
  const [kind, text, number] = columnsOf(value);
  const behind =
    kind === KINDS.number
      ? `v.number ${sign} ${sql.bind(number)}::float8`
      : `v.text ${sign} ${sql.bind(text)}`;
  return `(v.kind ${sign} ${kind} OR (v.kind = ${kind} AND ${behind}))`;
}
