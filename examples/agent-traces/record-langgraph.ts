/** Records a ReAct agent of LangGraph: its final state. */
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { z } from 'zod';
import { ANSWER, QUERIES, QUESTION, search } from './scene.ts';

class ScriptedChat extends BaseChatModel {
  private at = 0;
  _llmType(): string {
    return 'scripted';
  }
  override bindTools(): this {
    return this;
  }
  async _generate() {
    const query = QUERIES[this.at++];
    const usage_metadata = { input_tokens: 120, output_tokens: 15, total_tokens: 135 };
    const message =
      query === undefined
        ? new AIMessage({ content: ANSWER, usage_metadata })
        : new AIMessage({
            content: '',
            tool_calls: [{ id: `call-${this.at}`, name: 'search', args: { query } }],
            usage_metadata,
          });
    return { generations: [{ text: ANSWER, message }] };
  }
}

export async function recordLangGraph(): Promise<Record<string, string>> {
  const lookUp = tool(async ({ query }: { query: string }) => JSON.stringify(search(query)), {
    name: 'search',
    description: 'Searches the documents.',
    schema: z.object({ query: z.string() }),
  });
  const agent = createReactAgent({ llm: new ScriptedChat({}), tools: [lookUp] });
  const state = await agent.invoke({ messages: [{ role: 'user', content: QUESTION }] });
  return { 'langgraph.jsonl': JSON.stringify(state) };
}
