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
import { embeddings, json, ModelServer, type Play } from './providers-server.ts';
import { argv, DEMO_CORPUS, demoDataSet, freshFolder, run, succeeds } from './running-command.ts';

/** Serves `/rerank` of Text Embeddings Inference, with higher scores for shorter texts. */
const served: Play = (response, asked) => {
  if (!asked.url.endsWith('/rerank')) return embeddings(response, asked);
  const { texts } = asked.body as unknown as { texts: string[] };
  return json(texts.map((text, index) => ({ index, score: -text.length })))(response, asked);
};

const QUESTION = 'Who runs the ferry, and what did the harbour board say about it?';
const STRATEGY = 'longrag-dual(mode=extractor-filter, k=2, candidates=3, reranker=tei:toy)';
let server: ModelServer;
let folder = '';
let store = '';
let files: string[] = [];
before(async () => {
  server = await ModelServer.start(served);
  folder = freshFolder();
  store = join(folder, 'demo.store');
  files = demoDataSet(folder);
  await succeeds(['ingest', DEMO_CORPUS, '--store', store, '--json']);
});
after(() => server.stop());
beforeEach(() => server.reset());

const pairs = (): number =>
  server.requests.flatMap(({ body }) => (body as unknown as { texts?: string[] }).texts ?? [])
    .length;
const good = async (...words: string[]): Promise<string> => {
  const result = await succeeds(words);
  return result.out;
};
interface Asked {
  readonly spent: { readonly rerankedPairs?: number };
}

describe('ask', () => {
  const ask = async (strategy: string, ...words: string[]): Promise<Asked> =>
    JSON.parse(
      await good(
        'ask',
        QUESTION,
        '--store',
        store,
        '--strategy',
        strategy,
        '--reranker-url',
        server.url,
        '--json',
        ...words,
      ),
    );

  test('counts the pairs of a run, and the same number if the store caches their scores', async () => {
    const words = ['--retriever', 'reranked(lexical(unit=passage), tei:toy, depth=7)'];
    const first = await ask('fixed-top-k', ...words);
    assert.deepEqual([first.spent.rerankedPairs, pairs()], [7, 7]);
    assert.equal((await ask('fixed-top-k', ...words)).spent.rerankedPairs, 7);
    assert.equal(pairs(), 7);
    const shown = await good(
      'ask',
      QUESTION,
      '--store',
      store,
      '--strategy',
      'fixed-top-k',
      ...words,
      '--reranker-url',
      server.url,
    );
    assert.match(shown, /1 search, 7 reranked pairs, \d+ documents/);
    const own = await ask(STRATEGY);
    // The server gets no pair that the store caches.
    assert.ok(
      own.spent.rerankedPairs === 3 && pairs() - 7 <= 3,
      `${own.spent.rerankedPairs} pairs`,
    );
    const known = pairs();
    assert.deepEqual(
      [(await ask(STRATEGY)).spent.rerankedPairs, pairs()],
      [own.spent.rerankedPairs, known],
    );
  });

  test('opens the rerankers of the strategy and of the retriever, and the trace identifies each', async () => {
    const trace = join(folder, 'run.jsonl');
    await ask(
      'longrag-dual(reranker=tei:own)',
      '--retriever',
      'reranked(lexical, tei:toy, depth=4)',
      '--trace',
      trace,
    );
    const [line] = readFileSync(trace, 'utf8').split('\n', 1);
    assert.match(line!, /"reranker":\{"tei:toy":"tei:toy","tei:own":"tei:own"\}/);
    await ask(STRATEGY, '--retriever', 'reranked(lexical, tei:toy, depth=4)', '--trace', trace);
    assert.match(readFileSync(trace, 'utf8'), /"reranker":\{"tei:toy":"tei:toy"\}/);
  });

  test('a budget limits pairs, and refuses unknown limits', async () => {
    const words = argv`--retriever ${'reranked(lexical, tei:toy, depth=4)'}
      --reranker-url ${server.url}`;
    const cut = await run(argv`ask ${QUESTION} --store ${store} --strategy fixed-top-k
      ${words} --budget reranked-pairs=3`);
    assert.deepEqual([cut.code, pairs()], [3, 0], cut.err);
    assert.match(cut.out, /Stopped by the limit on reranked-pairs/);
    const unknown = await run(['ask', QUESTION, '--store', store, '--budget', 'reranked-pair=3']);
    assert.match(unknown.err, /Did you mean reranked-pairs\?/);
  });

  test('a reranker that cannot be opened is an error before any work', async () => {
    const nowhere = await run(['ask', QUESTION, '--store', store, '--strategy', STRATEGY]);
    assert.deepEqual([nowhere.code, /--reranker-url/.test(nowhere.err)], [2, true], nowhere.err);
    const unknown = await run(argv`ask ${QUESTION} --store ${store}
      --strategy longrag-dual(reranker=ms-marco-minilm)`);
    assert.deepEqual([unknown.code, /ms-marco/.test(unknown.err)], [2, true], unknown.err);
  });
});

describe('eval', () => {
  const evaluate = async (...words: string[]): Promise<EvaluationResult> => {
    const usual = argv`--limit 4 --measure RerankedPairs --measure EvidenceRecall
      --reranker-url ${server.url} --json`;
    return JSON.parse(await good('eval', 'multihop-rag', ...files, ...words, ...usual));
  };

  test('opens the rerankers of the rows’ strategies; the manifest identifies them, and a column counts pairs', async () => {
    const rows = argv`--row ${`strategy=${STRATEGY}`}
      --row ${'strategy=fixed-top-k; retriever=reranked(lexical, tei:toy, depth=4)'}`;
    const cache = ['--cache', join(folder, 'cache')];
    const { rows: results, manifest } = await evaluate(...rows, ...cache);
    assert.deepEqual(resourcesIn(manifest, 'reranker'), { 'tei:toy': 'tei:toy' });
    assert.equal(results[1]!.measures['RerankedPairs']!.mean, 4);
    assert.equal(results[0]!.measures['RerankedPairs']!.mean, 3);
    const known = pairs();
    const again = await evaluate(...rows, ...cache);
    assert.deepEqual([again.rows[0]!.measures, pairs()], [results[0]!.measures, known]);
    const without = await evaluate('--strategy', 'fact-lanes');
    assert.deepEqual(
      [
        resourcesIn(without.manifest, 'reranker') !== undefined,
        'RerankedPairs' in without.rows[0]!.measures,
      ],
      [false, false],
    );
  });

  test('without an address the reranker is refused', async () => {
    const { code, err } = await run(['eval', 'multihop-rag', ...files, '--strategy', STRATEGY]);
    assert.deepEqual([code, /--reranker-url/.test(err)], [2, true], err);
  });
});

test('learn opens the rerankers of strategies too', async () => {
  const words = ['multihop-rag', ...files, '--strategy', STRATEGY];
  const refused = await run(['learn', 'support-threshold', ...words]);
  assert.deepEqual([refused.code, /--reranker-url/.test(refused.err)], [2, true], refused.err);
  const learnt = JSON.parse(
    await good('learn', 'support-threshold', ...words, '--reranker-url', server.url, '--json'),
  );
  assert.equal(learnt.strategy, STRATEGY);
});
