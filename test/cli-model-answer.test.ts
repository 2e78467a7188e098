/**
 * Tests `ask --model` over a server on this machine: the model answers without `--reader`, its
 * sentences cite evidence by number, and a terminal shows them as they are written.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { completion, streamBytes } from './providers-language-server.ts';
import { ModelServer, type Play } from './providers-server.ts';
import { argv, demoStore, type Result, run, succeeds } from './running-command.ts';

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

const model = (): string[] => [
  ...['--model', 'openai-compatible:toy'],
  ...['--model-url', `${server.url}/v1`],
];
const ask = (words: readonly string[] = model(), terminal = false): Promise<Result> =>
  run(['ask', QUESTION, '--store', store, ...words], { terminal, env: { NO_COLOR: '1' } });
const objectOf = ({ out }: Result) =>
  JSON.parse(out) as {
    reader: string;
    answer: { kind: string; text?: string; sentences?: object[]; dropped?: number[] };
    evidence: { documentId: string; cited: boolean }[];
    spent: { modelCalls?: number };
  };

describe('ask --model', () => {
  test('asks the model without --reader', async () => {
    const { reader, answer, evidence, spent } = objectOf(await ask([...model(), '--json']));
    assert.deepEqual([reader, spent.modelCalls, server.requests.length], ['generative', 1, 1]);
    assert.deepEqual([answer.kind, answer.text], ['answered', 'Dunmarrow Drives is a company.']);
    assert.equal(answer.sentences!.length, 1);
    assert.equal(evidence.find(({ cited }) => cited)!.documentId, evidence[0]!.documentId);
  });

  test('says that a reader which is named does not ask it', async () => {
    const { err, code } = await ask([...model(), '--reader', 'extractive']);
    assert.equal(code, 0);
    assert.match(err, /The model openai-compatible:toy is not asked: fact-lanes.*, extractive use/);
    assert.equal(server.requests.length, 0);
    assert.doesNotMatch((await ask()).err, /is not asked/);
  });

  test('is estimated with the calls of the reader', async () => {
    const { out } = await ask([...model(), '--dry-run', '--json']);
    assert.equal((JSON.parse(out) as { atMost: { calls: number } }).atMost.calls, 1);
  });

  test('numbers citations as the evidence is listed, and names those that are dropped', async () => {
    server.play(saying('It is a company [1]. It sells hats [88]. It is old.'));
    const { out } = await ask();
    assert.match(out, /^It is a company \[1\]\. It sells hats\. It is old\.\n/);
    assert.match(out, /\nDropped: citations of \[88\], under which nothing was shown\n/);
    assert.match(out, /\nCites nothing: It sells hats\.\nCites nothing: It is old\.\n/);
    assert.match(out, /\n\* +1\. /);
  });

  test('abstains if the model finds nothing', async () => {
    server.play(saying('Insufficient information.'));
    const { out, code } = await ask();
    assert.equal(code, 0);
    assert.match(out, /^No answer: Insufficient information\.\n/);
  });
});

describe('on a terminal', () => {
  test('the answer is shown once, while it is written', async () => {
    const { out } = await ask(model(), true);
    assert.equal(out.split('Dunmarrow Drives is a company').length, 2);
    assert.match(out, /^Dunmarrow Drives is a company \[1\]\.\n\nEvidence/);
  });

  test('a refusal is not shown as an answer', async () => {
    server.play(saying('Insufficient information.'));
    assert.match((await ask(model(), true)).out, /^No answer: Insufficient information\.\n/);
  });

  test('a text that fails the check is withdrawn', async () => {
    server.play(saying('It sells hats.'));
    const { out } = await ask(model(), true);
    assert.match(out, /^It sells hats\.\nNo answer: The answer cites nothing in the evidence\n/);
    assert.match(out, /\nThe text above is withdrawn\.\n/);
  });

  test('--json and the short form are printed whole', async () => {
    assert.equal(objectOf(await ask([...model(), '--json'], true)).answer.kind, 'answered');
    const said = '{"answer": "Ada", "citations": [1], "abstain": false}';
    server.play(saying(said));
    const { out } = await ask([...model(), '--reader', 'generative(form=short)'], true);
    assert.match(out, /^Ada\n(?!Ada)/);
  });
});

test('ollama:MODEL asks the server of OLLAMA_HOST', async () => {
  const env = { OLLAMA_HOST: server.url.replace('http://', '') };
  const words = ['ask', QUESTION, '--store', store, '--model', 'ollama:toy', '--json'];
  await succeeds(words, { env });
  assert.equal(server.requests[0]!.url, '/v1/chat/completions');
  assert.equal(server.requests[0]!.body.model, 'toy');
});

test('an evaluation asks for short answers, and says if nothing asks its model', async () => {
  const evaluate = (...words: string[]): Promise<Result> =>
    run(argv`eval multihop-rag --corpus demo/corpus.jsonl
      --questions demo/questions.json --limit 1 ${model()} ${words}`);
  const rows = JSON.parse((await evaluate('--reader', 'generative', '--json')).out) as {
    rows: { reader: string }[];
  };
  assert.equal(rows.rows[0]!.reader, 'generative(form=short)');
  const free = await evaluate('--reader', 'generative(form=free)', '--json');
  assert.equal((JSON.parse(free.out) as typeof rows).rows[0]!.reader, 'generative');
  assert.match(
    (await evaluate('--reader', 'extractive')).err,
    /is not asked: fact-lanes.*, extractive/,
  );
});
