/** Records an agent of the OpenAI Agents SDK that calls `store.retrieve`: its result. */
import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';
import {
  asked,
  BUDGET,
  demoStore,
  INSTRUCTIONS,
  MODEL,
  MODEL_URL,
  STEPS,
  written,
} from './demo.ts';
import { inQwensForm } from './qwens-form.ts';

export async function recordOpenAiAgentsByModel(): Promise<string[]> {
  const { store } = await demoStore();
  await using _ = store;
  setTracingDisabled(true);
  const client = new OpenAI({ baseURL: MODEL_URL, apiKey: 'none', fetch: inQwensForm });
  const agent = new Agent({
    name: 'qwen',
    instructions: INSTRUCTIONS,
    model: new OpenAIChatCompletionsModel(client, MODEL),
    // The SDK demands the first call alone.
    modelSettings: { toolChoice: 'required' },
    tools: [
      tool({
        name: 'retrieve',
        description: 'Finds the evidence on a question over several hops.',
        parameters: z.object({ question: z.string() }),
        execute: async ({ question }) => {
          const { context } = await store.retrieve(question, { budget: BUDGET });
          return context.parts.map(({ documentId, start, end }) => ({
            id: documentId,
            text: context.text.slice(start, end),
          }));
        },
      }),
    ],
  });
  const runs: string[] = [];
  for (const question of asked()) {
    const { history, rawResponses, finalOutput } = await run(agent, question, { maxTurns: STEPS });
    runs.push(written({ agent: agent.name, history, rawResponses, finalOutput }));
  }
  return runs;
}
