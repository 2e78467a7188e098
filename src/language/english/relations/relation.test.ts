/** Checks where patterns of relations match: up to a value, or from its end on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { after, before } from './relation.ts';

test('patterns of the text before a value end where it starts', () => {
  const [one, two, ...more] = before('by ', String.raw`\p{Lu}\. `);
  assert.equal(more.length, 0);
  assert.match('lit by ', one!);
  assert.doesNotMatch('by whom', one!);
  assert.match('Ö. ', two!);
  assert.deepEqual(before(), []);
});

test('patterns of the text after a value start where it ends', () => {
  const [one, two, ...more] = after(' lit', String.raw` \p{Ll}+\.$`);
  assert.equal(more.length, 0);
  assert.match(' lit it', one!);
  assert.doesNotMatch(' who lit', one!);
  assert.match(' öl.', two!);
  assert.deepEqual(after(), []);
});
