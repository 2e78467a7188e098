/** The embedders and rerankers of a composition: by name, or made in code. */
import type { Embedder } from '../models/embedder.ts';
import type { Resources } from '../models/resources.ts';
import type { Environment } from './notices.ts';
import type { GraphModelSource } from './recognisers.ts';

/** Models by name, and the addresses of those behind HTTP. */
export interface ModelSources {
  readonly env: Environment;
  /**
   * Names of embedders, as `resolveModel` takes them; or
   * embedders, each for the space that its id names.
   */
  readonly embedders?: readonly (string | Embedder)[];
  /** Resources made in code, found by port and id before a provider is asked. */
  readonly resources?: Resources;
  /** Address of `openai-compatible` embedders. */
  readonly baseUrl?: string | undefined;
  /** The language model of an entity recogniser `triples(MODEL)`. */
  readonly language?: GraphModelSource;
  /** Address of rerankers behind HTTP. */
  readonly rerankerUrl?: string | undefined;
}
