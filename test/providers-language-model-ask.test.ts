/**
 * Checks runs over a language model behind HTTP: on any fault the run ends in time, gives the
 * reason, keeps its evidence, and prints no key.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { required } from '../src/core/port.ts';
import { freeCall } from '../src/core/trace/call.ts';
import type { Trace } from '../src/core/trace/trace.ts';
import { ask } from '../src/index.ts';
import type { LanguageModel, Prompt } from '../src/models/language-model.ts';
import { languageModel } from '../src/models/ports.ts';
import { generateStructured } from '../src/models/structured.ts';
import { openAiCompatibleModel } from '../src/providers/openai-compatible-language-model.ts';
import { keptFrom, searchAll } from '../src/search/retriever.ts';
import type { Strategy } from '../src/strategies/strategy.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../src/testing/fixture-corpus.ts';
import { engineOf } from '../src/testing/strategy-run.ts';
import { completion, cut, replying, streamBytes } from './providers-language-server.ts';
import {
  CANARY,
  FakeTime,
  ModelServer,
  type Play,
  silence,
  silenceInBody,
  status,
} from './providers-server.ts';
import { argv, run as command, DEMO_CORPUS, freshFolder } from './running-command.ts';

const QUESTION = FIXTURE_QUESTIONS[0]!.text;
const ROUNDS = 3;

let server: ModelServer;
before(async () => {
  server = await ModelServer.start(replying('Search again.'));
});
after(() => server.stop());
afterEach(() => server.reset());

const modelOf = (limits: object = {}): Promise<LanguageModel> =>
  openAiCompatibleModel({
    baseUrl: `${server.url}/v1`,
    model: 'served',
    apiKey: CANARY,
    limits,
    retries: new FakeTime().retries,
  });

const promptOf = (text: string): Prompt => ({
  role: 'thought',
  messages: [{ role: 'user', text }],
  maxTokens: 20,
});

/**
 * A strategy that searches, keeps the best new passage, and asks the model for the next query,
 * streamed.
 */
const talker: Strategy = {
  name: 'talker',
  needs: [required(languageModel)],
  async *hops(question, kit, call) {
    const model = kit.resource(required(languageModel));
    const seen = new Set<string>();
    let text = question.text;
    for (let round = 0; round < ROUNDS; round++) {
      const searches = await searchAll(kit.retriever, [{ text }], 30, call);
      const fresh = searches[0]!.hits.find(({ id }) => !seen.has(id));
      const kept = fresh ? [keptFrom(searches[0]!, { hop: round, search: 0 }, fresh)] : [];
      for (const item of kept) if (call.keep(item, 10)) seen.add(item.id);
      const outputs = await model.generate(promptOf(`${text} and then?`), call, () => {});
      yield {
        searches,
        kept,
        rejected: [],
        outputs: [{ role: 'thought', text: outputs.text, parsed: true }],
      };
      text = `${question.text} ${outputs.text}`;
    }
    return { why: 'completed' };
  },
  ranking: hops => [
    ...new Set(hops.flatMap(({ kept }) => kept.map(({ documentId }) => documentId))),
  ],
};

const run = (model: LanguageModel, options: object = {}): Promise<Trace> =>
  Promise.resolve(
    ask(QUESTION, {
      engine: engineOf(FIXTURE_DOCUMENTS),
      strategy: talker,
      reader: 'generative',
      resources: { model },
      ...options,
    }),
  );

test('a run over a working server records the output and the cost of the model in each hop', async () => {
  const trace = await run(await modelOf());
  assert.equal(trace.stopped, undefined);
  assert.deepEqual(
    trace.hops.map(({ outputs, spent }) => [
      outputs![0]!.text,
      spent.modelCalls,
      spent.modelTokens,
    ]),
    Array(ROUNDS).fill(['Search again.', 1, 30]),
  );
  assert.equal(trace.evidence.length, ROUNDS);
});

describe('a fault at the second call', () => {
  const bytes = streamBytes({ pieces: ['Search ', 'again.'] });
  const faults: readonly (readonly [what: string, play: Play, code: string, asked: number])[] = [
    [
      '401',
      status(401, {}, `{"error":{"message":"bad key ${CANARY.slice(0, 20)}"}}`),
      'unauthorized',
      2,
    ],
    ['429', status(429, { 'retry-after': '1' }), 'rate-limited', 4],
    [
      '429 for longer than anybody waits',
      status(429, { 'retry-after': '3600' }),
      'rate-limited',
      2,
    ],
    ['no headers', silence, 'timeout', 2],
    ['a stream cut in its text', cut(bytes, bytes.length - 300, 'end'), 'incomplete', 2],
  ];
  for (const [what, play, code, asked] of faults)
    test(`${what}: the run ends as ${code}, with its trace`, async () => {
      server.play(replying('Search again.'), play, play, play);
      const start = performance.now();
      const limits = code === 'timeout' ? { firstMs: 150, pieceMs: 150, totalMs: 400 } : {};
      const trace = await run(await modelOf(limits));
      assert.ok(performance.now() - start < 1400);
      assert.equal(
        trace.stopped?.by === 'failure' && `${trace.stopped.port} ${trace.stopped.code}`,
        `model ${code}`,
      );
      assert.equal(server.requests.length, asked);
      assert.deepEqual(
        trace.hops.map(hop => [hop.outputs?.length ?? 0, hop.kept.length, hop.incomplete]),
        [
          [1, 1, undefined],
          [0, 1, 'failure'],
        ],
      );
      // The kept evidence is read after any fault.
      assert.equal(trace.evidence.length, 2);
      assert.notEqual(trace.answer.kind, 'evidence');
      // A failed call is charged in full, because its use is unknown.
      assert.equal(trace.spent.modelCalls, 2);
      assert.ok(!JSON.stringify(trace).includes('canary'));
    });
});

