/**
 * Tests replies of models that meet a limit on their tokens: whichever word a server has for it,
 * every form in which a run is shown says that the reply was cut, and at what.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ask, type Trace } from '../src/index.ts';
import type { LanguageModel } from '../src/models/language-model.ts';
import { openAiCompatibleModel } from '../src/providers/openai-compatible-language-model.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../src/testing/fixture-corpus.ts';
import { engineOf } from '../src/testing/strategy-run.ts';
import { completion, streamBytes, streamed } from './providers-language-server.ts';
import { ModelServer, type Play } from './providers-server.ts';
import { argv, demoDataSet, demoStore, freshFolder, printed, run } from './running-command.ts';

let server: ModelServer;
let store = '';
before(async () => {
  server = await ModelServer.start(completion('unused'));
  store = await demoStore();
});
after(() => server.stop());
beforeEach(() => server.reset());

const THOUGHT = { message: { reasoning_content: 'Let me see. The first ...' } };

const modelOf = (more: object = {}): Promise<LanguageModel> =>
  openAiCompatibleModel({ baseUrl: `${server.url}/v1`, model: 'm', onNote: () => {}, ...more });

async function asked(
  plays: readonly Play[],
  more: { readonly reader?: string; readonly onText?: () => void; readonly model?: object } = {},
): Promise<Trace> {
  server.play(...plays);
  const { model, ...options } = more;
  return ask(FIXTURE_QUESTIONS[0]!.text, {
    engine: engineOf(FIXTURE_DOCUMENTS),
    reader: 'generative',
    answerAt: 0,
    ...options,
    resources: { model: await modelOf(model) },
  });
}

const limitOf = ({ body }: { readonly body: unknown }): unknown =>
  (body as Readonly<Record<string, unknown>>)['max_tokens'];

const reasonOf = ({ answer }: Trace): string =>
  answer.kind === 'abstained' ? answer.reason : answer.kind;

describe('a reply that is cut while its model thinks', () => {
  const cuts: readonly (readonly [what: string, play: Play])[] = [
    ['thoughts apart', completion(null, { finish: 'length', ...THOUGHT })],
    ['no thoughts shown', completion('', { finish: 'length' })],
    ['thoughts in the text', completion('<think>Let me see', { finish: 'length' })],
    ['max_tokens', completion(null, { finish: 'max_tokens', ...THOUGHT })],
    ['MAX_TOKENS', completion(null, { finish: 'MAX_TOKENS', ...THOUGHT })],
    ['max_output_tokens', completion('', { finish: 'max_output_tokens' })],
    ['incomplete', completion('', { finish: 'incomplete' })],
    ['a stream', streamed({ pieces: ['<think>', 'Let me', ' see'], finish: 'length' })],
    ['a stream without a text', streamed({ pieces: [], finish: 'length' })],
  ];
  for (const [what, play] of cuts)
    test(`${what}: the abstention names the limit, and the trace the reply`, async () => {
      const onText = what.startsWith('a stream') ? { onText: () => {} } : {};
      const trace = await asked([play, play], onText);
      assert.equal(
        reasonOf(trace),
        'The reply of the model was cut at 9216 tokens, while the model was thinking',
      );
      assert.equal(trace.stopped, undefined);
      assert.deepEqual(trace.cut, [{ role: 'finalAnswer', tokens: 9216, thinking: true }]);
      const limits = server.requests.map(limitOf);
      assert.deepEqual(limits, [1024, 9216]);
    });

  test('is read where the room for thoughts does', async () => {
    const trace = await asked([cuts[0]![1], completion('It was here [1].')]);
    assert.equal(trace.answer.kind, 'answered');
    assert.equal(trace.cut, undefined);
  });

  test('in JSON is repaired once, and names the limit', async () => {
    const plays = Array<Play>(4).fill(completion(null, { finish: 'length', ...THOUGHT }));
    const trace = await asked(plays, { reader: 'generative(form=short)' });
    assert.match(reasonOf(trace), /cut at 8448 tokens, while the model was thinking/);
  });
});

describe('a reply that is cut in its answer', () => {
  test('in JSON: the abstention names the limit', async () => {
    const play = completion('{"answer": "Ada Lov', { finish: 'length' });
    const trace = await asked([play, play], { reader: 'generative(form=short)' });
    assert.equal(reasonOf(trace), 'The reply of the model was cut at 256 tokens');
    assert.equal(trace.cut?.length, 2);
  });

  test('in free form: what was written is the answer, marked as cut', async () => {
    const { answer } = await asked([completion('It was here [1]. And then', { finish: 'length' })]);
    assert.equal(answer.kind, 'answered');
    assert.deepEqual(answer.kind === 'answered' && answer.cut, { tokens: 1024 });
  });

  test('a limit of the user is sent and named', async () => {
    const play = completion('Zyx quuxes', { finish: 'length' });
    const trace = await asked([play], { model: { outputTokens: 2000, thinkingTokens: 500 } });
    assert.match(reasonOf(trace), /cut at 2500 tokens/);
    assert.equal(limitOf(server.requests[0]!), 2500);
  });

  test('a reply that came to its end says nothing of a limit', async () => {
    const trace = await asked([completion('It was here [1].')]);
    assert.equal('cut' in trace, false);
    assert.equal('cut' in trace.answer, false);
  });
});

describe('on the command line', () => {
  const model = (): string[] =>
    argv`--model openai-compatible:toy --model-url ${`${server.url}/v1`}`;
  const QUESTION = 'Who founded Dunmarrow Drives?';
  const thinking = completion(null, { finish: 'length', ...THOUGHT });

  test('ask says what was cut, at what, and which option leaves more room; so does its JSON', async () => {
    server.play(thinking, thinking);
    const trace = join(freshFolder(), 'run.jsonl');
    const { out } = await run(
      argv`ask ${QUESTION} --store ${store} --reader generative ${model()} --trace ${trace}`,
    );
    const line = out.replace(/\n +/g, ' ');
    assert.match(line, /No answer: The reply of the model was cut at 9216 tokens, while/);
    assert.match(
      line,
      /Cut: reply of the model to finalAnswer, cut at 9216 tokens, while .*; --thinking-tokens N leaves more room/,
    );
    assert.match(readFileSync(trace, 'utf8'), /"cut":\[\{"role":"finalAnswer","tokens":9216/);
    server.play(completion('It is [1]. And', { finish: 'length' }));
    const { answer, cut } = await printed(
      argv`ask ${QUESTION} --store ${store} --reader generative ${model()} --output-tokens 1500`,
    );
    assert.deepEqual(answer.cut, { tokens: 1500 });
    assert.deepEqual(cut, [{ role: 'finalAnswer', tokens: 1500 }]);
  });

  test('a terminal shows what was streamed, and that it was cut', async () => {
    const bytes = streamBytes({ pieces: ['It is [1]. ', 'And then'], finish: 'length' });
    server.play(streamed(bytes));
    const { out } = await run(
      argv`ask ${QUESTION} --store ${store} --reader generative ${model()}`,
      {
        terminal: true,
      },
    );
    assert.match(out, /It is \[1\]\. And then[\s\S]*Cut: .*cut at 1024 tokens; --output-tokens N/);
  });

  test('chat says so too', async () => {
    server.play(completion('It is [1]. And', { finish: 'length' }));
    const stdin = `${QUESTION}\n`;
    const { out } = await run(argv`chat --store ${store} --reader generative ${model()}`, {
      stdin,
    });
    assert.match(out, /Cut: reply of the model to finalAnswer, cut at 1024 tokens/);
  });

  test('eval counts the replies and names the first', async () => {
    const data = demoDataSet(freshFolder());
    server.play(...Array<Play>(4).fill(completion('{"answer": "Y', { finish: 'length' })));
    const { err, code } = await run(argv`eval multihop-rag ${data} --limit 2 --reader generative
      --strategy fixed-top-k(k=3) --parallel 1 ${model()}`);
    assert.equal(code, 0);
    assert.match(
      err,
      /4 replies of the model were cut, the first to finalAnswer of question \S+ cut at 256 tokens; --output-tokens N/,
    );
  });
});
