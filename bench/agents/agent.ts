/** The agent: a `ToolLoopAgent` of the AI SDK with one set of tools, the same for every set. */
import {
  isStepCount,
  jsonSchema,
  type LanguageModel,
  type ToolSet as SdkTools,
  type ToolChoice,
  ToolLoopAgent,
  tool,
} from 'ai';
import type { AgentRun } from './outcomes.ts';
import { resultOf, type Tool, type ToolSet } from './tool-set.ts';

/** Calls of tools; then the model must answer. */
export const MOST_CALLS = 3;

const INSTRUCTIONS = `You answer questions about software documentation. Answer in one sentence, with the exact names and values that the documents have.`;
const WITH_TOOLS = `${INSTRUCTIONS} Call tools until you have read what answers the question, then reply {"answer": "..."}.`;

/** Asks a question: first a search, at last an answer; without tools only the answer. */
export async function askAgent(
  model: LanguageModel,
  question: string,
  tools: ToolSet | undefined,
): Promise<AgentRun> {
  const texts: string[] = [];
  const sdk = (each: Tool) =>
    tool({
      description: each.description,
      inputSchema: jsonSchema<Record<string, unknown>>({
        type: 'object',
        properties: each.properties,
        required: Object.keys(each.properties).filter(name => !each.optional?.includes(name)),
        additionalProperties: false,
      }),
      async execute(input) {
        const { text } = await resultOf(each, input);
        texts.push(text);
        return text;
      },
    });
  const both = tools ? [tools.search, tools.read] : [];
  const agent = new ToolLoopAgent({
    model,
    instructions: tools ? WITH_TOOLS : INSTRUCTIONS,
    tools: Object.fromEntries(both.map(each => [each.name, sdk(each)])),
    stopWhen: isStepCount(MOST_CALLS + 1),
    prepareStep: ({ stepNumber }) => ({ toolChoice: choiceAt(stepNumber, tools) }),
    maxRetries: 0,
  });
  const { text: answer, steps } = await agent.generate({ prompt: question });
  const reads = steps.map(({ usage }) => usage.inputTokens ?? 0);
  return {
    answer,
    texts,
    calls: steps.flatMap(step =>
      step.toolCalls.map(({ toolName, input }) => `${toolName} ${JSON.stringify(input)}`),
    ),
    context: reads.at(-1) ?? 0,
    read: reads.reduce((sum, each) => sum + each, 0),
  };
}

function choiceAt(step: number, tools: ToolSet | undefined): ToolChoice<SdkTools> {
  if (!tools || step === MOST_CALLS) return 'none';
  return step === 0 ? { type: 'tool', toolName: tools.search.name } : 'auto';
}
