/** Records an agent of Mastra with `multihop/mastra`: its result with steps. */
import { Agent } from '@mastra/core/agent';
import { mastraTools } from 'multihop/mastra';
import { localModel } from './ai-sdk.ts';
import { asked, BUDGET, demoStore, INSTRUCTIONS, STEPS, written } from './demo.ts';

export async function recordMastraByModel(): Promise<string[]> {
  const { store } = await demoStore();
  await using _ = store;
  const { retrieve } = mastraTools(store, { filter: false, budget: BUDGET });
  const agent = new Agent({
    id: 'qwen',
    name: 'qwen',
    instructions: INSTRUCTIONS,
    model: localModel(),
    tools: { retrieve },
  });
  const runs: string[] = [];
  for (const question of asked()) {
    const { steps, text } = await agent.generate(question, {
      maxSteps: STEPS,
      prepareStep: ({ stepNumber }) => ({ toolChoice: stepNumber === 0 ? 'required' : 'auto' }),
    });
    const said = steps.map(({ toolCalls, toolResults, text: words, usage }) => {
      return { text: words, toolCalls, toolResults, usage };
    });
    runs.push(written({ agent: agent.name, question, steps: said, text }));
  }
  return runs;
}
