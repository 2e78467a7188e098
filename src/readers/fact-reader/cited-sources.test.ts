/** Tests outlets that a question cites, in corpora with and without sources. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { citedSources, unrecordedSources } from './cited-sources.ts';

const QUESTION = 'Did the Reuters article on Acme agree with another from The Copper Times?';

test('cited outlets count as unrecorded only if the corpus records no source', () => {
  assert.deepEqual(unrecordedSources(QUESTION, { sources: [] }), ['Reuters', 'The Copper Times']);
  assert.deepEqual(unrecordedSources(QUESTION, { sources: ['Wired'] }), []);
  assert.deepEqual(citedSources(QUESTION, { sources: ['Wired'] }).unknown, [
    ...['Reuters', 'The Copper Times'],
  ]);
});

test('a name ends with its sentence, and "the one in" cites nothing', () => {
  const { unknown } = citedSources('I saw a report by Reuters. Which of them is the one in Oslo?', {
    sources: [],
  });
  // The period of the sentence may stay.
  assert.deepEqual(
    unknown.map(name => name.replace(/\.$/, '')),
    ['Reuters'],
  );
});
