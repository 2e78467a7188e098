/** Records an agent of the OpenAI Agents SDK: the history of its result. */
import { Agent, type Model, Runner, tool, Usage } from '@openai/agents';
import { z } from 'zod';
import { ANSWER, QUERIES, QUESTION, search } from './scene.ts';

export async function recordOpenAiAgents(): Promise<Record<string, string>> {
  let at = 0;
  const model: Model = {
    async getResponse() {
      const query = QUERIES[at++];
      const usage = new Usage({ inputTokens: 120, outputTokens: 15, totalTokens: 135 });
      if (query === undefined)
        return {
          usage,
          output: [
            {
              type: 'message',
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text: ANSWER }],
            },
          ],
        };
      const call = { callId: `call-${at}`, name: 'search', arguments: JSON.stringify({ query }) };
      return { usage, output: [{ type: 'function_call', status: 'completed', ...call }] };
    },
    getStreamedResponse() {
      throw new Error('This script does not stream');
    },
  };
  const agent = new Agent({
    name: 'finder',
    instructions: 'Answer from what you find.',
    model,
    tools: [
      tool({
        name: 'search',
        description: 'Searches the documents.',
        parameters: z.object({ query: z.string() }),
        execute: async ({ query }) => search(query),
      }),
    ],
  });
  const runner = new Runner({ tracingDisabled: true });
  const { history, rawResponses, finalOutput } = await runner.run(agent, QUESTION);
  const result = { agent: agent.name, history, rawResponses, finalOutput };
  return { 'openai-agents.jsonl': JSON.stringify(result) };
}
