/**
 * Decides which models a request may open by name. A name in a request must not make the server
 * download a model, load one more into memory, or send texts of documents to an address that it was
 * not started with.
 */
import type { MayOpen } from '../models.ts';

export interface AllowedModels {
  /** Names that whoever started the server allows. */
  readonly allowModels?: readonly string[];
  /** Address of rerankers behind HTTP: those alone are asked, and only there. */
  readonly rerankerUrl?: string | undefined;
}

/** Rerankers that are asked at `rerankerUrl` if it is given. */
const BEHIND_HTTP = /^(?:tei|cohere|jina):/;
/** The one question answerer that is a package of its own and needs no download. */
const INSTALLED = 'span-minilm';

export const mayOpen =
  ({ allowModels = [], rerankerUrl }: AllowedModels): MayOpen =>
  (port, id) =>
    allowModels.includes(id) ||
    (port === 'question-answerer' && id === INSTALLED) ||
    (port === 'reranker' && rerankerUrl !== undefined && BEHIND_HTTP.test(id));
