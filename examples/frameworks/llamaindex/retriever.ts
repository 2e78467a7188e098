/** A retriever of LlamaIndex.TS whose nodes are the evidence that several hops found. */
import type { QueryBundle } from '@llamaindex/core/query-engine';
import { BaseRetriever } from '@llamaindex/core/retriever';
import { type NodeWithScore, TextNode } from '@llamaindex/core/schema';
import { extractText } from '@llamaindex/core/utils';
import type { DocumentStore } from 'multihop';

type RetrieveOptions = Parameters<DocumentStore['retrieve']>[1];

export class MultihopRetriever extends BaseRetriever {
  private readonly store: DocumentStore;
  private readonly options: RetrieveOptions;

  /** `options`: those of `retrieve`, such as `strategy`, `filter` and `budget`. */
  constructor(store: DocumentStore, options: RetrieveOptions = {}) {
    super();
    this.store = store;
    this.options = options;
  }

  /** Returns one node for each document that holds evidence, with its sentences alone. */
  override async _retrieve({ query }: QueryBundle): Promise<NodeWithScore[]> {
    const { evidence, context } = await this.store.retrieve(extractText(query), this.options);
    return context.parts.map(({ documentId, start, end }) => {
      const first = evidence.find(item => item.documentId === documentId)!;
      const node = new TextNode({
        id_: documentId,
        text: context.text.slice(start, end),
        metadata: { ...first.metadata, title: first.title },
      });
      return { node, score: first.score };
    });
  }
}
