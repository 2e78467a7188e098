/** Opens an engine on a server by the scheme of its address; loads what that kind needs. */
import { badEngine, engineAddress } from './engine-address.ts';
import type { OpenRemote, RemoteEngine, RemoteEngineOptions } from './remote-engine.ts';

const KINDS: Readonly<Record<string, () => Promise<OpenRemote>>> = {
  opensearch: async () => (await import('./opensearch.ts')).openOpenSearch,
  opensearchs: async () => (await import('./opensearch.ts')).openOpenSearch,
  postgres: async () => (await import('./postgres.ts')).openPostgres,
  postgresql: async () => (await import('./postgres.ts')).openPostgres,
};

/**
 * Opens `postgres://USER@HOST:PORT/DATABASE?schema=NAME` or
 * `opensearch://HOST:PORT/NAME?shards=1&replicas=0&nodes=HOST:PORT,...`. Credentials come from the
 * address or from `MULTIHOP_ENGINE_USER` and `MULTIHOP_ENGINE_PASSWORD`. Throws
 * `InputError('bad-engine')`, `PortError('missing-package')` that says what to install, and
 * `PortError` of a server that cannot be reached, refuses the credentials or holds another version.
 *
 * @example
 * ```ts
 * import { ask, ingest } from 'multihop';
 * import { openEngine } from 'multihop/engines';
 *
 * const url = process.env['MULTIHOP_POSTGRES'];
 * if (url) {
 *   await using engine = await openEngine(url);
 *   await ingest(['Charles built the engine in London.'], { engine });
 *   console.log((await ask('Who built the engine?', { engine })).answer.kind);
 * }
 * ```
 */
export async function openEngine(
  url: string,
  options: RemoteEngineOptions = {},
): Promise<RemoteEngine> {
  const { scheme } = engineAddress(url, options.env);
  const kind = Object.hasOwn(KINDS, scheme) ? KINDS[scheme] : undefined;
  if (!kind) throw badEngine(`${scheme}://`);
  return (await kind())(url, options);
}
