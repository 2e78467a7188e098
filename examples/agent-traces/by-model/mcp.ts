/** Records an agent of the AI SDK whose tool is `retrieve` of `multihop mcp`: the client's log. */
import { dynamicTool, jsonSchema } from 'ai';
import { connected } from '../logged-mcp.ts';
import { agentWith } from './ai-sdk.ts';
import { asked, demoStore, written } from './demo.ts';

export async function recordMcpByModel(): Promise<string[]> {
  const { place, store } = await demoStore();
  await using _ = store;
  const { client, log } = await connected(place, '--budget', 'documents=4,context-tokens=300');
  const { tools } = await client.listTools();
  log.length = 0;
  const { name, description, inputSchema } = tools.find(tool => tool.name === 'retrieve')!;
  const { question } = inputSchema.properties!;
  const retrieve = dynamicTool({
    description,
    // A model of this size fills in every argument that it is shown.
    inputSchema: jsonSchema({ type: 'object', properties: { question }, required: ['question'] }),
    execute: async input => {
      const { content } = await client.callTool({ name, arguments: input as { question: string } });
      return content;
    },
  });
  const agent = agentWith({ retrieve });
  const runs: string[] = [];
  for (const question of asked()) {
    const { text: answer } = await agent.generate({ prompt: question });
    const lines = [{ question, answer }, ...log.splice(0)];
    runs.push(...lines.map(written));
  }
  await client.close();
  return runs;
}
