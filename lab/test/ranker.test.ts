/** Tests the pools that a small ranker is distilled from, and their judge, on made-up corpora. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Document } from '../../src/core/corpus/document.ts';
import { mulberry32 } from '../../src/core/mulberry32.ts';
import type { LanguageModel } from '../../src/models/language-model.ts';
import {
  askQuestions,
  promptFor,
  questionIn,
  readAsked,
} from '../learning/ranker/asked-questions.ts';
import { Candidates } from '../learning/ranker/candidates.ts';
import { domainNamed } from '../learning/ranker/domains.ts';
import { addedByRank, judgedDomain, judgement, measured } from '../learning/ranker/judge.ts';
import { judgedPools } from '../learning/ranker/judged-pools.ts';
import { readPools, type WrittenPool, writePools } from '../learning/ranker/pool-file.ts';
import { questionsOf } from '../learning/ranker/queries.ts';
import { trainingPools } from '../learning/ranker/training-pools.ts';
import { runLab } from './running-lab.ts';

const SECTION = 'The keeper must write a report about every lamp before the next morning.';
const manual: Document = {
  id: 'manual/lamps.md',
  title: 'Lamps',
  text: `${SECTION}\n\nAda: I will bring two lamps tomorrow.`,
  metadata: {},
  outline: [
    { start: 0, heading: ['Duties', 'Reports'] },
    { start: SECTION.length + 2, heading: ['Duties', 'Talk'] },
  ],
};
/** Texts that share the words of questions, so that each finds enough of them. */
const others: readonly Document[] = Array.from({ length: 12 }, (_, at) => ({
  id: `page-${String(at).padStart(2, '0')}`,
  title: `Page ${at}`,
  text: `A lamp of house ${at} is lit by the keeper who writes report number ${at} in the morning.`,
  metadata: {},
}));
const documents = [manual, ...others];

async function inFolder(use: (folder: string) => unknown): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'multihop-ranker-test-'));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function gathered<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T, void, void> {
  yield* items;
}

test('a section is asked for by its heading, which it loses, and by its sentence', async () => {
  const { passages } = await Candidates.of([manual]);
  const [report, talk] = passages.map(passage =>
    Object.fromEntries(questionsOf(manual, passage, () => 0).map(made => [made.kind, made])),
  );
  assert.equal(report!['heading']!.text, 'Reports');
  assert.equal(report!['heading']!.source('title'), `Lamps > Duties\n${SECTION}`);
  assert.match(report!['heading']!.source('subject'), /^manual lamps Lamps > Duties\n/);
  assert.equal(
    report!['circumstance']!.text,
    'When must the keeper write a report about every lamp before the next morning?',
  );
  assert.match(report!['subject']!.text, /^What must write a report about every lamp/);
  assert.equal(report!['sentence']!.source('title'), 'Lamps > Duties > Reports');
  assert.match(report!['words']!.source('title'), /keeper must write/);
  assert.deepEqual(Object.keys(talk!), ['heading', 'sentence', 'said']);
  assert.match(talk!['said']!.text, /^What did Ada say about [\w ]+\?$/);
});

test('pools of training hold the source of the question, repeat nothing, and are the same again', async () => {
  const domain = {
    documents,
    questions: [{ id: 'asked', kind: 'asked', text: 'Who lit the lamp?' }],
  };
  const pools = await gathered(trainingPools(domain, 8));
  assert.ok(pools.length > 4 && pools.length <= 8);
  assert.ok(pools.some(({ id }) => id === 'asked'));
  for (const { candidates } of pools)
    assert.equal(new Set(candidates).size, candidates.length, 'no candidate twice');
  assert.deepEqual(await gathered(trainingPools(domain, 8)), pools);
  const passage = (await Candidates.of(documents)).passages[0]!;
  const asked = [{ id: passage.id, text: 'Who reports on a lamp in the morning?' }];
  const [ofModel, ...more] = await gathered(trainingPools(domain, 8, asked));
  assert.equal(more.length, 0);
  assert.equal(ofModel!.kind, 'model');
  assert.ok(ofModel!.candidates[0]!.endsWith(SECTION));
});

test('a file of pools holds each text once', () =>
  inFolder(async folder => {
    const path = join(folder, 'pools.jsonl');
    const pool = (question: string, ...candidates: string[]): WrittenPool => ({
      id: question,
      kind: 'made',
      question,
      candidates,
    });
    const written = await writePools(path, each([pool('a', 'x', 'y'), pool('b', 'y', 'z')]));
    assert.deepEqual(written, { pools: 2, pairs: 4, texts: 3 });
    assert.deepEqual(
      readPools(path).map(({ candidates }) => candidates),
      [
        [0, 1],
        [1, 2],
      ],
    );
    assert.equal(readFileSync(path, 'utf8').match(/"text"/g)?.length, 3);
  }));

test('pools to judge by say which candidates have what is asked for', async () => {
  const find = { unit: 'document', documents } as const;
  const isPage = (id: string) => (passage: { documentId: string }) => passage.documentId === id;
  const questions = [
    { id: 'one', text: 'lamp of house 3', facets: [isPage('page-03'), isPage('page-04')] },
    { id: 'none', text: 'lamp', facets: [isPage('nowhere')] },
  ];
  const pools = await gathered(judgedPools([{ ...find, questions }], 10));
  assert.deepEqual(
    pools.map(({ id }) => id),
    ['one'],
  );
  const [{ candidates, facets, groups }] = pools as [WrittenPool];
  const places = facets!.map(having => having.map(at => candidates[at]!.split('\n')[0]));
  assert.deepEqual(places, [['Page 3'], ['Page 4']]);
  assert.equal(new Set(groups).size, new Set(candidates.map(text => text.split('\n')[0])).size);
});

