/**
 * Real embeddings: the sentences of the MultiHop-RAG corpus as rows and its questions as queries,
 * from a folder of cached vectors or embedded into it.
 */

import { sentencesOf } from '../src/core/corpus/chunker.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { readDataSet } from '../src/documents/data-sets.ts';
import { findData } from '../src/experiments/find-data.ts';
import { cachedEmbedder } from '../src/models/cached-embedder.ts';
import { sha256 } from '../src/platform/sha256.ts';
import { resolveModel } from '../src/providers/resolve-model.ts';
import { withHeader } from '../src/search/vectors/text-templates.ts';
import { VectorCacheFolder } from '../src/stores/disk/vector-cache.ts';
import type { Setting } from './measure.ts';
import type { VectorCorpus } from './vector-corpus.ts';

/** Texts between two lines of progress. */
const PORTION = 4096;

export interface RealVectors extends VectorCorpus {
  /** The embedder's id. */
  readonly id: string;
}

/** Embeds as the engine does for `dense(MODEL, unit=sentence)`, which shares its cache. */
export async function realVectors(
  { data, say, cache: folder }: Setting,
  embedderName: string,
): Promise<RealVectors> {
  const { documents, examples } = await readDataSet(
    'multihop-rag',
    findData('multihop-rag', {}, data),
  );
  const texts = documents.flatMap(document =>
    sentencesOf(document).map(sentence => withHeader(document, sentence)),
  );
  const model = await resolveModel('embedder', embedderName, { env: process.env });
  const cache = folder === undefined ? undefined : new VectorCacheFolder(folder);
  try {
    const embedder = cache ? cachedEmbedder(model, cache, { hash: sha256 }) : model;
    const { id, dimensions } = embedder;
    const rows = new Float32Array(texts.length * dimensions);
    for (let from = 0; from < texts.length; from += PORTION) {
      const portion = await embedder.embed(
        texts.slice(from, from + PORTION),
        'passage',
        freeCall(),
      );
      for (const [at, vector] of portion.entries()) rows.set(vector, (from + at) * dimensions);
      say(`vector-real: ${Math.min(from + PORTION, texts.length)} of ${texts.length} sentences`);
    }
    const questions = examples.map(({ question }) => question.text);
    return { id, dimensions, rows, queries: await embedder.embed(questions, 'query', freeCall()) };
  } finally {
    await cache?.close();
    await (model as { close?(): Promise<void> }).close?.();
  }
}
