/** The command line over OpenSearch. */
import { testCommands } from './engine-commands.ts';
import { anyCluster, NEEDS_OPENSEARCH, newIndex, OpenedEngines } from './opensearch-server.ts';

testCommands('multihop over OpenSearch', {
  skip: NEEDS_OPENSEARCH,
  scheme: 'opensearch',
  sameScores: false,
  open: async () => {
    const server = await anyCluster();
    const engines = new OpenedEngines(server.url);
    const url = newIndex(server.url);
    await engines.open({}, url);
    return {
      url,
      newEngine: engines.newUrl(),
      noEngine: newIndex(server.url),
      close: async () => {
        await engines.close();
        await server.remove();
      },
    };
  },
});
