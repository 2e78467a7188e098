/** Tests `multihop eval` with a sample of questions, a text template and retriever costs. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { freeCall } from '../src/core/trace/call.ts';
import type { EvaluationResult } from '../src/evaluation/run.ts';
import { hashedEmbedder } from '../src/testing/hashed-embedder.ts';
import { embeddings, json, ModelServer, type Play } from './providers-server.ts';
import {
  argv,
  demoDataSet,
  freshFolder,
  PACKAGE,
  type Result,
  run,
  start,
} from './running-command.ts';

let files: string[] = [];
before(() => {
  files = demoDataSet(freshFolder());
});

const ask = (...words: string[]): Promise<Result> =>
  run(['eval', 'multihop-rag', ...files, ...words]);
const MEASURED = ['--measure', 'EvidenceRecall', '--measure', 'Documents', '--json'];
const evaluate = async (...words: string[]): Promise<EvaluationResult> =>
  resultOf(await ask(...words, ...MEASURED));
/** A process of its own holds nothing of earlier tests, which would be freed while it measures. */
const evaluateApart = async (...words: string[]): Promise<EvaluationResult> =>
  resultOf(await start(['eval', 'multihop-rag', ...files, ...words, ...MEASURED]).result);
function resultOf({ code, out, err }: Result): EvaluationResult {
  assert.equal(code, 0, err);
  return JSON.parse(out) as EvaluationResult;
}

/** Returns the ids of the evaluated questions, from the folder of results. */
async function asked(...words: string[]): Promise<string[]> {
  const out = freshFolder();
  await evaluate(...words, '--out', out);
  return JSON.parse(readFileSync(join(out, 'scores.json'), 'utf8')).questions;
}

describe('--sample', () => {
  test('draws the same questions each time for any rows, and others for another seed', async () => {
    const first = await asked('--sample', '12', '--strategy', 'fixed-top-k');
    assert.equal(new Set(first).size, 12);
    assert.deepEqual(
      await asked(
        ...argv`--sample 12 --strategy slot-agent --retriever hybrid
      --retriever lexical`,
      ),
      first,
    );
    assert.notDeepEqual(
      await asked('--sample', '12', '--seed', '7', '--strategy', 'fixed-top-k'),
      first,
    );
    const larger = await asked('--sample', '30', '--strategy', 'fixed-top-k');
    assert.ok(first.every(id => larger.includes(id)));
  });

  test('the manifest records the sample, and nothing if all questions were used', async () => {
    const { questions, manifest } = await evaluate('--sample', '12', '--seed', '5');
    assert.equal(questions, 12);
    assert.deepEqual(manifest['sample'], {
      questions: 12,
      of: 42,
      seed: 5,
      method: 'simple random without replacement',
      generator: 'mulberry32',
    });
    assert.equal('sample' in (await evaluate('--limit', '12')).manifest, false);
  });

  for (const [words, says] of [
    [['--sample', '43'], /from 1 to 42, the number of questions, received 43/],
    [['--sample', '0'], /--sample/],
    [['--sample', 'ten'], /--sample/],
    [['--sample', '4', '--limit', '4'], /--sample or --limit/],
    [['--seed', '4'], /--sample N beside --seed/],
    [['--template', 'titel-context'], /Did you mean title-context/],
    [
      ['--cost', '3', '--embedder', 'openai-compatible:toy', '--base-url', 'http://127.0.0.1:1'],
      /--cache DIR or --out DIR/,
    ],
  ] as const)
    test(`${words.join(' ')} is refused with the expected values`, async () => {
      const result = await ask(...words);
      assert.equal(result.code, 2, result.err);
      assert.match(result.err, says);
    });
});

