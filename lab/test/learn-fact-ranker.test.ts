/**
 * Tests `learn fact-ranker`: reproducible weights from the demo corpus; later weights are
 * written beside earlier ones.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  type FactRanker,
  RANKER_KINDS,
  readFactRanker,
} from '../../src/models/fact-ranker/fact-ranker.ts';
import { embeddings, ModelServer } from '../../test/providers-server.ts';
import {
  argv,
  demoDataSet,
  freshFolder,
  PACKAGE,
  type Result,
} from '../../test/running-command.ts';
import { runLab } from './running-lab.ts';

let folder = '';
let files: string[] = [];
const QUESTIONS = JSON.parse(
  readFileSync(join(PACKAGE, 'demo', 'questions.json'), 'utf8'),
) as unknown[];
/** Writes the first questions of the demo alone: a fit takes time by their number. */
function firstQuestions(count: number): string {
  const path = join(folder, `${count}.json`);
  writeFileSync(path, JSON.stringify(QUESTIONS.slice(0, count)));
  return path;
}

let server: ModelServer;
before(async () => {
  folder = freshFolder();
  files = argv`${demoDataSet(folder).slice(0, 2)} --questions ${firstQuestions(14)}`;
  server = await ModelServer.start(embeddings);
});
after(() => server.stop());

const DENSE = 'fused(lexical, dense(openai-compatible:toy))';
const embedder = (): string[] => [
  ...['--embedder', 'openai-compatible:toy', '--base-url', server.url],
];

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
  // Kinds that were not learnt have the weights of the learnt kind.
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

  const second = await learn('a.json', '--retriever', DENSE, ...embedder());
  assert.equal(second.code, 0, second.err);
  assert.match(second.out, /weights "vectors"/);
  const merged = read('a.json');
  assert.deepEqual(
    [merged.rankers.words, merged.rankers['open-words']],
    [rankers.words, rankers['open-words']],
  );
  assert.notDeepEqual(merged.rankers.vectors, rankers.vectors);
  assert.deepEqual(
    [Object.keys(merged.provenance).sort(), merged.provenance['words']],
    [['vectors', 'words'], provenance['words']],
  );
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
