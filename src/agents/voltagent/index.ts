/**
 * A retriever over a store for VoltAgent:
 * `new Agent({ retriever: new VoltAgentRetriever(store), ... })`.
 *
 * @module multihop/voltagent
 */
import {
  type BaseMessage,
  BaseRetriever,
  type RetrieveOptions,
  type RetrieverOptions,
} from '@voltagent/core';
import type { DocumentStore } from '../../session/document-store.ts';
import { type AgentTool, type AgentToolOptions, agentTools } from '../agent-tools.ts';

/** Finds the evidence on the last question of the user, over several hops. */
export class VoltAgentRetriever extends BaseRetriever {
  private readonly evidence: AgentTool;

  constructor(store: DocumentStore, options: AgentToolOptions = {}, fields?: RetrieverOptions) {
    const { retrieve } = agentTools(store, options, tool => tool);
    const { name: toolName, description: toolDescription } = retrieve;
    super({ toolName, toolDescription, ...fields });
    this.evidence = retrieve;
  }

  /** Returns the evidence in words, its texts quoted as data. */
  override async retrieve(
    input: string | BaseMessage[],
    { abortController }: RetrieveOptions = {},
  ): Promise<string> {
    const question = typeof input === 'string' ? input : lastQuestion(input);
    return (await this.evidence.call({ question }, abortController?.signal)).modelText;
  }
}

function lastQuestion(messages: readonly BaseMessage[]): string {
  const { content = '' } = messages.findLast(({ role }) => role === 'user') ?? {};
  if (typeof content === 'string') return content;
  return content.map(part => (part.type === 'text' ? part.text : '')).join('\n');
}
