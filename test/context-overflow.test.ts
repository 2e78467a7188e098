/**
 * Tests prompts beyond the context of a model, which a server refuses or cuts without a word, and
 * replies beyond its time: what fits is read, and the answer says what was left out.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ask, ingest, type Trace } from '../src/index.ts';
import { openAiCompatibleModel } from '../src/providers/openai-compatible-language-model.ts';
import { completion, cut, streamBytes } from './providers-language-server.ts';
import { ModelServer, type Play, silence, status } from './providers-server.ts';
import { argv, demoStore, run } from './running-command.ts';

let server: ModelServer;
let store = '';
before(async () => {
  server = await ModelServer.start(completion('Ada wrote it [1].'));
  store = await demoStore();
});
after(() => server.stop());
beforeEach(() => server.reset());

const bodyOf = ({ body }: { readonly body: unknown }): string => JSON.stringify(body);
const TEXTS = Array.from(
  { length: 12 },
  (_, at) => `Ada wrote program ${at} for the engine. ${`It computes number ${at}. `.repeat(20)}`,
);

async function asked(plays: readonly Play[], more: object = {}): Promise<Trace> {
  server.play(...plays);
  return ask('What did Ada write for the engine?', {
    engine: await ingest(TEXTS),
    strategy: 'fixed-top-k(k=12)',
    context: 'whole',
    reader: 'generative(prompt=4000)',
    answerAt: 0,
    resources: { model: await openAiCompatibleModel({ baseUrl: `${server.url}/v1`, model: 'm' }) },
    ...more,
  });
}

describe('a prompt beyond the context', () => {
  const refusals: readonly (readonly [words: string, status: number])[] = [
    [
      "This model's maximum context length is 512 tokens. However, you requested 1900 tokens (876 in the messages, 1024 in the completion).",
      400,
    ],
    ['prompt is too long: 210000 tokens > 200000 maximum', 400],
    ['the request exceeds the available context size. try increasing the context size', 400],
    ['The input token count (9000) exceeds the maximum number of tokens allowed (8192).', 400],
    ['Please reduce the length of the messages. context_length_exceeded', 400],
    ['Input is too long for requested model.', 400],
    ['Requested tokens exceed context window of 2048', 413],
  ];
  for (const [words, code] of refusals)
    test(`${words.slice(0, 40)}: is asked again with fewer passages, and says so`, async () => {
      const refusal = status(code, {}, JSON.stringify({ error: { message: words } }));
      const { answer, stopped } = await asked([refusal, refusal]);
      assert.equal(stopped, undefined);
      assert.equal(answer.kind === 'answered' && answer.text, 'Ada wrote it.');
      assert.ok(answer.kind === 'answered' && answer.unread! > 5, JSON.stringify(answer));
      const sizes = server.requests.map(request => bodyOf(request).length);
      assert.equal(sizes.length, 3);
      assert.ok(sizes[0]! > 1.4 * sizes[1]! && sizes[1]! > 1.4 * sizes[2]!, `${sizes}`);
    });

  test('even for one sentence is a failure that names the cause', async () => {
    const refusal = status(400, {}, '{"error":{"message":"maximum context length is 8 tokens"}}');
    const { stopped, answer } = await asked(Array<Play>(20).fill(refusal));
    assert.equal(stopped?.by === 'failure' && stopped.code, 'context-full');
    assert.match(stopped?.by === 'failure' ? stopped.message : '', /maximum context length is 8/);
    assert.equal(answer.kind === 'evidence' ? '' : answer.readBy, 'combined-reader');
  });

  test('that a server cuts without a word is found by the tokens that it read', async () => {
    const told = (input: number): Play =>
      completion('Ada [1].', { usage: { prompt_tokens: input, completion_tokens: 3 } });
    const { answer } = await asked([told(1024), told(500)]);
    assert.equal(answer.kind, 'answered');
    assert.equal(server.requests.length, 2);
    for (const tokens of [1023, 1025, 50, 5120]) {
      server.reset();
      await asked([told(tokens)]);
      assert.equal(server.requests.length, 1, `${tokens} tokens are as many as were sent`);
    }
  });
});

describe('a prompt of a strategy beyond the context', () => {
  for (const [strategy, room] of [
    ['ir-cot', 3500],
    ['iter-retgen', 6000],
    ['hipporag1', 6000],
    ['longrag-units', 6000],
  ] as const)
    test(`${strategy}: is asked again with less of its passages, and the hop says so`, async () => {
      const refusing: Play = (response, request) => {
        const size = bodyOf(request).length;
        const words = '{"error":{"message":"prompt is too long for the context length"}}';
        (size > room ? status(400, {}, words) : completion('{"answer": "Ada"}'))(response, request);
      };
      const engine = await ingest(TEXTS.map(text => text.repeat(4)));
      server.play(...Array<Play>(60).fill(refusing));
      const { hops, stopped } = await asked([], { strategy, engine, reader: 'extractive' });
      const sizes = server.requests.map(request => bodyOf(request).length);
      assert.equal(stopped, undefined, JSON.stringify(stopped));
      assert.ok(Math.max(...sizes) > room, `${sizes}`);
      const notes = JSON.stringify(hops.map(({ outputs }) => outputs));
      assert.match(notes, /had no room for a prompt: fewer or shorter passages were shown/);
    });
});

describe('a reply that takes too long', () => {
  const question = 'Who founded Dunmarrow Drives?';
  const asking = (): string[] =>
    argv`ask ${question} --store ${store} --reader generative --model openai-compatible:toy
      --model-url ${`${server.url}/v1`} --model-timeout 1`;

  test('keeps what was streamed, and names the option', async () => {
    const bytes = streamBytes({ pieces: ['It is old [1]. ', 'And ', 'then'] });
    server.play(cut(bytes, bytes.length - 400, 'silence'));
    const { out, code } = await run(asking(), { terminal: true, env: { NO_COLOR: '1' } });
    assert.equal(code, 0, out);
    assert.match(out, /^It is old \[1\]\./);
    assert.match(
      out.replace(/\n +/g, ' '),
      /Cut: .* cut after 1 s; --model-timeout SECONDS leaves/,
    );
  });

  test('and brings nothing names the option', async () => {
    server.play(silence);
    const { out, err, code } = await run(asking());
    assert.equal(code, 1);
    for (const text of [out, err])
      assert.match(
        text.replace(/\s+/g, ' '),
        /within 1 s.* Give it longer: --model-timeout SECONDS/,
      );
  });
});

test('a limit goes by its name on the command line in code, too', async () => {
  const budget = { 'model-tokens': 10 } as object;
  const { stopped, budget: limits } = await asked([], { budget });
  assert.deepEqual(limits, { modelTokens: 10 });
  assert.deepEqual(stopped, { by: 'limit', limit: 'modelTokens' });
});
