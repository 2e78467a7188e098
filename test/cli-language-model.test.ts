/**
 * Tests a language model on the command line: recorded and replayed bit for bit, limited in US
 * dollars, with an estimate of its cost before any call.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { decorateModel } from '../src/session/decorated-model.ts';
import { completion } from './providers-language-server.ts';
import { ModelServer, status } from './providers-server.ts';
import {
  argv,
  DEMO_CORPUS,
  demoDataSet,
  demoStore,
  freshFolder,
  printed,
  type Result,
  run,
  succeeds,
} from './running-command.ts';

const QUESTION = 'Who founded Dunmarrow Drives?';
const KEY = 'sk-canary-0f1e2d';
const PRICE = ['--price', 'in=1000,out=2000'];
const SAID = JSON.stringify({ answer: 'Dunmarrow Drives', citations: [1], abstain: false });

let server: ModelServer;
let store = '';
let data: string[] = [];
before(async () => {
  // The usage is 21 and 9 tokens for any prompt.
  server = await ModelServer.start(completion(SAID));
  store = await demoStore();
  data = demoDataSet(freshFolder());
});
after(() => server.stop());
beforeEach(() => server.reset());

const model = (): string[] => argv`--model openai-compatible:toy
      --model-url ${`${server.url}/v1`}`;
const env = { MULTIHOP_MODEL_API_KEY: KEY };
const ask = (...words: string[]): Promise<Result> =>
  run(['ask', QUESTION, '--store', store, '--reader', 'generative(form=short)', ...words], { env });
const evaluate = (...words: string[]): Promise<Result> =>
  run(
    argv`eval multihop-rag ${data} --limit 4 --reader generative
      --strategy fixed-top-k(k=3) ${words}`,
    { env },
  );

// biome-ignore lint/suspicious/noExplicitAny: reads fields of several commands
const object = ({ out, err }: Result): any => {
  assert.notEqual(out, '', err);
  return JSON.parse(out);
};
const cassetteFile = (): string => join(freshFolder(), 'said.jsonl');

/** Asserts the exit code, and that the error says this. */
const fails = (result: Result, says: RegExp, code = 2): void => {
  assert.match(result.err, says);
  assert.equal(result.code, code, result.err);
};

test('ask --schema has the citations of each field', async () => {
  const schema = join(freshFolder(), 'schema.json');
  // The scripted reply has the answer as a text.
  writeFileSync(schema, '{"type": "string"}');
  const words = ['ask', QUESTION, '--store', store, '--schema', schema];
  const { answer } = object(await run([...words, ...model(), '--json'], { env }));
  assert.equal(answer.text, '"Dunmarrow Drives"');
  assert.deepEqual(answer.fields[0].path, []);
  assert.ok(answer.fields[0].citations.length > 0);
  fails(await run(words, { env }), /"typed-answer" needs the language model.*Give --model NAME/);
  writeFileSync(schema, '{"type": "string", "pattern": "(a+)+"}');
  fails(await run([...words, ...model()], { env }), /received the keyword pattern/);
});

describe('what the model took', () => {
  test('stands behind the answer, with what it knew from before, and in --json', async () => {
    const { out } = await ask(...model(), ...PRICE);
    assert.match(out, /1 model call, 30 model tokens, 0\.039 USD, .*\nThe model read 21 tokens/);
    assert.match(out, /\nThe model read 21 tokens and wrote 9, in [\d.]+ m?s\n/);
    const { ms, ...took } = object(await ask(...model(), ...PRICE, '--json')).model;
    assert.ok(ms > 0);
    assert.deepEqual(took, { calls: 1, failed: 0, input: 21, output: 9, estimated: 0, usd: 0.039 });
  });

  test('is that of each question in a chat, the call of a follow-up with it', async () => {
    const lines = `${QUESTION}\nWhen was it founded?\n/new\nWhen was it founded?`;
    const chat = argv`chat --store ${store} --follow-ups --reader generative(form=short) --json`;
    const { out } = await run([...chat, ...model()], { env, stdin: lines });
    const took = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    assert.deepEqual(
      took.map(({ model }) => model.calls),
      [1, 2, 1],
    );
    assert.deepEqual(
      took.map(({ spent }) => spent.modelCalls),
      [1, 2, 1],
    );
    // The server's reply is no question: the rules write it.
    assert.equal(took[1].followUp.by, 'rules');
    assert.deepEqual(took[1].followUp.spent, { modelCalls: 1, modelTokens: 30 });
  });

  test('is estimated by chat --dry-run, a follow-up with it', async () => {
    const words = argv`chat --store ${store} --dry-run --json --reader generative`;
    const { rows } = object(await run([...words, ...model(), ...PRICE]));
    const parts = rows[0].parts.map(({ part }: { part: string }) => part);
    assert.deepEqual(parts, ['follow-up', 'strategy', 'reader']);
    assert.equal(server.requests.length, 0);
  });
});

