/**
 * A retriever and tools over a store for LangChain.js and LangGraph.
 *
 * @module multihop/langchain
 */
import type { CallbackManagerForRetrieverRun } from '@langchain/core/callbacks/manager';
import { Document } from '@langchain/core/documents';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';
import { type StructuredToolInterface, tool } from '@langchain/core/tools';
import type { DocumentStore, StoreRetrieveOptions } from '../../session/document-store.ts';
import {
  type AgentToolInput,
  type AgentToolName,
  type AgentToolOptions,
  agentTools,
  checkChosen,
} from '../agent-tools.ts';

/** Retrieves a document of LangChain for each that holds evidence, with its sentences alone. */
export class StoreRetriever extends BaseRetriever {
  override lc_namespace: string[] = ['multihop', 'retrievers'];
  private readonly store: DocumentStore;
  private readonly options: StoreRetrieveOptions;

  /**
   * `options`: those of `retrieve`, such as `strategy`, `filter` and `budget`. Throws `InputError`
   * for those that a call would refuse.
   */
  constructor(
    store: DocumentStore,
    options: StoreRetrieveOptions = {},
    fields?: BaseRetrieverInput,
  ) {
    super(fields);
    checkChosen(options);
    this.store = store;
    this.options = options;
  }

  override async _getRelevantDocuments(
    question: string,
    _callbacks?: CallbackManagerForRetrieverRun,
  ): Promise<Document[]> {
    const { evidence, context } = await this.store.retrieve(question, this.options);
    return context.parts.map(({ documentId: id, start, end }) => {
      const { metadata, title, score } = evidence.find(item => item.documentId === id)!;
      const pageContent = context.text.slice(start, end);
      return new Document({ id, pageContent, metadata: { ...metadata, title, score } });
    });
  }
}

/**
 * Returns the tools `search`, `ask`, `retrieve`, `read_document` and `explain_run` over a store,
 * for `bindTools`, agents and the `ToolNode` of LangGraph. The model reads each result in words;
 * the whole record is the `artifact` of the message.
 */
export const langchainTools = (
  store: DocumentStore,
  options: AgentToolOptions = {},
): Record<AgentToolName, StructuredToolInterface> =>
  agentTools(store, options, ({ name, description, form, call }) =>
    tool(
      async (input, { signal }) => {
        const { modelText, ...record } = await call(input as AgentToolInput, signal);
        return [modelText, record];
      },
      {
        name,
        description,
        schema: { ...form, type: 'object' },
        responseFormat: 'content_and_artifact',
      },
    ),
  );
