/**
 * The ports of EfficientRAG's two token classifiers: one reads a query with the chunks that it
 * found, the other writes the next query (our sheet, section 2).
 */
import type { Call } from '../../trace/call.ts';

/** FINISH: a chunk that answers the last step. With the published two tags it is a CONTINUE. */
export const CHUNK_TAGS = ['CONTINUE', 'TERMINATE', 'FINISH'] as const;
export type ChunkTag = (typeof CHUNK_TAGS)[number];

export interface Chunk {
  readonly title: string;
  readonly text: string;
}

export interface LabeledChunk {
  readonly tag: ChunkTag;
  /** Of the tag CONTINUE (or FINISH), 0 to 1. */
  readonly useful: number;
  /** The words of the chunk that were marked, in order, joined by spaces. */
  readonly info: string;
}

export interface Labeler {
  /** One a chunk, in order; the chunks are the hits of one search for the query, the best first. */
  label(query: string, chunks: readonly Chunk[], call: Call): Promise<LabeledChunk[]>;
}

export interface QueryFilter {
  /** The next query, of words of the query and of the infos; blank: there is none. */
  compose(query: string, infos: readonly string[], call: Call): Promise<string>;
}

/** Both, as strategies name them. */
export interface TokenClassifiers {
  readonly id: string;
  readonly labeler: Labeler;
  readonly filter: QueryFilter;
}

/**
 * What the filter reads: `Query: Q Info: a; Info: b`, `Query: Q ` without infos (sheet 3.3 and
 * 10.1). Blank infos are left out.
 */
export function filterSentence(query: string, infos: readonly string[]): string {
  const told = infos.filter(info => info.trim() !== '').map(info => `Info: ${info}`);
  return `Query: ${query} ${told.join('; ')}`;
}