test('a group counts once, a thing once, and earlier candidates win ties', () => {
  const pool = {
    id: 'q',
    kind: 'judged',
    question: 'q',
    candidates: [0, 1, 2, 3],
    groups: [0, 0, 1, 2],
    facets: [[1], [2, 3], []],
  };
  assert.deepEqual(addedByRank(pool, [1, 2, 2, 2]), [1, 1, 0]);
  assert.deepEqual(addedByRank(pool, [3, 2, 2, 4]), [1, 0, 0]);
  const scored = { label: 'x', scores: [[1, 2, 2, 2]] };
  assert.deepEqual(measured('Recall@5', [pool], scored), [2 / 3]);
  const discounts = [1, 1 / Math.log2(3), 1 / 2];
  const ideal = discounts[0]! + discounts[1]! + discounts[2]!;
  assert.deepEqual(measured('NDCG@10', [pool], scored), [(discounts[0]! + discounts[1]!) / ideal]);
});

/** Writes pools in which the second candidate is right, and scores of rankers over them. */
async function judgedFolder(folder: string, rankers: Readonly<Record<string, number>>) {
  const path = join(folder, 'dev.jsonl');
  const candidates = Array.from({ length: 8 }, (_, at) => `text ${at}`);
  const pools = Array.from({ length: 24 }, (_, at) => ({
    id: String(at),
    kind: 'judged',
    question: `q${at}`,
    candidates,
    facets: [[7]],
  }));
  await writePools(path, each(pools));
  for (const [label, right] of Object.entries(rankers)) {
    mkdirSync(join(folder, label, 'dev'), { recursive: true });
    const scores = pools.flatMap((_, at) =>
      candidates.map((_, c) => Number(c === 7 && at < right)),
    );
    writeFileSync(join(folder, label, 'dev', '00000.i16'), new Int16Array(scores));
  }
  return { path, of: (label: string) => ({ label, folder: join(folder, label) }) };
}

test('a student keeps the goal with 60 % of the gain of the teacher', () =>
  inFolder(async folder => {
    const { path, of } = await judgedFolder(folder, { teacher: 24, near: 18, far: 6 });
    const text = judgement(judgedDomain(path, ['teacher', 'near', 'far'].map(of)));
    assert.match(text, /^dev: 24 questions/);
    assert.match(text, /\| near \|.*kept: 75 % of the gain/);
    assert.match(text, /\| near, with ranks \|/);
    assert.match(text, /\| far \|.*lost: 25 % of the gain/);
    assert.throws(() => judgedDomain(path, [of('missing')]), /expected|scores/);
    const { code, out } = await runLab([
      ...['ranker', 'judge', '--pools', path, '--scores', `teacher=${join(folder, 'teacher')}`],
    ]);
    assert.equal(code, 0);
    assert.match(out, /\| BM25 +\| +0\.00/);
    assert.match(
      out,
      /NDCG@10 with ranks that weigh \| 0 \|.*\| 0\.5 \|[\s\S]*\| teacher \| +100\.00/,
    );
  }));

test('a reply is a question if it has the length of one', () => {
  const cases: readonly (readonly [reply: string, question: string | undefined])[] = [
    ['How long does a lamp burn?', 'How long does a lamp burn?'],
    ['Question: "how long does a lamp burn"\nIt burns long.', 'how long does a lamp burn'],
    ['Lamp', undefined],
    ['', undefined],
    ['word '.repeat(60), undefined],
  ];
  for (const [reply, question] of cases) assert.equal(questionIn(reply), question);
  assert.equal(promptFor('Lamps\nThey burn.').at(-1)!.text, 'Lamps\nThey burn.');
});

test('questions of a model are asked once each, also after a stop', () =>
  inFolder(async folder => {
    const out = join(folder, 'asked.jsonl');
    const long: Document[] = others.map(page => ({ ...page, text: `${page.text} ${page.text}` }));
    const candidates = await Candidates.of(long);
    let calls = 0;
    const model: LanguageModel = {
      id: 'fixed',
      async generate() {
        calls += 1;
        return {
          text: `Which lamp is number ${calls}?`,
          usage: { input: 1, output: 1 },
          finish: 'stop',
        };
      },
    };
    const { signal } = new AbortController();
    assert.equal(await askQuestions(candidates, model, { out, count: 3, signal }), 3);
    assert.equal(await askQuestions(candidates, model, { out, count: 5, signal }), 5);
    assert.equal(calls, 5);
    assert.equal(new Set(readAsked(out).map(({ id }) => id)).size, 5);
  }));

test('names of domains, tasks and missing options are checked', async () => {
  assert.throws(() => domainNamed('poems'), /Unknown domain "poems"/);
  const task = await runLab(['ranker', 'sing']);
  assert.match(task.err, /Unknown task "sing"/);
  const option = await runLab(['ranker', 'pools', '--domain', 'news']);
  assert.match(option.err, /needs --out/);
});

test('random draws of questions differ by seed alone', async () => {
  const { passages } = await Candidates.of(documents);
  const draw = (seed: number): string[] => {
    const random = mulberry32(seed);
    return passages.flatMap(passage =>
      questionsOf(documents.find(({ id }) => id === passage.documentId)!, passage, random).map(
        ({ text }) => text,
      ),
    );
  };
  assert.deepEqual(draw(1), draw(1));
  assert.notDeepEqual(draw(1), draw(2));
});
