/** The seeded sample of questions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { InputError } from '../core/errors.ts';
import type { Example } from './example.ts';
import { SAMPLE_SEED, sampleQuestions } from './question-sample.ts';

const questions = (count: number): Example[] =>
  Array.from({ length: count }, (_, index) => ({ id: `q${index}` }) as Example);
const idsOf = (examples: readonly Example[]): string[] => examples.map(({ id }) => id);

test('draws distinct questions in the order of the file, deterministically', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200 }),
      fc.nat(),
      fc.integer({ min: 0, max: 2 ** 31 }),
      (total, drawn, seed) => {
        const all = questions(total);
        const size = 1 + (drawn % total);
        const { examples } = sampleQuestions(all, size, seed);
        const places = examples.map(example => all.indexOf(example));
        assert.equal(places.length, size);
        assert.ok(
          places.every((place, index) => place >= 0 && (index === 0 || place > places[index - 1]!)),
        );
        assert.deepEqual(sampleQuestions(questions(total), size, seed).examples, examples);
      },
    ),
  );
});

test('a smaller sample of a seed is a part of a larger one', () => {
  const all = questions(97);
  const large = new Set(idsOf(sampleQuestions(all, 60, 5).examples));
  for (const size of [1, 7, 30, 60])
    assert.ok(idsOf(sampleQuestions(all, size, 5).examples).every(id => large.has(id)));
});

test('draws the pinned sample of the published tables', () => {
  const { examples, description } = sampleQuestions(questions(1330), 5);
  assert.deepEqual(description, {
    questions: 5,
    of: 1330,
    seed: SAMPLE_SEED,
    method: 'simple random without replacement',
    generator: 'mulberry32',
  });
  assert.deepEqual(idsOf(examples), ['q6', 'q64', 'q880', 'q1086', 'q1300']);
});

test('refuses too large a sample with the number of questions', () => {
  for (const size of [0, 11, 1.5])
    assert.throws(
      () => sampleQuestions(questions(10), size),
      (error: unknown) =>
        InputError.is(error) &&
        error.code === 'sample-too-large' &&
        /from 1 to 10,/.test(error.message),
    );
});
