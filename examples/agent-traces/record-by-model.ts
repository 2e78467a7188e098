/**
 * Records agents of each library with `retrieve` of multihop over the demo documents, by the model
 * behind `MODEL_URL`: what the library records, one question a line (several lines for MCP).
 */
import { recordAiSdkByModel } from './by-model/ai-sdk.ts';
import { MODEL_URL } from './by-model/demo.ts';
import { recordLangGraphByModel } from './by-model/langgraph.ts';
import { recordMastraByModel } from './by-model/mastra.ts';
import { recordMcpByModel } from './by-model/mcp.ts';
import { recordOpenAiAgentsByModel } from './by-model/openai-agents.ts';

const AGENTS = {
  'ai-sdk': recordAiSdkByModel,
  langgraph: recordLangGraphByModel,
  mastra: recordMastraByModel,
  'openai-agents': recordOpenAiAgentsByModel,
  mcp: recordMcpByModel,
};

/** Returns a recorder for each agent; none without a model. */
export const byModel = (): Record<string, () => Promise<Record<string, string>>> =>
  MODEL_URL === ''
    ? {}
    : Object.fromEntries(
        Object.entries(AGENTS).map(([name, record]) => [
          `${name}-by-model`,
          async () => ({ [`${name}-by-qwen.jsonl`]: (await record()).join('\n') }),
        ]),
      );
