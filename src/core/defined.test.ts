/** Tests that undefined keys are left out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defined } from './defined.ts';

interface Reply {
  readonly text: string;
  readonly hint?: string;
}

test('keeps what is defined, null and empty included, and no key that is undefined', () => {
  const of = (hint?: string): Reply => defined({ text: '', hint });
  assert.deepEqual(of('x'), { text: '', hint: 'x' });
  assert.deepEqual(Object.keys(of()), ['text']);
  assert.deepEqual(defined<{ a: null }>({ a: null }), { a: null });
});

test('a misspelt key is an error of types', () => {
  // @ts-expect-error `hnit` is no key of Reply
  const reply: Reply = defined({ text: '', hnit: 'x' });
  assert.equal(reply.text, '');
});
