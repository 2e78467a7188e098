/** Tests `multihop eval` over a model server that fails: its cause, its exit code, its evidence. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { completion } from './providers-language-server.ts';
import { ModelServer, type Play, status } from './providers-server.ts';
import { argv, demoDataSet, freshFolder, type Result, run } from './running-command.ts';

let server: ModelServer;
const data = demoDataSet(freshFolder());
before(async () => {
  server = await ModelServer.start(completion('{"answer": "Yes", "citations": [1]}'));
});
after(() => server.stop());
beforeEach(() => server.reset());

const evaluate = (url: string, ...words: string[]): Promise<Result> =>
  run(argv`eval multihop-rag ${data} --limit 6 --strategy fixed-top-k(k=3) --json
    --measure EvidenceRecall --measure QaAccuracy(strict) --reader generative
    --model openai-compatible:toy --model-url ${`${url}/v1`} ${words}`);

// biome-ignore lint/suspicious/noExplicitAny: reads fields of the printed object
const rowOf = ({ out, err }: Result): any => {
  assert.notEqual(out, '', err);
  return JSON.parse(out).rows[0];
};

describe('a server that does not answer', () => {
  /** Nothing listens there. */
  const dead = 'http://127.0.0.1:9';

  test('ends with 1 and says the first cause once; what was found is scored', async () => {
    const [healthy, failed] = [await evaluate(server.url), await evaluate(dead)];
    assert.deepEqual([healthy.code, failed.code], [0, 1]);
    assert.equal(failed.err.split('ECONNREFUSED').length, 2, failed.err);
    assert.match(failed.err, /The run of question \S+ failed, the first to do so: .*reached/);
    assert.match(failed.err, /6 of 6 runs failed/);
    const { measures } = rowOf(failed);
    assert.deepEqual(measures.EvidenceRecall, rowOf(healthy).measures.EvidenceRecall);
    assert.ok(measures.EvidenceRecall.mean > 0);
    assert.equal(measures['QaAccuracy(strict)'].mean, 0);
  });

  test('ends with 0 where the user asks to keep going', async () => {
    const { code, err } = await evaluate(dead, '--keep-going');
    assert.equal(code, 0);
    assert.match(err, /ECONNREFUSED[\s\S]*6 of 6 runs failed/);
  });
});

test('one run of several that fails is counted, and the others are scored', async () => {
  server.play(status(401));
  const result = await evaluate(server.url, '--parallel', '1');
  assert.equal(result.code, 1);
  assert.match(result.err, /1 of 6 runs failed/);
  assert.equal(server.requests.length, 6);
});

test('a server gets four questions at a time, or as many as --parallel says', async () => {
  let running = 0;
  let most = 0;
  const slow: Play = async (response, request) => {
    most = Math.max(most, ++running);
    await new Promise(resolve => setTimeout(resolve, 60));
    running--;
    await completion('{"answer": "Yes", "citations": [1]}')(response, request);
  };
  for (const [words, expected] of [
    [[], 4],
    [argv`--parallel 1`, 1],
    [argv`--parallel 3`, 3],
    // A recording keeps the order of the questions.
    [argv`--cassette ${join(freshFolder(), 'said.jsonl')}`, 1],
  ] as const) {
    server.reset();
    server.play(...Array<Play>(6).fill(slow));
    most = 0;
    const out = freshFolder();
    assert.equal((await evaluate(server.url, ...words, '--out', out)).code, 0);
    assert.equal(most, expected);
    const [trace] = readdirSync(join(out, 'traces'));
    assert.equal((await run(argv`verify-trace ${join(out, 'traces', trace!)}`)).code, 0);
  }
});
