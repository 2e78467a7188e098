/**
 * Tests runs whose language model fails: the default reader reads what was found, and the answer
 * names the reader and the failure in every form.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ask, type Trace } from '../src/index.ts';
import { openAiCompatibleModel } from '../src/providers/openai-compatible-language-model.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../src/testing/fixture-corpus.ts';
import { engineOf } from '../src/testing/strategy-run.ts';
import { completion, cut, streamBytes } from './providers-language-server.ts';
import { ModelServer, status } from './providers-server.ts';
import { argv, demoStore, freshFolder, printed, run } from './running-command.ts';

const QUESTION = 'Who founded Dunmarrow Drives?';

let server: ModelServer;
let store = '';
before(async () => {
  server = await ModelServer.start(status(401));
  store = await demoStore();
});
after(() => server.stop());
beforeEach(() => server.reset());

const model = (): string[] => argv`--model openai-compatible:toy --model-url ${`${server.url}/v1`}`;
const asking = (...words: string[]): string[] =>
  argv`ask ${QUESTION} --store ${store} --answer-at 0 ${words}`;
const generative = (): string[] => argv`--reader generative ${model()}`;

describe('ask whose model fails', () => {
  test('gives the answer of the reader without a model, says so, and exits with 1', async () => {
    const without = await printed(asking());
    const file = join(freshFolder(), 'run.jsonl');
    const { answer, stopped, reader } = await printed(asking(...generative(), '--trace', file));
    assert.equal(without.answer.kind, 'answered');
    assert.deepEqual(answer, { ...without.answer, readBy: 'combined-reader' });
    assert.deepEqual([stopped.by, stopped.port, reader], ['failure', 'model', 'generative']);
    assert.match(readFileSync(file, 'utf8'), /"readBy":"combined-reader"/);
    assert.equal((await run(argv`verify-trace ${file}`)).code, 0);
    const { code, out } = await run(asking(...generative()));
    assert.equal(code, 1);
    assert.ok(out.startsWith(without.answer.text), out);
    assert.match(
      out.replace(/\n +/g, ' '),
      /Without the model: combined-reader read the evidence, as the model failed: .* refused the key/,
    );
  });

  test('withdraws what the model had written before it failed', async () => {
    const bytes = streamBytes({ pieces: ['It is mine [1]. ', 'And then '] });
    server.play(cut(bytes, bytes.length - 300, 'reset'));
    const { out } = await run(asking(...generative()), { terminal: true, env: { NO_COLOR: '1' } });
    assert.match(
      out,
      /^It is mine[\s\S]*The text above is withdrawn\.\n[\s\S]*Without the model: /,
    );
  });

  test('withholds an answer that is not probable enough, and names both causes', async () => {
    const { answer, ...rest } = await printed(
      argv`ask ${QUESTION} --store ${store} --answer-at 1 ${model()}`,
    );
    const { reason, readBy } = answer ?? rest;
    assert.match(reason, /[^.]: the model failed \(unauthorized\)$/);
    assert.equal(readBy, 'combined-reader');
  });

  test('in chat is said as well', async () => {
    const stdin = `${QUESTION}\n`;
    const { out } = await run(argv`chat --store ${store} --answer-at 0 ${generative()}`, { stdin });
    assert.match(out, /Without the model: combined-reader read the evidence, as the model failed/);
  });
});

describe('in code', () => {
  const asked = async (more: object): Promise<Trace> =>
    ask(FIXTURE_QUESTIONS[0]!.text, {
      engine: engineOf(FIXTURE_DOCUMENTS),
      answerAt: 0,
      reader: 'generative',
      resources: {
        model: await openAiCompatibleModel({ baseUrl: `${server.url}/v1`, model: 'm' }),
      },
      ...more,
    });

  test('a strategy whose model fails is read too, and the server is asked once', async () => {
    for (const strategy of ['ir-cot', 'query-decomposition', 'bridge-claims']) {
      server.reset();
      const { answer, stopped } = await asked({ strategy });
      assert.equal(stopped?.by, 'failure');
      assert.equal(server.requests.length, 1, strategy);
      assert.equal(answer.readBy ?? 'nothing was found', answer.readBy ?? 'nothing was found');
    }
  });

  test('the reader that needs no model is not replaced, and a user may want no other', async () => {
    for (const more of [
      { strategy: 'ir-cot', reader: 'extractive' },
      { fallback: false },
      { reader: 'cascade(sure=1.01)', fallback: false },
    ]) {
      const { answer, stopped } = await asked(more);
      assert.equal(stopped?.by, 'failure', JSON.stringify(more));
      assert.equal(answer.readBy, undefined);
    }
    const { answer } = await asked({ fallback: false });
    assert.deepEqual(answer, {
      kind: 'abstained',
      reason: 'No answer was read: the model failed (unauthorized)',
    });
  });

  test('a limit of the model leaves the reader without one, a reply that says nothing does not', async () => {
    server.play(completion('Nobody knows anything.'));
    const { answer } = await asked({});
    assert.deepEqual([answer.kind, answer.readBy], ['abstained', undefined]);
    const limited = await asked({ budget: { modelCalls: 0 } });
    assert.equal(limited.answer.readBy, 'combined-reader');
  });
});
