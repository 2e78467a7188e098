/** Records a ReAct agent of LangGraph with `multihop/langchain`: its final state. */
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { langchainTools } from 'multihop/langchain';
import { asked, BUDGET, demoStore, INSTRUCTIONS, MODEL, MODEL_URL, written } from './demo.ts';
import { inQwensForm } from './qwens-form.ts';

export async function recordLangGraphByModel(): Promise<string[]> {
  const { store } = await demoStore();
  await using _ = store;
  const { retrieve } = langchainTools(store, { filter: false, budget: BUDGET });
  const configuration = { baseURL: MODEL_URL, fetch: inQwensForm };
  const model = new ChatOpenAI({ model: MODEL, apiKey: 'none', configuration });
  const agent = createReactAgent({
    llm: async ({ messages }) =>
      model.bindTools([retrieve], { tool_choice: messages.length === 1 ? 'required' : 'auto' }),
    tools: [retrieve],
    prompt: INSTRUCTIONS,
  });
  const runs: string[] = [];
  for (const question of asked()) {
    const state = await agent.invoke({ messages: [{ role: 'user', content: question }] });
    runs.push(written({ agent: 'qwen', ...state }));
  }
  return runs;
}
