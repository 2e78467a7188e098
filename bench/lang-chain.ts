/**
 * LangChain's hybrid retriever over given passages and vectors: EnsembleRetriever of BM25Retriever
 * and MemoryVectorStore, as its documentation builds it.
 */
import { readFileSync } from 'node:fs';
import type { LexicalItem } from '../src/search/indexes/lexical/lexical-index.ts';
import { textOf } from './lexical-peers.ts';

export interface LangChain {
  readonly version: string;
  /**
   * The positions of the passages found, their texts at hand. `depth`: the k of both retrievers.
   */
  readonly retriever: (depth: number) => (question: string) => Promise<number[]>;
}

const versionOf = (name: string): string =>
  JSON.parse(
    readFileSync(new URL(`node_modules/@langchain/${name}/package.json`, import.meta.url), 'utf8'),
  ).version;

/**
 * `vectorOf`: of any passage's text and any question. undefined where LangChain cannot be loaded.
 */
export async function langChain(
  items: readonly LexicalItem[],
  vectorOf: (text: string) => Float32Array,
  say: (line: string) => void,
): Promise<LangChain | undefined> {
  try {
    const [
      { BM25Retriever },
      { EnsembleRetriever },
      { MemoryVectorStore },
      { Document },
      { Embeddings },
    ] = await Promise.all([
      import('@langchain/community/retrievers/bm25'),
      import('@langchain/classic/retrievers/ensemble'),
      import('@langchain/classic/vectorstores/memory'),
      import('@langchain/core/documents'),
      import('@langchain/core/embeddings'),
    ]);
    class Known extends Embeddings {
      embedDocuments = async (texts: string[]): Promise<number[][]> =>
        texts.map(text => [...vectorOf(text)]);
      embedQuery = async (text: string): Promise<number[]> => [...vectorOf(text)];
    }
    const docs = items.map(
      (item, position) => new Document({ pageContent: textOf(item), metadata: { position } }),
    );
    const store = await MemoryVectorStore.fromDocuments(docs, new Known({}));
    return {
      version: `${versionOf('community')}, classic ${versionOf('classic')}, core ${versionOf('core')}`,
      retriever: depth => {
        const retrievers = [
          BM25Retriever.fromDocuments(docs, { k: depth, includeScore: false }),
          store.asRetriever({ k: depth }),
        ];
        const ensemble = new EnsembleRetriever({ retrievers });
        return async question => {
          const found = await ensemble.invoke(question);
          return found.map(({ metadata }) => metadata['position'] as number);
        };
      },
    };
  } catch (error) {
    say(`hybrid-hop: LangChain is absent (${(error as Error).message.split('\n')[0]})`);
    return undefined;
  }
}
