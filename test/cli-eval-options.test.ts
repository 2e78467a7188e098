/** Tests `multihop eval` with a sample of questions, a text template and retriever costs. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { freeCall } from '../src/core/trace/call.ts';
import type { EvaluationResult } from '../src/evaluation/run.ts';
import { hashedEmbedder } from '../src/testing/hashed-embedder.ts';
import { json, ModelServer, type Play, sound } from './providers-server.ts';
import {
  argv,
  demoDataSet,
  freshFolder,
  PACKAGE,
  printed,
  refuses,
  start,
  succeeds,
} from './running-command.ts';

const files = demoDataSet(freshFolder());
const evaluating = (...words: string[]): string[] => argv`eval multihop-rag ${files} ${words}`;
const MEASURED = argv`--measure EvidenceRecall --measure Documents`;
const evaluate = (...words: string[]): Promise<EvaluationResult> =>
  printed(evaluating(...words, ...MEASURED));
/** A process of its own holds nothing of earlier tests, which would be freed while it measures. */
async function evaluateApart(...words: string[]): Promise<EvaluationResult> {
  const { code, out, err } = await start(evaluating(...words, ...MEASURED, '--json')).result;
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

describe('--sample', () => {
  /** Returns the ids of the evaluated questions, from the folder of results. */
  async function asked(...words: string[]): Promise<string[]> {
    const out = freshFolder();
    await evaluate(...words, '--out', out);
    return JSON.parse(readFileSync(join(out, 'scores.json'), 'utf8')).questions;
  }

  test('draws the same questions each time for any rows, and others for another seed', async () => {
    const first = await asked(...argv`--sample 12 --strategy fixed-top-k`);
    assert.equal(new Set(first).size, 12);
    const rows = argv`--strategy slot-agent --retriever hybrid --retriever lexical`;
    assert.deepEqual(await asked('--sample', '12', ...rows), first);
    const seeded = await asked(...argv`--sample 12 --seed 7 --strategy fixed-top-k`);
    assert.notDeepEqual(seeded, first);
    const larger = await asked(...argv`--sample 30 --strategy fixed-top-k`);
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
    ['--sample 43', /from 1 to 42, the number of questions, received 43/],
    ['--sample 0', /--sample/],
    ['--sample ten', /--sample/],
    ['--sample 4 --limit 4', /--sample or --limit/],
    ['--seed 4', /--sample N beside --seed/],
    ['--template titel-context', /Did you mean title-context/],
    [
      '--cost 3 --embedder openai-compatible:toy --base-url http://127.0.0.1:1',
      /--cache DIR or --out DIR/,
    ],
  ] as const)
    test(`${words} is refused with the expected values`, () =>
      refuses(evaluating(...words.split(' ')), says));
});

describe('with models', () => {
  const wide = hashedEmbedder('wide', 300);
  const served: Play = async (response, about) => {
    if (about.body.model !== 'wide') return sound(response, about);
    const vectors = await wide.embed(about.body.input, 'passage', freeCall());
    const data = vectors.map((vector, index) => ({ index, embedding: [...vector] }));
    return json({ data })(response, about);
  };
  let server: ModelServer;
  const cache = freshFolder();
  before(async () => {
    server = await ModelServer.start(served);
  });
  after(() => server.stop());
  beforeEach(() => server.reset());
  const models = (): string[] => argv`--embedder openai-compatible:toy --base-url ${server.url}
    --reranker-url ${server.url} --cache ${cache}`;
  const DENSE = 'dense(openai-compatible:toy)';
  const WIDE = 'dense(openai-compatible:wide, unit=sentence)';
  const texts = (): string[] => server.requests.flatMap(({ body }) => body.input ?? []);

  test('the embedder reads texts in the template, which the manifest records', async () => {
    const dense = argv`--retriever ${DENSE} ${models()}`;
    const { manifest } = await evaluate(...dense, '--template', 'title-context');
    assert.equal(manifest['template'], 'title-context');
    assert.ok(texts().some(text => /^Title: .*\n(?:Source: .*\n)?Context: /.test(text)));
    assert.equal((await evaluate(...dense)).manifest['template'], 'header');
    assert.equal('template' in (await evaluate('--retriever', 'lexical')).manifest, false);
  });

  test('--cost calls models for every query again, and for no known passage', async () => {
    const reranked = 'reranked(lexical, tei:toy, depth=4)';
    // The strategy searches by the same retriever, so its passages are in the cache.
    const words = argv`--strategy fixed-top-k --retriever ${DENSE} --retriever ${reranked}
      --sample 5 ${models()}`;
    assert.equal('costs' in (await evaluate(...words)), false);
    server.reset();
    const { costs } = await evaluate(...words, '--cost', '5');
    assert.deepEqual(
      costs!.map(({ retriever, questions }) => [retriever, questions]),
      [
        [DENSE, 5],
        [reranked, 5],
      ],
    );
    for (const { milliseconds, cpuMilliseconds, residentBytes } of costs!) {
      assert.ok(milliseconds.p50 > 0 && milliseconds.p95 >= milliseconds.p50);
      assert.ok(cpuMilliseconds > 0);
      assert.equal(residentBytes, undefined);
    }
    // Three warm up and five are timed; the same eight once more, of which one a question, for the
    // reranker. Each embedder is asked once for its dimensions.
    assert.equal(server.requests.filter(({ url }) => url.endsWith('/rerank')).length, 8);
    assert.ok(texts().length >= 8 && texts().length <= 11, `${texts().length} texts`);
  });

  const costsOf = async (...retrievers: string[]): Promise<EvaluationResult['costs'] & object> => {
    const words = retrievers.flatMap(retriever => ['--retriever', retriever]);
    const wider = argv`${models()} --embedder openai-compatible:wide --limit 3 --cost 3`;
    return (await evaluateApart(...words, ...wider)).costs!;
  };

  test('the memory of a retriever grows with its vectors; memory of the process is printed for a single one', async () => {
    const [documents] = await costsOf(DENSE);
    // Half a megabyte of vectors: far more than what a garbage collection leaves by chance.
    const [sentences] = await costsOf(WIDE);
    const [less, more] = [documents!.heapBytes, sentences!.heapBytes];
    assert.ok(more > less, `${more}, ${less}`);
    assert.equal(typeof documents!.residentBytes, 'number');
  });

  test('the memory of a retriever does not count what the one before it lets go', async () => {
    const [vectors, lexical] = (await costsOf(WIDE, 'lexical')).map(({ heapBytes }) => heapBytes);
    assert.ok(vectors! > 0 && lexical! > -vectors! / 2, `${vectors}, ${lexical}`);
  });

  test('a report shows costs, and that times may include a cache', async () => {
    const { out } = await succeeds(
      evaluating(
        ...argv`--retriever ${DENSE} --limit 3 --cost 2
      --strategy fixed-top-k ${models()} --measure Milliseconds`,
      ),
    );
    assert.match(out, /What one search costs/);
    assert.match(out, /may have come from a cache/);
  });
});

test('--filters prints the number of questions without a filter in the file', async () => {
  const questions: { query: string }[] = JSON.parse(
    readFileSync(join(PACKAGE, 'demo', 'questions.json'), 'utf8'),
  );
  const filters = join(freshFolder(), 'filters.json');
  const words = evaluating(
    ...argv`--limit 3 --strategy multi-meta-rag(extractor=replayed)
    --measure Documents --filters ${filters}`,
  );
  for (const [known, message] of [
    [1, /warning: 2 of 3 questions have no recorded filter/],
    [3, /^(?!.*has no filter)/s],
  ] as const) {
    const recorded = questions.slice(0, known).map(({ query }) => ({ query, filter: {} }));
    writeFileSync(filters, JSON.stringify(recorded));
    assert.match((await succeeds(words)).err, message);
  }
});
