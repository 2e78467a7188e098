/** PostgreSQL keeps the laws of places, and of engines, with exact and with approximate vectors. */
import { after, test } from 'node:test';
import { engineLaws } from '../../src/testing/engine-laws.ts';
import { hashedEmbedder } from '../../src/testing/hashed-embedder.ts';
import { placeLaws } from '../../src/testing/place-laws.ts';
import { runLaws } from '../laws/run-laws.ts';
import { anyServer, NEEDS_POSTGRES, OpenedEngines } from './postgres-server.ts';

const units = ['document', 'passage', 'sentence'] as const;

if (NEEDS_POSTGRES.skip) test('PostgreSQL keeps the laws of engines', NEEDS_POSTGRES, () => {});
else {
  const server = await anyServer();
  after(() => server.remove());
  const places = new OpenedEngines(server.url);
  runLaws('a place in PostgreSQL', places.closing(placeLaws(places.place)));
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
      tolerance: 0,
    });
    await engines.close();
    runLaws(`PostgreSQL, ${vectorSearch} vectors`, engines.closing(laws));
  }
}
