/**
 * Tests a judge on the command line: another model, the answering model by --judge-same, and the
 * scripted judge; its verdicts in files, reports and replays.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Verdict } from '../src/evaluation/example.ts';
import type { EvaluationResult } from '../src/evaluation/run.ts';
import { completion } from './providers-language-server.ts';
import { ModelServer } from './providers-server.ts';
import { argv, demoDataSet, freshFolder, type Result, run } from './running-command.ts';

const ANSWER = '{"answer": "Dunmarrow Drives", "citations": [1], "abstain": false}';
let judged = '';
const isJudged = (body: unknown): boolean => JSON.stringify(body).includes('You grade answers');

let server: ModelServer;
let data: string[] = [];
before(async () => {
  server = await ModelServer.start((response, asked) =>
    completion(isJudged(asked.body) ? judged : ANSWER)(response, asked),
  );
  data = demoDataSet(freshFolder());
});
after(() => server.stop());
beforeEach(() => server.reset());

const evaluate = (...words: string[]): Promise<Result> =>
  run(argv`eval multihop-rag ${data} --limit 6
      --strategy fixed-top-k(k=3) ${words}`);
const result = ({ out, err }: Result): EvaluationResult => {
  assert.ok(out.startsWith('{'), err);
  return JSON.parse(out) as EvaluationResult;
};
const url = (): string[] => ['--model-url', `${server.url}/v1`];

describe('--judge', () => {
  test('scripted: measures, intervals and agreement; the report names it as a rule', async () => {
    const out = join(freshFolder(), 'judged');
    const { rows, manifest } = result(
      await evaluate('--judge', 'scripted', '--out', out, '--json'),
    );
    const { measures } = rows[0]!;
    assert.deepEqual(measures['JudgeAccuracy(scripted)'], measures['QaAccuracy(clean)']);
    assert.equal(measures['JudgeAgreement(scripted, rule=clean)']!.mean, 1);
    for (const name of ['JudgeUnparsed(scripted)', 'JudgeAgreement(scripted, rule=strict)'])
      assert.ok(measures[name], name);
    const verdicts = JSON.parse(readFileSync(join(out, 'verdicts.json'), 'utf8')) as Verdict[];
    const { sha256, ...judge } = manifest['judge'] as Record<string, unknown>;
    assert.deepEqual(judge, {
      id: 'scripted',
      scripted: true,
      verdicts: verdicts.length,
      missing: {},
    });
    assert.match(String(sha256), /^[0-9a-f]{64}$/);
    assert.ok(verdicts.length > 0 && verdicts.every(({ match }) => typeof match === 'boolean'));

    const report = await run(['report', out]);
    assert.match(report.out, /Answers by a judge, beside the offline rules/);
    assert.match(report.out, /is a script, QaAccuracy\(clean\) in the place of a model/);

    const replay = result(
      await run(['replay', out, '--dataset', 'multihop-rag', ...data, '--json']),
    );
    assert.equal(
      replay.rows[0]!.measures['JudgeAccuracy(scripted)']!.mean,
      measures['JudgeAccuracy(scripted)']!.mean,
    );
    writeFileSync(join(out, 'verdicts.json'), '[{"judge": 1}]');
    assert.equal((await run(['replay', out, '--dataset', 'multihop-rag', ...data])).code, 2);
  });

  test('a model: judges each answer once, and its verdicts are kept', async () => {
    judged = '{"match": true, "reason": "as good as any"}';
    const cache = freshFolder();
    const options = argv`--judge openai-compatible:wise
      --judge-url ${`${server.url}/v1`} --cache ${cache} --json -v`;
    const first = await evaluate(...options);
    const asked = server.requests.length;
    const { rows } = result(first);
    const [name] = Object.keys(rows[0]!.measures).filter(each => each.startsWith('JudgeAccuracy'));
    assert.deepEqual([rows[0]!.measures[name!]!.mean, asked], [1, 6]);
    assert.match(first.err, /The judge .*: 6 model calls/);
    assert.deepEqual(
      result(await evaluate(...options)).rows[0]!.measures[name!],
      rows[0]!.measures[name!],
    );
    assert.equal(server.requests.length, asked, 'from the cache');
  });

  test('is recorded, replayed without a model, priced, limited by a total budget, and counted by a dry run', async () => {
    judged = '{"match": true, "reason": "as good as any"}';
    const [cassette, answers] = [
      join(freshFolder(), 'judge.jsonl'),
      join(freshFolder(), 'answers.jsonl'),
    ];
    const models = argv`--reader generative --model openai-compatible:toy ${url()}
      --judge openai-compatible:wise`;
    const tapes = argv`--cassette ${answers} --judge-cassette ${cassette}
      --judge-price in=1000,out=1000`;
    const recorded = await evaluate(...models, ...tapes, '--json');
    // Each call takes 30 tokens for any prompt.
    assert.match(
      recorded.err,
      /The judge openai-compatible:wise: 6 model calls, 180 model tokens, 0\.18 USD/,
    );
    server.reset();
    const replayed = await evaluate('--reader', 'generative', ...tapes, '--json');
    assert.equal(replayed.code, 0, replayed.err);
    assert.equal(server.requests.length, 0);
    const measured = (evaluated: Result): unknown =>
      Object.entries(result(evaluated).rows[0]!.measures).filter(
        ([name]) => !name.startsWith('Milliseconds'),
      );
    assert.deepEqual(measured(replayed), measured(recorded));
    const missing = await evaluate('--reader', 'extractive', '--judge-cassette', cassette);
    assert.equal(missing.code, 1);
    assert.match(missing.err, /prompts are not on the cassette.*--judge beside --judge-cassette/);

    const limited = await evaluate(...models, '--total-budget', 'model-calls=8');
    assert.deepEqual([limited.code, server.requests.length], [3, 8], limited.err);
    server.reset();
    const unpriced = await evaluate(...models, '--price', 'in=1,out=1', '--total-budget', 'usd=1');
    assert.deepEqual(
      [
        unpriced.code,
        /no price is known of the model "openai-compatible:wise".*--judge-price/.test(unpriced.err),
      ],
      [2, true],
    );
    const dry = JSON.parse(
      (
        await evaluate(
          ...models,
          ...argv`--judge-price in=1,out=1 --price in=1,out=1 --dry-run --json`,
        )
      ).out,
    );
    assert.deepEqual([dry.judge.atMost.calls, dry.atMost.calls], [6, dry.rows[0].atMost.calls + 6]);
    assert.ok(dry.judge.expected.tokens < dry.judge.atMost.tokens);
    assert.equal(server.requests.length, 0);
  });

  test('unreadable verdicts are counted separately', async () => {
    judged = 'Hard to say.';
    const ran = await evaluate('--judge', 'openai-compatible:wise', ...url(), '--json');
    const { rows, manifest } = result(ran);
    const meanOf = (start: string): number | undefined =>
      Object.entries(rows[0]!.measures).find(([name]) => name.startsWith(start))?.[1].mean;
    assert.deepEqual(
      [meanOf('JudgeAccuracy'), meanOf('JudgeUnparsed'), meanOf('JudgeKappa')],
      [undefined, 1, undefined],
    );
    assert.deepEqual((manifest['judge'] as { missing: unknown }).missing, { unparsed: 6 });
  });

  test('the answering model is refused before any call, except with --judge-same', async () => {
    const same = argv`--reader generative --model openai-compatible:toy ${url()}
      --judge openai-compatible:toy`;
    const refused = await evaluate(...same);
    assert.equal(refused.code, 2);
    assert.match(refused.err, /is the model that answers: expected another model.*--judge-same/);
    assert.equal(server.requests.length, 0);
    judged = ANSWER;
    const out = join(freshFolder(), 'same');
    const allowed = await evaluate(...same, '--judge-same', '--out', out);
    assert.equal(allowed.code, 0, allowed.err);
    assert.match(
      allowed.out,
      /The judge is the model that answers: models favour their own answers/,
    );
    assert.ok(existsSync(join(out, 'verdicts.json')));
    assert.match(allowed.out, /Answers without a verdict.*unparsed/);
  });
});
