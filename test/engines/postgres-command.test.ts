/** The command line over PostgreSQL. */
import { testCommands } from './engine-commands.ts';
import { anyServer, NEEDS_POSTGRES, newSchema, OpenedEngines } from './postgres-server.ts';

testCommands('multihop over PostgreSQL', {
  skip: NEEDS_POSTGRES,
  scheme: 'postgres',
  sameScores: true,
  open: async () => {
    const server = await anyServer();
    const engines = new OpenedEngines(server.url);
    const url = newSchema(server.url);
    await engines.open({}, url);
    return {
      url,
      newEngine: engines.newUrl(),
      noEngine: newSchema(server.url),
      close: async () => {
        await engines.close();
        await server.remove();
      },
    };
  },
});
