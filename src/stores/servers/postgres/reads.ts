/** Keeps the reads of one state of an engine in PostgreSQL while no write comes. */
import { RecentlyUsed } from '../../../search/indexes/recently-used.ts';
import { snapshotLost } from '../engine-errors.ts';
import type { UnitCounts } from '../lexical-plan.ts';
import { UNITS } from '../prepared-document.ts';
import { StateReads } from '../server-snapshot.ts';
import { originalText } from '../stored-text.ts';
import type { Client, Session } from './client.ts';
import { checkVersion } from './schema.ts';

/** A term in one unit: its number and the items that hold it. */
export interface KnownTerm {
  readonly no: number;
  readonly items: number;
}

const KEEP_TERMS = 65_536;

export class Reads extends StateReads {
  readonly generation: string;
  readonly documents: number;
  /** Names of metadata fields, ascending by code units. */
  readonly fields: readonly string[];
  readonly counts: readonly UnitCounts[];
  /** By `UNIT TERM`; no items for one that is in none. */
  readonly terms: RecentlyUsed<KnownTerm> = new RecentlyUsed(KEEP_TERMS);
  /** Ids of documents by their numbers. */
  readonly ids: RecentlyUsed<string> = new RecentlyUsed(KEEP_TERMS);

  constructor(state: Pick<Reads, 'generation' | 'documents' | 'fields' | 'counts'>) {
    super();
    this.generation = state.generation;
    this.documents = state.documents;
    this.fields = state.fields;
    this.counts = state.counts;
  }
}

/**
 * Begins a transaction that reads one state, in one round trip, and returns what is known of it:
 * `before` if no write came since.
 */
export async function beginReads(
  client: Client,
  session: Session,
  before: Reads | undefined,
): Promise<Reads> {
  const results = await session.results(
    `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
      SELECT version, generation, documents FROM state;
      SELECT unit, items, terms FROM unit ORDER BY unit;
      SELECT name FROM field ORDER BY name`,
  );
  const [state] = results[1]!.rows;
  if (!state) throw snapshotLost(client.address, 'no state');
  checkVersion(client, state.version);
  const generation = String(state.generation);
  if (before?.generation === generation) return before;
  return new Reads({
    generation,
    documents: state.documents,
    fields: results[3]!.rows.map(({ name }) => originalText(name)),
    counts: UNITS.map((_, unit) => {
      const { items, terms } = results[2]!.rows[unit];
      return { items, terms: Number(terms) };
    }),
  });
}
