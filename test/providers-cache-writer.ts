/**
 * Embeds texts slowly through the cache in a process of its own: `COUNT FOLDER BATCH`. Prints one
 * line for each text that its model embeds.
 */

import { freeCall } from '../src/core/trace/call.ts';
import { cachedEmbedder } from '../src/models/cached-embedder.ts';
import { sha256 } from '../src/platform/sha256.ts';
import { VectorCacheFolder } from '../src/stores/disk/vector-cache.ts';
import { hashedEmbedder } from '../src/testing/hashed-embedder.ts';

const [count, folder, batch, msPerText] = process.argv.slice(2);
const words = hashedEmbedder('slow', 64);
const slow = {
  ...words,
  async embed(...[texts, as, call]: Parameters<typeof words.embed>) {
    for (const text of texts) {
      await new Promise(resolve => setTimeout(resolve, Number(msPerText)));
      process.stdout.write(`${text}\n`);
    }
    return words.embed(texts, as, call);
  },
};
const embedder = cachedEmbedder(slow, new VectorCacheFolder(folder!), {
  hash: sha256,
  batch: Number(batch),
});
const texts = Array.from({ length: Number(count) }, (_, at) => `text ${at}`);
await embedder.embed(texts, 'passage', freeCall());
process.stdout.write('done\n');
