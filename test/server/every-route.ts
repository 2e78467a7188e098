/** Words a request for each route of a server, by the route table alone. */
import { MCP_PATH, OWN_ROUTES } from '../../src/server/app.ts';
import type { Access } from '../../src/server/guards.ts';
import { ROUTES } from '../../src/server/routes.ts';
import type { Schema } from '../../src/session/requests/schema.ts';
import type { Sent } from './served-store.ts';

export interface Target {
  /** Method and path of the route, for messages. */
  readonly name: string;
  readonly path: string;
  readonly access: Access;
  readonly sent: Sent & { readonly method: string };
}

/** A request of MCP, which has no schema here. */
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** A request that every guard lets through, for each route; the id in a path is `linnet`. */
export const TARGETS: readonly Target[] = [
  ...ROUTES.map(({ method, path, access, body }): Target => {
    const sent = body === undefined ? { method } : { method, body: sampleOf(body) };
    const name = `${method} ${path}`;
    return { name, path: path.replace(/\{\w+\}/g, 'linnet'), access, sent };
  }),
  ...Object.entries(OWN_ROUTES).map(([path, { access }]) => ({
    name: `GET ${path}`,
    path,
    access,
    sent: { method: 'GET' },
  })),
  ...['GET', 'POST', 'DELETE'].map((method): Target => {
    const sent = method === 'POST' ? { method, body: PING } : { method };
    return { name: `${method} ${MCP_PATH}`, path: MCP_PATH, access: 'token', sent };
  }),
];

/** Returns a smallest value of a schema. */
export function sampleOf(schema: Schema): unknown {
  const { type, properties = {}, required = [], anyOf, items, minItems = 0 } = schema;
  if (anyOf) return sampleOf((anyOf as Schema[])[0]!);
  if (type === 'array')
    return Array.from({ length: minItems as number }, () => sampleOf(items as Schema));
  if (type === 'object') {
    const fields = properties as Readonly<Record<string, Schema>>;
    return Object.fromEntries((required as string[]).map(name => [name, sampleOf(fields[name]!)]));
  }
  return type === 'string' ? 'tug' : type === 'boolean' ? false : 1;
}
