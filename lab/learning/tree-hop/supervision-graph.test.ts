/**
 * Which paragraph leads to which: made-up questions of each kind, and one for every reason to leave
 * a question out.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TrainingQuestion } from '../training-question.ts';
import { QUESTION, REJECTIONS, type Rejection } from './rejections.ts';
import { supervisionGraph } from './supervision-graph.ts';
import { trainingSet } from './training-set.ts';

const TITLES = ['Blue Lamp (film)', 'Ann Ray', 'Oslo', 'Red Door (film)', 'Bo Ek', 'Rome'];
const question = (about: Partial<TrainingQuestion>): TrainingQuestion => ({
  dataset: '2wiki',
  id: 'x',
  type: 'compositional',
  text: 'Where?',
  ownContext: true,
  paragraphs: TITLES.map(title => ({ title, text: `${title} is something.` })),
  supporting: [],
  evidences: [],
  steps: [],
  order: [],
  ...about,
});
const edges = (about: Partial<TrainingQuestion>) => {
  const graph = supervisionGraph(question(about));
  assert.ok(!('rejected' in graph), JSON.stringify(graph));
  return graph.edges;
};
const FILM = ['Blue Lamp', 'director', 'Ann Ray'] as const;
const BIRTH = ['Ann Ray', 'place of birth', 'Oslo'] as const;
const step = (words: string, paragraph?: number) => ({ question: words, paragraph });

describe('2WikiMultiHopQA', () => {
  test('a chain: the title has a remark that the triple has not', () => {
    const supporting = ['Blue Lamp (film)', 'Ann Ray'];
    // The object Oslo is no subject: its paragraph is no node.
    assert.deepEqual(edges({ supporting, evidences: [FILM, BIRTH] }), [
      [QUESTION, 0],
      [0, 1],
    ]);
  });
  test('a bridge comparison has two chains', () => {
    const evidences = [
      FILM,
      ['Red Door', 'director', 'Bo Ek'],
      BIRTH,
      ['Bo Ek', 'place of birth', 'Rome'],
    ] as const;
    assert.deepEqual(edges({ type: 'bridge_comparison', evidences }), [
      [QUESTION, 0],
      [QUESTION, 3],
      [0, 1],
      [3, 4],
    ]);
  });
  test('triples that make no chain: the order of the gold paragraphs, where there is one', () => {
    assert.deepEqual(supervisionGraph(question({ evidences: [FILM], order: [4, 5] })), {
      from: 'order',
      edges: [
        [QUESTION, 4],
        [4, 5],
      ],
    });
  });
});

describe('MuSiQue', () => {
  const musique = (...steps: TrainingQuestion['steps']) =>
    edges({ dataset: 'musique', type: '3hop2', steps });
  test('a line of references', () => {
    const line = [
      [QUESTION, 2],
      [2, 0],
      [0, 5],
    ];
    assert.deepEqual(musique(step('who', 2), step('of #1', 0), step('of #2', 5)), line);
  });
  test('two that meet, and a reference that is repeated', () => {
    const meet = [
      [QUESTION, 0],
      [QUESTION, 1],
      [0, 2],
      [1, 2],
    ];
    assert.deepEqual(musique(step('a', 0), step('b', 1), step('#1 and #2 and #1', 2)), meet);
  });
  test('steps on one paragraph are one node', () => {
    const expected = [
      [QUESTION, 0],
      [0, 3],
    ];
    assert.deepEqual(musique(step('a', 0), step('of #1', 0), step('of #2', 3)), expected);
  });
});

test('HotpotQA: a bridge in the order that is known', () => {
  const chain = [
    [QUESTION, 3],
    [3, 1],
  ];
  assert.deepEqual(edges({ dataset: 'hotpotqa', type: 'bridge', order: [3, 1] }), chain);
});

describe('every reason to leave a question out', () => {
  const musique = (...steps: TrainingQuestion['steps']): Partial<TrainingQuestion> => ({
    dataset: 'musique',
    type: '2hop',
    steps,
  });
  const wrong: Readonly<
    Record<Exclude<Rejection, 'few-negatives'>, readonly Partial<TrainingQuestion>[]>
  > = {
    'no-question': [{ text: ' ' }],
    comparison: [
      { type: 'comparison' },
      { type: 'comparison', dataset: 'hotpotqa', order: [0, 1] },
    ],
    'unknown-type': [{ type: 'riddle' }, { dataset: 'hotpotqa', type: 'riddle', order: [0, 1] }],
    'no-evidences': [{}],
    'unmapped-subject': [{ evidences: [FILM, ['Nobody', 'x', 'y']] }],
    'no-support': [musique(), musique(step('a', 0), step('of #1'))],
    'bad-reference': [
      musique(step('a', 0), step('of #2', 1)),
      musique(step('of #0', 0), step('b', 1)),
      musique(step('of #4', 0)),
    ],
    'unknown-order': [{ dataset: 'hotpotqa', type: 'bridge' }],
    'too-few-nodes': [
      { evidences: [FILM] },
      musique(step('a', 0), step('of #1', 0)),
      { dataset: 'hotpotqa', type: 'bridge', order: [1, 1] },
    ],
    'no-edge': [{ evidences: [FILM, ['Rome', 'x', 'y']] }, musique(step('a', 0), step('b', 1))],
    cycle: [{ evidences: [FILM, ['Ann Ray', 'made', 'Blue Lamp']] }],
    'not-one-root': [{ evidences: [FILM, ['Red Door', 'director', 'Ann Ray'], BIRTH] }],
    'too-few-roots': [{ type: 'bridge_comparison', evidences: [FILM, BIRTH] }],
  };
  for (const [reason, cases] of Object.entries(wrong))
    for (const [index, about] of cases.entries())
      test(`${reason} ${index + 1}`, () =>
        assert.deepEqual(supervisionGraph(question(about)), { rejected: reason }));
  test('few-negatives, which only drawing shows', () => {
    const set = trainingSet([
      question({ evidences: [FILM, BIRTH], paragraphs: question({}).paragraphs.slice(0, 5) }),
    ]);
    assert.deepEqual(
      set.rejected.map(({ reason }) => reason),
      ['few-negatives'],
    );
  });
  test('no reason is without a case', () => {
    assert.deepEqual(
      [...Object.keys(wrong), 'few-negatives'].sort(),
      Object.keys(REJECTIONS).sort(),
    );
  });
});
