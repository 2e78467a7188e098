/** Tests graphs of a language model's triples: counted, priced, cached, and planned before. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Document } from '../src/core/corpus/document.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { openStore } from '../src/index.ts';
import type { LanguageModel } from '../src/models/language-model.ts';
import { pricedModel } from '../src/models/priced-model.ts';
import type { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { sentenceEntities } from '../src/search/graphs/sentence-entities.ts';
import { Store } from '../src/stores/disk/store.ts';
import { scriptedModel } from '../src/testing/scripted-model.ts';
import { completion } from './providers-language-server.ts';
import { ModelServer, type Play } from './providers-server.ts';
import { DEMO_CORPUS, freshFolder, type Running, run, start } from './running-command.ts';

const call = freeCall();
const KEY = 'entities(triples(scripted, version=2)) sentence';
const documentOf = (id: string): Document => ({
  id,
  title: '',
  metadata: {},
  text: `Orla ${id} built the pier. She left.`,
});
const documentsOf = (ids: string): Document[] => [...ids].map(documentOf);

/** Names the builder of each passage, and states one triple and one of two parts. */
const scripted = (): ReturnType<typeof scriptedModel> =>
  scriptedModel(prompt => {
    const name = /Orla \w/.exec(prompt.messages.at(-1)!.text)![0];
    return prompt.role === 'ner'
      ? JSON.stringify({ named_entities: [name] })
      : JSON.stringify({
          triples: [
            [name, 'built', 'pier'],
            [name, 'left'],
          ],
        });
  });

async function storedEntities(folder: string): Promise<unknown> {
  const store = await Store.open(folder);
  const { derived = [] } = store.manifest;
  assert.deepEqual(
    derived.map(({ key, behind = 0 }) => [key, behind]),
    [[KEY, 0]],
  );
  const snapshot = (await store.snapshot()) as EmbeddedEngine['current'];
  const recognise = (): never => assert.fail('asked');
  const index = sentenceEntities({ id: 'triples(scripted, version=2)', recognise });
  return Object.fromEntries((await snapshot.openDerived(index, call)).index);
}

const entitiesOf = (ids: string): unknown =>
  Object.fromEntries(
    [...ids].map(id => [
      id,
      {
        sentences: [[`orla ${id}`, 'pier'], []],
        triples: [{ head: `orla ${id}`, relation: 'built', tail: 'pier' }],
      },
    ]),
  );

describe('openStore({ graph: "triples(MODEL)" })', () => {
  const opened = (folder: string, model: LanguageModel) =>
    openStore(folder, { env: {}, graph: 'triples(scripted)', model });

  test('reads each passage once, and counts calls by role, tokens and money', async () => {
    const folder = freshFolder();
    const model = scripted();
    const price = { input: 1000, output: 1_000_000 };
    await using store = await opened(folder, pricedModel(model, price));
    const { graph, graphModel } = await store.ingest(documentsOf('abc'));
    assert.deepEqual(graph, { 'entities(triples(scripted, version=2))': 3 });
    const { input, output, usd, ...rest } = graphModel!;
    assert.deepEqual(rest, { ner: 3, triple: 3, sent: 6, dropped: 3, cut: 0, unread: 0 });
    assert.ok(input > 100 && output > 10);
    assert.ok(Math.abs(usd! - (input * price.input + output * price.output) / 1e6) < 1e-9);
    assert.deepEqual(await storedEntities(folder), entitiesOf('abc'));
    const more = await store.ingest(documentsOf('abcd'));
    assert.equal(more.graphModel!.sent, 2);
    assert.equal(model.prompts.length, 8);
    await store.remove(['b']);
    assert.deepEqual(await storedEntities(folder), entitiesOf('acd'));
  });

  test('what was read before a failure costs nothing after it', async () => {
    const folder = freshFolder();
    const inner = scripted();
    let left = 5;
    const failing: LanguageModel = {
      id: inner.id,
      async generate(prompt, given) {
        if (left-- === 0) throw new Error('gone');
        return inner.generate(prompt, given);
      },
    };
    {
      await using store = await opened(folder, failing);
      await assert.rejects(async () => store.ingest(documentsOf('abcd')), /gone/);
    }
    const model = scripted();
    await using store = await opened(folder, model);
    const { graphModel, documents } = await store.ingest([]);
    assert.deepEqual([documents, graphModel!.ner, graphModel!.sent], [4, 4, 3]);
    assert.equal(model.prompts.length, 3);
    assert.deepEqual(await storedEntities(folder), entitiesOf('abcd'));
    // The same text in another place is the same prompt.
    await store.remove(['a']);
    assert.equal((await store.ingest(documentsOf('a'))).graphModel!.sent, 0);
  });

  test('two ingests at once count their own calls together', async () => {
    const folder = freshFolder();
    const model = scripted();
    await using store = await opened(folder, model);
    await Promise.all([store.ingest(documentsOf('a')), store.ingest(documentsOf('b'))]);
    await store.ingest([]);
    assert.deepEqual(await storedEntities(folder), entitiesOf('ab'));
    assert.equal(model.prompts.length, 4);
  });
});

