/** OpenSearch keeps the laws of engines, with exact and with approximate vectors. */
import { after, test } from 'node:test';
import { engineLaws } from '../../src/testing/engine-laws.ts';
import { hashedEmbedder } from '../../src/testing/hashed-embedder.ts';
import { runLaws } from '../laws/run-laws.ts';
import { anyCluster, NEEDS_OPENSEARCH, OpenedEngines } from './opensearch-server.ts';

const units = ['document', 'passage', 'sentence'] as const;
/** The server adds up 32-bit floats; items of the laws are too short for its rounded lengths. */
const TOLERANCE = 1e-5;

if (NEEDS_OPENSEARCH.skip) test('OpenSearch keeps the laws of engines', NEEDS_OPENSEARCH, () => {});
else {
  const server = await anyCluster(19_210);
  after(() => server.remove());
  for (const vectorSearch of ['exact', 'approximate'] as const) {
    const engines = new OpenedEngines(server.url);
    const options = {
      ...{ units, vectorSearch, chunker: 'tokens(size=20, overlap=6)' },
      embedders: [hashedEmbedder()],
    };
    const laws = await engineLaws(documents => engines.holding(documents, options), {
      spaces: ['hashed'],
      tolerance: TOLERANCE,
    });
    await engines.close();
    runLaws(`OpenSearch, ${vectorSearch} vectors`, engines.closing(laws));
  }
}
