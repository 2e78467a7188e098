/**
 * Models of every server keep the laws of their port, and language models do with everything
 * around them that the command line puts there.
 */
import { after } from 'node:test';
import { Ledger } from '../../src/core/trace/ledger.ts';
import { cachedModel } from '../../src/models/cached-model.ts';
import type { Completion } from '../../src/models/language-model.ts';
import { meteredModel } from '../../src/models/metered-model.ts';
import { pricedModel } from '../../src/models/priced-model.ts';
import { reservedModel } from '../../src/models/reserved-model.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { MODEL_SERVERS } from '../../src/providers/model-servers.ts';
import { embedderLaws } from '../../src/testing/embedder-laws.ts';
import { languageModelLaws } from '../../src/testing/language-model-laws.ts';
import { questionAnswererLaws } from '../../src/testing/question-answerer-laws.ts';
import { rerankerLaws } from '../../src/testing/reranker-laws.ts';
import { ModelServer, sound } from '../providers-server.ts';
import { runLaws } from './run-laws.ts';

const server = await ModelServer.start(sound);
const served = { baseUrl: `${server.url}/v1`, model: 'served', apiKey: 'a-key' };
/** Speak protocols of their own, which test/providers-packages.test.ts answers. */
const OTHER_PROTOCOLS = ['openai', 'anthropic', 'google', 'mistral'];
const servers = MODEL_SERVERS.filter(({ scheme }) => !OTHER_PROTOCOLS.includes(scheme));

for (const { scheme, opens } of servers) {
  const { embedder, reranker, model, 'question-answerer': answerer } = opens;
  if (embedder)
    runLaws(`${scheme}: embedder`, embedderLaws(await embedder(served), { tolerance: 0 }));
  if (reranker)
    runLaws(`${scheme}: reranker`, rerankerLaws(await reranker(served), { tolerance: 0 }));
  if (answerer)
    runLaws(`${scheme}: question answerer`, questionAnswererLaws(await answerer(served)));
  if (model)
    runLaws(
      `${scheme}: language model`,
      languageModelLaws(() => model(served)),
    );
}

const budget = { usd: 100 };
const ledger = (): Ledger =>
  new Ledger({ budget, signal: new AbortController().signal, clock: () => 0 });
const store = new Map<string, Completion>();
runLaws(
  'language model, cached, priced, metered and reserved',
  languageModelLaws(async () => {
    const model = await servers.find(({ opens }) => opens.model)!.opens.model!(served);
    const cached = cachedModel(
      model,
      {
        get: async key => store.get(key),
        async put(key, completion) {
          if (!store.has(key)) store.set(key, completion);
          return store.get(key)!;
        },
      },
      { hash: sha256 },
    );
    return reservedModel(meteredModel(pricedModel(cached, { input: 0.15, output: 0.6 })), ledger());
  }),
);

// Last: a choice of tests by name would stop the server while models above are opened.
after(() => server.stop());
