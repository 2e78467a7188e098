/**
 * Tests tree-hop on the command line: ask and eval with a small checkpoint, verification and replay
 * of its trace, and refusals.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { mulberry32 } from '../src/core/mulberry32.ts';
import { verifyTrace } from '../src/core/trace/audit.ts';
import { passageTree } from '../src/core/trace/passage-tree.ts';
import { resourcesIn } from '../src/core/trace/trace.ts';
import type { EvaluationResult } from '../src/evaluation/run.ts';
import type { QueryUpdater } from '../src/models/query-updater.ts';
import { writeCheckpoint } from '../src/models/tree-hop/checkpoint.ts';
import { initialParameters } from '../src/models/tree-hop/parameters.ts';
import { sha256 } from '../src/platform/sha256.ts';
import { openResourceFiles } from '../src/session/resource-files.ts';
import { strategyNeeds } from '../src/session/retriever-needs.ts';
import { embeddings, ModelServer } from './providers-server.ts';
import {
  allowOrigin,
  argv,
  DEMO_CORPUS,
  demoDataSet,
  freshFolder,
  printed,
  refuses,
  run,
  succeeds,
} from './running-command.ts';

const SPACE = 'openai-compatible:toy';
const folder = freshFolder();
const checkpoint = (name: string, provenance: Record<string, string>, d = 64): string => {
  const parameters = initialParameters({ d, g: 8, m: 8, nMlp: 1, heads: 1 }, mulberry32(1), 0.1);
  const path = join(folder, name);
  writeFileSync(path, writeCheckpoint({ parameters, provenance }));
  return path;
};
const store = join(folder, 'demo.store');
const model = checkpoint('model.safetensors', { encoder: SPACE });
let server: ModelServer;
before(async () => {
  server = await ModelServer.start(embeddings);
  allowOrigin(server.url);
  await succeeds(argv`ingest ${DEMO_CORPUS} --store ${store} ${embedder()}`);
});
after(() => server.stop());

const embedder = (): string[] => ['--embedder', SPACE, '--base-url', server.url];
const ask = (strategy: string, ...words: string[]): string[] =>
  argv`ask ${'Who won the Fathom Prize?'} --store ${store} --strategy ${strategy} ${words}`;
const updater = (path: string): string[] => ['--query-updater', path];

describe('ask', () => {
  test('searches the space of the model; the sealed trace records the tree', async () => {
    const file = join(folder, 'run.jsonl');
    const { strategy, retriever, hops, evidence } = await printed(
      ask(
        'tree-hop(k=3, hops=2)',
        ...argv`--query-updater ${model} --trace ${file}
        --reader evidence-only`,
      ),
    );
    assert.deepEqual(
      [strategy, retriever, hops.length],
      ['tree-hop(k=3, hops=2, pruning=rank)', `dense(${SPACE}, unit=passage)`, 2],
    );
    const [{ vector, from }] = hops[1].searches;
    assert.deepEqual([vector.from, from.hop], ['tree-hop', 0]);
    await succeeds(['verify-trace', file]);
    assert.match((await succeeds(['replay', file])).out, /\(by vector\)/);
    const text = readFileSync(file, 'utf8');
    const { events } = verifyTrace(text, sha256);
    const tree = passageTree(events.flatMap(event => (event.type === 'hop' ? [event.hop] : [])));
    assert.equal(tree.filter(({ hop, expanded }) => hop === 0 && expanded).length, 3);
    const kept = tree.filter(({ rejected }) => rejected === undefined).map(({ id }) => id);
    assert.deepEqual(
      kept,
      evidence.map(({ id }: { id: string }) => id),
    );
    assert.ok(kept.length >= 3);
    const identified = `"query-updater":{"tree-hop":"sha256:${sha256(readFileSync(model))}"`;
    assert.ok(text.split('\n', 1)[0]!.includes(identified));
  });

  test('the text output shows the origin of each vector', async () => {
    const { err } = await succeeds(ask('tree-hop(k=2)', ...updater(model), '--verbose'));
    assert.match(err, /a vector of tree-hop, from \S+/);
  });

  test('several models are distinguished by name', async () => {
    const models = [...updater(`one=${model}`), ...updater(`other=${model}`)];
    const { strategy } = await printed(ask('tree-hop(model=other)', ...models));
    assert.equal(strategy, 'tree-hop(k=5, hops=2, pruning=rank, model=other)');
  });

  test('the shipped model is used for every name of it, and for no other name', async () => {
    const shipped = 'tree-hop bge-small-en-v1.5';
    for (const [name, opened] of [
      ['tree-hop', [shipped]],
      ['tree-hop(k=3, model=tree-hop)', [shipped]],
      ['context=whole; strategy=tree-hop(k=5); retriever=reranked(lexical, model=some)', [shipped]],
      ['fixed-top-k', []],
      ['tree-hop(model=mine)', []],
      ['strategy=fixed-top-k; retriever=dense(tree-hop)', []],
      ['nothing(', []],
    ] as const) {
      const files = await openResourceFiles({}, strategyNeeds([name]));
      const updaters = files.map(({ resource }) => resource as QueryUpdater);
      assert.deepEqual(
        updaters.map(({ id, space }) => `${id} ${space}`),
        opened,
        name,
      );
    }
  });

  const inSpace = ['--retriever', `dense(${SPACE}, unit=passage)`];
  const other = (): string[] => updater(checkpoint('other.safetensors', { encoder: 'other' }));
  for (const [what, strategy, words, says] of [
    ['no model of its name', 'tree-hop(model=mine)', () => [], /--query-updater mine=FILE/],
    [
      'a tree without pruning that would grow beyond the bound',
      'tree-hop(k=2, hops=50, pruning=off)',
      () => updater(model),
      /2 to the power of 50/,
    ],
    [
      'the shipped model without vectors of its embedder',
      'tree-hop',
      () => [],
      /bge-small-en-v1\.5/,
    ],
    [
      'the shipped model in another space',
      'tree-hop',
      () => inSpace,
      /trained for the vector space "bge-small-en-v1\.5".*"openai/s,
    ],
    [
      'a model in another space',
      'tree-hop',
      () => [...other(), ...inSpace],
      /trained for the vector space "other".*"openai-compatible:toy"/s,
    ],
    [
      'a checkpoint without its encoder',
      'tree-hop',
      () => updater(checkpoint('bare', {})),
      /which embedder/,
    ],
    ['a missing file', 'tree-hop', () => updater(join(folder, 'missing')), /cannot be read/],
    ['a file that is no checkpoint', 'tree-hop', () => updater(DEMO_CORPUS), /corpus\.jsonl/],
    [
      'two models of one name',
      'tree-hop',
      () => [...updater(model), ...updater(model)],
      /one=FILE/,
    ],
  ] as const)
    test(`refuses ${what} before anything is begun`, async () => {
      const trace = join(folder, 'refused.jsonl');
      const { code, err } = await run(ask(strategy, '--trace', trace, ...words()));
      assert.notEqual(code, 0);
      assert.match(err, says);
      assert.ok(!existsSync(trace));
    });

  test('refuses a model with other dimensions than its space', async () => {
    const wide = checkpoint('wide', { encoder: SPACE }, 16);
    const { code, err } = await run(ask('tree-hop', ...updater(wide)));
    assert.notEqual(code, 0);
    assert.match(err, /expected 16 dimensions.*received 64 dimensions/);
  });
});

describe('eval', () => {
  test('hops 1, 2 and 3 are three rows; recall does not fall, K grows, and hop 1 equals plain top-k', async () => {
    const out = join(folder, 'results');
    const data = demoDataSet(folder);
    const read: EvaluationResult = await printed(argv`eval multihop-rag ${data}
      --strategy ${'tree-hop(k=3, hops=1)'} --strategy ${'tree-hop(k=3, hops=2)'}
      --strategy ${'tree-hop(k=3, hops=3)'}
      --row ${`strategy=fixed-top-k(k=3); retriever=dense(${SPACE})`}
      --measure EvidenceRecall@100 --measure Documents --measure Retrievals
      --query-updater ${model} --out ${out} ${embedder()}`);
    assert.deepEqual(
      read.rows.map(({ strategy, retriever }) => [strategy, retriever]),
      [
        ...[1, 2, 3].map(hops => `tree-hop(k=3, hops=${hops}, pruning=rank)`),
        'fixed-top-k(k=3)',
      ].map(name => [name, `dense(${SPACE})`]),
    );
    const of = (name: string): number[] => read.rows.map(({ measures }) => measures[name]!.mean!);
    const [recall, k, searches] = [of('EvidenceRecall@100'), of('Documents'), of('Retrievals')];
    assert.deepEqual([k[0], searches[0]], [k[3], searches[3]]);
    assert.ok(k[0]! < k[1]! && k[1]! < k[2]!, `${k}`);
    assert.ok(recall[0]! <= recall[1]! && recall[1]! <= recall[2]!, `${recall}`);
    assert.deepEqual(resourcesIn(read.manifest, 'query-updater'), {
      'tree-hop': `sha256:${sha256(readFileSync(model))}`,
    });
    const again: EvaluationResult = await printed(argv`replay ${out} --dataset multihop-rag ${data}
      --measure Documents`);
    assert.deepEqual(
      again.rows.map(({ measures }) => measures['Documents']!.mean),
      k,
    );
  });

  test('a row without a model is refused before any file is read', () =>
    refuses(
      argv`eval multihop-rag --corpus none --questions none --strategy tree-hop(model=mine)`,
      /--query-updater/,
    ));
});
