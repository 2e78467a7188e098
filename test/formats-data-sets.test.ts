/** Tests benchmark data sets: small ones written here, then the real ones below MULTIHOP_DATA. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { chunkers } from '../src/core/corpus/chunk.ts';
import { InputError } from '../src/core/errors.ts';
import { sentenceSpans } from '../src/core/text/sentences.ts';
import { factSurvival } from '../src/documents/data-sets/fact-survival.ts';
import { dataSets, readDataSet } from '../src/documents/data-sets.ts';
import type { DataSet } from '../src/evaluation/example.ts';
import { freshFolder } from './fresh-folder.ts';

function file(name: string, value: unknown): string {
  const path = join(freshFolder(), name);
  writeFileSync(
    path,
    typeof value === 'string'
      ? value
      : name.endsWith('.jsonl')
        ? (value as unknown[]).map(item => JSON.stringify(item)).join('\n')
        : JSON.stringify(value),
  );
  return path;
}

/**
 * Checks the laws of every data set: gold facts are at their offsets, ids are unique, and `within`
 * names documents.
 */
function checkDataSet(dataSet: DataSet): void {
  const byId = new Map(dataSet.documents.map(document => [document.id, document]));
  assert.equal(byId.size, dataSet.documents.length);
  assert.equal(new Set(dataSet.examples.map(example => example.id)).size, dataSet.examples.length);
  for (const example of dataSet.examples) {
    assert.equal(example.id, example.question.id);
    for (const id of example.within ?? []) assert.ok(byId.has(id));
    for (const gold of example.gold) {
      if (gold.span) assert.equal(byId.get(gold.documentId)!.text.slice(...gold.span), gold.fact);
      if (example.within)
        assert.ok(example.within.includes(gold.documentId) || dataSet.problems.length > 0);
    }
  }
}

const articles = [
  {
    title: 'Ferry opens',
    author: null,
    source: 'Harbour News',
    published_at: '2023-10-07 20:15:26.000000000Z',
    category: 'travel',
    url: 'https://n.example/1',
    body: 'The ferry opened. It runs daily.',
  },
  {
    title: 'Bridge closes',
    author: 'A',
    source: 'Hill Post',
    published_at: '2023-10-08T10:00:00+00:00',
    category: 'travel',
    url: 'https://n.example/2',
    body: 'The bridge closed. Repairs go on.',
  },
];
const evidence = (at: 0 | 1, fact: string, more: object = {}): object => ({
  ...articles[at]!,
  body: undefined,
  fact,
  ...more,
});

const asked = (query: string, type: string, evidence_list: object[], answer = 'Yes'): object => ({
  query,
  answer,
  question_type: `${type}_query`,
  evidence_list,
});
const NONE = asked('None?', 'null', [], 'Insufficient information.');

const readNews = (questions: unknown): Promise<DataSet> =>
  readDataSet('multihop-rag', {
    corpus: file('corpus.json', articles),
    questions: file('q.json', questions),
  });

test('multihop-rag: gold facts are in list order with repeats, resolved by url, then by title', async () => {
  const questions = [
    asked('Which?', 'comparison', [
      evidence(1, 'The bridge closed.'),
      evidence(0, 'It runs daily.', { url: 'https://moved.example' }),
      evidence(1, 'Repairs go on.'),
    ]),
    NONE,
  ];
  const dataSet = await readNews(questions);
  checkDataSet(dataSet);
  assert.deepEqual(dataSet.problems, [
    'question 0 ("Which?"): evidence 1: no document has its url "https://moved.example"; taken by its title from "https://n.example/1"',
  ]);
  assert.deepEqual(dataSet.documents[0], {
    id: 'https://n.example/1',
    title: 'Ferry opens',
    text: 'The ferry opened. It runs daily.',
    metadata: {
      source: 'Harbour News',
      published_at: '2023-10-07T20:15:26+00:00',
      category: 'travel',
      url: 'https://n.example/1',
    },
  });
  const [ferry, bridge] = [
    { documentId: 'https://n.example/1', title: 'Ferry opens' },
    { documentId: 'https://n.example/2', title: 'Bridge closes' },
  ];
  assert.deepEqual(dataSet.examples[0], {
    id: 'q0000',
    idIsPlace: true,
    question: { id: 'q0000', text: 'Which?' },
    answers: ['Yes'],
    type: 'comparison',
    gold: [
      { ...bridge, fact: 'The bridge closed.', span: [0, 18] },
      { ...ferry, fact: 'It runs daily.', span: [18, 32] },
      { ...bridge, fact: 'Repairs go on.', span: [19, 33] },
    ],
  });
  assert.deepEqual(dataSet.examples[1]!.gold, []);
});

