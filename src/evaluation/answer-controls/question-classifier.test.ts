/** Tests which answers the classifier of questions gives: frequent ones, names, similar ones. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Answered, fitQuestions, verdictsOf } from './question-classifier.ts';

const SETTINGS = { l2: 0.1, verdict: { l2: 0.1, near: false } };
const TOPICS = 'boats lamps mills trains roads ferries barns kilns looms quays sheep hens'.split(
  ' ',
);
const times = (count: number, answer: string, ask: (topic: string) => string): Answered[] =>
  TOPICS.slice(0, count).map(topic => ({ question: ask(topic), answer }));

test('no questions are refused', () => {
  assert.throws(() => fitQuestions([], SETTINGS), /No questions to fit a classifier on/);
});

describe('frequent answers', () => {
  const oak = times(10, 'Oak', topic => `Which wood suits ${topic}?`);
  const tin = times(10, 'Tin', topic => `Which metal suits ${topic}?`);

  test('follow from words of the question', () => {
    const { answer } = fitQuestions([...oak, ...tin], SETTINGS);
    assert.equal(answer('Which wood suits goats?'), 'Oak');
    assert.equal(answer('Which metal suits goats?'), 'Tin');
  });

  test('are ten or more; fewer are those of the most similar question', () => {
    const few = [...oak.slice(0, 9), ...tin];
    const { answer } = fitQuestions(few, SETTINGS);
    assert.equal(answer('Which wood suits boats?'), 'Oak');
    assert.equal(answer('Which metal suits goats?'), 'Tin');
    // Frequent, the answer is given to any question; rare, it is that of one question alone.
    const rare = [...oak.slice(0, 9), { question: 'Who keeps bees?', answer: 'Ida' }];
    assert.equal(fitQuestions(rare, SETTINGS).answer('Who keeps bees at night?'), 'Ida');
  });

  test('are given in their most frequent spelling, the first by letters among equals', () => {
    const spelt = (texts: readonly string[]): string =>
      fitQuestions(
        TOPICS.slice(0, texts.length).map((topic, at) => ({
          question: `Which wood suits ${topic}?`,
          answer: texts[at]!,
        })),
        SETTINGS,
      ).answer('Which wood suits goats?');
    const [a, b] = [Array(6).fill('the oak'), Array(5).fill('Oak')];
    assert.equal(spelt([...a, ...b]), 'the oak');
    assert.equal(spelt([...b, ...a]), 'the oak');
    const [even, same] = [Array(5).fill('oak'), Array(5).fill('Oak')];
    assert.equal(spelt([...even, ...same]), 'Oak');
    assert.equal(spelt([...same, ...even]), 'Oak');
  });

  test('words of fewer than three questions teach nothing', () => {
    const rare = (count: number): string =>
      fitQuestions(
        [
          ...times(12, 'Oak', topic => topic),
          ...times(10 - count, 'Tin', topic => `${topic}town`),
          ...Array.from({ length: count }, () => ({ question: 'stone', answer: 'Tin' })),
        ],
        SETTINGS,
      ).answer('stone');
    // A word that is not learnt leaves the most frequent answer.
    assert.deepEqual([rare(2), rare(3)], ['Oak', 'Tin']);
  });
});

describe('yes and no', () => {
  const yes = times(10, 'Yes', topic => `Do both reports on ${topic} agree?`);
  const no = times(10, 'no', topic => `Do both reports on ${topic} disagree?`);

  test('are taken out of other answers', () => {
    assert.deepEqual(
      verdictsOf([...yes.slice(0, 1), ...no.slice(0, 1), { question: 'Who?', answer: 'Noah' }]),
      [
        { question: 'Do both reports on boats agree?', yes: true },
        { question: 'Do both reports on boats disagree?', yes: false },
      ],
    );
  });
});

describe('names of the question', () => {
  const NAMES = 'Ada Bob Carl Dora Emil Fred Gina Hans Ida Jan Karl Lena'.split(' ');
  const asked = (at: number): string[] =>
    [0, 1, 2, 3, 4, 5].map(by => NAMES[(at + by) % NAMES.length]!);
  const placed = (place: number): Answered[] =>
    NAMES.map((_, at) => ({
      question: `Who came last: ${asked(at).join(' or ')}?`,
      answer: asked(at)[place]!,
    }));
  const names = 'Olga or Peter or Quinn or Rosa or Sam or Tom';

  for (const place of [0, 1, 3])
    test(`the answer is that at place ${place}`, () => {
      const { answer } = fitQuestions(placed(place), SETTINGS);
      assert.equal(answer(`Who came last: ${names}?`), names.split(' or ')[place]);
    });

  test('a question of fewer names gets the answer of the most similar one', () => {
    const questions = [...placed(1), { question: 'Where do herons nest?', answer: 'Pellow' }];
    const { answer } = fitQuestions(questions, SETTINGS);
    assert.equal(answer('Where do herons nest in spring?'), 'Pellow');
    assert.ok(NAMES.includes(fitQuestions(placed(1), SETTINGS).answer('Who came last: Olga?')));
  });
});

describe('the most similar question', () => {
  const similar = (questions: readonly (readonly [string, string])[]) =>
    fitQuestions(
      questions.map(([question, answer]) => ({ question, answer })),
      SETTINGS,
    ).answer;

  test('shares rare words rather than frequent ones', () => {
    const answer = similar([
      ...TOPICS.map(topic => [`who saw the red old ${topic}`, topic] as const),
      ['what heron came', 'four'],
    ]);
    assert.equal(answer('who saw the heron'), 'four');
  });

  test('is short rather than long, of those that share as much', () => {
    const long = ['heron barn mill kiln loom quay', 'long'] as const;
    const short = ['heron reed', 'short'] as const;
    for (const questions of [
      [long, short],
      [short, long],
    ])
      assert.equal(similar(questions)('heron?'), 'short');
  });

  test('is the first among equals, and where nothing is shared', () => {
    const answer = similar([
      ['heron reed', 'first'],
      ['heron moss', 'second'],
    ]);
    assert.equal(answer('heron'), 'first');
    assert.equal(answer('goat'), 'first');
    assert.equal(answer(''), 'first');
    assert.equal(answer('moss moss'), 'second');
  });

  test('a repeated word counts once', () => {
    const answer = similar([
      ['heron heron heron heron reed moss fern', 'many'],
      ['heron reed', 'once'],
    ]);
    assert.equal(answer('heron heron heron'), 'once');
  });
});
