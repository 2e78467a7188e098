/** Tests the training data of the lite classifiers, by hand. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Document } from '../../../src/core/corpus/document.ts';
import type { TrainingQuestion } from '../training-question.ts';
import { liteData } from './lite-data.ts';
import { termWeights } from './lite-samples.ts';
import { resolvedSteps } from './resolved-steps.ts';

const BASE = { id: 'q', ownContext: true, evidences: [], steps: [], order: [] } as const;

const side: TrainingQuestion = {
  ...BASE,
  dataset: 'hotpotqa',
  type: 'comparison',
  text: 'Which is older, Quill or Amber?',
  paragraphs: ['Quill', 'Amber'].map(title => ({ title, text: `${title} is old.` })),
  supporting: ['Amber', 'Quill'],
};

describe('training data', () => {
  test('keep questions whose steps are known, and count the others', () => {
    const { documents, questions, counts } = liteData([side, { ...side, text: ' ', id: 'blank' }]);
    assert.deepEqual(
      questions.map(({ question, gold }) => [question.id, [...gold]]),
      [['q', ['0000000', '0000001']]],
    );
    assert.deepEqual(
      documents.map(({ id, title }) => [id, title]),
      [
        ['0000000', 'Quill'],
        ['0000001', 'Amber'],
      ],
    );
    const [count, ...more] = counts;
    assert.deepEqual([count!.questions, count!.unresolved, count!.rounds, more], [2, 1, 1, []]);
  });

  test('term weights are in the order of stems, of stems in 25 paragraphs', () => {
    const words = ['lamp', 'barn', 'quay', 'mill', 'kiln'];
    const documents = Array.from(
      { length: 30 },
      (_, at): Document => ({
        id: `${at}`,
        title: '',
        metadata: {},
        text: [...words.slice(0, at < 25 ? 5 : 4), `rare${at}`].join(' '),
      }),
    );
    const { common } = termWeights(documents);
    assert.deepEqual([...common.keys()], ['barn', 'kiln', 'lamp', 'mill', 'quay']);
    const reversed = termWeights(
      documents.map(each => ({ ...each, text: each.text.split(' ').toReversed().join(' ') })),
    );
    assert.deepEqual([...reversed.common], [...common]);
    // Inverse document frequency as in BM25: log(1 + (N - n + 1/2) / (n + 1/2)).
    assert.equal(common.get('kiln'), Math.log(1 + 5.5 / 25.5));
  });
});

describe('steps', () => {
  test('two names that differ in a space alone are not the same', () => {
    const question: TrainingQuestion = {
      ...BASE,
      dataset: '2wiki',
      type: 'compositional',
      text: 'Who?',
      paragraphs: [
        { title: 'Iron Lamp', text: 'Iron Lamp is by Red Vale.' },
        { title: 'RedVale', text: 'RedVale is a firm.' },
      ],
      supporting: ['Iron Lamp', 'RedVale'],
      evidences: [
        ['Iron Lamp', 'maker', 'Red Vale'],
        ['RedVale', 'kind', 'firm'],
      ],
    };
    assert.deepEqual(
      resolvedSteps(question).map(({ level }) => level),
      [0, 0],
    );
    const same: TrainingQuestion = {
      ...question,
      evidences: [question.evidences[0]!, ['Red Vale', 'kind', 'firm']],
      paragraphs: [question.paragraphs[0]!, { title: 'Red Vale', text: 'Red Vale is a firm.' }],
      supporting: ['Iron Lamp', 'Red Vale'],
    };
    assert.deepEqual(
      resolvedSteps(same).map(({ level }) => level),
      [0, 1],
    );
  });

  test('a sub-question without an answer finds an unknown object', () => {
    const question: TrainingQuestion = {
      ...BASE,
      dataset: 'musique',
      type: '2hop',
      text: 'Who built Quill?',
      paragraphs: [{ title: 'Quill', text: 'Ida built Quill.' }],
      supporting: ['Quill'],
      steps: [{ question: 'Who built it?', paragraph: 0 }],
    };
    const [step] = resolvedSteps(question);
    assert.deepEqual([step!.subject, step!.object], ['Quill', '']);
  });

  test('a comparison reads the paragraphs of its supporting titles', () => {
    assert.deepEqual(
      resolvedSteps(side).map(({ paragraph, subject }) => [paragraph, subject]),
      [
        [1, 'Amber'],
        [0, 'Quill'],
      ],
    );
  });
});
