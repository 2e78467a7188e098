/**
 * Tools over a store for the AI SDK, 6 or later: `generateText({ tools: aiSdkTools(store) })`.
 *
 * @module multihop/ai-sdk
 */
import type { DescribedSchema } from '../../models/standard-schema.ts';
import type { DocumentStore } from '../../session/document-store.ts';
import {
  type AgentToolInput,
  type AgentToolName,
  type AgentToolOptions,
  type AgentToolOutput,
  agentTools,
} from '../agent-tools.ts';

/** A tool as `tool()` of the AI SDK returns it. */
export interface AiSdkTool {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: DescribedSchema<AgentToolInput>;
  readonly outputSchema: DescribedSchema<AgentToolOutput>;
  /** Throws `InputError`, or `PortError` if a model or the store fails. */
  execute(
    input: AgentToolInput,
    options: { readonly abortSignal?: AbortSignal | undefined },
  ): Promise<AgentToolOutput>;
  toModelOutput(result: { readonly output: AgentToolOutput }): {
    readonly type: 'text';
    readonly value: string;
  };
}

/**
 * Returns the tools `search`, `ask`, `retrieve`, `read_document` and `explain_run` over a store.
 * The model reads each result in words; the program gets the whole record. An abort of the
 * generation ends the call.
 *
 * @example
 * ```ts
 * import { openStore } from 'multihop';
 * import { aiSdkTools } from 'multihop/ai-sdk';
 *
 * await using store = await openStore('tools.store');
 * await store.ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * const { search, ask } = aiSdkTools(store, { budget: { documents: 6, ms: 10_000 } });
 * // generateText({ model, prompt, tools: { search, ask } })
 * const { answer } = await ask.execute({ question: 'Who built the engine?' }, {});
 * console.log(answer, search.description);
 * ```
 */
export const aiSdkTools = (
  store: DocumentStore,
  options: AgentToolOptions = {},
): Record<AgentToolName, AiSdkTool> =>
  agentTools(store, options, ({ title, description, input, output, call }) => ({
    title,
    description,
    inputSchema: input,
    outputSchema: output,
    execute: (given, { abortSignal }) => call(given, abortSignal),
    toModelOutput: ({ output: { modelText } }) => ({ type: 'text', value: modelText }),
  }));