test('multihop-rag: url and title must name the same article', async () => {
  const crossed = [evidence(0, 'It runs daily.', { title: 'Bridge closes' })];
  const dataSet = await readNews([asked('Which?', 'comparison', crossed)]);
  assert.deepEqual(dataSet.problems, [
    'question 0 ("Which?"): evidence 0: its url is that of "Ferry opens", its title "Bridge closes"',
  ]);
});

test('multihop-rag: an unresolved fact is reported with its question, and the others are read', async () => {
  const opened = [evidence(0, 'The ferry opened.')];
  const lost = [evidence(0, 'x', { url: 'https://lost.example', title: 'Lost' })];
  const questions = [
    asked('Good?', 'temporal', opened),
    asked('Unknown type?', 'riddle', opened),
    asked('Lost?', 'inference', lost),
    asked('Changed?', 'inference', [evidence(0, 'The ferry closed.')]),
    { answer: 'Yes' },
    7,
    { query: 'Bare?', question_type: 'inference_query' },
  ];
  const dataSet = await readNews(questions);
  checkDataSet(dataSet);
  assert.deepEqual(
    dataSet.examples.map(example => example.id),
    ['q0000', 'q0001', 'q0002', 'q0003', 'q0006'],
  );
  const patterns = [
    /question 5 .*not a JSON object/,
    /question 1 \("Unknown type\?"\): unknown question_type "riddle_query"/,
    /question 2 \("Lost\?"\): evidence 0: no document .*lost\.example/,
    /question 3 \("Changed\?"\): evidence 0: its fact does not stand verbatim/,
    /question 4 .*no query/,
    /question 6 .*no answer/,
    /question 6 .*no evidence/,
  ];
  assert.equal(dataSet.problems.length, patterns.length, dataSet.problems.join('\n'));
  for (const [index, pattern] of patterns.entries())
    assert.match(dataSet.problems[index]!, pattern);
  assert.equal(dataSet.examples[2]!.gold[0]!.documentId, 'https://lost.example');
  assert.equal(dataSet.examples[2]!.gold[0]!.span, undefined);
});

test("multihop-rag: counts are checked for a file of the full release's size only", async () => {
  const corpus = file(
    'corpus.json',
    Array.from({ length: 609 }, (_, at) => ({ ...articles[0], url: `https://n.example/${at}` })),
  );
  const readMany = (length: number): Promise<DataSet> =>
    readDataSet('multihop-rag', { corpus, questions: file('q.json', Array(length).fill(NONE)) });
  const full = await readMany(2556);
  assert.deepEqual(
    full.problems.map(problem => problem.replace(/^the full release has /, '')),
    [
      '856 comparison questions, this has 0',
      '816 inference questions, this has 0',
      '583 temporal questions, this has 0',
      '301 null questions, this has 2556',
      '6084 evidence items, this has 0',
    ],
  );
  assert.deepEqual((await readMany(2555)).problems, []);
});

const hotpot = (id: string, context: unknown, facts: unknown): object => ({
  _id: id,
  question: `Q ${id}?`,
  answer: 'A',
  type: 'bridge',
  level: 'hard',
  context,
  supporting_facts: facts,
});

test('hotpotqa: equal paragraphs are one document; different ones of one title get different ids', async () => {
  const shared = ['Shared', ['One.', ' Two.']];
  const dataSet = await readDataSet('hotpotqa', {
    questions: file('q.json', [
      hotpot(
        'a',
        [shared, ['Twin', ['First.']]],
        [
          ['Shared', 1],
          ['Twin', 0],
        ],
      ),
      hotpot(
        'b',
        [shared, ['Twin', ['Second.']]],
        [
          ['Shared', 7],
          ['Nowhere', 0],
          ['Twin', 0],
        ],
      ),
      hotpot('a', [shared], [['Shared', 0]]),
    ]),
  });
  checkDataSet(dataSet);
  assert.deepEqual(
    dataSet.documents.map(document => document.text),
    ['One. Two.', 'First.', 'Second.'],
  );
  const [first, second] = dataSet.examples;
  assert.deepEqual(first!.gold[0], {
    documentId: 'Shared',
    title: 'Shared',
    fact: 'Two.',
    span: [5, 9],
  });
  assert.match(first!.gold[1]!.documentId, /^Twin \[[0-9a-f]{8}\]$/);
  assert.notEqual(first!.gold[1]!.documentId, second!.gold[2]!.documentId);
  assert.deepEqual(first!.within, ['Shared', first!.gold[1]!.documentId]);
  assert.equal(dataSet.examples.length, 2);
  assert.equal(dataSet.problems.length, 3);
  assert.match(
    dataSet.problems[0]!,
    /^question 1 \("Q b\?"\): supporting fact \["Shared",7\]: the paragraph has 2 sentences/,
  );
  assert.match(dataSet.problems[1]!, /^question 1 .*no paragraph/);
  assert.match(dataSet.problems[2]!, /^question 2 .*another question has its id a/);
});

