/**
 * The shipped weights of the fact reader contain no names: each feature consists of words that
 * questions share, masks, and names from the code.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isDiscourseWord } from '../src/language/english/words/discourse-words.ts';
import { FACT_PARTS } from '../src/models/fact-reader/fact-checkpoint.ts';
import { shippedFacts } from '../src/models/fact-reader/shipped.ts';
import { FACT_SUPPORT } from '../src/readers/fact-reader/decide.ts';

const folder = new URL('../src/readers/fact-reader/', import.meta.url);
const code = readdirSync(folder)
  .filter(file => !file.endsWith('.test.ts'))
  .map(file => readFileSync(new URL(file, folder), 'utf8'))
  .join('\n');

/**
 * Returns true for a word of questions, a mask, an end of the question, or words that occur in the
 * code.
 */
const known = (token: string): boolean =>
  isDiscourseWord(token) ||
  /^(?:<[a-z]+>|[$^?])$/.test(token) ||
  token
    .split(/[^\p{L}]+/u)
    .filter(part => part !== '')
    .every(part => code.includes(part));

for (const part of FACT_PARTS)
  test(`${part}: every feature is in a closed set`, () => {
    const strange = [...shippedFacts().model[part].weights.keys()].filter(
      name => !name.split(' ').every(known),
    );
    assert.deepEqual(strange, []);
  });

test('the default support is the one that the weights were fitted with', () => {
  assert.equal(shippedFacts().provenance['support'], FACT_SUPPORT);
});

test('detects a name', () => {
  assert.ok(!'Ilse Tarrandine said'.split(' ').every(token => known(token.toUpperCase())));
  assert.ok(!known('bankman') && !known('wired'));
});
