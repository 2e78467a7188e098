/** Records an agent of the OpenAI Agents SDK: the history of its result, and its tracing export. */
import {
  Agent,
  OpenAIChatCompletionsModel,
  Runner,
  setTraceProcessors,
  tool,
} from '@openai/agents';
import { z } from 'zod';
import { ANSWER, QUERIES, QUESTION, search } from './scene.ts';

export async function recordOpenAiAgents(): Promise<Record<string, string>> {
  let at = 0;
  const create = async (): Promise<object> => {
    const query = QUERIES[at++];
    const called = { name: 'search', arguments: JSON.stringify({ query }) };
    const calls = [{ id: `call-${at}`, type: 'function', function: called }];
    const message =
      query === undefined
        ? { role: 'assistant', content: ANSWER }
        : { role: 'assistant', content: null, tool_calls: calls };
    const usage = { prompt_tokens: 120, completion_tokens: 15, total_tokens: 135 };
    return { id: 'reply', choices: [{ index: 0, message, finish_reason: 'stop' }], usage };
  };
  const client = { baseURL: 'http://localhost/v1', chat: { completions: { create } } };
  const model = new OpenAIChatCompletionsModel(client as never, 'scripted');
  const spans: unknown[] = [];
  const nothing = async (): Promise<void> => {};
  setTraceProcessors([
    {
      onTraceStart: nothing,
      onTraceEnd: nothing,
      onSpanStart: nothing,
      onSpanEnd: async span => void spans.push(span.toJSON()),
      forceFlush: nothing,
      shutdown: nothing,
    },
  ]);
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
  const { history, rawResponses, finalOutput } = await new Runner().run(agent, QUESTION);
  const result = { agent: agent.name, history, rawResponses, finalOutput };
  return {
    'openai-agents.jsonl': JSON.stringify(result),
    'openai-agents-tracing.jsonl': spans.map(span => JSON.stringify(span)).join('\n'),
  };
}
