/** Lists the traits of known models: pooling, text prefixes and token limits. */
import type { EmbeddingRole } from '../models/embedder.ts';

export type Pooling = 'cls' | 'mean';
export type Prefixes = Readonly<Record<EmbeddingRole, string>>;

export interface EmbeddingTraits {
  readonly pooling: Pooling;
  readonly prefixes: Prefixes;
  /** Token limit, including special tokens. */
  readonly maxTokens: number;
}

export const NO_PREFIXES: Prefixes = { query: '', passage: '' };
const BGE: Prefixes = {
  query: 'Represent this sentence for searching relevant passages: ',
  passage: '',
};
const E5: Prefixes = { query: 'query: ', passage: 'passage: ' };

const bge: EmbeddingTraits = { pooling: 'cls', prefixes: BGE, maxTokens: 512 };
const e5: EmbeddingTraits = { pooling: 'mean', prefixes: E5, maxTokens: 512 };
const sentences = (maxTokens: number): EmbeddingTraits => ({
  pooling: 'mean',
  prefixes: NO_PREFIXES,
  maxTokens,
});

/** Traits by the last part of the model's name, as its model card states them. */
const EMBEDDERS: Readonly<Record<string, EmbeddingTraits>> = {
  'all-MiniLM-L6-v2': sentences(256),
  'all-MiniLM-L12-v2': sentences(128),
  'all-mpnet-base-v2': sentences(384),
  'bge-small-en-v1.5': bge,
  'bge-base-en-v1.5': bge,
  'bge-large-en-v1.5': bge,
  'e5-small-v2': e5,
  'e5-base-v2': e5,
  'e5-large-v2': e5,
  'multilingual-e5-small': e5,
  'multilingual-e5-base': e5,
  'multilingual-e5-large': e5,
};

/** Token limits of known cross-encoders, query and text together. */
const RERANKERS: Readonly<Record<string, number>> = {
  'ms-marco-MiniLM-L-6-v2': 512,
  'ms-marco-MiniLM-L-12-v2': 512,
  'bge-reranker-base': 512,
  'bge-reranker-large': 512,
};

export const KNOWN_EMBEDDERS: readonly string[] = Object.keys(EMBEDDERS);
export const KNOWN_RERANKERS: readonly string[] = Object.keys(RERANKERS);

/** Returns the traits of a model named `ORG/NAME` or `NAME`; undefined if it is not known. */
export function embeddingTraits(model: string): EmbeddingTraits | undefined {
  const name = lastPart(model);
  return Object.hasOwn(EMBEDDERS, name) ? EMBEDDERS[name] : undefined;
}

/** Returns the token limit of a reranker; 512, as of every BERT, if it is not known. */
export function rerankerTokens(model: string): number {
  const name = lastPart(model);
  return (Object.hasOwn(RERANKERS, name) ? RERANKERS[name] : undefined) ?? 512;
}

export const lastPart = (model: string): string => model.slice(model.lastIndexOf('/') + 1);
