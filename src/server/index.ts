/**
 * Serves a store over HTTP: as a function from `Request` to `Response`, or by Node.
 *
 * @module multihop/server
 */
import { checkNode } from '../platform/node-version.ts';

export { openServer, type ServerOptions, type StoreServer } from './open-server.ts';

checkNode();
