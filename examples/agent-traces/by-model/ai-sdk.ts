/** Records a ToolLoopAgent of the AI SDK with `multihop/ai-sdk`: its result with steps. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { isStepCount, ToolLoopAgent, type ToolSet } from 'ai';
import { aiSdkTools } from 'multihop/ai-sdk';
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

export const localModel = () =>
  createOpenAICompatible({ name: 'local', baseURL: MODEL_URL, fetch: inQwensForm })(MODEL);

export const agentWith = (tools: ToolSet) =>
  new ToolLoopAgent({
    model: localModel(),
    tools,
    stopWhen: isStepCount(STEPS),
    // A model of this size answers from memory where nothing demands a call.
    prepareStep: ({ stepNumber }) => ({ toolChoice: stepNumber === 0 ? 'required' : 'auto' }),
    instructions: INSTRUCTIONS,
  });

export async function recordAiSdkByModel(): Promise<string[]> {
  const { store } = await demoStore();
  await using _ = store;
  const { retrieve } = aiSdkTools(store, { filter: false, budget: BUDGET });
  const agent = agentWith({ retrieve });
  const runs: string[] = [];
  for (const question of asked()) {
    const { steps, text } = await agent.generate({ prompt: question });
    const said = steps.map(({ toolCalls, toolResults, text: words, usage, performance }) => {
      return { text: words, toolCalls, toolResults, usage, performance };
    });
    runs.push(written({ agent: 'qwen', question, steps: said, text }));
  }
  return runs;
}
