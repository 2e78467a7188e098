/** Signals that are linked for one run. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abortWith, linkedSignal } from './linked-signal.ts';

test('a linked signal fires with the first of its sources, and its reason', () => {
  const [first, two] = [new AbortController(), new AbortController()];
  const { signal } = linkedSignal(first.signal, undefined, two.signal);
  two.abort('second');
  first.abort('first');
  assert.equal(signal.reason, 'second');
  assert.equal(linkedSignal(first.signal, new AbortController().signal).signal.reason, 'first');
});

test('one source is the signal itself, and the end of the run leaves it alone', () => {
  const { signal: single } = new AbortController();
  const { signal, unlink } = linkedSignal(single, undefined, single);
  unlink();
  assert.equal(signal, single);
  assert.equal(single.aborted, false);
});

test('the end of a run ends what still waits, and leaves nothing at the sources', () => {
  const sources = [new AbortController(), new AbortController()];
  const { signal, unlink } = linkedSignal(...sources.map(source => source.signal));
  unlink();
  assert.equal((signal.reason as Error).name, 'AbortError');
  for (const source of sources) source.abort('later');
  assert.equal((signal.reason as Error).name, 'AbortError');
});

test('a controller follows a signal until it is let go', () => {
  const [source, followed, free] = [1, 2, 3].map(() => new AbortController());
  abortWith(followed!, source!.signal);
  abortWith(free!, source!.signal)();
  source!.abort('gone');
  assert.equal(followed!.signal.reason, 'gone');
  assert.equal(free!.signal.aborted, false);
});
