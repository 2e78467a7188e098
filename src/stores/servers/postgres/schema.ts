/**
 * The tables of an engine in PostgreSQL. Texts are as `storedText` writes them; every count is an
 * integer that writes keep in their own transaction, so that scores do not depend on their order.
 */
import { chunkers } from '../../../core/corpus/chunk.ts';
import { InputError } from '../../../core/errors.ts';
import type { Unit } from '../../../core/ranking/ranking.ts';
import { ANALYSIS_VERSION } from '../../../core/text/search-form.ts';
import { DEFAULT_CHUNKER } from '../../../search/embedded-engine.ts';
import { checkChunker } from '../engine-checks.ts';
import { noEngine, otherEmbedder, otherVersion } from '../engine-errors.ts';
import { UNITS } from '../prepared-document.ts';
import type { RemoteEngineOptions } from '../remote-engine.ts';
import type { SpaceRecord } from '../remote-spaces.ts';
import type { Client, Session } from './client.ts';

/** Changes with the tables, what is read from a document, and the analysis of the terms. */
export const VERSION: string = `1.${ANALYSIS_VERSION}`;

/** Most dimensions that an index of pgvector takes. */
const HNSW_DIMENSIONS = 2000;

/** The number of a unit in the tables. */
export const unitNumber = (unit: Unit): number => UNITS.indexOf(unit);

/** The table of a space's vectors of a unit, by the position of its record. */
export const vectorTable = (space: number, unit: Unit): string => `vectors_${space}_${unit}`;

const TABLES = `
CREATE TABLE state (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version text NOT NULL,
  chunker text NOT NULL,
  spaces text NOT NULL,
  approximate boolean NOT NULL,
  generation bigint NOT NULL DEFAULT 0,
  documents integer NOT NULL DEFAULT 0,
  next_document integer NOT NULL DEFAULT 1,
  next_item integer NOT NULL DEFAULT 1
);
CREATE TABLE unit (
  unit smallint PRIMARY KEY,
  items integer NOT NULL DEFAULT 0,
  terms bigint NOT NULL DEFAULT 0
);
INSERT INTO unit (unit) VALUES (0), (1), (2);
CREATE TABLE field (name text COLLATE "C" PRIMARY KEY, documents integer NOT NULL);
CREATE TABLE document (
  no integer PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  hash text NOT NULL,
  record text NOT NULL
);
CREATE TABLE value (
  document integer NOT NULL,
  field text COLLATE "C" NOT NULL,
  own boolean NOT NULL,
  kind smallint NOT NULL,
  text text COLLATE "C",
  number double precision
);
CREATE INDEX ON value (field, "left"(text, 128));
CREATE INDEX ON value (field, number);
CREATE INDEX ON value (document);
CREATE TABLE item (
  no integer PRIMARY KEY,
  unit smallint NOT NULL,
  id text COLLATE "C" NOT NULL,
  document integer NOT NULL,
  place integer NOT NULL,
  first integer NOT NULL,
  last integer NOT NULL,
  length integer NOT NULL,
  text text,
  UNIQUE (unit, id)
);
CREATE INDEX ON item (document, unit, place);
CREATE TABLE term (
  no integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  unit smallint NOT NULL,
  term text COLLATE "C" NOT NULL,
  items integer NOT NULL,
  UNIQUE (unit, term)
);
CREATE TABLE posting (
  term integer NOT NULL,
  item integer NOT NULL,
  frequency integer NOT NULL,
  length integer NOT NULL,
  document integer NOT NULL,
  PRIMARY KEY (term, item) INCLUDE (frequency, length, document)
);
CREATE INDEX ON posting (document);
`;

/** A row of `state` as it was when the engine was opened. */
export interface OpenedState {
  readonly chunker: string;
  readonly spaces: readonly SpaceRecord[];
  readonly approximate: boolean;
}

interface Wanted extends Pick<RemoteEngineOptions, 'create' | 'chunker' | 'vectorSearch'> {
  readonly spaces: readonly SpaceRecord[];
}

