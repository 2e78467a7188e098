/**
 * Opens engines on servers: PostgreSQL and OpenSearch.
 *
 * @module multihop/engines
 */
import { checkNode } from '../../platform/node-version.ts';

export { openEngine } from './open-engine.ts';

checkNode();
