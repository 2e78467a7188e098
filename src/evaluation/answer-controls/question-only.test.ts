import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { Example } from '../example.ts';
import { crossValidated } from './question-only.ts';

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
