/**
 * The weights of the fact reader that ship know no name: each feature is made of words that
 * questions share, of masks, and of names that our code gives.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FACT_PARTS } from '../src/models/fact-reader/fact-checkpoint.ts';
import { shippedFacts } from '../src/models/fact-reader/shipped.ts';
import { isDiscourseWord } from '../src/reading/fact-reader/discourse-words.ts';

const folder = new URL('../src/reading/fact-reader/', import.meta.url);
const code = readdirSync(folder)
  .map(file => readFileSync(new URL(file, folder), 'utf8'))
  .join('\n');

/** A word of questions, a mask, the end of a question, or words that stand in our code. */
const known = (token: string): boolean =>
  isDiscourseWord(token) ||
  /^(?:<[a-z]+>|[$^?])$/.test(token) ||
  token
    .split(/[^\p{L}]+/u)
    .filter(part => part !== '')
    .every(part => code.includes(part));

for (const part of FACT_PARTS)
  test(`${part}: every feature is of a closed set`, () => {
    const strange = [...shippedFacts().model[part].weights.keys()].filter(
      name => !name.split(' ').every(known),
    );
    assert.deepEqual(strange, []);
  });

test('a name would be found', () => {
  assert.ok(!'Ilse Tarrandine said'.split(' ').every(token => known(token.toUpperCase())));
  assert.ok(!known('bankman') && !known('wired'));
});
