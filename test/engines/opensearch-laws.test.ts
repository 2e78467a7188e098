/** OpenSearch keeps the laws of places, and of engines, with exact and with approximate vectors. */
import { after, test } from 'node:test';
import { engineLaws } from '../../src/testing/engine-laws.ts';
import { hashedEmbedder } from '../../src/testing/hashed-embedder.ts';
import { placeLaws } from '../../src/testing/place-laws.ts';
import { runLaws } from '../laws/run-laws.ts';
import { anyCluster, NEEDS_OPENSEARCH, OpenedEngines } from './opensearch-server.ts';

const units = ['document', 'passage', 'sentence'] as const;
/**
 * The server keeps a length of 40 terms or more in four significant bits, rounded down, so that a
 * length norm is up to an eighth too small, and with it a score up to a seventh too large. Scores
 * by rounded lengths are compared in opensearch-agreement.test.ts.
 */
const TOLERANCE = 1 / 7;

if (NEEDS_OPENSEARCH.skip) test('OpenSearch keeps the laws of engines', NEEDS_OPENSEARCH, () => {});
else {
  const server = await anyCluster();
  after(() => server.remove());
  const places = new OpenedEngines(server.url);
  runLaws('a place in OpenSearch', places.closing(placeLaws(places.place)));
  for (const vectorSearch of ['exact', 'approximate'] as const) {
    const engines = new OpenedEngines(server.url);
    const options = {
      units,
      vectorSearch,
      chunker: 'tokens(size=20, overlap=6)',
      embedders: [hashedEmbedder()],
    };
    const laws = await engineLaws(documents => engines.holding(documents, options), {
      spaces: ['hashed'],
      tolerance: TOLERANCE,
      countsRemoved: true,
    });
    await engines.close();
    runLaws(`OpenSearch, ${vectorSearch} vectors`, engines.closing(laws));
  }
}
