/**
 * Tests a judge on the command line: another model, the answering model by --judge-same, and the
 * scripted judge; its verdicts in files, reports and replays.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EvaluationResult } from '../src/evaluation/run.ts';
import { completion } from './providers-language-server.ts';
import { ModelServer, type Play } from './providers-server.ts';
import {
  argv,
  demoDataSet,
  freshFolder,
  printed,
  refuses,
  run,
  succeeds,
} from './running-command.ts';

const ANSWER = '{"answer": "Dunmarrow Drives", "citations": [1], "abstain": false}';
const MATCH = '{"match": true, "reason": "as good as any"}';
let judged = '';
const isJudged = (body: unknown): boolean => JSON.stringify(body).includes('You grade answers');

let server: ModelServer;
const data = demoDataSet(freshFolder());
before(async () => {
  server = await ModelServer.start((response, asked) =>
    completion(isJudged(asked.body) ? judged : ANSWER)(response, asked),
  );
});
after(() => server.stop());
beforeEach(() => server.reset());

const evaluating = (...words: string[]): string[] =>
  argv`eval multihop-rag ${data} --limit 6 --strategy fixed-top-k(k=3) ${words}`;
const resultOf = (words: readonly string[]): Promise<EvaluationResult> => printed(words);
const byJudge = ({ rows }: EvaluationResult, start: string): number | undefined =>
  Object.entries(rows[0]!.measures).find(([name]) => name.startsWith(start))?.[1].mean;
const url = (): string[] => ['--model-url', `${server.url}/v1`];

describe('--judge', () => {
  test('scripted: measures, intervals and agreement; the report names it as a rule', async () => {
    const out = join(freshFolder(), 'judged');
    const { rows, manifest } = await resultOf(evaluating('--judge', 'scripted', '--out', out));
    const { measures } = rows[0]!;
    assert.deepEqual(measures['JudgeAccuracy(scripted)'], measures['QaAccuracy(clean)']);
    assert.equal(measures['JudgeAgreement(scripted, rule=clean)']!.mean, 1);
    for (const name of ['JudgeUnparsed(scripted)', 'JudgeAgreement(scripted, rule=strict)'])
      assert.ok(measures[name], name);
    const verdicts: { match: unknown }[] = JSON.parse(
      readFileSync(join(out, 'verdicts.json'), 'utf8'),
    );
    assert.ok(verdicts.length > 0 && verdicts.every(({ match }) => typeof match === 'boolean'));
    const { sha256, ...judge } = manifest['judge'] as Record<string, unknown>;
    assert.match(String(sha256), /^[0-9a-f]{64}$/);
    const told = { id: 'scripted', scripted: true, verdicts: verdicts.length, missing: {} };
    assert.deepEqual(judge, told);

    const report = await run(['report', out]);
    assert.match(report.out, /Answers by a judge, beside the offline rules/);
    assert.match(report.out, /is a script, QaAccuracy\(clean\) in the place of a model/);
    const replaying = argv`replay ${out} --dataset multihop-rag ${data}`;
    const accuracy = measures['JudgeAccuracy(scripted)']!.mean;
    assert.equal(byJudge(await resultOf(replaying), 'JudgeAccuracy'), accuracy);
    writeFileSync(join(out, 'verdicts.json'), '[{"judge": 1}]');
    assert.equal((await run(replaying)).code, 2);
  });

  test('a model: judges each answer once, and its verdicts are kept', async () => {
    judged = MATCH;
    const words = evaluating(
      ...argv`--judge openai-compatible:wise
      --judge-url ${`${server.url}/v1`} --cache ${freshFolder()} -v --json`,
    );
    const first = await succeeds(words);
    assert.match(first.err, /The judge .*: 6 model calls/);
    for (const { out } of [first, await succeeds(words)]) {
      assert.equal(byJudge(JSON.parse(out), 'JudgeAccuracy'), 1);
      assert.equal(server.requests.length, 6, 'from the cache the second time');
    }
  });

  test('a model behind a server: judges side by side, and gets its own options', async () => {
    let [open, most] = [0, 0];
    const slow: Play = async (response, request) => {
      most = Math.max(most, ++open);
      await sleep(50);
      open--;
      completion(MATCH)(response, request);
    };
    for (const [words, expected] of [
      ['', 4],
      ['--parallel 2', 2],
    ] as const) {
      most = 0;
      server.play(...Array<Play>(6).fill(slow));
      await succeeds(
        evaluating(
          ...argv`--judge openai-compatible:wise ${url()} --judge-option top_k=7 ${words.split(' ').filter(Boolean)}`,
        ),
      );
      assert.equal(most, expected);
      for (const { body } of server.requests)
        assert.equal((body as unknown as { top_k: number }).top_k, 7);
      server.reset();
    }
  });

  describe('beside an answering model', () => {
    const [cassette, answers] = [join(freshFolder(), 'j.jsonl'), join(freshFolder(), 'a.jsonl')];
    const models = (): string[] => argv`--reader generative --model openai-compatible:toy ${url()}
      --judge openai-compatible:wise`;

    test('is recorded, priced, and replayed without a model', async () => {
      judged = MATCH;
      const tapes = argv`--cassette ${answers} --judge-cassette ${cassette}
        --judge-price in=1000,out=1000 --json`;
      const recorded = await succeeds(evaluating(...models(), ...tapes));
      // Each call takes 30 tokens for any prompt.
      assert.match(
        recorded.err,
        /The judge openai-compatible:wise: 6 model calls, 180 model tokens, 0\.18 USD/,
      );
      server.reset();
      const replayed = await succeeds(evaluating('--reader', 'generative', ...tapes));
      assert.equal(server.requests.length, 0);
      const [one, other] = [recorded, replayed].map(({ out }) =>
        Object.entries((JSON.parse(out) as EvaluationResult).rows[0]!.measures).filter(
          ([name]) => !name.startsWith('Milliseconds'),
        ),
      );
      assert.deepEqual(other, one);
      const missing = await run(evaluating('--reader', 'extractive', '--judge-cassette', cassette));
      assert.equal(missing.code, 1);
      assert.match(missing.err, /prompts are not on the cassette.*--judge beside --judge-cassette/);
    });

    test('is limited by a total budget, which needs its price', async () => {
      judged = MATCH;
      const limited = await run(evaluating(...models(), '--total-budget', 'model-calls=8'));
      assert.deepEqual([limited.code, server.requests.length], [3, 8], limited.err);
      await refuses(
        evaluating(...models(), ...argv`--price in=1,out=1 --total-budget usd=1`),
        /no price is known of the model "openai-compatible:wise".*--judge-price/,
      );
    });

    test('is counted by a dry run', async () => {
      const prices = argv`--judge-price in=1,out=1 --price in=1,out=1`;
      const { judge, atMost, rows } = await printed(
        evaluating(...models(), ...prices, '--dry-run'),
      );
      const calls = rows[0].atMost.calls + 6;
      assert.deepEqual([judge.atMost.calls, atMost.calls], [6, calls]);
      assert.ok(judge.expected.tokens < judge.atMost.tokens);
      assert.equal(server.requests.length, 0);
    });
  });

  test('unreadable verdicts are counted separately', async () => {
    judged = 'Hard to say.';
    const result = await resultOf(evaluating('--judge', 'openai-compatible:wise', ...url()));
    assert.deepEqual(
      ['JudgeAccuracy', 'JudgeUnparsed', 'JudgeKappa'].map(start => byJudge(result, start)),
      [undefined, 1, undefined],
    );
    assert.deepEqual((result.manifest['judge'] as { missing: unknown }).missing, { unparsed: 6 });
  });

  test('the answering model is refused before any call, except with --judge-same', async () => {
    judged = ANSWER;
    const same = argv`--reader generative --model openai-compatible:toy ${url()}
      --judge openai-compatible:toy`;
    const says = /is the model that answers: expected another model.*--judge-same/;
    await refuses(evaluating(...same), says);
    assert.equal(server.requests.length, 0);
    const folder = join(freshFolder(), 'same');
    const { out } = await succeeds(evaluating(...same, '--judge-same', '--out', folder));
    assert.match(out, /The judge is the model that answers: models favour their own answers/);
    assert.match(out, /Answers without a verdict.*unparsed/);
    assert.ok(existsSync(join(folder, 'verdicts.json')));
  });
});
