/**
 * Decides which models a request may open by name. A name in a request must not make the server
 * download a model, load one more into memory, or send texts of documents to an address that it was
 * not started with.
 */
import { SHIPPED_ANSWERER, serversOf } from '../../providers/model-servers.ts';
import type { MayOpen } from '../models.ts';

export interface AllowedModels {
  /** Names that whoever started the server allows. */
  readonly allowModels?: readonly string[];
  /** Address of rerankers behind HTTP: those alone are asked, and only there. */
  readonly rerankerUrl?: string | undefined;
}

/** Tells if a reranker is asked at `rerankerUrl` if it is given. */
const isBehindHttp = (id: string): boolean =>
  serversOf('reranker').some(({ scheme }) => id.startsWith(`${scheme}:`));

export const mayOpen =
  ({ allowModels = [], rerankerUrl }: AllowedModels): MayOpen =>
  (port, id) =>
    allowModels.includes(id) ||
    (port === 'question-answerer' && id === SHIPPED_ANSWERER) ||
    (port === 'reranker' && rerankerUrl !== undefined && isBehindHttp(id));
