/** Tests the classifier of yes/no questions: discourse words, topics, and similar questions. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fitVerdicts, type Verdict, wordsOf } from './verdict-classifier.ts';

const TOPICS = 'boats lamps mills trains roads ferries barns kilns looms quays'.split(' ');
const far = { l2: 0.1, near: false };
const near = { l2: 0.1, near: true };

test('words are letters with apostrophes and hyphens, or digits, in lower case', () => {
  assert.deepEqual(wordsOf('Did O’Neil’s off-shore Crew sail 12km in 2023?'), [
    ...['did', 'o’neil’s', 'off-shore', 'crew', 'sail', '12', 'km', 'in', '2023'],
  ]);
  assert.deepEqual(wordsOf("Élan's?!"), ["élan's"]);
  assert.deepEqual(wordsOf('...'), []);
});

describe('discourse words', () => {
  const samples = TOPICS.flatMap((topic): Verdict[] => [
    { question: `Do both reports on ${topic} agree?`, yes: true },
    { question: `Do both reports on ${topic} disagree?`, yes: false },
  ]);

  test('decide, whatever the topic is and however long', () => {
    const isYes = fitVerdicts(samples, far);
    for (const topic of ['sheep', 'old brass kettles', 'Dunmarrow']) {
      assert.equal(isYes(`Do both reports on ${topic} agree?`), true, topic);
      assert.equal(isYes(`Do both reports on ${topic} disagree?`), false, topic);
    }
  });

  test('topics themselves are not learnt', () => {
    const byTopic = TOPICS.map(
      (topic, index): Verdict => ({
        question: `Do both reports on ${topic} agree?`,
        yes: index < 7,
      }),
    );
    const isYes = fitVerdicts([...byTopic, ...byTopic, ...byTopic, ...byTopic], far);
    for (const { question } of byTopic) assert.equal(isYes(question), true, question);
  });

  test('their pairs, and the first and last word, decide too', () => {
    // Both orders have the same words: only pairs of neighbours differ.
    const ordered = TOPICS.flatMap((topic): Verdict[] => [
      { question: `Before ${topic} and after?`, yes: true },
      { question: `After ${topic} and before?`, yes: false },
    ]);
    const isYes = fitVerdicts(ordered, far);
    assert.equal(isYes('Before sheep and after?'), true);
    assert.equal(isYes('After sheep and before?'), false);
  });
});

test('words of fewer than four questions do not count', () => {
  const others = 'the of an with from into over under about between through during'.split(' ');
  const verdict = (count: number): boolean =>
    fitVerdicts(
      [
        ...others.map(question => ({ question, yes: true })),
        ...Array.from({ length: count }, () => ({ question: 'never', yes: false })),
      ],
      far,
    )('never');
  // A word that is not learnt leaves the more frequent verdict.
  assert.deepEqual([verdict(3), verdict(4)], [true, false]);
});

describe('similar questions', () => {
  /** No discourse word tells them apart. */
  const pair = (topic: string, yes: boolean): Verdict[] => [
    { question: `Are ${topic} near Pellow built of oak?`, yes },
    { question: `Are ${topic} of Pellow built of oak?`, yes },
  ];
  const samples = TOPICS.flatMap((topic, index) => pair(topic, index % 2 === 0));
  // They share five words of nine at most with those of other topics, more with their own.
  const asked = (topic: string): string => `Are ${topic} around Pellow built of oak?`;

  test('are not looked at unless the setting says so', () => {
    const verdicts = TOPICS.map(topic => fitVerdicts(samples, far)(asked(topic)));
    assert.equal(new Set(verdicts).size, 1);
  });

  test('a question is not near to itself', () => {
    // Each question stands once, so nothing but itself tells its answer.
    const single = TOPICS.map((topic, index) => ({
      question: `Is ${topic} ${topic}town ${topic}gate?`,
      yes: index % 2 === 0,
    }));
    const isYes = fitVerdicts(single, near);
    // No weight was learnt for nearness, so that all get the same answer.
    assert.equal(new Set(single.map(({ question }) => isYes(question))).size, 1);
  });

  test('half of the words in common is not similar, more is', () => {
    const lessons = TOPICS.flatMap((topic, index) => {
      const yes = index % 2 === 0;
      const words = [1, 2, 3, 4].map(part => `${topic}${'xyzw'[part - 1]}`).join(' ');
      return [
        { question: `${words} old?`, yes },
        { question: `${words} new?`, yes },
      ];
    });
    const isYes = fitVerdicts(lessons, near);
    // Three of four words stand in a set of six: exactly half of all words are common.
    for (const [index, topic] of TOPICS.entries()) {
      assert.equal(isYes(`${topic}x ${topic}y ${topic}z ${topic}w dry?`), index % 2 === 0, topic);
    }
    const half = TOPICS.map(topic => isYes(`${topic}x ${topic}y ${topic}z dry?`));
    assert.equal(new Set(half).size, 1);
  });
});