describe('--cassette', () => {
  test('a recording is replayed without a model and gives the same trace, to the last hash', async () => {
    const cassette = cassetteFile();
    const record = (): Promise<Result> =>
      ask(...model(), ...PRICE, '--cassette', cassette, '--json');
    const first = object(await record());
    for (const { trace, spent } of [
      object(await record()),
      object(await ask('--cassette', cassette, '--json')),
    ])
      assert.deepEqual([trace.content, spent], [first.trace.content, first.spent]);
    assert.equal(server.requests.length, 1, 'asked once');
    // The price is 21 x 1000 + 9 x 2000 millionths of a dollar.
    assert.equal(first.spent.usd, 0.039);
    const { out } = await ask('--cassette', cassette);
    assert.match(out, /1 model call, 30 model tokens, 0\.039 USD/);
  });

  test('it holds completions and their price, no prompts, and no key', async () => {
    const [cassette, trace] = [cassetteFile(), join(freshFolder(), 'trace.jsonl')];
    const files = argv`--cassette ${cassette} --trace ${trace} --full-trace --verbose`;
    const { out, err } = await ask(...model(), ...PRICE, ...files);
    const [request, ...more] = server.requests;
    assert.deepEqual(more, []);
    assert.match(String(request!.headers.authorization), new RegExp(KEY));
    const tape = readFileSync(cassette, 'utf8');
    const lines = tape.trimEnd().split('\n');
    assert.deepEqual(
      lines.map(line => Object.keys(JSON.parse(line)).join(' ')),
      ['format model price', 'key text usage finish sum'],
    );
    const record = readFileSync(trace, 'utf8');
    for (const { content } of (request!.body as unknown as { messages: { content: string }[] })
      .messages) {
      assert.ok(!tape.includes(JSON.stringify(content).slice(1, -1)));
      assert.ok(!record.includes(JSON.stringify(content).slice(1, -1)), 'no prompt in the trace');
    }
    assert.ok(!tape.includes(QUESTION) && !tape.includes('founded'));
    for (const text of [tape, record, out, err]) assert.ok(!text.includes(KEY));
    assert.match(
      record.split('\n')[0]!,
      /"manifest":\{.*"model":\{"id":"openai-compatible:toy","price":\{"input":1000,"output":2000\}\}/,
    );
  });

  test('the same recording has the same bytes, and recording continues at its end', async () => {
    const [first, second] = [cassetteFile(), cassetteFile()];
    for (const cassette of [first, second])
      assert.equal((await evaluate(...model(), '--cassette', cassette, '--quiet')).code, 0);
    assert.ok(server.requests.length >= 8);
    const bytes = readFileSync(first);
    assert.deepEqual(readFileSync(second), bytes);
    // Truncates the last line, as a kill may: that completion is requested again.
    writeFileSync(first, bytes.subarray(0, bytes.length - 20));
    server.reset();
    const resumed = await evaluate(...model(), '--cassette', first);
    fails(resumed, /1 lines of the cassette .* cannot be read/, 0);
    assert.equal(server.requests.length, 1);
    assert.equal((await evaluate('--cassette', first, '--quiet')).code, 0);
  });

  test('an evaluation is replayed without a model: the same figures and the same traces', async () => {
    const [cassette, first, second] = [cassetteFile(), freshFolder(), freshFolder()];
    const tape = ['--cassette', cassette, '--json', '--out'];
    const recorded = await evaluate(...model(), ...PRICE, ...tape, first);
    server.reset();
    const replayed = await evaluate(...tape, second);
    assert.equal(server.requests.length, 0);
    const timeless = (json: string): unknown =>
      JSON.parse(json, (key, value: unknown) =>
        key.startsWith('Milliseconds') ? undefined : value,
      );
    const scores = (folder: string): string => readFileSync(join(folder, 'scores.json'), 'utf8');
    assert.deepEqual(timeless(replayed.out), timeless(recorded.out));
    assert.deepEqual(timeless(scores(second)), timeless(scores(first)));
    fails(replayed, /The language model: 4 model calls, 120 model tokens, 0\.156 USD/, 0);
  });

  test('a missing completion is a failure that says how to record it, for a question and for an evaluation', async () => {
    const cassette = cassetteFile();
    await succeeds(argv`eval multihop-rag ${data} --limit 1 --reader generative
      --strategy fixed-top-k(k=3) ${model()} --cassette ${cassette} --quiet`);
    fails(
      await ask('--cassette', cassette),
      /holds no completion.*--model NAME beside --cassette FILE/,
      1,
    );
    fails(
      await evaluate('--cassette', cassette),
      /3 of 4 runs failed[\s\S]*3 prompts are not on the cassette: record them with --model NAME/,
      1,
    );
  });

  test('refuses a missing cassette, one of another model, and another kind of file', async () => {
    fails(await ask('--cassette', cassetteFile()), /No cassette at/);
    const cassette = cassetteFile();
    await ask(...model(), '--cassette', cassette);
    const another = argv`--model openai-compatible:another --model-url ${`${server.url}/v1`}`;
    fails(
      await ask(...another, '--cassette', cassette),
      /recorded with another model: expected "openai-compatible:toy"/,
    );
    const notes = join(freshFolder(), 'notes.txt');
    writeFileSync(notes, 'do not touch\n');
    for (const words of [model(), []])
      fails(await ask(...words, '--cassette', notes), /is not a cassette/);
    assert.equal(readFileSync(notes, 'utf8'), 'do not touch\n');
  });

  test('a failing provider leaves no line in it', async () => {
    const cassette = cassetteFile();
    server.play(status(401));
    assert.equal((await ask(...model(), '--cassette', cassette)).code, 1);
    assert.equal(readFileSync(cassette, 'utf8').split('\n').length, 2);
    assert.equal((await ask(...model(), '--cassette', cassette)).code, 0);
  });
});

describe('budgets', () => {
  test('a limit on usd without a price is refused before any call', async () => {
    fails(
      await ask(...model(), '--budget', 'usd=0.5'),
      /no price is known of the model "openai-compatible:toy".*--price in=USD,out=USD/,
    );
    const total = await evaluate(...model(), '--total-budget', 'usd=5');
    fails(total, /total budget limits US dollars/);
    assert.equal(server.requests.length, 0);
  });

  test('a call that would exceed usd is not made; the evidence is shown, and the exit code is that of a limit', async () => {
    const { code, out } = await ask(...model(), ...PRICE, '--budget', 'usd=0.05');
    assert.equal(code, 3);
    assert.match(out, /Evidence[\s\S]*Stopped by the limit on usd/);
    assert.equal(server.requests.length, 0);
    const enough = object(await ask(...model(), ...PRICE, '--budget', 'usd=50', '--json'));
    assert.equal(enough.spent.usd, 0.039);
  });

  for (const limit of ['model-calls=0', 'model-tokens=100'])
    test(`${limit} limits calls as well, as text and as JSON`, async () => {
      const says = new RegExp(`Stopped by the limit on ${limit.split('=')[0]}`);
      const { code, out } = await ask(...model(), '--budget', limit);
      assert.equal(code, 3);
      assert.match(out, says);
      const json = await ask(...model(), '--budget', limit, '--json');
      fails(json, says, 3);
      assert.equal(object(json).stopped.by, 'limit');
      assert.equal(server.requests.length, 0);
    });

  test('a total budget limits all questions together', async () => {
    const limited = await evaluate(...model(), '--total-budget', 'model-calls=2');
    fails(limited, /total budget was reached \(model-calls\)/, 3);
    assert.equal(server.requests.length, 2);
    assert.equal((await evaluate(...model(), '--total-budget', 'hops=2')).code, 2);
  });

  test('prices come from a file; an invalid or incomplete price is refused', async () => {
    const file = join(freshFolder(), 'prices.json');
    writeFileSync(file, JSON.stringify({ toy: { input: 1000, output: 2000 } }));
    assert.equal(object(await ask(...model(), '--price', file, '--json')).spent.usd, 0.039);
    server.reset();
    writeFileSync(file, JSON.stringify({ other: { input: 1, output: 2 } }));
    for (const [price, says] of [
      ['in=1', /lacks a part/],
      ['in=1,out=x', /Cannot read the price/],
      ['in=1,in=2', /Cannot read the price/],
      [join(freshFolder(), 'none.json'), /Cannot read prices/],
      [DEMO_CORPUS, /Cannot read prices/],
      [file, /holds no price of the model: expected one of other/],
    ] as const)
      fails(await ask(...model(), '--price', price), says);
    assert.equal(server.requests.length, 0);
  });
});

describe('--dry-run', () => {
  test('calls nothing and opens nothing; prints calls, tokens and dollars, at most and usually', async () => {
    const words = argv`ask ${QUESTION} --store ${join(freshFolder(), 'nothing')}
      --reader generative --dry-run ${model()} ${PRICE}`;
    const { out } = await succeeds(words);
    assert.match(out, /Nothing was asked[\s\S]*^reader .*finalAnswer/m);
    const { atMost, expected, rows } = await printed(words);
    const { parts }: { parts: { part: string; calls: Record<string, number>[] }[] } = rows[0];
    const [planned] = parts.find(({ part }) => part === 'reader')!.calls;
    const { atMost: calls = 0, promptTokens = 0, completionTokens = 0 } = planned!;
    assert.deepEqual(atMost, {
      calls,
      tokens: calls * (promptTokens + completionTokens),
      usd: (calls * (promptTokens * 1000 + completionTokens * 2000)) / 1e6,
    });
    assert.ok(expected.usd <= atMost.usd && expected.calls <= atMost.calls);
    assert.equal(server.requests.length, 0);
  });

  test('an evaluation: estimates every row times its questions; budgets cap each question, a total budget all of them', async () => {
    const words = argv`--dry-run --budget usd=0.25 --budget model-calls=1 ${model()}
      ${PRICE} --json`;
    const { rows, atMost, questions } = object(await evaluate(...words));
    assert.equal(questions, 4);
    assert.deepEqual(rows[0].question.limitedBy, ['usd']);
    assert.ok(rows[1].question.limitedBy.includes('modelCalls'));
    assert.deepEqual([rows[0].atMost.usd, rows[1].atMost.calls], [1, 4]);
    assert.ok(Math.abs(atMost.usd - rows[0].atMost.usd - rows[1].atMost.usd) < 1e-9);
    const capped = object(await evaluate(...words, '--total-budget', 'usd=0.75'));
    assert.equal(capped.atMost.usd, 0.75);
    assert.match((await evaluate('--dry-run')).out, /For 4 questions, 1 row:/);
    assert.equal(server.requests.length, 0);
  });

  test('a strategy with an optional model counts calls if a model or a price is named', async () => {
    const calls = async (...words: string[]): Promise<number> =>
      (await printed(argv`ask ${QUESTION} --store x --strategy ir-cot --dry-run ${words}`)).atMost
        .calls;
    assert.deepEqual(
      [await calls(), await calls('--price', 'in=1,out=1'), await calls('--model', 'mine')],
      // The reader asks a model that is named.
      [0, 8, 9],
    );
  });

  test('prints the list price of a known model with its date, and for an unknown model that the price is missing', async () => {
    for (const [name, says] of [
      [
        'openai-compatible:gpt-4o-mini',
        /USD 0\.15 for a million tokens of prompts, USD 0\.6 of answers, the list price of 2026-02: check it\./,
      ],
      ['mine', /No known price of mine: --price/],
    ] as const) {
      const words = argv`ask ${QUESTION} --store x --reader generative --dry-run --model ${name}`;
      assert.match((await run(words)).out, says);
    }
  });
});

test('a run never costs more than its estimate at most', async () => {
  const most = object(await ask(...model(), ...PRICE, '--dry-run', '--json')).atMost;
  // Every answer needs a repair.
  server.play(completion('no JSON'), completion('no JSON'));
  const { spent } = object(await ask(...model(), ...PRICE, '--json'));
  assert.equal(spent.modelCalls, 2);
  assert.ok(spent.modelCalls <= most.calls && spent.modelTokens <= most.tokens);
  assert.ok(spent.usd <= most.usd);
});

test('the cache keeps the completions of an evaluation: a second one makes no call', async () => {
  const cache = freshFolder();
  for (const _ of ['asked', 'known']) {
    assert.equal((await evaluate(...model(), '--cache', cache, '--quiet')).code, 0);
    assert.equal(server.requests.length, 4);
  }
});

test('without a model and a cassette there is nothing to decorate', async () => {
  assert.equal(await decorateModel(undefined), undefined);
});
