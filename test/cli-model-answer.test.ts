/**
 * Tests `ask --model` over a server on this machine: the model answers without `--reader`, its
 * sentences cite evidence by number, and a terminal shows them as they are written.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { completion, streamBytes } from './providers-language-server.ts';
import { ModelServer, type Play } from './providers-server.ts';
import { argv, demoStore, printed, type Result, run, succeeds } from './running-command.ts';

const QUESTION = 'Who founded Dunmarrow Drives?';

let server: ModelServer;
let store = '';
before(async () => {
  server = await ModelServer.start(saying('Dunmarrow Drives is a company [1].'));
  store = await demoStore();
});
after(() => server.stop());
beforeEach(() => server.reset());

/** Replies with a text: word by word if the request asks for a stream. */
function saying(text: string): Play {
  const bytes = streamBytes({ pieces: text.split(/(?<= )/) });
  return (response, request) => {
    const { stream } = request.body as { stream?: boolean };
    if (stream) response.writeHead(200, { 'content-type': 'text/event-stream' }).end(bytes);
    else void completion(text)(response, request);
  };
}

const model = (): string[] => argv`--model openai-compatible:toy --model-url ${`${server.url}/v1`}`;
const asking = (...words: string[]): string[] => {
  const reader = words.includes('--reader') ? [] : argv`--reader generative`;
  return argv`ask ${QUESTION} --store ${store} ${model()} ${reader} ${words}`;
};
const ask = (terminal = false, ...words: string[]): Promise<Result> =>
  succeeds(asking(...words), { terminal, env: { NO_COLOR: '1' } });

describe('ask --model', () => {
  test('without --reader asks the model where the rules are not sure', async () => {
    const usual = (...words: string[]): string[] =>
      argv`ask ${QUESTION} --store ${store} ${model()} ${words}`;
    const { out } = await succeeds(usual());
    assert.match(out, /Without the model: combined-reader is sure of this answer/);
    assert.equal(server.requests.length, 0);
    const { reader, answer } = await printed(usual('--answer-at', '1'));
    assert.deepEqual([reader, server.requests.length], ['cascade', 1]);
    assert.deepEqual([answer.kind, answer.readBy], ['answered', undefined]);
  });

  test('asks the model', async () => {
    const { reader, answer, evidence, spent } = await printed(asking());
    assert.deepEqual([reader, spent.modelCalls, server.requests.length], ['generative', 1, 1]);
    assert.deepEqual([answer.kind, answer.text], ['answered', 'Dunmarrow Drives is a company.']);
    assert.equal(answer.sentences.length, 1);
    const cited = evidence.find((item: { cited: boolean }) => item.cited);
    assert.equal(cited.documentId, evidence[0].documentId);
  });

  test('says that a reader which is named does not ask it', async () => {
    const { err } = await ask(false, '--reader', 'extractive');
    assert.match(err, /The model openai-compatible:toy is not asked: fact-lanes.*, extractive use/);
    assert.equal(server.requests.length, 0);
    assert.doesNotMatch((await ask()).err, /is not asked/);
  });

  test('is estimated with the calls of the reader', async () => {
    assert.equal((await printed(asking('--dry-run'))).atMost.calls, 1);
  });

  test('numbers citations as the evidence is listed, and names those that are dropped', async () => {
    server.play(saying('It is a company [1]. It sells hats [88]. Zyx quuxes.'));
    const { out } = await ask();
    for (const said of [
      /^It is a company \[1\]\. It sells hats\. Zyx quuxes\.\n/,
      /\nDropped: citations of \[88\], under which nothing was shown\n/,
      /\nCites nothing: It sells hats\.\nCites nothing: Zyx quuxes\.\n/,
      /\n\* +1\. /,
    ])
      assert.match(out, said);
  });
});

for (const terminal of [false, true])
  test(`a model that finds nothing leads to an abstention${terminal ? ' on a terminal too' : ''}`, async () => {
    server.play(saying('Insufficient information.'));
    assert.match((await ask(terminal)).out, /^No answer: Insufficient information\.\n/);
  });

describe('on a terminal', () => {
  test('the answer is shown once, while it is written', async () => {
    const { out } = await ask(true);
    assert.equal(out.split('Dunmarrow Drives is a company').length, 2);
    assert.match(out, /^Dunmarrow Drives is a company \[1\]\.\n\nEvidence/);
  });

  test('a text that fails the check is withdrawn', async () => {
    server.play(saying('It sells hats.'));
    const { out } = await ask(true);
    assert.match(out, /^It sells hats\.\nNo answer: The answer cites nothing in the evidence\n/);
    assert.match(out, /\nThe text above is withdrawn\.\n/);
  });

  test('--json and the short form are printed whole', async () => {
    const { answer } = JSON.parse((await ask(true, '--json')).out);
    assert.equal(answer.kind, 'answered');
    server.play(saying('{"answer": "Ada", "citations": [1], "abstain": false}'));
    assert.match((await ask(true, '--reader', 'generative(form=short)')).out, /^Ada\n(?!Ada)/);
  });
});

test('a limit has one name, that of its option', async () => {
  const { out } = await run(asking('--budget', 'model-tokens=10'));
  assert.match(
    out,
    /Without the model: combined-reader read the evidence, as the budget has no room/,
  );
  assert.match(out, /model-tokens/);
  assert.doesNotMatch(out, /modelTokens/);
});

test('ollama:MODEL asks the server of OLLAMA_HOST', async () => {
  const env = { OLLAMA_HOST: server.url.replace('http://', '') };
  await succeeds(argv`ask ${QUESTION} --store ${store} --reader generative --model ollama:toy`, {
    env,
  });
  const [{ url, body }] = server.requests as [(typeof server.requests)[0]];
  assert.deepEqual([url, body.model], ['/v1/chat/completions', 'toy']);
});

test('an evaluation asks for short answers, and says if nothing asks its model', async () => {
  const evaluating = (reader: string): string[] =>
    argv`eval multihop-rag --corpus demo/corpus.jsonl --questions demo/questions.json --limit 1
      ${model()} --reader ${reader}`;
  for (const [reader, used] of [
    ['generative', 'generative(form=short)'],
    ['generative(form=free)', 'generative'],
  ] as const)
    assert.equal((await printed(evaluating(reader))).rows[0].reader, used);
  const { err } = await succeeds(evaluating('extractive'));
  assert.match(err, /is not asked: fact-lanes.*, extractive/);
});
