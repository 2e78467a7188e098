/**
 * Declares the ports of EfficientRAG's two token classifiers (arXiv:2408.04259, section 3): the
 * Labeler reads a query with its retrieved chunks, the Filter composes the next query.
 */
import type { Call } from '../../core/trace/call.ts';

/**
 * FINISH marks a chunk that answers the last step. With the published two tags it is a CONTINUE.
 */
export const CHUNK_TAGS = ['CONTINUE', 'TERMINATE', 'FINISH'] as const;
export type ChunkTag = (typeof CHUNK_TAGS)[number];

export interface Chunk {
  readonly title: string;
  readonly text: string;
}

export interface LabeledChunk {
  readonly tag: ChunkTag;
  /** Probability of the tag CONTINUE (or FINISH), 0 to 1. */
  readonly useful: number;
  /** The marked words of the chunk, in order, joined by spaces. */
  readonly info: string;
}

export interface Labeler {
  /**
   * Returns one label for each chunk, in order. The chunks are the hits of one search for the
   * query, best first.
   */
  label(query: string, chunks: readonly Chunk[], call: Call): Promise<LabeledChunk[]>;
}

export interface QueryFilter {
  /**
   * Returns the next query, composed of words of the query and the infos; blank if there is none.
   */
  compose(query: string, infos: readonly string[], call: Call): Promise<string>;
}

/** Labeler and Filter under one id, as strategies name them. */
export interface TokenClassifiers {
  readonly id: string;
  readonly labeler: Labeler;
  readonly filter: QueryFilter;
}
