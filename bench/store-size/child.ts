/**
 * Writes composed passages into an engine that keeps them in a folder, or opens it and asks:
 * `child.ts write|ask ENGINE DATA PASSAGES FOLDER`. Prints one line of JSON.
 */
import { freeCall } from '../../src/core/trace/call.ts';
import type { LexicalItem } from '../../src/search/indexes/lexical/lexical-index.ts';
import { Store } from '../../src/stores/disk/store.ts';
import { composedPassages, PLAIN_WORDS, realCorpus, tokens } from '../corpora.ts';

export interface Wrote {
  /** Seconds of the engine's work. */
  readonly seconds: number;
  /** Most MB that the process held. */
  readonly peak: number;
}

export interface Asked {
  /** Milliseconds until the folder is open, and of the first search after it. */
  readonly open: number;
  readonly first: number;
  readonly p50: number;
  readonly p95: number;
  /** MB that the process holds after all questions. */
  readonly resident: number;
  /** Ids of the ten best passages of each question. */
  readonly found: readonly (readonly string[])[];
}

interface Writer {
  put(passages: readonly LexicalItem[]): Promise<void>;
  finish(): Promise<void>;
}
type Search = (text: string) => Promise<string[]>;

interface SizedEngine {
  write(folder: string): Promise<Writer>;
  open(folder: string): Promise<Search>;
}

const BATCH = 10_000;
const K = 10;

const textOf = ({ title, text }: LexicalItem): string => `${title} ${text}`;

const multihop: SizedEngine = {
  async write(folder) {
    const store = await Store.open(folder, { create: true, chunker: 'whole' });
    return {
      async put(passages) {
        const documents = passages.map(({ id, title = '', text }) => {
          return { id, title, text, metadata: {} };
        });
        await store.put(documents, freeCall());
      },
      finish: () => store.close(),
    };
  },
  async open(folder) {
    const snapshot = await (await Store.open(folder)).snapshot();
    return async text => {
      const [hits] = await snapshot.search({ unit: 'passage', k: K, queries: [{ text }] });
      return hits!.map(({ documentId }) => documentId);
    };
  },
};

const lancedb: SizedEngine = {
  async write(folder) {
    process.env['LANCE_LOG'] ??= 'error';
    const { connect, Index } = await import('@lancedb/lancedb');
    const connection = await connect(folder);
    let table: Awaited<ReturnType<typeof connection.createTable>> | undefined;
    return {
      async put(passages) {
        const rows = passages.map(item => ({ id: item.id, text: textOf(item) }));
        if (table) await table.add(rows);
        else table = await connection.createTable('passages', rows);
      },
      async finish() {
        const config = Index.fts(PLAIN_WORDS);
        await table!.createIndex('text', { config, waitTimeoutSeconds: 3600 });
      },
    };
  },
  async open(folder) {
    const { connect } = await import('@lancedb/lancedb');
    const table = await (await connect(folder)).openTable('passages');
    return async text => {
      const query = table.query().fullTextSearch(text).select(['id', '_score']).limit(K);
      return (await query.toArray()).map(({ id }) => String(id));
    };
  },
};

const sqlite: SizedEngine = {
  async write(folder) {
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(`${folder}.sqlite`);
    const tokenize = `tokenize = 'unicode61 remove_diacritics 0'`;
    database.exec(`CREATE VIRTUAL TABLE passages USING fts5(id UNINDEXED, text, ${tokenize})`);
    const insert = database.prepare('INSERT INTO passages VALUES (?, ?)');
    return {
      async put(passages) {
        database.exec('BEGIN');
        for (const item of passages) insert.run(item.id, textOf(item));
        database.exec('COMMIT');
      },
      async finish() {
        database.exec(`INSERT INTO passages(passages) VALUES ('optimize')`);
        database.close();
      },
    };
  },
  async open(folder) {
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(`${folder}.sqlite`, { readOnly: true });
    const found = database.prepare(
      `SELECT id FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT ${K}`,
    );
    return async text => {
      const terms = [...new Set(tokens(text))].map(term => `"${term}"`);
      return found.all(terms.join(' OR ')).map(({ id }) => String(id));
    };
  },
};

async function write(
  engine: SizedEngine,
  data: string,
  size: number,
  folder: string,
): Promise<Wrote> {
  // Composing passages takes the time of no engine.
  let seconds = 0;
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    const started = performance.now();
    const done = await work();
    seconds += (performance.now() - started) / 1000;
    return done;
  };
  const writer = await timed(() => engine.write(folder));
  let batch: LexicalItem[] = [];
  for (const passage of composedPassages(realCorpus(data).items, size)) {
    if (batch.push(passage) < BATCH) continue;
    await timed(() => writer.put(batch));
    batch = [];
  }
  if (batch.length > 0) await timed(() => writer.put(batch));
  await timed(() => writer.finish());
  return { seconds, peak: process.resourceUsage().maxRSS / 1000 };
}

async function ask(engine: SizedEngine, data: string, folder: string): Promise<Asked> {
  const { questions } = realCorpus(data);
  const started = performance.now();
  const search = await engine.open(folder);
  const open = performance.now() - started;
  await search('absentword');
  const first = performance.now() - started - open;
  const times: number[] = [];
  const found: string[][] = [];
  for (const question of questions) {
    const asked = performance.now();
    found.push(await search(question));
    times.push(performance.now() - asked);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(share * times.length)]!;
  const resident = process.memoryUsage().rss / 1e6;
  return { open, first, p50: at(0.5), p95: at(0.95), resident, found };
}

const SIZED = { multihop, lancedb, sqlite } as const;

const [, , what, name, data, size, folder] = process.argv;
const engine = SIZED[name as keyof typeof SIZED];
const done =
  what === 'write'
    ? await write(engine, data!, Number(size), folder!)
    : await ask(engine, data!, folder!);
console.log(JSON.stringify(done));
