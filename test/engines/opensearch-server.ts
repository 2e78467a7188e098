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
import { openOpenSearch } from '../../src/stores/servers/opensearch.ts';
import type { RemoteEngine } from '../../src/stores/servers/remote-engine.ts';
import { EnginesOnServer } from './opened-engines.ts';

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

export class OpenedEngines extends EnginesOnServer {
  constructor(server: string) {
    super(server, {
      newAddress: newIndex,
      open: openOpenSearch,
      drop: async (of, urls) => {
        for (const { pathname } of urls) await administer(of, 'DELETE', `${pathname}-*`);
      },
    });
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
