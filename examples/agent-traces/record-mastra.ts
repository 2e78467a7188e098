/** Records an agent of Mastra: its result with steps, and its messages. */
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { MockLanguageModelV3 } from 'ai/test';
import { z } from 'zod';
import { QUESTION, REPLIES, search } from './scene.ts';

export async function recordMastra(): Promise<Record<string, string>> {
  let at = 0;
  const agent = new Agent({
    id: 'finder',
    name: 'finder',
    instructions: 'Answer from what you find.',
    model: new MockLanguageModelV3({ doGenerate: async () => REPLIES[at++]! }),
    tools: {
      search: createTool({
        id: 'search',
        description: 'Searches the documents.',
        inputSchema: z.object({ query: z.string() }),
        execute: async ({ query }) => ({ hits: search(query) }),
      }),
    },
  });
  const { steps, text } = await agent.generate(QUESTION);
  const result = { agent: 'finder', question: QUESTION, steps, text };
  return { 'mastra.jsonl': JSON.stringify(result) };
}
