/**
 * The embedder of the row by vectors, which refuses to embed the corpus: its 121,000 passages take
 * hours on a small machine.
 */
import { join } from 'node:path';
import { PortError } from '../../src/core/errors.ts';
import type { Embedder } from '../../src/models/embedder.ts';
import { Models } from '../../src/session/models.ts';

/**
 * Most passages of one question. Where sections are ranked none is embedded; a question that needs
 * any needs every sentence.
 */
const MOST_PASSAGES = 0;

export interface QuestionEmbedder extends AsyncDisposable {
  readonly embedder: Embedder;
  /** Begins a question; returns true if the one before needed more passages than it may have. */
  next(): boolean;
}

/**
 * Opens a model of the folder that `MULTIHOP_MODELS` names, with a cache of its vectors in `cache`.
 * `folder`: where its library is installed.
 */
export async function openEmbedder(
  id: string,
  { cache, folder }: { readonly cache: string; readonly folder: string },
): Promise<QuestionEmbedder> {
  process.chdir(folder);
  const models = new Models({
    embedders: [id],
    cache: join(cache, 'vectors'),
    queries: true,
    env: process.env,
  });
  const [opened] = await models.forSearch([`dense(${id})`]);
  const { embedder } = opened!;
  let passages = 0;
  return {
    embedder: {
      // The name by which retrievers ask for it.
      id,
      dimensions: embedder.dimensions,
      embed(texts, as, call) {
        if (as === 'passage') passages += texts.length;
        if (passages > MOST_PASSAGES)
          throw new PortError('embedder', 'too-many', 'Passages of one question', {
            expected: `at most ${MOST_PASSAGES}`,
            received: String(passages),
            hint: 'This benchmark asks such a question by words.',
          });
        return embedder.embed(texts, as, call);
      },
    },
    next() {
      const exceeded = passages > MOST_PASSAGES;
      passages = 0;
      return exceeded;
    },
    [Symbol.asyncDispose]: () => models.close(),
  };
}
