/**
 * Tools over a store for Mastra: `new Agent({ tools: mastraTools(store), ... })`.
 *
 * @module multihop/mastra
 */
import { createTool, type Tool } from '@mastra/core/tools';
import type { DocumentStore } from '../../session/document-store.ts';
import {
  type AgentToolInput,
  type AgentToolName,
  type AgentToolOptions,
  type AgentToolOutput,
  agentTools,
} from '../agent-tools.ts';

/**
 * Returns the tools `search`, `ask`, `retrieve`, `read_document` and `explain_run` over a store.
 * The model reads each result in words; steps and workflows get the whole record. An abort of the
 * agent ends the call.
 */
export const mastraTools = (
  store: DocumentStore,
  options: AgentToolOptions = {},
): Record<AgentToolName, Tool<AgentToolInput, AgentToolOutput>> =>
  agentTools(store, options, ({ name, title, description, input, output, call }) =>
    createTool({
      id: name,
      title,
      description,
      inputSchema: input,
      outputSchema: output,
      execute: (given, { abortSignal }) => call(given, abortSignal),
      toModelOutput: ({ modelText }) => ({ type: 'text', value: modelText }),
    }),
  );
