/**
 * Checks embedders and rerankers whose server refuses a text: it is cut by the words of the server
 * or embedded as an empty one, named by its document, and the other texts have their vectors.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { PortError } from '../src/core/errors.ts';
import { callOn, freeCall } from '../src/core/trace/call.ts';
import { openStore } from '../src/index.ts';
import { checkVectors } from '../src/models/embedder.ts';
import { teiReranker } from '../src/providers/http-rerankers.ts';
import { openAiCompatibleEmbedder } from '../src/providers/openai-compatible-embedder.ts';
import type { RemoteEmbedder } from '../src/providers/remote-embedder.ts';
import { freshFolder } from './fresh-folder.ts';
import { embeddings, FakeTime, json, ModelServer, type Play, status } from './providers-server.ts';

let play: Play = () => {};
let server: ModelServer;
before(async () => {
  server = await ModelServer.start((response, request) => play(response, request));
});
after(() => server.stop());
const notes: string[] = [];
afterEach(() => {
  server.reset();
  notes.length = 0;
});

const embedder = (): Promise<RemoteEmbedder> =>
  openAiCompatibleEmbedder({
    baseUrl: `${server.url}/v1`,
    model: 'served',
    dimensions: 64,
    retries: new FakeTime().retries,
    onNote: text => void notes.push(text),
  });
const texts = Array.from({ length: 80 }, (_, at) => `Ferry ${at} sails to port ${at}.`);
const asked = (): string[][] => server.requests.map(({ body }) => body.input);

/** Refuses requests with a text that `isBad`, in the words of some server. */
const refusing =
  (isBad: (text: string) => boolean, code: number, answer: (bad: string) => unknown): Play =>
  (response, request) => {
    const bad = request.body.input.find(isBad);
    const words = bad === undefined ? '' : JSON.stringify(answer(bad));
    return (bad === undefined ? embeddings : status(code, {}, words))(response, request);
  };

/** 4 characters a token, as a server counts them that refuses more than 500 tokens. */
const tokens = (text: string): number => Math.ceil(text.length / 4);
const isLong = (text: string): boolean => tokens(text) > 500;

describe('a text that is too long', () => {
  const long = 'The ferry sails at dawn. '.repeat(200);
  /** Words of servers, and the requests that they cost at most: of 5,000 characters 2,000 fit. */
  const servers: readonly (readonly [string, number, (bad: string) => unknown, number])[] = [
    [
      'OpenAI',
      400,
      bad => ({
        error: {
          message: `This model's maximum context length is 500 tokens, however you requested ${tokens(bad)} tokens (${tokens(bad)} in your prompt; 0 for the completion). Please reduce your prompt.`,
        },
      }),
      1,
    ],
    [
      'TEI',
      413,
      bad => ({
        error: `Input validation error: \`inputs\` must have less than 501 tokens. Given: ${tokens(bad)}`,
        error_type: 'Validation',
      }),
      1,
    ],
    [
      'Mistral',
      400,
      bad => ({
        message: `Input 0 has ${tokens(bad)} tokens, exceeding max 500 tokens`,
        code: 3210,
      }),
      1,
    ],
    [
      'Jina',
      422,
      bad => ({
        detail: `Input text exceeds maximum length of 500 tokens. Number of tokens in the input text: ${tokens(bad)}`,
      }),
      1,
    ],
    ['one number', 400, () => ({ error: { message: 'maximum context length is 500 tokens' } }), 2],
    ['Ollama', 400, () => ({ error: 'the input length exceeds the context length' }), 2],
    [
      'llama.cpp',
      500,
      () => ({
        error: {
          code: 500,
          message: 'input is too large to process. increase the physical batch size',
          type: 'server_error',
        },
      }),
      2,
    ],
    ['no words', 413, () => ({}), 2],
  ];
  for (const [what, code, answer, most] of servers)
    test(`in the words of ${what}: its beginning is embedded, and it is named`, async () => {
      play = refusing(isLong, code, answer);
      const model = await embedder();
      const all = [...texts, long];
      const call = callOn(freeCall(), text => (text === long ? 'manual.md' : undefined));
      const vectors = await model.embed(all, 'passage', call);
      checkVectors(model, vectors, all.length);
      const cut = asked().filter(([text], at) => asked()[at]!.length === 1 && text !== long);
      const kept = cut.filter(([text]) => long.startsWith(text!));
      assert.ok(kept.length <= most, `${kept.length} requests`);
      assert.ok(kept.at(-1)![0]!.length >= 1000, 'not much less than what fits');
      assert.deepEqual(
        vectors.slice(0, 80),
        await (await embedder()).embed(texts, 'passage', freeCall()),
      );
      assert.equal(model.truncated.texts, 1);
      assert.equal(notes.length, 1);
      assert.match(notes[0]!, /the document "manual\.md" .*: its first \d+ of 5000 characters/);
    });

  test('teaches no smaller requests, and later ones cost two requests each', async () => {
    play = refusing(isLong, 400, () => ({ error: { message: 'maximum context length: 500' } }));
    const model = await embedder();
    await model.embed([...texts.slice(0, 30), long, ...texts.slice(30, 60)], 'passage', freeCall());
    server.reset();
    await model.embed([...texts, `${long}!`, `${long}?`], 'passage', freeCall());
    const sizes = asked().map(input => input.length);
    assert.deepEqual(sizes.slice(0, 2), [64, 16]);
    assert.ok(sizes.length <= 8 && sizes.slice(2).every(size => size === 1), `${sizes}`);
  });

  test('of a query is cut too', async () => {
    play = refusing(isLong, 400, () => ({ error: { message: 'too many tokens' } }));
    checkVectors(await embedder(), await (await embedder()).embed([long], 'query', freeCall()), 1);
  });

  test('is cut by any words, whatever numbers they hold', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(fc.nat({ max: 100_000 }).map(String), fc.constantFrom('max', 'of', '1.5')),
        ),
        async words => {
          play = refusing(isLong, 413, () => ({ error: words.join(' ') }));
          const model = await embedder();
          checkVectors(model, await model.embed([long], 'passage', freeCall()), 1);
          assert.ok(server.requests.length <= 30);
          server.reset();
        },
      ),
      { numRuns: 40, seed: 3 },
    );
  });

  test('beside a limit on the number of texts', async () => {
    play = (response, request) =>
      (request.body.input.length > 10
        ? status(
            400,
            {},
            '{"error":{"message":"batch size is invalid, it should not be larger than 10"}}',
          )
        : refusing(isLong, 400, () => ({ error: { message: 'context length is 500' } })))(
        response,
        request,
      );
    const model = await embedder();
    const all = [...texts.slice(0, 40), long, ...texts.slice(40)];
    checkVectors(model, await model.embed(all, 'passage', freeCall()), 81);
    assert.equal(model.truncated.texts, 1);
  });

  test('for a reranker is cut, and the other texts have their scores', async () => {
    play = (response, request) => {
      const { texts: some } = request.body as unknown as { readonly texts: string[] };
      const scores = some.map((text, index) => ({ index, score: text.length }));
      const words = '{"error":"must have less than 500 tokens. Given: 1250"}';
      return (some.some(isLong) ? status(413, {}, words) : json(scores))(response, request);
    };
    const reranker = teiReranker({ baseUrl: server.url, onNote: text => void notes.push(text) });
    const scores = await reranker.score('Where?', [texts[0]!, long, texts[1]!], freeCall());
    assert.deepEqual([scores[0], scores[2]], [texts[0]!.length, texts[1]!.length]);
    assert.match(notes.join(), /its first \d+ of 5000 characters/);
  });
});

