/**
 * An engine over SQLite's full-text search by `node:sqlite`, explained in docs/writing-an-engine.md.
 * BM25 is that of FTS5: k1 is 1.2, b is 0.75, words are those of its tokenizer `unicode61`.
 */
import { DatabaseSync } from 'node:sqlite';
import { type Document, type Engine, InputError, PortError, type Ranking } from 'multihop';
import {
  type Capabilities,
  type Chunker,
  chunkers,
  type EngineSnapshot,
  engineParts,
  type SearchRequest,
  type Stored,
  servedPorts,
} from 'multihop/retrieval';

const CAPABILITIES: Capabilities = {
  units: ['document', 'passage', 'sentence'],
  filters: ['eq', 'in', 'nin', 'range', 'and', 'or', 'not'],
  scorers: ['bm25'],
};
/** Items of one document that can be numbered: 2 ** 20. */
const BITS = 20;
/** One table of words for each unit, because BM25 counts the items of one unit. */
const WORDS = CAPABILITIES.units.map(
  unit => `CREATE VIRTUAL TABLE IF NOT EXISTS ${unit}_words USING fts5 (words, id UNINDEXED,
    tokenize = 'unicode61 remove_diacritics 0');`,
);
const TABLES = `PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS document (no INTEGER PRIMARY KEY, id TEXT UNIQUE, record TEXT);
  ${WORDS.join('\n')}`;

type Value = string | number;
type Row = Readonly<Record<string, Value>>;

/** Reads rows. A failure of the database becomes a `PortError`, which a trace names. */
function rows(database: DatabaseSync, statement: string, ...values: readonly Value[]): Row[] {
  try {
    return database.prepare(statement).all(...values) as Row[];
  } catch (cause) {
    const code = database.isOpen ? 'failed' : 'engine-closed';
    throw new PortError('engine', code, `SQLite refused: ${(cause as Error).message}`, { cause });
  }
}

export class SqliteEngine implements Engine, Disposable {
  private readonly path: string;
  private readonly chunker: Chunker;
  private readonly database: DatabaseSync;

  /** `path`: a file, because a snapshot reads it by a connection of its own. */
  constructor(path: string, chunker = 'tokens') {
    [this.path, this.chunker] = [path, chunkers.create(chunker)];
    this.database = new DatabaseSync(path, { timeout: 10_000 });
    this.database.exec(TABLES);
  }

  async put(documents: readonly Document[]): Promise<Stored> {
    if (new Set(documents.map(({ id }) => id)).size < documents.length)
      throw new InputError('duplicate-id', 'Two documents have one id');
    const stored = { added: 0, changed: 0, unchanged: 0, removed: 0 };
    this.atOnce(() => {
      for (const document of documents) stored[this.store(document)] += 1;
    });
    return stored;
  }

  async remove(ids: readonly string[]): Promise<Stored> {
    const gone = new Set(ids);
    this.atOnce(() => gone.forEach(id => void this.erase(id)));
    return { added: 0, changed: 0, unchanged: 0, removed: gone.size };
  }

  /** A connection of its own sees one state, from its first read until it is closed. */
  async snapshot(): Promise<EngineSnapshot> {
    this.rows('SELECT 1'); // Refuses if the engine is closed.
    const database = new DatabaseSync(this.path, { readOnly: true });
    database.exec('BEGIN');
    const all = rows(database, 'SELECT no, record FROM document ORDER BY id');
    const documents = all.map(({ record }) => JSON.parse(`${record}`) as Document);
    const { item, check, ...records } = engineParts.atHand(documents, this.chunker);
    const search = async (request: SearchRequest): Promise<Ranking[]> => {
      check(request, snapshot);
      return request.queries.map(({ text = '', filter }) => {
        const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))];
        const passing = all.filter((_, at) => engineParts.passes(filter, documents[at]!));
        const found = rows(
          database,
          `SELECT id, -rank AS score FROM ${request.unit}_words WHERE words MATCH ?
            AND rowid >> ${BITS} IN (SELECT value FROM json_each(?)) ORDER BY rank, id LIMIT ?`,
          words.map(word => `"${word}"`).join(' OR ') || '""',
          ...[JSON.stringify(passing.map(({ no }) => no)), request.k],
        );
        return found.map(({ id, score }) => {
          const { text: _, ...place } = item(request.unit, `${id}`);
          return { ...place, score: Number(score) };
        });
      });
    };
    const snapshot: EngineSnapshot = {
      ...{ ...records, search, capabilities: CAPABILITIES, port: servedPorts([]) },
      [Symbol.asyncDispose]: async () => void (database.isOpen && database.close()),
    };
    return snapshot;
  }

  [Symbol.dispose](): void {
    if (this.database.isOpen) this.database.close();
  }

  private rows(statement: string, ...values: readonly Value[]): Row[] {
    return rows(this.database, statement, ...values);
  }

  private store(document: Document): 'added' | 'changed' | 'unchanged' {
    const record = JSON.stringify(document);
    const [known] = this.rows('SELECT record FROM document WHERE id = ?', document.id);
    if (known?.['record'] === record) return 'unchanged';
    if (known) this.erase(document.id);
    const insert = 'INSERT INTO document (id, record) VALUES (?, ?) RETURNING no';
    const first = Number(this.rows(insert, document.id, record)[0]!['no']) * 2 ** BITS;
    const items = engineParts.items(document, this.chunker);
    for (const [at, { unit, title, passage }] of items.entries()) {
      const words = `INSERT INTO ${unit}_words (rowid, id, words) VALUES (?, ?, ?)`;
      this.rows(words, first + at, passage.id, `${title}\n${passage.text}`);
    }
    return known ? 'changed' : 'added';
  }

  private erase(id: string): void {
    const [row] = this.rows('DELETE FROM document WHERE id = ? RETURNING no', id);
    if (!row) throw engineParts.unknownId('document', id);
    for (const unit of CAPABILITIES.units)
      this.rows(`DELETE FROM ${unit}_words WHERE rowid >> ${BITS} = ${row['no']}`);
  }

  /** Makes all changes visible together, or none of them. */
  private atOnce(change: () => void): void {
    this.rows('BEGIN IMMEDIATE');
    try {
      change();
      this.rows('COMMIT');
    } catch (error) {
      this.rows('ROLLBACK');
      throw error;
    }
  }
}
