import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { Example } from '../example.ts';
import { fitQuestions } from './question-classifier.ts';
import { crossValidated } from './question-only.ts';

const topics = ['boats', 'trains', 'mills', 'lamps', 'roads'];
const asked = (index: number): { question: string; answer: string } => {
  const topic = topics[index % topics.length]!;
  return index % 2 === 0
    ? { question: `Do both reports on ${topic} agree, number ${index}?`, answer: 'Yes' }
    : { question: `Is there a conflict about ${topic}, number ${index}?`, answer: 'No' };
};

test('frequent answers follow from words, others from the most similar question', () => {
  const samples = [
    ...Array.from({ length: 60 }, (_, index) => asked(index)),
    { question: 'Which keeper lit the harbour lamp?', answer: 'Ida Holm' },
    { question: 'Which captain sold the old ferry?', answer: 'Carl Ross' },
  ];
  const classifier = fitQuestions(samples, { l2: 1, verdict: { l2: 1, near: true } });
  assert.equal(classifier.answer('Do both reports on sheep agree?'), 'Yes');
  assert.equal(classifier.answer('Is there a conflict about sheep?'), 'No');
  assert.equal(classifier.answer('Which captain bought an old ferry?'), 'Carl Ross');
});

test('an answer may be a name of the question, by its place', () => {
  const names = 'Ada Bob Carl Dora Emil Fred Gina Hans Ida Jan Karl Lena'.split(' ');
  const samples = names.map((name, index) => ({
    question: `Which was first, ${name} or ${names[(index + 1) % names.length]}?`,
    answer: name,
  }));
  const { answer } = fitQuestions([...samples, ...samples.slice(0, 3)], {
    l2: 0.01,
    verdict: { l2: 1, near: false },
  });
  assert.equal(answer('Which was first, Olga or Peter?'), 'Olga');
});

test('no question is answered by a fit on its own fold', () => {
  const examples = Array.from(
    { length: 40 },
    (_, index): Example => ({
      id: `q${index}`,
      question: { id: `q${index}`, text: `What is thing ${index}?` },
      answers: [`answer ${index}`],
      gold: [],
    }),
  );
  const folds = examples.map((_, index) => index % 5);
  for (const [index, text] of crossValidated(examples, folds).entries()) {
    assert.ok(text !== undefined);
    assert.notEqual(Number(text.slice('answer '.length)) % 5, index % 5);
  }
});

test('it answers any questions, in any folds', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('Is A or B?', 'Who?', ''));
  const questions = fc.array(fc.record({ text, answer: fc.option(text), fold: fc.nat(4) }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(questions, drawn => {
      const examples = drawn.map(
        ({ text: question, answer }, index): Example => ({
          id: `q${index}`,
          question: { id: `q${index}`, text: question },
          answers: answer === null ? [] : [answer],
          gold: [],
        }),
      );
      const texts = crossValidated(
        examples,
        drawn.map(({ fold }) => fold),
      );
      const known = new Set(drawn.map(({ answer }) => answer));
      assert.ok(texts.every(text => text === undefined || known.has(text) || text !== ''));
      assert.equal(texts.length, drawn.length);
    }),
    { numRuns: 30 },
  );
});
