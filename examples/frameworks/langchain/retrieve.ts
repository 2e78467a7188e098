/** Prints what a chain of LangChain.js would get of a store: `retrieve.ts STORE QUESTION`. */
import { RunnableLambda } from '@langchain/core/runnables';
import { openStore } from 'multihop';
import { StoreRetriever } from 'multihop/langchain';

const [, , folder, question] = process.argv;
if (folder === undefined || question === undefined)
  throw new Error('usage: retrieve.ts STORE QUESTION');

await using store = await openStore(folder, { create: false });
const retriever = new StoreRetriever(store, { budget: { documents: 6, contextTokens: 1000 } });
const chain = retriever.pipe(
  RunnableLambda.from(documents => documents.map(({ pageContent }) => pageContent).join('\n\n')),
);
console.log(await chain.invoke(question));
