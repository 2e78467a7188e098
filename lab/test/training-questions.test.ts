/**
 * Tests train files in their published layouts, with invented content: questions, two records of
 * one question, and files of other layouts.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { InputError } from '../../src/core/errors.ts';
import { freshFolder } from '../../test/running-command.ts';
import { dataHash, readTreeHopData, trainedOn } from '../commands/tree-hop/training-data.ts';
import { readTrainingQuestions } from '../data/training-questions.ts';
import { supervisionGraph } from '../learning/tree-hop/supervision-graph.ts';

const lines = (...records: readonly object[]): string =>
  records.map(record => `${JSON.stringify(record)}\n`).join('');
function written(files: Readonly<Record<string, string>>): string {
  const folder = join(freshFolder(), 'train');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}
const read = async (text: string, name = 'x.jsonl') =>
  readTrainingQuestions([join(written({ [name]: text }), name)]);

const CONTEXT = [
  ['Lamp (film)', ['Lamp was made.', 'By Ann Ray.']],
  ['Ann Ray', ['Ann Ray is from Oslo.']],
];
const WIKI = {
  _id: 'w1',
  type: 'compositional',
  question: 'Where is the director of Lamp from?',
  answer: 'Oslo',
  supporting_facts: [
    ['Lamp (film)', 0],
    ['Ann Ray', 0],
    ['Lamp (film)', 1],
  ],
  evidences: [
    ['Lamp', 'director', 'Ann Ray'],
    ['Ann Ray', 'place of birth', 'Oslo'],
  ],
  context: CONTEXT,
};
const HOTPOT = { ...WIKI, _id: 'h1', type: 'bridge', evidences: undefined, level: 'hard' };
const MUSIQUE = {
  id: '2hop__1_2',
  question: 'Who led it?',
  answer: 'Bo',
  answerable: true,
  question_decomposition: [
    { id: 1, question: 'Who owns it?', answer: 'Co', paragraph_support_idx: 7 },
    { id: 2, question: 'Who led #1 ?', answer: 'Bo', paragraph_support_idx: 3 },
  ],
  paragraphs: [
    { idx: 3, title: 'Co', paragraph_text: 'Bo led Co.', is_supporting: true },
    { idx: 7, title: 'It', paragraph_text: 'Co owns it.', is_supporting: true },
    { idx: 8, title: 'Else', paragraph_text: 'Nothing.', is_supporting: false },
  ],
};

describe('one record of each layout', () => {
  test('2WikiMultiHopQA: sentences are joined by a space', async () => {
    const { questions, problems } = await read(lines(WIKI));
    assert.deepEqual(problems, []);
    assert.deepEqual(questions[0], {
      dataset: '2wiki',
      id: 'w1',
      type: 'compositional',
      text: WIKI.question,
      answers: ['Oslo'],
      ownContext: true,
      steps: [],
      order: [],
      paragraphs: [
        { title: 'Lamp (film)', text: 'Lamp was made. By Ann Ray.' },
        { title: 'Ann Ray', text: 'Ann Ray is from Oslo.' },
      ],
      supporting: ['Lamp (film)', 'Ann Ray'],
      evidences: WIKI.evidences,
    });
  });
  test('HotpotQA: sentences are unchanged, in the order of the facts; also as a list, and with paragraphs as objects', async () => {
    const asObjects = {
      ...HOTPOT,
      context: undefined,
      paragraphs: CONTEXT.map(([title, text]) => ({ title, text: (text as string[]).join('') })),
    };
    for (const text of [lines(HOTPOT), lines(asObjects)]) {
      const { questions } = await read(text);
      assert.equal(questions[0]!.dataset, 'hotpotqa');
      assert.deepEqual(questions[0]!.order, [0, 1]);
      assert.equal(questions[0]!.paragraphs[0]!.text, 'Lamp was made.By Ann Ray.');
    }
    assert.equal((await read(JSON.stringify([HOTPOT]), 'x.json')).questions.length, 1);
    const unknown = {
      ...HOTPOT,
      supporting_facts: [
        ['Lamp (film)', 0],
        ['Nobody', 0],
      ],
    };
    assert.deepEqual((await read(lines(unknown))).questions[0]!.order, []);
  });
  test('MuSiQue: idx gives the positions, the id gives the type', async () => {
    const { questions } = await read(lines(MUSIQUE));
    assert.equal(questions[0]!.type, '2hop');
    assert.deepEqual(questions[0]!.steps, [
      { question: 'Who owns it?', paragraph: 1, answer: 'Co' },
      { question: 'Who led #1 ?', paragraph: 0, answer: 'Bo' },
    ]);
  });
  test('reads a chain of gold paragraphs, some without a title', async () => {
    const chain = {
      dataset: 'hotpotqa',
      id: 'c',
      type: 'bridge',
      question: 'What?',
      gold: [
        { title: null, text: 'A.' },
        { title: 'B', text: 'B.' },
      ],
    };
    const [question] = (await read(lines(chain))).questions;
    assert.deepEqual(question!.paragraphs, [
      { title: '', text: 'A.' },
      { title: 'B', text: 'B.' },
    ]);
    assert.deepEqual([question!.order, question!.ownContext], [[0, 1], false]);
  });
});

test('a question in two files is one: the context of one and the order of the other, in either order of files', async () => {
  const gold = [
    { title: 'Ann Ray', text: 'Ann Ray is from Oslo.' },
    { title: 'Lamp (film)', text: 'joined otherwise' },
  ];
  const chain = { dataset: 'hotpotqa', id: 'h1', type: 'bridge', question: 'Where?', gold };
  const folder = written({ 'a.jsonl': lines(HOTPOT), 'b.jsonl': lines(chain) });
  for (const names of [
    ['a.jsonl', 'b.jsonl'],
    ['b.jsonl', 'a.jsonl'],
  ]) {
    const { questions } = await readTrainingQuestions(names.map(name => join(folder, name)));
    assert.equal(questions.length, 1);
    assert.deepEqual([questions[0]!.ownContext, questions[0]!.order], [true, [1, 0]]);
    assert.ok(!('rejected' in supervisionGraph(questions[0]!)));
  }
});

test('an invalid record is named with its question, and the others are read', async () => {
  const { questions, problems } = await read(
    lines(
      WIKI,
      WIKI,
      { question: 'What is it?' },
      { ...MUSIQUE, paragraphs: [] },
      { gold: [], dataset: 'x' },
    ),
  );
  assert.equal(questions.length, 1);
  const expected = [
    /another question has its id w1/,
    /"What is it\?".*is none of/,
    /no paragraphs/,
    /its dataset is none of/,
  ];
  assert.equal(problems.length, expected.length);
  for (const [at, pattern] of expected.entries()) assert.match(problems[at]!, pattern);
});

test('reads a folder with hashes, and refuses files without questions', async () => {
  const paragraphs = Array.from({ length: 10 }, (_, at) => [`T${at}`, [`text ${at}`]]);
  const bridge = {
    ...HOTPOT,
    context: paragraphs,
    supporting_facts: [
      ['T3', 0],
      ['T5', 0],
    ],
  };
  const folder = written({
    'b.json': JSON.stringify([bridge]),
    'a.jsonl': lines({ ...WIKI, type: 'comparison' }),
    'notes.txt': 'no',
  });
  const data = await readTreeHopData([folder], { negatives: 5, seed: 1 });
  assert.deepEqual(
    data.files.map(({ name }) => name),
    ['a.jsonl', 'b.json'],
  );
  assert.match(
    JSON.stringify(trainedOn(data)),
    /"questions":1,"paragraphs":10,"updates":1,"ownContext":1,"kinds":\{"hotpotqa\/bridge":1\}/,
  );
  assert.equal(
    dataHash(data),
    dataHash(await readTreeHopData([folder], { negatives: 5, seed: 1 })),
  );
  assert.notEqual(
    dataHash(data),
    dataHash(await readTreeHopData([folder], { negatives: 5, seed: 2 })),
  );
  const refused = async (path: string, code: string) =>
    assert.rejects(
      readTreeHopData([path], { negatives: 5, seed: 1 }),
      (error: unknown) => InputError.is(error) && error.code === code,
    );
  await refused(join(folder, 'a.jsonl'), 'no-training-data');
  await refused(join(folder, 'missing.jsonl'), 'missing-file');
  await refused(written({ 'x.txt': '' }), 'no-training-data');
});

const here = process.env['MULTIHOP_DATA'];
test('the train split of the data folder: 2,520 of 2,523 chains', {
  skip: here ? false : 'MULTIHOP_DATA is not set',
}, async () => {
  const { set, counts, problems } = await readTreeHopData([join(here!, 'train')], {
    negatives: 5,
    seed: 1,
  });
  assert.deepEqual(problems, []);
  const reasons = (reason: string) => set.rejected.filter(each => each.reason === reason).length;
  assert.deepEqual(
    [set.examples.length, reasons('comparison'), reasons('few-negatives'), set.rejected.length],
    [2520, 786, 3, 789],
  );
  assert.equal(
    counts.reduce((sum, { updates }) => sum + updates, 0),
    2830,
  );
  assert.deepEqual(
    [set.examples.filter(({ ownContext }) => ownContext).length, set.paragraphs.length],
    [1695, 13997],
  );
});