describe('multihop ingest --graph "triples(MODEL)"', () => {
  const GRAPH = 'triples(openai-compatible:toy)';
  const reply = completion('{"named_entities": ["Orla"], "triples": [["Orla", "is", "here"]]}');
  let server: ModelServer;
  before(async () => {
    server = await ModelServer.start(reply);
  });
  after(() => server.stop());
  beforeEach(() => server.reset());
  const words = (folder: string, ...more: string[]): string[] => [
    ...['ingest', DEMO_CORPUS, '--store', folder, '--graph', GRAPH],
    ...['--model-url', `${server.url}/v1`, ...more],
  ];

  test('prints before what it costs at most, and then what it cost', async () => {
    const folder = join(freshFolder(), 'a.store');
    const price = ['--price', 'in=10,out=20', '--json'];
    const dry = await run(words(folder, '--dry-run', ...price));
    assert.equal(dry.code, 0, dry.err);
    const { calls, atMost } = JSON.parse(dry.out).graph;
    assert.equal(server.requests.length, 0);
    assert.deepEqual(
      calls.map(({ role }: { role: string }) => role),
      ['ner', 'triple'],
    );
    const done = await run(words(folder, ...price));
    assert.equal(done.code, 0, done.err);
    const { graphModel } = JSON.parse(done.out);
    assert.equal(graphModel.sent, server.requests.length);
    assert.equal(graphModel.sent, atMost.calls);
    assert.equal(graphModel.ner, calls[0].atMost);
    assert.ok(graphModel.usd > 0 && graphModel.usd <= atMost.usd);
    const usd = ((21 * 10 + 9 * 20) * graphModel.sent) / 1e6;
    assert.ok(Math.abs(graphModel.usd - usd) < 1e-9);
    const again = JSON.parse((await run(words(folder, '--dry-run', ...price))).out);
    assert.equal(again.graph.atMost.calls, 0);
  });

  test('says so in words', async () => {
    const folder = join(freshFolder(), 'a.store');
    const dry = await run(words(folder, '--dry-run'));
    assert.match(
      dry.out.replaceAll('\n', ' '),
      /takes at most \d+ model calls, [\d,]+ model tokens \(\d+ ner and \d+ triple\); no known price/,
    );
    const done = await run(words(folder, '-v'));
    assert.match(done.err, /\d+ ner and \d+ triple prompts: \d+ model calls, [\d,]+ model tokens/);
    const behind = await run(['ingest', DEMO_CORPUS, '--store', folder, '-v']);
    assert.doesNotMatch(behind.err, /The graph lacks/);
  });

  test('kill -9 in the middle: the next run sends only what was not answered', async () => {
    const folder = join(freshFolder(), 'killed.store');
    let running: Running | undefined;
    let asked = 0;
    const killing: Play = (response, about) => {
      if (++asked === 11) running!.child.kill('SIGKILL');
      return reply(response, about);
    };
    server.play(...Array.from({ length: 30 }, () => killing));
    running = start(words(folder));
    assert.equal((await running.result).code, null);
    const first = server.requests.length;
    server.reset();
    const rest = await run(words(folder, '--json'));
    assert.equal(rest.code, 0, rest.err);
    const { ner, triple, sent } = JSON.parse(rest.out).graphModel;
    assert.ok(first >= 11);
    assert.ok(sent <= ner + triple - 10, `${first}, then ${sent} of ${ner + triple}`);
    assert.deepEqual((await (await Store.open(folder)).verify()).problems, []);
  });
});
