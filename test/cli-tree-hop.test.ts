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
  type Result,
  refuses,
  run,
  succeeds,
} from './running-command.ts';

const SPACE = 'openai-compatible:toy';
let server: ModelServer;
let folder = '';
let store = '';
let model = '';
const checkpoint = (name: string, provenance: Record<string, string>, d = 64): string => {
  const parameters = initialParameters({ d, g: 8, m: 8, nMlp: 1, heads: 1 }, mulberry32(1), 0.1);
  const path = join(folder, name);
  writeFileSync(path, writeCheckpoint({ parameters, provenance }));
  return path;
};
const good = async (...words: string[]): Promise<Result> => {
  const result = await succeeds(words);
  return result;
};

before(async () => {
  folder = freshFolder();
  store = join(folder, 'demo.store');
  model = checkpoint('model.safetensors', { encoder: SPACE });
  server = await ModelServer.start(embeddings);
  allowOrigin(server.url);
  await good('ingest', DEMO_CORPUS, '--store', store, ...embedder());
});
after(() => server.stop());

const embedder = (): string[] => ['--embedder', SPACE, '--base-url', server.url];

const QUESTION = 'Who won the Fathom Prize?';
const ask = (...words: string[]): string[] => ['ask', QUESTION, '--store', store, ...words];

describe('ask', () => {
  test('searches the space of the model; the sealed trace records the tree', async () => {
    const file = join(folder, 'run.jsonl');
    const result = await good(
      ...ask(
        ...argv`--strategy ${'tree-hop(k=3, hops=2)'} --query-updater ${model}
      --trace ${file} --reader evidence-only --json`,
      ),
    );
    const { strategy, retriever, hops, evidence } = JSON.parse(result.out);
    assert.deepEqual(
      [strategy, retriever],
      ['tree-hop(k=3, hops=2, pruning=rank)', `dense(${SPACE}, unit=passage)`],
    );
    assert.equal(hops.length, 2);
    assert.ok(evidence.length >= 3);
    assert.equal(hops[1].searches[0].vector.from, 'tree-hop');
    assert.equal(hops[1].searches[0].from.hop, 0);
    await good('verify-trace', file);
    assert.match((await good('replay', file)).out, /\(by vector\)/);
    const lines = readFileSync(file, 'utf8').split('\n');
    const { events } = verifyTrace(lines.join('\n'), text => sha256(text));
    const read = events.flatMap(event => (event.type === 'hop' ? [event.hop] : []));
    const tree = passageTree(read);
    assert.equal(tree.filter(({ hop, expanded }) => hop === 0 && expanded).length, 3);
    assert.deepEqual(
      tree.filter(({ rejected }) => rejected === undefined).map(({ id }) => id),
      evidence.map(({ id }: { id: string }) => id),
    );
    assert.match(
      lines[0]!,
      new RegExp(`"query-updater":\\{"tree-hop":"sha256:${sha256(readFileSync(model))}"`),
    );
  });

  test('the text output shows the origin of each vector', async () => {
    const result = await succeeds(
      ask('--strategy', 'tree-hop(k=2)', '--query-updater', model, '--verbose'),
    );
    assert.match(result.err, /a vector of tree-hop, from \S+/);
  });

  test('several models are distinguished by name', async () => {
    const words = ['--query-updater', `one=${model}`, '--query-updater', `other=${model}`];
    const result = await good(...ask('--strategy', 'tree-hop(model=other)', ...words, '--json'));
    assert.equal(
      JSON.parse(result.out).strategy,
      'tree-hop(k=5, hops=2, pruning=rank, model=other)',
    );
  });

  const refused = async (code: RegExp, ...words: string[]): Promise<void> => {
    const trace = join(folder, 'refused.jsonl');
    const result = await run(ask('--trace', trace, ...words));
    assert.notEqual(result.code, 0);
    assert.match(result.err, code);
    assert.ok(!existsSync(trace), 'nothing was begun');
  };
  const TREE = ['--strategy', 'tree-hop'];
  test('without a model of that name the error says how to get one', () =>
    refused(/--query-updater mine=FILE/, '--strategy', 'tree-hop(model=mine)'));
  test('a tree without pruning that would grow beyond the bound is refused', () =>
    refused(
      /2 to the power of 50/,
      '--strategy',
      'tree-hop(k=2, hops=50, pruning=off)',
      '--query-updater',
      model,
    ));
  test('the shipped model is used for every name of it, and for no other name', async () => {
    const names = async (...asked: string[]): Promise<string[]> =>
      (await openResourceFiles({}, strategyNeeds(asked))).map(({ resource }) => {
        const { id, space } = resource as QueryUpdater;
        return `${id} ${space}`;
      });
    for (const asked of [
      'tree-hop',
      'tree-hop(k=3, model=tree-hop)',
      'context=whole; strategy=tree-hop(k=5); retriever=reranked(lexical, model=some)',
    ])
      assert.deepEqual(await names(asked), ['tree-hop bge-small-en-v1.5'], asked);
    assert.deepEqual(
      await names(
        'fixed-top-k',
        'tree-hop(model=mine)',
        'strategy=fixed-top-k; retriever=dense(tree-hop)',
        'nothing(',
      ),
      [],
    );
  });
  test('the shipped model needs vectors of its embedder, and the error says so', () =>
    refused(/bge-small-en-v1\.5/, ...TREE));
  test('the shipped model is refused for another space, and the error names both', () =>
    refused(
      /trained for the vector space "bge-small-en-v1\.5".*"openai/s,
      ...TREE,
      '--retriever',
      `dense(${SPACE}, unit=passage)`,
    ));
  test('another space is refused, and the error names both', () =>
    refused(
      /trained for the vector space "other".*"openai-compatible:toy"/s,
      ...TREE,
      '--query-updater',
      checkpoint('other.safetensors', { encoder: 'other' }),
      '--retriever',
      `dense(${SPACE})`,
    ));
  test('a checkpoint without its encoder is refused', () =>
    refused(/which embedder/, ...TREE, '--query-updater', checkpoint('bare', {})));
  test('a missing file and a file that is no checkpoint are refused', async () => {
    await refused(/cannot be read/, ...TREE, '--query-updater', join(folder, 'missing'));
    await refused(/demo.corpus|corpus\.jsonl/, ...TREE, '--query-updater', DEMO_CORPUS);
  });
  test('two models of one name are refused', () =>
    refused(/one=FILE/, ...TREE, '--query-updater', model, '--query-updater', model));
  test('a model with other dimensions than its space is refused', async () => {
    const result = await run(
      ask(...TREE, '--query-updater', checkpoint('wide', { encoder: SPACE }, 16)),
    );
    assert.notEqual(result.code, 0);
    assert.match(result.err, /expected 16 dimensions.*received 64 dimensions/);
  });
});

