/** The embedded engine keeps the laws of engines, with every chunker. */
import { EmbeddedEngine } from '../../src/retrieval/embedded-engine.ts';
import { engineLaws } from '../../src/testing/engine-laws.ts';
import { hashedEmbedder } from '../../src/testing/hashed-embedder.ts';
import { runLaws } from './run-laws.ts';

for (const chunker of ['whole', 'sentences', 'tokens', 'tokens(size=20, overlap=6)']) {
  runLaws(
    `embedded engine, ${chunker}`,
    engineLaws(
      async documents => new EmbeddedEngine({ documents, chunker, embedders: [hashedEmbedder()] }),
      {
        scorers: ['bm25', 'bm25(k1=0.9, b=0.4, stop=english)', 's1'],
        spaces: ['lsa', 'lsa(dimensions=3)', 'hashed'],
      },
    ),
  );
}