describe('a text that is refused for what it says', () => {
  const filtered = (): unknown => ({ error: { message: 'The content violates our policy' } });
  const isBad = (text: string): boolean => text.includes('forbidden');

  test('is embedded as an empty one and named; the others have their vectors', async () => {
    play = refusing(isBad, 400, filtered);
    const model = await embedder();
    const call = callOn(freeCall(), () => 'diary.txt');
    const all = [...texts.slice(0, 40), 'a forbidden word', ...texts.slice(40)];
    const vectors = await model.embed(all, 'passage', call);
    checkVectors(model, vectors, 81);
    assert.deepEqual(vectors[40], (await model.embed([''], 'passage', freeCall()))[0]);
    assert.equal(notes.length, 1);
    assert.match(notes[0]!, /violates our policy.*no vector of its words.*"diary\.txt"/);
    server.reset();
    await model.embed(texts, 'passage', freeCall());
    assert.deepEqual(
      asked().map(input => input.length),
      [64, 16],
    );
  });

  test('as a query is an error', async () => {
    play = refusing(isBad, 400, filtered);
    await assert.rejects((await embedder()).embed(['forbidden'], 'query', freeCall()), /policy/);
  });

  test('is not meant where the server refuses every text: two requests, and its words', async () => {
    play = status(400, {}, '{"error":{"message":"this model has no embeddings"}}');
    const error = await (await embedder()).embed(texts, 'passage', freeCall()).catch(String);
    assert.match(String(error), /this model has no embeddings/);
    assert.equal(server.requests.length, 2);
  });

  test('whose every part is refused for its length is an error that names the document', async () => {
    play = status(413);
    const call = callOn(freeCall(), () => 'notes.md');
    const error = await (await embedder()).embed(['x'.repeat(50)], 'passage', call).catch(e => e);
    assert.ok(PortError.is(error));
    assert.match(error.message, /refuses that of the document "notes\.md"/);
  });
});

test('an ingest names the document of a text that is cut', async () => {
  play = refusing(isLong, 400, () => ({ error: { message: 'maximum context length is 500' } }));
  const documents = [
    ...texts.slice(0, 5).map((text, at) => ({ id: `d${at}`, title: '', text })),
    { id: 'blob', title: 'Blob', text: 'QUJD'.repeat(2000) },
  ];
  await using store = await openStore(freshFolder(), { embedders: [await embedder()], env: {} });
  assert.equal((await store.ingest(documents)).documents, 6);
  assert.match(notes.join('\n'), /the document "blob"/);
});
