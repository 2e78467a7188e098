/** The number of texts that an evaluation embeds is known before the first of them is embedded. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Document } from '../core/corpus/document.ts';
import { freeCall } from '../core/trace/call.ts';
import type { Embedder } from '../models/embedder.ts';
import { lookupIn } from '../models/resources.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import { retrievers } from '../search/retrievers.ts';
import { countedEmbedder, textsToEmbed } from './embedding-progress.ts';

const documents: Document[] = Array.from({ length: 7 }, (_, index) => ({
  id: `d${index}`,
  title: `Title ${index}`,
  text: 'One sentence here. Another one there. And a third.',
  metadata: {},
}));
const embedder = (id: string): Embedder => ({
  id,
  dimensions: 2,
  embed: async texts => texts.map(() => Float32Array.of(1, 0)),
});

const lookup = lookupIn({
  reranker: {
    id: 'reader',
    score: async (_: string, texts: readonly string[]) => new Float32Array(texts.length),
  },
});

test('announces each embedded space and unit once', async () => {
  for (const [names, expected] of [
    [['lexical', 'hybrid'], 0],
    [['dense(toy)', 'fused(lexical, dense(toy))'], 7],
    [['dense(toy)', 'dense(other)'], 14],
    // Three sentences a document.
    [['dense(toy)', 'filtered(dense(toy, unit=sentence), "id = \'d1\'")'], 7 + 21],
    [
      [
        'max-p(dense(toy))',
        'hybrid(other, vectors=sentence)',
        'reranked(clauses(hybrid(toy)), reader)',
      ],
      21 + 21 + 7,
    ],
  ] as const) {
    let done = 0;
    const embedders = ['toy', 'other'].map(id =>
      countedEmbedder(embedder(id), texts => (done += texts)),
    );
    const engine = new EmbeddedEngine({ documents, embedders }).current;
    const total = await textsToEmbed(engine, names, lookup);
    for (const name of names)
      await retrievers
        .create(name)
        .bind(engine, lookup)
        .retrieve([{ text: 'a question' }], 3, freeCall());
    assert.deepEqual([total, done], [expected, expected], names.join(', '));
  }
});
