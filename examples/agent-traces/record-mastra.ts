/** Records an agent of Mastra: its result with steps, and its messages. */
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { MockLanguageModelV3 } from 'ai/test';
import { z } from 'zod';
import { ANSWER, QUERIES, QUESTION, search } from './scene.ts';

const usage = {
  inputTokens: { total: 120, noCache: 120, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 15, text: 15, reasoning: 0 },
};

export async function recordMastra(): Promise<Record<string, string>> {
  const calls = QUERIES.map((query, index) => ({
    content: [
      {
        type: 'tool-call' as const,
        toolCallId: `call-${index}`,
        toolName: 'search',
        input: JSON.stringify({ query }),
      },
    ],
    finishReason: { unified: 'tool-calls' as const, raw: undefined },
    usage,
    warnings: [],
  }));
  const last = {
    content: [{ type: 'text' as const, text: ANSWER }],
    finishReason: { unified: 'stop' as const, raw: undefined },
    usage,
    warnings: [],
  };
  const replies = [...calls, last];
  let at = 0;
  const agent = new Agent({
    id: 'finder',
    name: 'finder',
    instructions: 'Answer from what you find.',
    model: new MockLanguageModelV3({ doGenerate: async () => replies[at++]! }),
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
