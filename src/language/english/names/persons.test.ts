/** Checks that names of persons are recognised, and last names completed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longerNames, looksLikePerson, singleNames } from './persons.ts';

test('a person is a name of two or three words whose last also occurs alone', () => {
  const alone = singleNames(['Sam Altman', 'Altman', 'Dunmarrow Drives', '2']);
  for (const [name, expected] of [
    ['Sam Altman', true],
    ['Dunmarrow Drives', false],
    ['Altman', false],
    ['Area 2', false],
  ] as const)
    assert.equal(looksLikePerson(name, alone), expected, name);
});

test('a last name stands for the full name that is most frequent', () => {
  const names = ['Ann Venn', 'Ulf Venn', 'Ulf Venn', 'the Venn', 'A B C Venn', 'Holm'];
  assert.deepEqual([...longerNames(names)], [['Venn', 'Ulf Venn']]);
});
