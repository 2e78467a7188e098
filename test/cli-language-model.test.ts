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
  type Result,
  run,
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

interface Money {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
}
interface Printed {
  readonly trace: { readonly content: string };
  readonly spent: {
    readonly modelCalls: number;
    readonly modelTokens: number;
    readonly usd: number;
  };
  readonly questions: number;
  readonly atMost: Money;
  readonly expected: Money;
  readonly rows: readonly {
    readonly parts: readonly {
      readonly part: string;
      readonly calls: readonly {
        readonly atMost: number;
        readonly promptTokens: number;
        readonly completionTokens: number;
      }[];
    }[];
    readonly question: { readonly limitedBy: readonly string[]; readonly atMost: Money };
    readonly atMost: Money;
  }[];
}
const object = ({ out }: Result): Printed => JSON.parse(out) as Printed;
const cassetteFile = (): string => join(freshFolder(), 'said.jsonl');

describe('--cassette', () => {
  test('a recording is replayed without a model and gives the same trace, to the last hash', async () => {
    const cassette = cassetteFile();
    const recorded = await ask(...model(), ...PRICE, '--cassette', cassette, '--json');
    assert.equal(recorded.code, 0, recorded.err);
    assert.equal(server.requests.length, 1);
    const again = await ask(...model(), ...PRICE, '--cassette', cassette, '--json');
    const replayed = await ask('--cassette', cassette, '--json');
    assert.equal(replayed.code, 0, replayed.err);
    assert.equal(server.requests.length, 1, 'asked once');
    for (const other of [again, replayed]) {
      assert.equal(object(other).trace.content, object(recorded).trace.content);
      assert.deepEqual(object(other).spent, object(recorded).spent);
    }
    // The price is 21 x 1000 + 9 x 2000 millionths of a dollar.
    assert.equal(object(replayed).spent.usd, 0.039);
    assert.match(
      (await ask('--cassette', cassette)).out,
      /1 model call, 30 model tokens, 0\.039 USD/,
    );
  });

  test('it holds completions and their price, no prompts, and no key', async () => {
    const [cassette, trace] = [cassetteFile(), join(freshFolder(), 'trace.jsonl')];
    const { out, err } = await ask(
      ...model(),
      ...PRICE,
      '--cassette',
      cassette,
      '--trace',
      trace,
      '--full-trace',
      '--verbose',
    );
    assert.equal(server.requests.length, 1);
    assert.match(String(server.requests[0]!.headers.authorization), new RegExp(KEY));
    const tape = readFileSync(cassette, 'utf8');
    const [header, line, ...rest] = tape
      .trimEnd()
      .split('\n')
      .map(text => JSON.parse(text) as Record<string, unknown>);
    assert.deepEqual(Object.keys(header!), ['format', 'model', 'price']);
    assert.deepEqual(Object.keys(line!), ['key', 'text', 'usage', 'finish', 'sum']);
    assert.equal(rest.length, 0);
    const { messages } = server.requests[0]!.body as unknown as { messages: { content: string }[] };
    const record = readFileSync(trace, 'utf8');
    for (const { content } of messages) {
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
    const [one, other] = [cassetteFile(), cassetteFile()];
    for (const cassette of [one, other])
      assert.equal((await evaluate(...model(), '--cassette', cassette, '--quiet')).code, 0);
    assert.ok(server.requests.length >= 8);
    const bytes = readFileSync(one);
    assert.deepEqual(readFileSync(other), bytes);
    // Truncates the last line, as a kill may: that completion is requested again.
    writeFileSync(one, bytes.subarray(0, bytes.length - 20));
    server.reset();
    const resumed = await evaluate(...model(), '--cassette', one);
    assert.equal(resumed.code, 0);
    assert.match(resumed.err, /1 lines of the cassette .* cannot be read/);
    assert.equal(server.requests.length, 1);
    assert.equal((await evaluate('--cassette', one, '--quiet')).code, 0);
  });

  test('an evaluation is replayed without a model: the same figures and the same traces', async () => {
    const [cassette, first, second] = [
      cassetteFile(),
      join(freshFolder(), 'a'),
      join(freshFolder(), 'b'),
    ];
    const recorded = await evaluate(
      ...model(),
      ...PRICE,
      '--cassette',
      cassette,
      '--out',
      first,
      '--json',
    );
    assert.equal(recorded.code, 0, recorded.err);
    server.reset();
    const replayed = await evaluate('--cassette', cassette, '--out', second, '--json');
    assert.equal(replayed.code, 0, replayed.err);
    assert.equal(server.requests.length, 0);
    const timeless = (result: Result): unknown =>
      JSON.parse(JSON.stringify(object(result)), (key, value: unknown) =>
        key.startsWith('Milliseconds') ? undefined : value,
      );
    assert.deepEqual(timeless(replayed), timeless(recorded));
    const scores = (folder: string): unknown => {
      const { scores: all } = JSON.parse(readFileSync(join(folder, 'scores.json'), 'utf8')) as {
        scores?: Record<string, Record<string, unknown>>;
      };
      return Object.values(all ?? {}).map(row =>
        Object.entries(row).filter(([measure]) => !measure.startsWith('Milliseconds')),
      );
    };
    assert.deepEqual(scores(second), scores(first));
    assert.match(replayed.err, /The language model: 4 model calls, 120 model tokens, 0\.156 USD/);
  });

  test('a missing completion is a failure that says how to record it, for a question and for an evaluation', async () => {
    const cassette = cassetteFile();
    await evaluate(...model(), '--cassette', cassette, '--quiet', '--limit=1').catch(() => {});
    assert.equal(
      (
        await run(argv`eval multihop-rag ${data} --limit 1 --reader generative
      --strategy fixed-top-k(k=3) ${model()} --cassette ${cassette} --quiet`)
      ).code,
      0,
    );
    const asked = await ask('--cassette', cassette);
    assert.equal(asked.code, 1);
    assert.match(asked.err, /holds no completion.*--model NAME beside --cassette FILE/);
    const result = await evaluate('--cassette', cassette);
    assert.equal(result.code, 1);
    assert.match(result.err, /3 runs failed/);
    assert.match(result.err, /3 prompts are not on the cassette: record them with --model NAME/);
  });

  test('refuses a missing cassette, one of another model, and another kind of file', async () => {
    const missing = await ask('--cassette', cassetteFile());
    assert.deepEqual([missing.code, /No cassette at/.test(missing.err)], [2, true]);
    const cassette = cassetteFile();
    await ask(...model(), '--cassette', cassette);
    const other = await ask(
      ...argv`--model openai-compatible:another
      --model-url ${`${server.url}/v1`} --cassette ${cassette}`,
    );
    assert.deepEqual(
      [other.code, /recorded with another model: expected "openai-compatible:toy"/.test(other.err)],
      [2, true],
      other.err,
    );
    const notes = join(freshFolder(), 'notes.txt');
    writeFileSync(notes, 'do not touch\n');
    for (const words of [model(), []]) {
      const refused = await ask(...words, '--cassette', notes);
      assert.deepEqual([refused.code, /is not a cassette/.test(refused.err)], [2, true]);
      assert.equal(readFileSync(notes, 'utf8'), 'do not touch\n');
    }
  });
});

describe('budgets', () => {
  test('a limit on usd without a price is refused before any call', async () => {
    const { code, err } = await ask(...model(), '--budget', 'usd=0.5');
    assert.equal(code, 2);
    assert.match(
      err,
      /no price is known of the model "openai-compatible:toy".*--price in=USD,out=USD/,
    );
    const total = await evaluate(...model(), '--total-budget', 'usd=5');
    assert.deepEqual(
      [total.code, /total budget limits US dollars/.test(total.err)],
      [2, true],
      total.err,
    );
    assert.equal(server.requests.length, 0);
  });

  test('a call that would exceed usd is not made; the evidence is shown, and the exit code is that of a limit', async () => {
    const { code, out, err } = await ask(...model(), ...PRICE, '--budget', 'usd=0.05');
    assert.equal(code, 3, err);
    assert.match(out, /Evidence[\s\S]*Stopped by the limit on usd/);
    assert.equal(server.requests.length, 0);
    const enough = await ask(...model(), ...PRICE, '--budget', 'usd=50', '--json');
    assert.equal(enough.code, 0, enough.err);
    assert.equal(object(enough).spent.usd, 0.039);
  });

  test('model-calls and model-tokens limit calls as well', async () => {
    for (const limit of ['model-calls=0', 'model-tokens=100']) {
      const named = `Stopped by the limit on ${limit.split('=')[0]}`;
      const { code, out } = await ask(...model(), '--budget', limit);
      assert.deepEqual([code, out.includes(named)], [3, true], out);
      const json = await ask(...model(), '--budget', limit, '--json');
      assert.deepEqual([json.code, json.err.includes(named)], [3, true], json.err);
      assert.equal(JSON.parse(json.out).stopped.by, 'limit');
    }
    assert.equal(server.requests.length, 0);
  });

  test('a total budget limits all questions together', async () => {
    const { code, err } = await evaluate(...model(), '--total-budget', 'model-calls=2');
    assert.equal(code, 3);
    assert.equal(server.requests.length, 2);
    assert.match(err, /total budget was reached \(model-calls\)/);
    assert.equal((await evaluate(...model(), '--total-budget', 'hops=2')).code, 2);
  });

  test('prices come from a file; an invalid or incomplete price is refused', async () => {
    const file = join(freshFolder(), 'prices.json');
    writeFileSync(file, JSON.stringify({ toy: { input: 1000, output: 2000 } }));
    assert.equal(object(await ask(...model(), '--price', file, '--json')).spent.usd, 0.039);
    server.reset();
    for (const [price, says] of [
      ['in=1', /lacks a part/],
      ['in=1,out=x', /Cannot read the price/],
      ['in=1,in=2', /Cannot read the price/],
      [join(freshFolder(), 'none.json'), /Cannot read prices/],
      [DEMO_CORPUS, /Cannot read prices/],
    ] as const) {
      const { code, err } = await ask(...model(), '--price', price);
      assert.equal(code, 2);
      assert.match(err, says);
    }
    writeFileSync(file, JSON.stringify({ other: { input: 1, output: 2 } }));
    assert.match(
      (await ask(...model(), '--price', file)).err,
      /holds no price of the model: expected one of other/,
    );
    assert.equal(server.requests.length, 0);
  });
});

describe('--dry-run', () => {
  test('calls nothing and opens nothing; prints calls, tokens and dollars, at most and usually', async () => {
    const words = argv`ask ${QUESTION} --store ${join(freshFolder(), 'nothing')}
      --reader generative --dry-run ${model()} ${PRICE}`;
    const { code, out } = await run(words);
    assert.equal(code, 0);
    assert.match(out, /Nothing was asked/);
    assert.match(out, /^reader .*finalAnswer/m);
    const json = object(await run([...words, '--json']));
    const { atMost, expected, rows } = json;
    const planned = rows[0]!.parts.find(({ part }) => part === 'reader')!.calls[0];
    assert.equal(atMost.calls, planned!.atMost);
    assert.equal(
      atMost.tokens,
      planned!.atMost * (planned!.promptTokens + planned!.completionTokens),
    );
    assert.equal(
      atMost.usd,
      (planned!.atMost * (planned!.promptTokens * 1000 + planned!.completionTokens * 2000)) / 1e6,
    );
    assert.ok(expected.usd <= atMost.usd && expected.calls <= atMost.calls);
    assert.equal(server.requests.length, 0);
  });

  test('an evaluation: estimates every row times its questions; budgets cap each question, a total budget all of them', async () => {
    const words = argv`--dry-run --budget usd=0.25 --budget model-calls=1 ${model()}
      ${PRICE} --json`;
    const { rows, atMost, questions } = object(await evaluate(...words));
    assert.equal(questions, 4);
    assert.deepEqual(rows[0]!.question.limitedBy, ['usd']);
    assert.ok(rows[1]!.question.limitedBy.includes('modelCalls'));
    assert.equal(rows[0]!.atMost.usd, 1);
    assert.equal(rows[1]!.atMost.calls, 4);
    assert.equal(
      Math.round(atMost.usd * 1e9),
      Math.round((rows[0]!.atMost.usd + rows[1]!.atMost.usd) * 1e9),
    );
    const capped = object(await evaluate(...words, '--total-budget', 'usd=0.75'));
    assert.equal(capped.atMost.usd, 0.75);
    assert.match((await evaluate('--dry-run')).out, /For 4 questions, 1 row:/);
    assert.equal(server.requests.length, 0);
  });

  test('a strategy with an optional model counts calls if a model or a price is named', async () => {
    const calls = async (...words: string[]): Promise<number> =>
      object(await run(argv`ask ${QUESTION} --store x --strategy ir-cot --dry-run --json ${words}`))
        .atMost.calls;
    assert.deepEqual(
      [await calls(), await calls('--price', 'in=1,out=1'), await calls('--model', 'mine')],
      // The reader asks a model that is named.
      [0, 8, 9],
    );
  });

  test('prints the list price of a known model with its date, and for an unknown model that the price is missing', async () => {
    const known = await run(argv`ask ${QUESTION} --store x --reader generative
      --dry-run --model openai-compatible:gpt-4o-mini`);
    assert.match(
      known.out,
      /USD 0\.15 for a million tokens of prompts, USD 0\.6 of answers, the list price of 2026-02: check it\./,
    );
    assert.match(
      (await run(['ask', QUESTION, '--store', 'x', '--dry-run', '--model', 'mine'])).out,
      /No known price of mine: --price/,
    );
  });
});

test('a run never costs more than its estimate at most', async () => {
  const most = object(await ask(...model(), ...PRICE, '--dry-run', '--json')).atMost;
  // Every answer needs a repair.
  server.play(completion('no JSON'), completion('no JSON'));
  const { spent } = object(await ask(...model(), ...PRICE, '--json'));
  assert.equal(spent.modelCalls, 2);
  assert.ok(
    spent.modelCalls <= most.calls && spent.modelTokens <= most.tokens && spent.usd <= most.usd,
  );
});

test('the cache keeps the completions of an evaluation: a second one makes no call', async () => {
  const cache = freshFolder();
  assert.equal((await evaluate(...model(), '--cache', cache, '--quiet')).code, 0);
  assert.equal(server.requests.length, 4);
  assert.equal((await evaluate(...model(), '--cache', cache, '--quiet')).code, 0);
  assert.equal(server.requests.length, 4);
});

test('a failing provider leaves no line in the cassette', async () => {
  const cassette = cassetteFile();
  server.play(status(401));
  assert.equal((await ask(...model(), '--cassette', cassette)).code, 1);
  assert.equal(readFileSync(cassette, 'utf8').split('\n').length, 2);
  assert.equal((await ask(...model(), '--cassette', cassette)).code, 0);
});

test('without a model and a cassette there is nothing to decorate', async () => {
  assert.equal(await decorateModel(undefined), undefined);
});
