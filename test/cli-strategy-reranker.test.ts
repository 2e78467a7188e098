/**
 * Tests a strategy that names a reranker on the command line: opened, cached, counted and recorded
 * in the trace, like those of retrievers.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { resourcesIn } from '../src/core/trace/trace.ts';
import type { EvaluationResult } from '../src/evaluation/run.ts';
import { ModelServer, sound } from './providers-server.ts';
import {
  argv,
  demoDataSet,
  demoStore,
  freshFolder,
  printed,
  refuses,
  run,
  succeeds,
} from './running-command.ts';

const QUESTION = 'Who runs the ferry, and what did the harbour board say about it?';
const STRATEGY = 'longrag-dual(mode=extractor-filter, k=2, candidates=3, reranker=tei:toy)';
let server: ModelServer;
let store = '';
let files: string[] = [];
const folder = freshFolder();
before(async () => {
  server = await ModelServer.start(sound);
  files = demoDataSet(folder);
  store = await demoStore();
});
after(() => server.stop());
beforeEach(() => server.reset());

const pairs = (): number =>
  server.requests.flatMap(({ body }) => (body as unknown as { texts?: string[] }).texts ?? [])
    .length;
const url = (): string[] => ['--reranker-url', server.url];

describe('ask', () => {
  const ask = (strategy: string, ...words: string[]): string[] =>
    argv`ask ${QUESTION} --store ${store} --strategy ${strategy} ${words}`;
  const spent = async (strategy: string, ...words: string[]): Promise<number> =>
    (await printed(ask(strategy, ...words, ...url()))).spent.rerankedPairs;

  test('counts the pairs of a run, and the same number if the store caches their scores', async () => {
    const words = ['--retriever', 'reranked(lexical(unit=passage), tei:toy, depth=7)'];
    for (const _ of ['computed', 'cached'])
      assert.deepEqual([await spent('fixed-top-k', ...words), pairs()], [7, 7]);
    const { out } = await succeeds(ask('fixed-top-k', ...words, ...url()));
    assert.match(out, /1 search, 7 reranked pairs, \d+ documents/);
    // The server gets no pair that the store caches.
    assert.equal(await spent(STRATEGY), 3);
    const known = pairs();
    assert.ok(known - 7 <= 3, `${known} pairs`);
    assert.deepEqual([await spent(STRATEGY), pairs()], [3, known]);
  });

  test('opens the rerankers of the strategy and of the retriever, and the trace identifies each', async () => {
    const trace = join(folder, 'run.jsonl');
    const retrieved = ['--retriever', 'reranked(lexical, tei:toy, depth=4)', '--trace', trace];
    for (const [strategy, says] of [
      ['longrag-dual(reranker=tei:own)', /"reranker":\{"tei:toy":"tei:toy","tei:own":"tei:own"\}/],
      [STRATEGY, /"reranker":\{"tei:toy":"tei:toy"\}/],
    ] as const) {
      await succeeds(ask(strategy, ...retrieved, ...url()));
      assert.match(readFileSync(trace, 'utf8').split('\n', 1)[0]!, says);
    }
  });

  test('a budget limits pairs, and refuses unknown limits', async () => {
    const retrieved = ['--retriever', 'reranked(lexical, tei:toy, depth=4)', ...url()];
    const cut = await run(ask('fixed-top-k', ...retrieved, '--budget', 'reranked-pairs=3'));
    assert.deepEqual([cut.code, pairs()], [3, 0], cut.err);
    assert.match(cut.out, /Stopped by the limit on reranked-pairs/);
    const unknown = ask('fixed-top-k', '--budget', 'reranked-pair=3');
    await refuses(unknown, /Did you mean reranked-pairs\?/);
  });

  test('a reranker that cannot be opened is an error before any work', async () => {
    await refuses(ask(STRATEGY), /--reranker-url/);
    await refuses(ask('longrag-dual(reranker=ms-marco-minilm)'), /ms-marco/);
  });
});

describe('eval', () => {
  const evaluate = (...words: string[]): Promise<EvaluationResult> =>
    printed(argv`eval multihop-rag ${files} ${words} --limit 4 --measure RerankedPairs
      --measure EvidenceRecall ${url()}`);

  test('opens the rerankers of the rows’ strategies; the manifest identifies them, and a column counts pairs', async () => {
    const words = argv`--row strategy=${STRATEGY} --cache ${join(folder, 'cache')}
      --row ${'strategy=fixed-top-k; retriever=reranked(lexical, tei:toy, depth=4)'}`;
    const { rows, manifest } = await evaluate(...words);
    assert.deepEqual(resourcesIn(manifest, 'reranker'), { 'tei:toy': 'tei:toy' });
    assert.deepEqual(
      rows.map(({ measures }) => measures['RerankedPairs']!.mean),
      [3, 4],
    );
    const known = pairs();
    const again = await evaluate(...words);
    assert.deepEqual([again.rows[0]!.measures, pairs()], [rows[0]!.measures, known]);
    const without = await evaluate('--strategy', 'fact-lanes(reranker=none)');
    assert.equal(resourcesIn(without.manifest, 'reranker'), undefined);
    assert.ok(!('RerankedPairs' in without.rows[0]!.measures));
  });

  test('without an address the reranker is refused', () =>
    refuses(argv`eval multihop-rag ${files} --strategy ${STRATEGY}`, /--reranker-url/));
});

test('learn opens the rerankers of strategies too', async () => {
  const words = argv`learn support-threshold multihop-rag ${files} --strategy ${STRATEGY}`;
  await refuses(words, /--reranker-url/);
  assert.equal((await printed([...words, ...url()])).strategy, STRATEGY);
});