describe('with models', () => {
  const wide = hashedEmbedder('wide', 300);
  const served: Play = async (response, about) => {
    if (about.body.model === 'wide') {
      const vectors = await wide.embed(about.body.input, 'passage', freeCall());
      const data = vectors.map((vector, index) => ({ index, embedding: [...vector] }));
      return json({ data })(response, about);
    }
    if (!about.url.endsWith('/rerank')) return embeddings(response, about);
    const { texts } = about.body as unknown as { texts: string[] };
    return json(texts.map((text, index) => ({ index, score: -text.length })))(response, about);
  };
  let server: ModelServer;
  let cache = '';
  before(async () => {
    server = await ModelServer.start(served);
    cache = freshFolder();
  });
  after(() => server.stop());
  beforeEach(() => server.reset());
  const models = (): string[] => [
    ...argv`--embedder openai-compatible:toy --base-url ${server.url}
      --reranker-url ${server.url}`,
    ...['--cache', cache],
  ];
  const WIDE = 'dense(openai-compatible:wide, unit=sentence)';
  const wideModels = (): string[] => [...models(), '--embedder', 'openai-compatible:wide'];
  const texts = (): string[] => server.requests.flatMap(({ body }) => body.input ?? []);
  const DENSE = 'dense(openai-compatible:toy)';

  test('the embedder reads texts in the template, which the manifest records', async () => {
    const { manifest } = await evaluate(
      ...argv`--retriever ${DENSE} ${models()} --template title-context`,
    );
    assert.equal(manifest['template'], 'title-context');
    assert.ok(texts().some(text => /^Title: .*\n(?:Source: .*\n)?Context: /.test(text)));
    assert.equal(
      (await evaluate('--retriever', DENSE, ...models())).manifest['template'],
      'header',
    );
    assert.equal('template' in (await evaluate('--retriever', 'lexical')).manifest, false);
  });

  test('--cost calls models for every query again, and for no known passage', async () => {
    const retrieved = ['--retriever', DENSE, '--retriever', `reranked(lexical, tei:toy, depth=4)`];
    // The strategy searches by the same retriever, so its passages are in the cache.
    const words = ['--strategy', 'fixed-top-k', ...retrieved, '--sample', '5', ...models()];
    const plain = await evaluate(...words);
    assert.equal('costs' in plain, false);
    server.reset();
    const { costs } = await evaluate(...words, '--cost', '5');
    assert.deepEqual(
      costs!.map(({ retriever, questions }) => [retriever, questions]),
      [
        [DENSE, 5],
        ['reranked(lexical, tei:toy, depth=4)', 5],
      ],
    );
    for (const { milliseconds, cpuMilliseconds, residentBytes } of costs!) {
      assert.ok(
        milliseconds.p50 > 0 && milliseconds.p95 >= milliseconds.p50 && cpuMilliseconds > 0,
      );
      assert.equal(residentBytes, undefined);
    }
    // Three warm up and five are timed; the same eight once more, of which one a question, for the
    // reranker. Each embedder is asked once for its dimensions.
    const pairs = server.requests.filter(({ url }) => url.endsWith('/rerank')).length;
    assert.equal(pairs, 8);
    assert.ok(texts().length >= 8 && texts().length <= 11, `${texts().length} texts`);
  });

  test('the memory of a retriever grows with its vectors; memory of the process is printed for a single one', async () => {
    const of = async (retriever: string) =>
      (
        await evaluateApart(
          ...['--retriever', retriever, ...wideModels(), '--limit', '3', '--cost', '3'],
        )
      ).costs![0]!;
    const [documents, sentences] = [
      await of(DENSE),
      // Half a megabyte of vectors: far more than what a garbage collection leaves by chance.
      await of(WIDE),
    ];
    assert.ok(
      sentences.heapBytes > documents.heapBytes,
      `${sentences.heapBytes}, ${documents.heapBytes}`,
    );
    assert.equal(typeof documents.residentBytes, 'number');
  });

  test('the memory of a retriever does not count what the one before it lets go', async () => {
    const retrieved = [WIDE, 'lexical'];
    const { costs } = await evaluateApart(
      ...retrieved.flatMap(retriever => ['--retriever', retriever]),
      ...['--limit', '3', '--cost', '3', ...wideModels()],
    );
    const [vectors, lexical] = costs!.map(({ heapBytes }) => heapBytes);
    assert.ok(vectors! > 0 && lexical! > -vectors! / 2, `${vectors}, ${lexical}`);
  });

  test('a report shows costs, and that times may include a cache', async () => {
    const words = argv`--retriever ${DENSE} --strategy fixed-top-k --limit 3
      ${models()} --measure Milliseconds --cost 2`;
    const result = await ask(...words);
    assert.equal(result.code, 0, result.err);
    assert.match(result.out, /What one search costs/);
    assert.match(result.out, /may have come from a cache/);
  });
});

test('--filters prints the number of questions without a filter in the file', async () => {
  const questions = JSON.parse(readFileSync(join(PACKAGE, 'demo', 'questions.json'), 'utf8')) as {
    query: string;
  }[];
  const words = argv`--limit 3 --strategy multi-meta-rag(extractor=replayed)
      --measure Documents`;
  const filters = join(freshFolder(), 'filters.json');
  for (const [known, message] of [
    [1, /warning: 2 of 3 questions have no recorded filter/],
    [3, /^(?!.*has no filter)/s],
  ] as const) {
    writeFileSync(
      filters,
      JSON.stringify(questions.slice(0, known).map(({ query }) => ({ query, filter: {} }))),
    );
    const { code, err } = await ask(...words, '--filters', filters);
    assert.equal(code, 0, err);
    assert.match(err, message);
  }
});