test('2wikimultihopqa: sentences are joined by a space, triples are the chain; JSONL is read too', async () => {
  const dataSet = await readDataSet('2wikimultihopqa', {
    questions: file('q.jsonl', [
      { ...hotpot('a', [['P', ['One.', 'Two.']]], [['P', 1]]), evidences: [['P', 'is', 'Q']] },
    ]),
  });
  checkDataSet(dataSet);
  assert.equal(dataSet.documents[0]!.text, 'One. Two.');
  assert.deepEqual(dataSet.examples[0]!.gold, [
    { documentId: 'P', title: 'P', fact: 'Two.', span: [5, 9] },
  ]);
  assert.deepEqual(dataSet.examples[0]!.chain, [['P', 'is', 'Q']]);
});

const paragraph = (idx: number, supports: boolean): object => ({
  idx,
  title: `T${idx}`,
  paragraph_text: `Text ${idx}.`,
  is_supporting: supports,
});

test('musique: gold is in hop order, with aliases; the shape of the decomposition is the type', async () => {
  const question_decomposition = [
    { id: 1, question: 'x', answer: 'y', paragraph_support_idx: 2 },
    { id: 2, question: '#1 >> z', answer: 'w', paragraph_support_idx: 0 },
  ];
  const dataSet = await readDataSet('musique', {
    questions: file('q.jsonl', [
      {
        id: '2hop__1_2',
        question: 'Q?',
        answer: 'w',
        answer_aliases: ['W', 'w'],
        paragraphs: [paragraph(0, true), paragraph(1, false), paragraph(2, true)],
        question_decomposition,
      },
    ]),
  });
  checkDataSet(dataSet);
  assert.deepEqual(dataSet.examples[0], {
    id: '2hop__1_2',
    question: { id: '2hop__1_2', text: 'Q?' },
    answers: ['w', 'W'],
    type: '2hop',
    gold: [
      { documentId: 'T2', title: 'T2' },
      { documentId: 'T0', title: 'T0' },
    ],
    within: ['T0', 'T1', 'T2'],
    chain: question_decomposition,
  });
});

test('jsonl: gold is given by title, by id, and with facts; an unresolved one is named', async () => {
  const corpus = file('c.jsonl', [
    { doc_id: 0, title: 'A', text: 'One. Two.' },
    { doc_id: 1, title: 'B', text: 'Three.' },
    { doc_id: 2, title: 'B', text: 'Four.' },
  ]);
  const dataSet = await readDataSet('jsonl', {
    corpus,
    questions: file('q.jsonl', [
      { _id: 'x', question: 'By title?', answer: 'a', answer_aliases: ['b'], gold_titles: ['A'] },
      { query: 'By id?', answers: ['a'], gold_ids: ['1', 0] },
      { question: 'By fact?', answer: true, gold: [{ title: 'B', fact: 'Four.' }, 'A', '2'] },
      { question: 'Lost?', answer: 'a', gold_titles: ['Nowhere', 'B'] },
      {
        question: 'Steps?',
        answer: 'a',
        question_decomposition: [
          { document_id: 'A_3', answer: 'two' },
          { document_id: 'B_0', answer: 'three' },
        ],
      },
      {
        question: 'Lost steps?',
        answer: 'a',
        question_decomposition: [
          { document_id: 'A_3', answer: 'two' },
          { document_id: 'C_0', answer: 'x' },
        ],
      },
    ]),
  });
  checkDataSet(dataSet);
  assert.deepEqual(
    dataSet.examples.map(example => example.id),
    ['x', 'q0001', 'q0002', 'q0003', 'q0004', 'q0005'],
  );
  assert.deepEqual(
    dataSet.examples.map(example => example.gold.map(gold => gold.documentId)),
    [['0'], ['1', '0'], ['2', '0', '2'], ['Nowhere', '1'], ['0', '1'], []],
  );
  assert.deepEqual(dataSet.examples[2]!.gold[0]!.span, [0, 5]);
  assert.deepEqual(dataSet.examples[2]!.answers, ['true']);
  assert.equal(dataSet.problems.length, 3);
  assert.match(dataSet.problems[0]!, /^question 3 \("Lost\?"\): gold "Nowhere" does not resolve/);
  assert.match(dataSet.problems[1]!, /^question 3 .*gold "B" is ambiguous: 2/);
  assert.match(dataSet.problems[2]!, /^question 5 .*"C_0" does not resolve/);
});

