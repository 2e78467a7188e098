/**
 * Tests `efficient-rag`: its data, reproducible training, and questions answered with the
 * trained classifiers.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { mulberry32 } from '../../src/core/mulberry32.ts';
import { readLite } from '../../src/models/efficient-rag/lite-checkpoint.ts';
import { argv, DEMO_CORPUS, freshFolder, run } from '../../test/running-command.ts';
import { runLab } from './running-lab.ts';

const folder = freshFolder();
const random = mulberry32(5);
const name = (): string => {
  const letters = Array.from({ length: 7 }, () =>
    String.fromCharCode(97 + Math.floor(random() * 26)),
  ).join('');
  return letters[0]!.toUpperCase() + letters.slice(1);
};

/** Invented films, directors and their towns, in the layout of 2WikiMultiHopQA. */
function trainFile(count = 40): string {
  const facts = Array.from({ length: count }, () => ({
    film: `${name()} ${name()}`,
    director: `${name()} ${name()}`,
    town: name(),
  }));
  const paragraphs = facts.map(({ film, director, town }) => [
    [film, [`${film} is a film directed by ${director}.`, 'It was shot in colour.']],
    [director, [`${director} is a director who was born in ${town}.`, 'The career lasted long.']],
  ]);
  const records = facts.map(({ film, director, town }, at) => ({
    _id: `q${at}`,
    type: 'compositional',
    question: `Where was the director of film ${film} born?`,
    answer: town,
    supporting_facts: [
      [film, 0],
      [director, 0],
    ],
    evidences: [
      [film, 'director', director],
      [director, 'place of birth', town],
    ],
    context: [0, 1, 2, 3].flatMap(step => paragraphs[(at + step) % count]!),
  }));
  const path = join(folder, '2wiki_train.jsonl');
  writeFileSync(path, records.map(record => `${JSON.stringify(record)}\n`).join(''));
  return path;
}

const data = trainFile();
const out = join(folder, 'lite.json');
const training = (path: string, ...more: string[]): string[] => argv`efficient-rag
      train --data ${data} --out ${path} --folds 2 ${more}`;

test('data: counts the training examples', async () => {
  const { code, out: printed } = await runLab(['efficient-rag', 'data', '--data', data]);
  assert.equal(code, 0);
  assert.match(printed, /40 questions over 80 distinct paragraphs/);
  assert.match(
    printed,
    /2wiki compositional +40 questions +80 queries, 80 gold chunks \(80 with marked words\), 40 sentences/,
  );
  const { out: json } = await runLab(['efficient-rag', 'data', '--data', data, '--json']);
  assert.deepEqual(
    (({ questions, paragraphs }) => [questions, paragraphs])(
      JSON.parse(json) as { questions: number; paragraphs: number },
    ),
    [40, 80],
  );
});

describe('train', () => {
  let first: Awaited<ReturnType<typeof runLab>>;
  before(async () => {
    first = await runLab(training(out, '--json'));
  });

  test('writes a checkpoint with its provenance and its figures on held-out questions', () => {
    assert.equal(first.code, 0, first.err);
    const text = readFileSync(out, 'utf8');
    const { provenance } = readLite(JSON.parse(text));
    assert.ok(!text.includes(folder), 'no folder of this machine');
    assert.match(
      JSON.stringify(provenance['files']),
      /^\[\{"name":"2wiki_train\.jsonl","sha256":"[0-9a-f]{64}"\}\]$/,
    );
    const { heldOut, parameters } = JSON.parse(first.out) as {
      heldOut: { dataset: string; questions: number; recall: number; directAtMeanK: number }[];
      parameters: number;
    };
    assert.ok(parameters < 100_000);
    const all = heldOut.at(-1)!;
    assert.deepEqual([all.dataset, all.questions], ['all', 40]);
    assert.ok(all.recall > 0.9, `recall ${all.recall}`);
    assert.ok(all.recall > all.directAtMeanK, 'better than one search at equal K');
  });

  test('the same data and seed give the same bytes', async () => {
    const again = join(folder, 'again.json');
    const { code, out: printed } = await runLab(training(again));
    assert.equal(code, 0);
    assert.match(printed, /again\.json: [\d,]+ weights/);
    assert.match(printed, /direct at the mean K/);
    assert.equal(readFileSync(again, 'utf8'), readFileSync(out, 'utf8'));
  });

  test('the trained classifiers answer under their name', async () => {
    const corpus = join(folder, 'corpus.jsonl');
    const facts = [
      ['Iron Lantern', 'Iron Lantern is a film directed by Marta Quellen.'],
      ['Marta Quellen', 'Marta Quellen is a director who was born in Tarn.'],
      ['Red Vale', 'Red Vale is a film directed by Pia Sol.'],
    ];
    writeFileSync(
      corpus,
      facts.map(([title, text]) => `${JSON.stringify({ id: title, title, text })}\n`).join(''),
    );
    const store = join(folder, 'store');
    await run(['ingest', corpus, '--store', store]);
    const ask = argv`ask ${'Where was the director of film Iron Lantern born?'} --store
      ${store} --reader evidence-only --json`;
    const { out: printed, err } = await run(argv`${ask} --strategy
      efficient-rag(model=mine) --token-classifiers ${`mine=${out}`}`);
    const { evidence, strategy } = JSON.parse(printed || '{}') as {
      evidence: { title: string }[];
      strategy: string;
    };
    assert.equal(strategy, 'efficient-rag(k=10, rounds=4, model=mine)', err);
    assert.deepEqual(
      evidence.slice(0, 2).map(({ title }) => title),
      ['Iron Lantern', 'Marta Quellen'],
    );
    const shipped = await run([...ask, '--strategy', 'efficient-rag']);
    assert.equal(shipped.code, 0, shipped.err);
  });
});

describe('refused, with a hint', () => {
  const refusedBy = async (by: typeof run, message: RegExp, ...words: string[]): Promise<void> => {
    const { code, err } = await by(words);
    assert.equal(code, 2, err);
    assert.match(err, message);
  };
  const refused = (message: RegExp, ...words: string[]): Promise<void> =>
    refusedBy(runLab, message, ...words);
  test('data without training examples', async () => {
    const path = join(folder, 'side.jsonl');
    const paragraphs = ['A', 'B'].map(title => [title, [`${title} is old.`]]);
    const facts = ['A', 'B'].map(title => [title, 0]);
    writeFileSync(
      path,
      `${JSON.stringify({ _id: 'c', type: 'comparison', question: 'A or B?', supporting_facts: facts, context: paragraphs })}\n`,
    );
    await refused(/can be learnt from/, 'efficient-rag', 'data', '--data', path);
  });
  const eval_ = argv`eval hotpotqa --questions x --strategy efficient-rag
      --token-classifiers`;
  test('a file that is not a checkpoint', () =>
    refusedBy(run, /demo|corpus\.jsonl/, ...eval_, DEMO_CORPUS));
  test('a missing checkpoint', () =>
    refusedBy(run, /nothing\.json/, ...eval_, join(folder, 'nothing.json')));
});
