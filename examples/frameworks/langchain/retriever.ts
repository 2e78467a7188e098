/** A retriever of LangChain.js whose documents are the evidence that several hops found. */
import { Document } from '@langchain/core/documents';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';
import type { DocumentStore } from 'multihop';

type RetrieveOptions = Parameters<DocumentStore['retrieve']>[1];

export class MultihopRetriever extends BaseRetriever {
  override lc_namespace: string[] = ['multihop', 'retrievers'];
  private readonly store: DocumentStore;
  private readonly options: RetrieveOptions;

  /** `options`: those of `retrieve`, such as `strategy`, `filter` and `budget`. */
  constructor(store: DocumentStore, options: RetrieveOptions = {}, fields?: BaseRetrieverInput) {
    super(fields);
    this.store = store;
    this.options = options;
  }

  /** Returns one document of LangChain for each that holds evidence, with its sentences alone. */
  override async _getRelevantDocuments(question: string): Promise<Document[]> {
    const { evidence, context } = await this.store.retrieve(question, this.options);
    return context.parts.map(({ documentId, start, end }) => {
      const first = evidence.find(item => item.documentId === documentId)!;
      return new Document({
        id: documentId,
        pageContent: context.text.slice(start, end),
        metadata: { ...first.metadata, title: first.title, score: first.score },
      });
    });
  }
}
