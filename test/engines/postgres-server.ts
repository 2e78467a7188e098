/**
 * Starts PostgreSQL servers for tests: `MULTIHOP_POSTGRES_HOME` names the folder of
 * `tools/engines/pg-install.sh`. Tests that need no server of their own take that of
 * `MULTIHOP_POSTGRES`, if it is set.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openPostgres } from '../../src/stores/servers/postgres.ts';
import { EnginesOnServer } from './opened-engines.ts';

const URL_OF_SERVER = process.env['MULTIHOP_POSTGRES'];
const HOME = process.env['MULTIHOP_POSTGRES_HOME'];
const run = promisify(execFile);
const script = (name: string): string =>
  fileURLToPath(new URL(`../../tools/engines/${name}`, import.meta.url));

interface Skip {
  readonly skip: string | false;
}

/** The options of a test that takes any server. */
export const NEEDS_POSTGRES: Skip = {
  skip:
    (URL_OF_SERVER ?? HOME) === undefined &&
    'neither MULTIHOP_POSTGRES nor MULTIHOP_POSTGRES_HOME is set',
};
/** The options of a test that stops its server. */
export const NEEDS_OWN_POSTGRES: Skip = {
  skip: HOME === undefined && 'MULTIHOP_POSTGRES_HOME is not set',
};

/** Attempts to start a server. */
const ATTEMPTS = 10;

/** A server of one test file. */
export class TestServer {
  readonly url: string;
  private readonly folder: string;
  private readonly port: number;

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  static async start(): Promise<TestServer> {
    const folder = mkdtempSync(join(tmpdir(), 'multihop-pg-'));
    chmodSync(folder, 0o755);
    const server = new TestServer(folder, await freePort());
    await server.startAgain();
    return server;
  }

  async startAgain(): Promise<void> {
    const start = [script('pg-start.sh'), HOME!, this.folder, String(this.port)];
    for (let attempt = 1; ; attempt++)
      try {
        await run('bash', start);
        return;
      } catch (error) {
        // Processes of a server that was killed hold its memory for a moment.
        if (attempt === ATTEMPTS) throw error;
        await new Promise(resolve => setTimeout(resolve, 500));
      }
  }

  async stop(): Promise<void> {
    await run('bash', [script('pg-stop.sh'), HOME!, this.folder]);
  }

  /** Ends the server and all of its processes at once. */
  async kill(): Promise<void> {
    const [pid] = readFileSync(join(this.folder, 'db', 'postmaster.pid'), 'utf8').split('\n');
    const children = (await run('ps', ['-o', 'pid=', '--ppid', pid!])).stdout.trim().split(/\s+/);
    for (const one of [pid!, ...children]) process.kill(Number(one), 'SIGKILL');
  }

  async remove(): Promise<void> {
    await this.stop().catch(() => {});
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise(resolve => server.close(resolve));
  return port;
}

/** Returns a server for the tests of one file, which remove it. */
export async function anyServer(): Promise<Pick<TestServer, 'url' | 'remove'>> {
  return URL_OF_SERVER === undefined
    ? TestServer.start()
    : { url: URL_OF_SERVER, remove: async () => {} };
}

/** Returns the address of a schema that does not exist yet. */
export const newSchema = (server: string): string =>
  `${server}?schema=test_${randomUUID().slice(0, 8)}`;

export class OpenedEngines extends EnginesOnServer {
  constructor(server: string) {
    super(server, {
      newAddress: newSchema,
      open: openPostgres,
      drop: (of, urls) =>
        administer(of, async query => {
          for (const schema of new Set(urls.map(url => url.searchParams.get('schema'))))
            await query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
        }),
    });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the columns follow from the statement
export type Query = (text: string, values?: readonly unknown[]) => Promise<any[]>;

/** Works on a connection beside the engine's. */
export async function administer<T>(
  server: string,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  const { default: pg } = (await import('pg' as string)) as {
    default: { Client: new (url: string) => AdminClient };
  };
  const client = new pg.Client(server);
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(async (text, values) => (await client.query(text, values)).rows);
  } finally {
    await client.end();
  }
}

interface AdminClient {
  connect(): Promise<void>;
  on(event: 'error', listener: () => void): void;
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: unknown[] }>;
  end(): Promise<void>;
}
