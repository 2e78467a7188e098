/** The PostgreSQL server of tests: that of `MULTIHOP_POSTGRES`. */
import { randomUUID } from 'node:crypto';
import type { Document } from '../../src/corpus/document.ts';
import { openPostgres } from '../../src/edges/engines/postgres.ts';
import type { RemoteEngine, RemoteEngineOptions } from '../../src/edges/engines/remote-engine.ts';
import type { Law } from '../../src/testing/law.ts';
import { freeCall } from '../../src/trace/call.ts';

export const POSTGRES: string | undefined = process.env['MULTIHOP_POSTGRES'];

/** The options of a test that needs the server: skipped by name without one. */
export const NEEDS_POSTGRES: { readonly skip: string | false } = {
  skip: POSTGRES === undefined ? 'no MULTIHOP_POSTGRES=postgres://USER@HOST:PORT/DATABASE' : false,
};

/** Returns the address of a schema, by default of one that does not exist yet. */
export function schemaUrl(schema = `test_${randomUUID().slice(0, 8)}`, more = ''): string {
  return `${POSTGRES}?schema=${schema}${more}`;
}

/** Opens engines and closes them, with their schemas dropped. */
export class OpenedEngines {
  private readonly opened: { readonly engine: RemoteEngine; readonly url: string }[] = [];

  async open(options: RemoteEngineOptions = {}, url: string = schemaUrl()): Promise<RemoteEngine> {
    const engine = await openPostgres(url, options);
    this.opened.push({ engine, url });
    return engine;
  }

  async holding(
    documents: readonly Document[],
    options: RemoteEngineOptions = {},
  ): Promise<RemoteEngine> {
    const engine = await this.open(options);
    if (documents.length > 0) await engine.put(documents, freeCall());
    return engine;
  }

  async close(): Promise<void> {
    const gone = this.opened.splice(0);
    for (const { engine } of gone) await engine.close();
    await dropSchemas(gone.map(({ url }) => new URL(url).searchParams.get('schema')!));
  }

  /** Returns laws that close what they opened: many leave snapshots open. */
  closing(laws: readonly Law[]): Law[] {
    return laws.map(({ name, run }) => ({
      name,
      run: async () => {
        try {
          await run();
        } finally {
          await this.close();
        }
      },
    }));
  }
}

async function dropSchemas(schemas: readonly string[]): Promise<void> {
  const names = [...new Set(schemas)];
  if (names.length === 0) return;
  const { default: pg } = (await import('pg' as string)) as {
    default: { Client: new (url: string) => AdminClient };
  };
  const client = new pg.Client(POSTGRES!);
  await client.connect();
  for (const name of names) await client.query(`DROP SCHEMA IF EXISTS ${name} CASCADE`);
  await client.end();
}

interface AdminClient {
  connect(): Promise<void>;
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: unknown[] }>;
  end(): Promise<void>;
}