test('pooled and open settings: the same questions and documents, and no question is limited to its own paragraphs', async () => {
  const questions = file('q.jsonl', [
    {
      id: 'a',
      question: 'A?',
      answer: 'x',
      paragraphs: [paragraph(0, true), paragraph(1, false)],
      question_decomposition: [],
    },
    {
      id: 'b',
      question: 'B?',
      answer: 'y',
      paragraphs: [paragraph(1, true), paragraph(2, false)],
      question_decomposition: [],
    },
  ]);
  const limited = await readDataSet('musique', { questions });
  const pooled = await readDataSet('musique-pooled', { questions });
  checkDataSet(pooled);
  assert.deepEqual(
    limited.examples.map(({ within }) => within),
    [
      ['T0', 'T1'],
      ['T1', 'T2'],
    ],
  );
  assert.ok(pooled.examples.every(example => !('within' in example)));
  assert.deepEqual(pooled, {
    ...limited,
    name: 'musique-pooled',
    examples: limited.examples.map(({ within: _, ...example }) => example),
  });

  const corpus = file('c.jsonl', [
    { doc_id: 0, title: 'A', text: 'One.' },
    { doc_id: 1, title: 'B', text: 'Two.' },
  ]);
  const asked = file('q.jsonl', [
    { _id: 'x', question: 'Q?', answer: 'a', type: 'bridge', gold_titles: ['B', 'A'] },
  ]);
  const open = await readDataSet('jsonl', { corpus, questions: asked });
  for (const name of ['2wikimultihopqa-open', 'hotpotqa-pooled'])
    assert.deepEqual(await readDataSet(name, { corpus, questions: asked }), { ...open, name });
});

test('errors any work: unknown names, missing options and files, other kinds of file', async () => {
  const corpus = file('c.json', articles);
  const twice = file('c.json', [articles[0], articles[0]]);
  const rejected: readonly (readonly [
    string,
    Parameters<typeof readDataSet>[1],
    string,
    RegExp,
  ])[] = [
    ['multihoprag', { questions: corpus }, 'unknown-data-set', /Did you mean multihop-rag/],
    ['multihop-rag', { questions: corpus }, 'missing-option', /more files: .* received no corpus/],
    ['musique', { questions: join(freshFolder(), 'none.json') }, 'missing-file', /none\.json/],
    ['multihop-rag', { corpus, questions: corpus }, 'bad-data-set', /no question of this data set/],
    ...dataSets
      .filter(({ files }) => !files.includes('corpus'))
      .map(
        ({ name }) =>
          [name, { questions: corpus }, 'bad-data-set', /expected objects with question/] as const,
      ),
    ['musique', { questions: file('q.json', '[{"question": ') }, 'bad-json', /line 1, column 15/],
    ['musique', { questions: file('q.json', '[]') }, 'bad-data-set', /empty list/],
    ['multihop-rag', { corpus: twice, questions: corpus }, 'duplicate-id', /documents 0 and 1/],
  ];
  for (const [name, files, code, message] of rejected)
    await assert.rejects(
      readDataSet(name, files),
      error => InputError.is(error) && error.code === code && message.test(error.message),
    );
});

test('factSurvival counts the facts that lie whole in one passage', async () => {
  const corpus = file('c.jsonl', [{ id: 'a', text: 'One two three. Four five six. Seven.' }]);
  const questions = file('q.jsonl', [
    {
      question: 'Q?',
      answer: 'x',
      gold: [
        { id: 'a', fact: 'Four five six.' },
        { id: 'a', fact: 'three. Four' },
      ],
    },
  ]);
  const dataSet = await readDataSet('jsonl', { corpus, questions });
  assert.deepEqual(factSurvival(dataSet, chunkers.create('sentences')), {
    chunker: 'sentences',
    facts: 2,
    whole: 1,
    share: 0.5,
    passages: 3,
  });
  assert.equal(factSurvival(dataSet, chunkers.create('whole')).share, 1);
});

