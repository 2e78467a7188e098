/** Opens PostgreSQL as an engine. */
import type { OpenRemote } from './remote-engine.ts';

export const openPostgres: OpenRemote = () => {
  throw new Error('not yet');
};
