/** Searches vectors by pgvector, and scores what it finds as the embedded engine does. */
import type { Filter } from '../../../core/corpus/filter.ts';
import type { Call } from '../../../core/trace/call.ts';
import { innerProduct } from '../remote-spaces.ts';
import type { Row, Session } from './client.ts';
import { filterCondition } from './filter.ts';
import { vectorText } from './insert.ts';
import { Sql } from './sql.ts';

export interface VectorQuery {
  readonly vector: Float32Array;
  readonly filter?: Filter | undefined;
}

/** Rows beyond k that an exact search reads at first, for scores that differ by rounding alone. */
const SLACK = 8;

/** Half the distance of neighbouring numbers of 32 bits below 1. */
const ROUNDING = 2 ** -24;

/** Returns rows with `score`, score descending, then id ascending. */
export async function nearest(
  session: Session,
  table: string,
  { vector, filter }: VectorQuery,
  { k, isExact }: { readonly k: number; readonly isExact: boolean },
  call: Call,
): Promise<Row[]> {
  for (let more = isExact ? SLACK : 0; ; more *= 8) {
    const sql = new Sql();
    const query = `${sql.bind(vectorText(vector))}::vector`;
    const passes = filter ? `WHERE ${filterCondition(filter, 'v.document', sql)}` : '';
    const rows = await session.rows(
      `SELECT i.id, i.document, i.first, i.last, vector_send(s.embedding) AS embedding
        FROM (SELECT v.item, v.embedding FROM ${table} v ${passes}
          ORDER BY v.embedding <#> ${query} LIMIT ${sql.bind(k + more)}) s
        JOIN item i ON i.no = s.item`,
      sql.values,
      call,
    );
    for (const row of rows) row.score = innerProduct(vector, sentVector(row.embedding));
    rows.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
    if (!isExact || rows.length < k + more) return rows.slice(0, k);
    // The server adds in 32 bits. A row that it left out may reach the k-th within that error.
    const error = vector.length * ROUNDING * Math.hypot(...vector);
    if (rows.at(-1)!.score + 2 * error < rows[k - 1]!.score) return rows.slice(0, k);
  }
}

/** Reads what `vector_send` of pgvector writes: dimensions, a reserved number, then the values. */
export function sentVector(bytes: Buffer): Float32Array {
  const vector = new Float32Array(bytes.readUInt16BE(0));
  for (let at = 0; at < vector.length; at++) vector[at] = bytes.readFloatBE(4 + 4 * at);
  return vector;
}
