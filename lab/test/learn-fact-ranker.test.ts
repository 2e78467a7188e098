/**
 * Tests `learn fact-ranker`: reproducible weights from the demo corpus; later weights are
 * written beside earlier ones.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  type FactRanker,
  RANKER_KINDS,
  readFactRanker,
} from '../../src/models/fact-ranker/fact-ranker.ts';
import { json, ModelServer } from '../../test/providers-server.ts';
import { demoDataSet, freshFolder, PACKAGE, type Result } from '../../test/running-command.ts';
import { runLab } from './running-lab.ts';

let folder = '';
let files: string[] = [];

let server: ModelServer;

before(async () => {
  folder = freshFolder();
  files = demoDataSet(folder);
  // Serves `/rerank` of Text Embeddings Inference, with higher scores for shorter texts.
  server = await ModelServer.start((response, asked) => {
    const { texts } = asked.body as unknown as { texts: string[] };
    return json(texts.map((text, index) => ({ index, score: 3 - text.length / 40 })))(
      response,
      asked,
    );
  });
});
after(() => server.stop());

const learn = (out: string, ...words: readonly string[]): Promise<Result> =>
  runLab(['learn', 'fact-ranker', 'multihop-rag', ...files, '--out', join(folder, out), ...words]);
const read = (name: string): FactRanker =>
  readFactRanker(JSON.parse(readFileSync(join(folder, name), 'utf8')));

interface Learnt {
  readonly rankers: readonly {
    readonly retriever: string;
    readonly kind: string;
    readonly questions: number;
    readonly ranker: {
      readonly heldOut: Record<string, number>;
      readonly folds: readonly { readonly questions: number }[];
    };
  }[];
}

test('writes a file that reads back, holds its provenance, and is the same every time', async () => {
  const result = await learn('a.json', '--retriever', 'lexical', '--json');
  assert.equal(result.code, 0, result.err);
  const [{ retriever, kind, questions, ranker }, ...more] = (JSON.parse(result.out) as Learnt)
    .rankers as [Learnt['rankers'][number]];
  assert.deepEqual([retriever, kind, more], ['lexical', 'words', []]);
  assert.equal(
    ranker.folds.reduce((sum, fold) => sum + fold.questions, 0),
    questions,
  );
  const { rankers, provenance } = read('a.json');
  // Kinds that were not learnt have the weights of the learnt one.
  for (const other of RANKER_KINDS) assert.deepEqual(rankers[other], rankers.words);
  assert.deepEqual(Object.keys(provenance), ['words']);
  const origin = provenance['words'] as Record<string, unknown>;
  assert.match(origin['trainedBy'] as string, /learn fact-ranker$/);
  assert.deepEqual(
    [
      origin['dataset'],
      origin['retriever'],
      origin['questions'],
      origin['folds'],
      origin['heldOut'],
    ],
    ['multihop-rag', 'lexical', questions, 5, ranker.heldOut],
  );
  const text = readFileSync(join(folder, 'a.json'), 'utf8');
  await learn('b.json', '--retriever', 'lexical');
  assert.equal(readFileSync(join(folder, 'b.json'), 'utf8'), text);

  const second = await learn('a.json', '--retriever', 'fused(lexical, dense(lsa))');
  assert.equal(second.code, 0, second.err);
  assert.match(second.out, /weights "lsa"/);
  const merged = read('a.json');
  assert.deepEqual(
    [merged.rankers.words, merged.rankers.vectors],
    [rankers.words, rankers.vectors],
  );
  assert.notDeepEqual(merged.rankers.lsa, rankers.lsa);
  assert.deepEqual(
    [Object.keys(merged.provenance).sort(), merged.provenance['words']],
    [['lsa', 'words'], provenance['words']],
  );
});

test('a reranker: the weight of its scores is learnt from a sample, printed and kept with the other weights', async () => {
  const reads = [
    '--retriever',
    'lexical',
    '--reranker',
    'tei:toy',
    '--reranker-url',
    server.url,
    '--sample',
    '12',
  ];
  const { code, out, err } = await learn('reread.json', ...reads);
  assert.equal(code, 0, err);
  assert.match(
    out,
    /of 12 questions tei:toy read \d+\.\d pairs each:\n {4}without it FactRecall .*\n {4}with it {4}FactRecall .*/,
  );
  assert.match(out, /fitted on all: packing \{.*\}, reread \{"score":/);
  const { rankers, provenance } = read('reread.json');
  assert.deepEqual(Object.keys(rankers.words.reread!), ['score', 'answer', 'read']);
  const { reread } = provenance['words'] as { reread: Record<string, unknown> };
  assert.deepEqual([reread['reranker'], reread['questions']], ['tei:toy', 12]);
  assert.ok(server.requests.length >= 12);
});

test('refuses a reranker that cannot be opened, and a sample without a reranker, before any work', async () => {
  const { code, err } = await learn('none.json', '--reranker', 'tei:toy');
  assert.deepEqual([code, /--reranker-url/.test(err)], [2, true], err);
  for (const words of [
    ['--sample', '12'],
    ['--reranker', 'tei:toy', '--reranker-url', server.url, '--seed', '1'],
  ]) {
    const refused = await learn('none.json', ...words);
    assert.deepEqual(
      [refused.code, /--reranker MODEL|--sample N/.test(refused.err)],
      [2, true],
      refused.err,
    );
  }
  assert.equal(existsSync(join(folder, 'none.json')), false);
});

test('a file that is no ranker is refused before any work, and left unchanged', async () => {
  for (const text of ['{"format": "something else"}', 'no JSON', '']) {
    writeFileSync(join(folder, 'other.json'), text);
    const { code, err } = await learn('other.json', '--retriever', 'lexical');
    assert.equal(code, 2, err);
    assert.match(err, /other\.json|Not a fact ranker/);
    assert.equal(readFileSync(join(folder, 'other.json'), 'utf8'), text);
  }
});

test('too few questions with facts are refused', async () => {
  const questions = JSON.parse(
    readFileSync(join(PACKAGE, 'demo', 'questions.json'), 'utf8'),
  ) as unknown[];
  writeFileSync(join(folder, 'few.json'), JSON.stringify(questions.slice(0, 4)));
  const few = ['--corpus', join(folder, 'corpus.json'), '--questions', join(folder, 'few.json')];
  const out = join(folder, 'few-weights.json');
  const { code, err } = await runLab([
    'learn',
    'fact-ranker',
    'multihop-rag',
    ...few,
    '--retriever',
    'lexical',
    '--out',
    out,
  ]);
  assert.equal(code, 2, err);
  assert.match(err, /4 questions.*at least 5/s);
  assert.equal(existsSync(out), false);
});
