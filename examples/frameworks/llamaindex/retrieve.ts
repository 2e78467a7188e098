/** Prints the nodes that a query engine would get of a store: `retrieve.ts STORE QUESTION`. */
import { MetadataMode } from '@llamaindex/core/schema';
import { openStore } from 'multihop';
import { MultihopRetriever } from './retriever.ts';

const [, , folder, question] = process.argv;
if (folder === undefined || question === undefined)
  throw new Error('usage: retrieve.ts STORE QUESTION');

await using store = await openStore(folder, { create: false });
const retriever = new MultihopRetriever(store, { budget: { documents: 6, contextTokens: 1000 } });
for (const { node, score } of await retriever.retrieve(question))
  console.log(`${score?.toFixed(1)}\n${node.getContent(MetadataMode.NONE)}\n`);
