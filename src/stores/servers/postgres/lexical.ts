/**
 * Ranks items by BM25 in SQL: the sum of contributions in the order of the query's terms, in
 * float64, so that scores equal those of the embedded engine to the bit.
 */
import type { Filter } from '../../../core/corpus/filter.ts';
import type { Unit } from '../../../core/ranking/ranking.ts';
import type { Call } from '../../../core/trace/call.ts';
import { type Bm25, lexicalPlan, plannedTerms, queryTerms } from '../lexical-plan.ts';
import { termKey } from '../stored-text.ts';
import { wordsOfTexts } from '../terms.ts';
import type { Row, Session } from './client.ts';
import { filterCondition } from './filter.ts';
import type { Reads } from './reads.ts';
import { unitNumber } from './schema.ts';
import { Sql } from './sql.ts';

export interface LexicalQuery {
  readonly text: string;
  readonly filter?: Filter | undefined;
  readonly holding?: readonly string[] | undefined;
}

export interface LexicalRequest {
  readonly unit: Unit;
  readonly k: number;
  readonly scorer: Bm25;
  readonly queries: readonly LexicalQuery[];
  readonly typed?: boolean | undefined;
}

/** A term of a query with its number and idf, in the order of additions. */
interface Weighed {
  readonly no: number;
  readonly idf: number;
  readonly above: number;
  readonly items: number;
}

interface Ranked {
  readonly terms: readonly Weighed[];
  /** Numbers of terms that an item must hold. */
  readonly held: readonly number[];
  readonly filter?: Filter | undefined;
}

/** Queries that one statement ranks: planning a statement of many takes long. */
const TOGETHER = 16;

/** Returns one list of rows a query, in no order across lists. */
export async function rankByTerms(
  session: Session,
  reads: Reads,
  { unit, k, scorer, queries, typed }: LexicalRequest,
  call: Call,
): Promise<Row[][]> {
  const counts = reads.counts[unitNumber(unit)]!;
  const lists: Row[][] = queries.map(() => []);
  if (k === 0 || counts.items === 0) return lists;
  const read = queries.map(({ text }) => queryTerms(text, typed));
  const held = queries.map(({ holding = [] }) => wordsOfTexts(holding));
  const words = [...read.flat().map(({ word }) => word), ...held.flat()];
  await lookUp(session, reads, unit, words, call);
  const plan = lexicalPlan(scorer, counts);
  const known = (word: string) => reads.terms.get(termOf(unit, word))!;
  const ranked = queries.flatMap(({ filter }, query) => {
    const planned = plannedTerms(read[query]!, plan, word => known(word).items);
    const terms = planned.map(({ word, idf, above }) => ({ ...known(word), idf, above }));
    const ranked = { query, terms, filter, held: held[query]!.map(word => known(word).no) };
    return terms.length > 0 && !ranked.held.includes(0) ? [ranked] : [];
  });
  const rank = async (chosen: typeof ranked, bounded: boolean): Promise<typeof ranked> => {
    const again: typeof ranked = [];
    for (let from = 0; from < chosen.length; from += TOGETHER) {
      const batch = chosen.slice(from, from + TOGETHER);
      const sql = new Sql();
      const formula = new Formula(sql, { ...scorer, average: plan.average });
      const parts = batch.map((query, at) => statementOf(query, { at, k, formula, sql, bounded }));
      for (const row of await session.rows(parts.join(' UNION ALL '), sql.values, call)) {
        const { query } = batch[row.query]!;
        if (row.id === null) again.push(batch[row.query]!);
        else lists[query]!.push(row);
      }
    }
    return again;
  };
  await rank(await rank(ranked, true), false);
  for (const list of lists)
    list.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  return lists;
}

const termOf = (unit: Unit, word: string): string => `${unit} ${termKey(word)}`;

/** Reads the terms that this state was not asked for yet. */
async function lookUp(
  session: Session,
  reads: Reads,
  unit: Unit,
  words: readonly string[],
  call: Call,
): Promise<void> {
  const keys = new Set(words.map(termKey));
  const asked = [...keys].filter(key => !reads.terms.get(`${unit} ${key}`));
  if (asked.length === 0) return;
  const rows = await session.rows(
    'SELECT no, term, items FROM term WHERE unit = $1 AND term = ANY($2)',
    [unitNumber(unit), asked],
    call,
  );
  for (const key of asked) reads.terms.set(`${unit} ${key}`, { no: 0, items: 0 });
  for (const { no, term, items } of rows) reads.terms.set(`${unit} ${term}`, { no, items });
}

/** A contribution in SQL, operation by operation as the embedded engine computes it. */
class Formula {
  readonly contribution: string;
  readonly k1: number;

  constructor(sql: Sql, { k1, b, average }: Omit<Bm25, 'name'> & { readonly average: number }) {
    this.k1 = k1;
    const float = (value: number): string => `${sql.bind(value)}::float8`;
    const norm = `${float(k1)} * (${float(1 - b)} + (${float(b)} * p.length) / ${float(average)})`;
    this.contribution = `t.above + t.idf * ((p.frequency * ${float(k1 + 1)}) / (p.frequency + ${norm}))`;
  }
}

