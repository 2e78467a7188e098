/** Connects the official client over stdio and HTTP, and checks results of tools. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Validator } from '@cfworker/json-schema';
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { IngestibleRecord } from '../../src/core/corpus/document.ts';
import { openStore } from '../../src/index.ts';
import { openServer, type StoreServer } from '../../src/server/open-server.ts';
import { freshFolder } from '../fresh-folder.ts';
import { TOKEN } from '../server/served-store.ts';

const BIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** Revisions of the protocol: the newest, and the oldest that is tested. */
export const NEWEST = '2026-07-28';
export const OLDER = '2025-06-18';

/** Returns the options of a client that speaks one revision. */
export const speaking = (version: string): ClientOptions =>
  version === NEWEST
    ? { versionNegotiation: { mode: { pin: version } } }
    : { supportedProtocolVersions: [version] };

export interface Connected extends AsyncDisposable {
  readonly client: Client;
  /** Counts the messages of a method that have come. */
  received(method: string): number;
}

/** Starts `multihop mcp ...words` and connects to it. */
export async function connectStdio(
  words: readonly string[],
  version: string = NEWEST,
): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', BIN, 'mcp', ...words],
    env: { PATH: process.env['PATH'] ?? '' },
    stderr: 'ignore',
  });
  return connected(transport, version);
}

/** Connects to `/mcp` of a server: by its address, or by its own `handle`, without a socket. */
export const connectHttp = (
  to: string | Pick<StoreServer, 'handle'>,
  version: string = NEWEST,
): Promise<Connected> => {
  const url = new URL('/mcp', typeof to === 'string' ? to : 'http://127.0.0.1');
  const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
  const fetch = (at: string | URL, init?: RequestInit): Promise<Response> =>
    typeof to === 'string' ? globalThis.fetch(at, init) : to.handle(new Request(at, init));
  return connected(new StreamableHTTPClientTransport(url, { requestInit, fetch }), version);
};

/** Serves a new store of these documents, and connects to it. */
export async function connectStore(
  documents: readonly IngestibleRecord[],
  version: string = NEWEST,
): Promise<Connected> {
  const folder = join(freshFolder(), 'a.store');
  await using store = await openStore(folder);
  await store.ingest(documents);
  const server = await openServer(folder, { token: TOKEN });
  const connected = await connectHttp(server, version);
  return {
    ...connected,
    async [Symbol.asyncDispose]() {
      await connected[Symbol.asyncDispose]();
      await server.close();
    },
  };
}

async function connected(transport: Transport, version: string): Promise<Connected> {
  const client = new Client({ name: 'tests', version: '1' }, speaking(version));
  await client.connect(transport);
  const counts = countMethods(transport);
  return {
    client,
    received: method => counts.get(method) ?? 0,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function countMethods(transport: Transport): Map<string, number> {
  const counts = new Map<string, number>();
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    if ('method' in message) counts.set(message.method, (counts.get(message.method) ?? 0) + 1);
    onmessage?.(message, extra);
  };
  return counts;
}

export interface CalledTool {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** UTF-16 units of the whole result. */
  readonly size: number;
}

/** Calls a tool, whose fields must be those of its declared schema. */
export async function calledTool(
  client: Client,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<CalledTool> {
  const result = await client.callTool({ name, arguments: { ...given } });
  const [content, ...more] = result.content;
  assert.equal(result.isError ?? false, false, JSON.stringify(result.content));
  assert.ok(content?.type === 'text' && more.length === 0);
  const fields = result.structuredContent as Readonly<Record<string, unknown>>;
  const schema = (await client.listTools()).tools.find(tool => tool.name === name)!.outputSchema!;
  const { valid, errors } = new Validator(schema, '2020-12').validate(fields);
  assert.ok(valid, JSON.stringify(errors, undefined, 1));
  return { fields, text: content.text, size: JSON.stringify(result).length };
}

/** Returns surroundings of a process in which the SDK is not installed. */
export function withoutSdk(): { readonly env: Record<string, string>; readonly cwd: string } {
  const hooks = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (!name.startsWith('@modelcontextprotocol/')) return next(name, context);
      throw Object.assign(new Error('Cannot find package ' + name), { code: 'ERR_MODULE_NOT_FOUND' });
    } });`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hooks)}`;
  return { env: { NODE_OPTIONS }, cwd: freshFolder() };
}