describe('eval', () => {
  test('hops 1, 2 and 3 are three rows; recall does not fall, K grows, and hop 1 equals plain top-k', async () => {
    const out = join(folder, 'results');
    const words = argv`eval multihop-rag ${demoDataSet(folder)}`;
    const rows = [1, 2, 3].flatMap(hops => ['--strategy', `tree-hop(k=3, hops=${hops})`]);
    const plain = ['--row', `strategy=fixed-top-k(k=3); retriever=dense(${SPACE})`];
    const measures = ['EvidenceRecall@100', 'Documents', 'Retrievals'].flatMap(name => [
      '--measure',
      name,
    ]);
    const result = await good(
      ...words,
      ...rows,
      ...plain,
      ...measures,
      ...argv`--query-updater ${model} --out ${out} ${embedder()} --json`,
    );
    const read = JSON.parse(result.out) as EvaluationResult;
    assert.deepEqual(
      read.rows.map(({ strategy, retriever }) => [strategy, retriever]),
      [
        ...[1, 2, 3].map(hops => `tree-hop(k=3, hops=${hops}, pruning=rank)`),
        'fixed-top-k(k=3)',
      ].map(name => [name, `dense(${SPACE})`]),
    );
    const of = (name: string): number[] =>
      read.rows.map(({ measures: values }) => values[name]!.mean!);
    const [recall, k, searches] = [of('EvidenceRecall@100'), of('Documents'), of('Retrievals')];
    assert.deepEqual([k[0], searches[0]], [k[3], searches[3]]);
    assert.ok(k[0]! < k[1]! && k[1]! < k[2]!, `${k}`);
    assert.ok(recall[0]! <= recall[1]! && recall[1]! <= recall[2]!, `${recall}`);
    assert.deepEqual(resourcesIn(read.manifest ?? {}, 'query-updater'), {
      'tree-hop': `sha256:${sha256(readFileSync(model))}`,
    });
    const again = await good(
      ...argv`replay ${out} --dataset multihop-rag ${words.slice(2)} --measure
      Documents --json`,
    );
    assert.deepEqual(
      (JSON.parse(again.out) as EvaluationResult).rows.map(
        ({ measures: values }) => values['Documents']!.mean,
      ),
      k,
    );
  });

  test('a row without a model is refused before any file is read', async () => {
    await refuses(
      argv`eval multihop-rag --corpus none --questions none
      --strategy tree-hop(model=mine)`,
      /--query-updater/,
    );
  });
});