const data = process.env['MULTIHOP_DATA'];
const skip = data ? false : 'MULTIHOP_DATA is not set';
const real = (name: string): string => join(data!, name);

test('real data: multihop-rag, 609 documents, 1,330 questions, every fact verbatim', {
  skip,
}, async context => {
  const dataSet = await readDataSet('multihop-rag', {
    corpus: real('multihop-rag/corpus.json'),
    questions: real('multihop-rag/MultiHopRAG.dev.json'),
  });
  checkDataSet(dataSet);
  assert.deepEqual(
    [dataSet.documents.length, dataSet.examples.length, dataSet.problems.length],
    [609, 1330, 0],
  );
  const gold = dataSet.examples.flatMap(example => example.gold);
  assert.equal(gold.length, 3203);
  assert.ok(gold.every(item => item.span));
  const spans = new Map(
    dataSet.documents.map(document => [document.id, sentenceSpans(document.text)]),
  );
  const single = gold.filter(
    ({ documentId, span: [start, end] = [0, 0] }) =>
      spans.get(documentId)!.filter(sentence => sentence[0] < end && sentence[1] > start).length ===
      1,
  );
  context.diagnostic(`gold facts that are one sentence: ${single.length} of ${gold.length}`);
  assert.ok(single.length / gold.length > 0.985);
  for (const name of [
    'sentences',
    'tokens(size=256, overlap=32)',
    'tokens(size=300, overlap=60)',
    'tokens(size=1000, overlap=200)',
  ]) {
    const { chunker, whole, facts, share, passages } = factSurvival(dataSet, chunkers.create(name));
    context.diagnostic(
      `${chunker}: ${whole} of ${facts} gold facts whole (${(100 * share).toFixed(2)} %), ${passages} passages`,
    );
    assert.ok(share > 0.985);
  }
});

const others = [
  ['hotpotqa', undefined, 'hotpotqa/hotpot_distractor.dev.json', 385, 3792, 385],
  ['2wikimultihopqa', undefined, '2wikimultihopqa/2wiki.dev.json', 325, 2281, 325],
  ['musique', undefined, 'musique/musique_ans.dev.jsonl', 100, 1696, 100],
  ['musique-pooled', undefined, 'musique/musique_ans.dev.jsonl', 100, 1696, 100],
  [
    'hotpotqa-pooled',
    'hotpotqa/pooled_corpus.jsonl',
    'hotpotqa/pooled_queries.dev.jsonl',
    235,
    4937,
    235,
  ],
  [
    '2wikimultihopqa-open',
    '2wikimultihopqa/open_corpus.jsonl',
    '2wikimultihopqa/open_queries.dev.jsonl',
    189,
    6119,
    189,
  ],
  ['jsonl', 'musique/open_corpus.jsonl', 'musique/open_queries.dev.jsonl', 252, 6761, 104],
] as const;

for (const [name, corpus, questions, examples, documents, withGold] of others)
  test(`real data: ${name}, ${questions}, ${examples} questions over ${documents} documents`, {
    skip,
  }, async () => {
    const dataSet = await readDataSet(name, {
      corpus: corpus && real(corpus),
      questions: real(questions),
    });
    checkDataSet(dataSet);
    assert.deepEqual([dataSet.examples.length, dataSet.documents.length], [examples, documents]);
    assert.equal(dataSet.examples.filter(example => example.gold.length > 0).length, withGold);
    assert.equal(dataSet.problems.length, examples - withGold);
    for (const problem of dataSet.problems)
      assert.match(problem, /^question \d+ \(".*"\): gold ".*" does not resolve/);
  });

test('a question longer than ask accepts is left out by name, and the others stay', async () => {
  const facts = [evidence(0, 'It runs daily.'), evidence(1, 'Repairs go on.')];
  const question = (query: string): object => asked(query, 'comparison', facts);
  const dataSet = await readDataSet('multihop-rag', {
    corpus: file('corpus.json', articles),
    questions: file('q.json', [question(`Which ${'ferry '.repeat(2000)}?`), question('Which?')]),
  });
  assert.deepEqual(
    dataSet.examples.map(({ question: { text } }) => text),
    ['Which?'],
  );
  assert.deepEqual(dataSet.problems, [
    'question q0000: left out: 12007 characters, more than 8192',
  ]);
});
