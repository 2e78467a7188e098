/** Checks yes and no by the order of values, and questions that compare nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderedVerdict } from './ordered-verdict.ts';
import { readOpen } from './passages.ts';

const ONE = 'Orla Venn was born in 1901 and died in 1950.';
const TWO = 'Tam Quillor was born in 1905 and died in 1940.';
const verdict = (question: string, one = ONE, two = TWO) =>
  orderedVerdict(
    readOpen(
      question,
      ['Tam Quillor', 'Orla Venn', 'Ida Holm'],
      [two, one, 'No.'].map((text, part) => ({ part, text })),
    ),
  );

for (const [question, yes] of [
  ['Was Orla Venn born before Tam Quillor?', true],
  ['Was Tam Quillor born before Orla Venn?', false],
  ['Was Orla Venn born after Tam Quillor?', false],
  ['Was Tam Quillor born AFTER Orla Venn?', true],
  ['Did Orla Venn die after Tam Quillor did?', true],
  ['Was Orla Venn born earlier than Tam Quillor was?', true],
  ['Was Orla Venn born sooner than Tam Quillor?', true],
  ['Was Orla Venn born later than Tam Quillor?', false],
  ['Is Orla Venn older than Tam Quillor is?', true],
  ['Is Orla Venn younger than Tam Quillor does?', false],
  ['Has Orla Venn lived longer than Tam Quillor has?', true],
  ['Were Orla Venn born before Tam Quillor were?', true],
  ['Was Orla Venn born before “Tam Quillor”', true],
  ['Was Orla Venn born beforehand Tam Quillor?', undefined],
  ['Was Orla Venn born hereafter Tam Quillor?', undefined],
  ['Was Orla Venn born before Tam Quillor left?', undefined],
  ['Was Orla Venn born before Tam Quillor and Ida Holm?', undefined],
  ['Was Orla Venn born before 1910?', undefined],
  ['Before Orla Venn was Tam Quillor born?', undefined],
] as const)
  test(`"${question}": ${yes}`, () => assert.equal(verdict(question)?.yes, yes));

test('the sentences that state the values are cited, in the order of the question', () =>
  assert.deepEqual(verdict('Was Orla Venn born before Tam Quillor?')?.sentences, [1, 0]));

test('values that no relation states, or that are equal, tell nothing', () => {
  const question = 'Was Orla Venn born before Tam Quillor?';
  assert.equal(verdict(question, 'Orla Venn, 1901.'), undefined);
  assert.equal(verdict(question, TWO, TWO), undefined);
});