/**
 * Reads the state, or creates the tables. Throws `PortError('no-engine' | 'other-engine-version' |
 * 'other-embedder')` and `InputError('other-chunker')`.
 */
export async function openTables(client: Client, options: Wanted): Promise<OpenedState> {
  return client.with(async session => {
    const [{ there }] = await session.rows('SELECT to_regclass($1) IS NOT NULL AS there', [
      `${client.schema}.state`,
    ]);
    if (!there) {
      if (options.create === false) throw noEngine(client.address, `no schema ${client.schema}`);
      await createTables(client, session, options);
    }
    const [row] = await session.rows('SELECT * FROM state', []);
    checkVersion(client, row.version);
    const opened = { ...row, spaces: JSON.parse(row.spaces) } as OpenedState;
    checkChunker(client.address, options.chunker, opened.chunker);
    checkSpaces(client, options.spaces, opened.spaces);
    return opened;
  });
}

async function createTables(client: Client, session: Session, options: Wanted): Promise<void> {
  const { spaces, chunker = DEFAULT_CHUNKER, vectorSearch = 'exact' } = options;
  const name = typeof chunker === 'string' ? chunkers.canonical(chunker) : chunker.name;
  const approximate = vectorSearch === 'approximate';
  if (spaces.length > 0)
    await session.results('CREATE EXTENSION IF NOT EXISTS vector SCHEMA public');
  await session.results('BEGIN');
  try {
    // Two processes may create at once: the second finds what the first made.
    await session.rows('SELECT pg_advisory_xact_lock(hashtext($1))', [`multihop ${client.schema}`]);
    const [{ there }] = await session.rows('SELECT to_regclass($1) IS NOT NULL AS there', [
      `${client.schema}.state`,
    ]);
    if (!there) {
      await session.results(`CREATE SCHEMA IF NOT EXISTS ${client.schema}; ${TABLES}`);
      for (const statement of vectorTables(spaces, approximate)) await session.results(statement);
      await session.rows(
        'INSERT INTO state (version, chunker, spaces, approximate) VALUES ($1, $2, $3, $4)',
        [VERSION, name, JSON.stringify(spaces), approximate],
      );
    }
    await session.results('COMMIT');
  } catch (error) {
    session.end(true);
    throw error;
  }
}

function vectorTables(spaces: readonly SpaceRecord[], approximate: boolean): string[] {
  return spaces.flatMap(({ name, dimensions, units }, space) => {
    if (approximate && dimensions > HNSW_DIMENSIONS)
      throw new InputError('bad-dimensions', `An approximate search of "${name}" in PostgreSQL`, {
        expected: `at most ${HNSW_DIMENSIONS} dimensions`,
        received: String(dimensions),
        hint: 'Use an exact search.',
      });
    return units.flatMap(unit => {
      const table = vectorTable(space, unit);
      const columns = `item integer PRIMARY KEY, document integer NOT NULL, embedding vector(${dimensions}) NOT NULL`;
      const index = `CREATE INDEX ON ${table} USING hnsw (embedding vector_ip_ops)`;
      return [`CREATE TABLE ${table} (${columns})`, ...(approximate ? [index] : [])];
    });
  });
}

export function checkVersion({ address }: Client, version: string): void {
  if (version !== VERSION) throw otherVersion(address, `version ${VERSION}`, `version ${version}`);
}

/** Reading takes some of the spaces, each as it is recorded. */
function checkSpaces(
  { address }: Client,
  opened: readonly SpaceRecord[],
  stored: readonly SpaceRecord[],
): void {
  for (const space of opened) {
    const record = stored.find(({ name }) => name === space.name);
    if (record && shown(record) === shown(space)) continue;
    const expected = stored.map(shown).join('; ') || 'no vectors';
    throw otherEmbedder(address, expected, shown(space));
  }
}

const shown = ({ name, dimensions, units, template }: SpaceRecord): string =>
  `${name} of ${dimensions} dimensions, ${units.join(' and ')}, template ${template}`;
