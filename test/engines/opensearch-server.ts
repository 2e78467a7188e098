/**
 * Starts OpenSearch servers for tests: `MULTIHOP_OPENSEARCH_HOME` names the folder of
 * `tools/engines/opensearch-install.sh`. Tests that need no server of their own take that of
 * `MULTIHOP_OPENSEARCH` (`opensearch://HOST:PORT`), if it is set.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Document } from '../../src/core/corpus/document.ts';
import { defined } from '../../src/core/defined.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import { ServerPlace } from '../../src/session/places/server-place.ts';
import { openOpenSearch } from '../../src/stores/servers/opensearch.ts';
import type { RemoteEngine, RemoteEngineOptions } from '../../src/stores/servers/remote-engine.ts';
import type { Law } from '../../src/testing/law.ts';
import type { MakePlace } from '../../src/testing/place-laws.ts';

const URL_OF_SERVER = process.env['MULTIHOP_OPENSEARCH'];
const HOME = process.env['MULTIHOP_OPENSEARCH_HOME'];
const run = promisify(execFile);
const script = (name: string): string =>
  fileURLToPath(new URL(`../../tools/engines/${name}`, import.meta.url));

/** Half of the time to start goes to a compiler that a short life does not pay back. */
const SHORT_LIVED = { EXTRA_JAVA_OPTS: '-XX:TieredStopAtLevel=1', ...process.env };

interface Skip {
  readonly skip: string | false;
}

/** The options of a test that takes any server. */
export const NEEDS_OPENSEARCH: Skip = {
  skip:
    (URL_OF_SERVER ?? HOME) === undefined &&
    'neither MULTIHOP_OPENSEARCH nor MULTIHOP_OPENSEARCH_HOME is set',
};
/** The options of a test that stops its servers. */
export const NEEDS_OWN_OPENSEARCH: Skip = {
  skip: HOME === undefined && 'MULTIHOP_OPENSEARCH_HOME is not set',
};

/** A cluster of one test file. */
export class TestCluster {
  readonly url: string;
  readonly addresses: readonly string[];
  private readonly folder: string;

  private constructor(folder: string, port: number, nodes: number) {
    this.folder = folder;
    this.addresses = Array.from({ length: nodes }, (_, at) => `127.0.0.1:${port + at}`);
    this.url = `opensearch://${this.addresses[0]}`;
  }

  static async start(nodes: number): Promise<TestCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'multihop-os-'));
    chmodSync(folder, 0o755);
    const settings = [HOME!, folder, String(nodes), 'any', '256m'];
    try {
      const start = [script('opensearch-start.sh'), ...settings];
      const { stdout } = await run('bash', start, { env: SHORT_LIVED });
      return new TestCluster(folder, Number(new URL(stdout.trim()).port), nodes);
    } catch (error) {
      await removeCluster(folder);
      throw error;
    }
  }

  /** Ends a node, from 1, at once. */
  kill(node: number): void {
    process.kill(Number(readFileSync(join(this.folder, `node${node}.pid`), 'utf8')), 'SIGKILL');
  }

  remove(): Promise<void> {
    return removeCluster(this.folder);
  }
}

async function removeCluster(folder: string): Promise<void> {
  await run('bash', [script('opensearch-stop.sh'), folder]).catch(() => {});
  rmSync(folder, { recursive: true, force: true });
}

/** Returns a server for the tests of one file, which remove it. */
export async function anyCluster(): Promise<Pick<TestCluster, 'url' | 'remove'>> {
  return URL_OF_SERVER === undefined
    ? TestCluster.start(1)
    : { url: URL_OF_SERVER, remove: async () => {} };
}

/** Returns the address of an index that does not exist yet. */
export const newIndex = (server: string, query = ''): string =>
  `${server}/test_${randomUUID().slice(0, 8)}${query}`;

/** Opens engines, and closes them with their indices deleted. */
export class OpenedEngines {
  private readonly server: string;
  private readonly opened: { readonly engine: AsyncDisposable; readonly name: string }[] = [];

  constructor(server: string) {
    this.server = server;
  }

  async open(
    options: RemoteEngineOptions = {},
    url: string = newIndex(this.server),
  ): Promise<RemoteEngine> {
    const engine = await openOpenSearch(url, options);
    this.opened.push({ engine, name: new URL(url).pathname.slice(1) });
    return engine;
  }

  /** Returns the address of an engine that something else makes. */
  newUrl(): string {
    const url = newIndex(this.server);
    const engine = { async [Symbol.asyncDispose]() {} };
    this.opened.push({ engine, name: new URL(url).pathname.slice(1) });
    return url;
  }

  /** Opens places for their laws. */
  readonly place: MakePlace = async () => {
    const url = newIndex(this.server);
    const open = async (): Promise<ServerPlace> => {
      const place = new ServerPlace(url);
      this.opened.push({ engine: place, name: new URL(url).pathname.slice(1) });
      return place;
    };
    return { place: await open(), again: open };
  };

  async holding(
    documents: readonly Document[],
    options: RemoteEngineOptions = {},
    url?: string,
  ): Promise<RemoteEngine> {
    const engine = await this.open(options, url);
    if (documents.length > 0) await engine.put(documents, freeCall());
    return engine;
  }

  async close(): Promise<void> {
    const gone = this.opened.splice(0);
    for (const { engine } of gone) await engine[Symbol.asyncDispose]();
    for (const { name } of gone) await administer(this.server, 'DELETE', `/${name}-*`);
  }

  /** Returns laws that close what they opened: many leave snapshots open. */
  closing(laws: readonly Law[]): Law[] {
    return laws.map(({ name, run: check }) => ({
      name,
      run: async () => {
        try {
          await check();
        } finally {
          await this.close();
        }
      },
    }));
  }
}

/** Returns the first hundred documents of an engine, ascending by id. */
export async function listed(engine: RemoteEngine): Promise<readonly Document[]> {
  await using snapshot = await engine.snapshot();
  return await snapshot.page({ limit: 100 }, freeCall());
}

/** Sends a request beside the engine's. */
export async function administer(
  server: string,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const answer = await fetch(
    server.replace('opensearch:', 'http:') + path,
    defined({
      method,
      body: body ? JSON.stringify(body) : undefined,
      headers: body ? { 'content-type': 'application/json' } : undefined,
    }),
  );
  return answer.json();
}