describe('a run that is ended', () => {
  test('by its time limit aborts the call under way and names the limit', async () => {
    server.play(replying('Search again.'), silence);
    const start = performance.now();
    const trace = await run(await modelOf(), { budget: { ms: 700 } });
    assert.deepEqual(trace.stopped, { by: 'limit', limit: 'ms' });
    assert.ok(performance.now() - start < 700 + 250);
    assert.equal(trace.evidence.length, 2);
    await untilQuiet();
  });

  test('by its user closes the connection within 250 ms', async () => {
    for (const play of [
      silence,
      silenceInBody,
      cut(streamBytes({ pieces: ['Search ', 'again.'] }), 500, 'silence'),
    ]) {
      server.reset();
      server.play(replying('Search again.'), play);
      const stop = new AbortController();
      const running = run(await modelOf(), { signal: stop.signal });
      while (server.requests.length < 2) await later(2);
      await later(20);
      const aborted = performance.now();
      stop.abort();
      await untilQuiet();
      assert.ok(performance.now() - aborted < 250, 'the server');
      assert.deepEqual((await running).stopped, { by: 'abort' });
      assert.ok(performance.now() - aborted < 250, 'the user');
    }
  });

  test('by a limit on calls makes no call beyond it', async () => {
    for (const modelCalls of [0, 1, 2]) {
      server.reset();
      const trace = await run(await modelOf(), { budget: { modelCalls } });
      assert.deepEqual(trace.stopped, { by: 'limit', limit: 'modelCalls' });
      assert.equal(server.requests.length, modelCalls);
    }
  });

  async function untilQuiet(): Promise<void> {
    for (let tries = 0; tries < 100 && server.busy() > 0; tries++) await later(5);
    assert.equal(server.busy(), 0);
  }
});

test('a reply of the wrong schema is repaired once, and is not an error', async () => {
  const prompt = { ...promptOf('?'), schema: { name: 'answer', schema: { type: 'object' } } };
  const read = (value: unknown) =>
    typeof (value as { a?: unknown }).a === 'string' ? (value as { a: string }).a : undefined;
  for (const [first, second, wanted] of [
    ['{"b":1}', '{"a":"x"}', 'parsed'],
    ['no JSON', '{"a":', 'unparsed'],
    ['', '', 'unparsed'],
  ] as const) {
    server.reset();
    server.play(completion(first), completion(second));
    assert.equal(
      (await generateStructured(await modelOf(), prompt, read, freeCall())).kind,
      wanted,
    );
    assert.equal(server.requests.length, 2);
  }
});

test('the command ask --model calls the given server and prints no key', async () => {
  const store = join(freshFolder(), 'store');
  const env = { MULTIHOP_MODEL_API_KEY: CANARY };
  assert.equal((await command(['ingest', DEMO_CORPUS, '--store', store])).code, 0);
  const trace = join(freshFolder(), 'run.jsonl');
  const words = argv`ask ${'Who owns the ferry?'} --store ${store}
      --reader generative --model openai-compatible:served`;
  const asked = ['--model-url', `${server.url}/v1`, '--trace', trace];
  for (const [play, code] of [
    [replying('I do not know.'), 0],
    [status(401, {}, `{"error":{"message":"bad key ${CANARY}"}}`), 1],
  ] as const) {
    server.reset();
    server.play(play);
    const done = await command([...words, ...asked], { env });
    assert.equal(done.code, code, done.out + done.err);
    assert.equal(server.requests[0]?.headers.authorization, `Bearer ${CANARY}`);
    for (const text of [done.out, done.err, readFileSync(trace, 'utf8')])
      assert.ok(!text.includes('canary'), text);
  }
  assert.match((await command(words, { env })).err, /--model-url URL/);
  server.reset();
  server.play(silence);
  const start = performance.now();
  assert.match(
    (await command([...words, ...asked, '--model-timeout', '1'], { env })).err,
    /the whole answer within 1 s/,
  );
  assert.ok(performance.now() - start < 3000);
});
