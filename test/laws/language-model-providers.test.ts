/**
 * Language models behind HTTP keep the laws, bare and with everything around them that the command
 * line puts there.
 */
import { after, before } from 'node:test';
import { Ledger } from '../../src/core/trace/ledger.ts';
import { cachedModel } from '../../src/models/cached-model.ts';
import type { Completion, LanguageModel } from '../../src/models/language-model.ts';
import { meteredModel } from '../../src/models/metered-model.ts';
import { pricedModel } from '../../src/models/priced-model.ts';
import { reservedModel } from '../../src/models/reserved-model.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { openAiCompatibleModel } from '../../src/providers/openai-compatible-language-model.ts';
import { languageModelLaws } from '../../src/testing/language-model-laws.ts';
import { completion, streamed } from '../providers-language-server.ts';
import { ModelServer } from '../providers-server.ts';
import { runLaws } from './run-laws.ts';

/** One word for each conversation, whole or in pieces. */
let server: ModelServer;
before(async () => {
  server = await ModelServer.start((response, asked) => {
    const { messages, stream } = asked.body as unknown as { messages: unknown; stream?: boolean };
    const text = `wörd-${JSON.stringify(messages).length}`;
    const usage = { prompt_tokens: 12, completion_tokens: 1, total_tokens: 13 };
    const play = stream
      ? streamed({ pieces: [text.slice(0, 2), text.slice(2)], usage }, 7)
      : completion(text, { usage });
    return play(response, asked);
  });
});
after(() => server.stop());

const http = (): Promise<LanguageModel> =>
  openAiCompatibleModel({ baseUrl: `${server.url}/v1`, model: 'served' });
runLaws('behind HTTP', languageModelLaws(http));

const ledger = (): Ledger =>
  new Ledger({ budget: { usd: 100 }, signal: new AbortController().signal, clock: () => 0 });
const store = new Map<string, Completion>();
runLaws(
  'behind HTTP, cached, priced, metered and reserved',
  languageModelLaws(async () => {
    const cached = cachedModel(
      await http(),
      {
        get: async key => store.get(key),
        async put(key, said) {
          if (!store.has(key)) store.set(key, said);
          return store.get(key)!;
        },
      },
      { hash: sha256 },
    );
    return reservedModel(meteredModel(pricedModel(cached, { input: 0.15, output: 0.6 })), ledger());
  }),
);