interface Statement {
  readonly at: number;
  readonly k: number;
  readonly formula: Formula;
  readonly sql: Sql;
  readonly bounded: boolean;
}

function statementOf({ terms, filter, held }: Ranked, statement: Statement): string {
  const { at, k, formula, sql, bounded } = statement;
  const conditions = held.map(
    no => `p.item IN (SELECT h.item FROM posting h WHERE h.term = ${sql.bind(no)})`,
  );
  if (filter)
    conditions.push(
      `p.document IN (SELECT d.no FROM document d WHERE ${filterCondition(filter, 'd.no', sql)})`,
    );
  const passes = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  const limit = sql.bind(k);
  const split = bounded ? splitTerms(terms, k, formula.k1) : undefined;
  if (!split)
    return `(SELECT ${at} AS query, i.id, s.score, i.document, i.first, i.last
      FROM (SELECT p.item, sum(${formula.contribution} ORDER BY t.place) AS score
        FROM ${listOf(terms, sql)} JOIN posting p ON p.term = t.term ${passes} GROUP BY p.item
        ORDER BY score DESC FETCH FIRST ${limit} ROWS WITH TIES) s
      JOIN item i ON i.no = s.item ORDER BY s.score DESC, i.id LIMIT ${limit})`;
  const rest = `${sql.bind(split.rest)}::float8`;
  // Items of common terms alone stay below the k-th of the others, if that exceeds their bound.
  return `(WITH partial AS MATERIALIZED (
      SELECT p.item, sum(${formula.contribution}) AS score
      FROM ${listOf(split.rare, sql)} JOIN posting p ON p.term = t.term ${passes} GROUP BY p.item),
    least AS MATERIALIZED (SELECT score FROM partial ORDER BY score DESC OFFSET ${limit} - 1 LIMIT 1),
    chosen AS MATERIALIZED (SELECT item FROM partial
      WHERE score + ${rest} >= (SELECT score FROM least) AND (SELECT score FROM least) > ${rest}),
    scored AS MATERIALIZED (SELECT p.item, sum(${formula.contribution} ORDER BY t.place) AS score
      FROM chosen c CROSS JOIN ${listOf(terms, sql)} JOIN posting p ON p.term = t.term AND p.item = c.item
      GROUP BY p.item ORDER BY score DESC FETCH FIRST ${limit} ROWS WITH TIES)
    (SELECT ${at} AS query, i.id, s.score, i.document, i.first, i.last
      FROM scored s JOIN item i ON i.no = s.item ORDER BY s.score DESC, i.id LIMIT ${limit})
    UNION ALL SELECT ${at}, NULL, NULL, NULL, NULL, NULL
      WHERE coalesce((SELECT score FROM least) <= ${rest}, true))`;
}

function listOf(terms: readonly (Weighed & { readonly place?: number })[], sql: Sql): string {
  const numbers = sql.bind(terms.map(({ no }) => no));
  const idfs = sql.bind(terms.map(({ idf }) => idf));
  const above = sql.bind(terms.map(term => term.above));
  return `unnest(${numbers}::int[], ${idfs}::float8[], ${above}::float8[]) WITH ORDINALITY t(term, idf, above, place)`;
}

/** Raises a bound above the rounding of sums. */
const ABOVE = 1 + 1e-9;
/** More than sums of scores lose by rounding. */
const ROUNDING = 1e-9;

/**
 * Splits off common terms whose postings need not be read: all together they contribute at most
 * `rest`. Expects the k-th best item to hold one of the rarest terms that so many items hold, once,
 * in an item of average length, whose score is the idf; if that is wrong, the search is repeated
 * with all terms. Returns undefined if the common terms have fewer postings than the others.
 */
function splitTerms(
  terms: readonly Weighed[],
  k: number,
  k1: number,
): { readonly rare: readonly Weighed[]; readonly rest: number } | undefined {
  const byItems = [...terms].sort((a, b) => a.items - b.items);
  let held = 0;
  let first = 0;
  while (first < byItems.length && held < 2 * k) held += byItems[first++]!.items;
  const expected = byItems[first - 1]!.above + byItems[first - 1]!.idf;
  let rest = 0;
  let common = byItems.length;
  while (common > first) {
    const { idf, above } = byItems[common - 1]!;
    const bound = (above + idf * (k1 + 1)) * ABOVE;
    if (rest + bound > expected) break;
    rest += bound;
    common--;
  }
  const sum = (some: readonly Weighed[]): number => some.reduce((all, { items }) => all + items, 0);
  const rare = byItems.slice(0, common);
  return sum(rare) < sum(byItems.slice(common))
    ? { rare, rest: rest * ABOVE + ROUNDING }
    : undefined;
}
