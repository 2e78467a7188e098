/** Tests the search of a text for many names against a search for one name after the other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { finish } from '../core/steps.ts';
import { type Accepts, type KnownName, KnownNames } from './known-names.ts';

type Place = [text: string, start: number, end: number];

const search = (names: readonly KnownName[], text: string, accepts: Accepts<KnownName>): Place[] =>
  finish(KnownNames.prepare(names))
    .find(text, accepts)
    .map(({ name, start, end }) => [name.text, start, end]);

/** Every name at every place: the longest spelling first, then by preference and position. */
function slowSearch(
  names: readonly KnownName[],
  text: string,
  accepts: Accepts<KnownName>,
): Place[] {
  const lower = text.toLowerCase();
  const folds = lower.length === text.length;
  const places = names.flatMap((name, rank) => {
    const [haystack, needle] =
      name.folds && folds ? [lower, name.text.toLowerCase()] : [text, name.text];
    return Array.from(text, (_, start) => ({ name, rank, start, end: start + needle.length }))
      .concat({ name, rank, start: text.length - 1, end: text.length - 1 + needle.length })
      .filter(({ start, end }) => needle !== '' && haystack.slice(start, end) === needle);
  });
  places.sort(
    (a, b) => b.end - b.start - (a.end - a.start) || a.rank - b.rank || a.start - b.start,
  );
  const taken: Place[] = [];
  for (const { name, start, end } of places)
    if (taken.every(([, from, to]) => end <= from || to <= start) && accepts(name, start, end))
      taken.push([name.text, start, end]);
  return taken.sort((a, b) => a[1] - b[1]);
}

const piece = fc.constantFrom('a', 'b', 'A', 'ab', ' ', 'İ', 'ß', 'the ');
const words = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(piece, { maxLength }).map(parts => parts.join(''));
const name = fc.record({ text: words(4), folds: fc.boolean() });

test('finds what a search for one name after the other finds', () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 8 }), words(16), fc.nat(3), (names, text, salt) => {
      const accepts: Accepts<KnownName> = ({ text: own }, start, end) =>
        (own.length + start * 3 + end * 5 + salt) % 4 !== 0;
      assert.deepEqual(search(names, text, accepts), slowSearch(names, text, accepts));
    }),
    { numRuns: 3000 },
  );
});

/** Counts the units of names that a search reads. */
function unitsRead(count: number): number {
  const names = Array.from({ length: count }, (_, at) => ({ text: `the ${at} post`, folds: true }));
  const known = finish(KnownNames.prepare(names));
  const native = String.prototype.charCodeAt;
  let read = 0;
  try {
    String.prototype.charCodeAt = function (this: string, at: number): number {
      read++;
      return native.call(this, at);
    };
    known.find('the 7 post and the 99 ghost '.repeat(100), () => true);
  } finally {
    String.prototype.charCodeAt = native;
  }
  return read;
}

test('a hundred times the names take not even twice the work', () => {
  const [few, many] = [unitsRead(200), unitsRead(20_000)];
  assert.ok(few > 1000 && many < 2 * few, `${few} units of 200 names, ${many} of 20,000`);
});

test('names that begin each other are found in a text of one letter', () => {
  const names = Array.from({ length: 300 }, (_, at) => ({ text: 'a'.repeat(at + 1), folds: true }));
  const found = search(names, 'a'.repeat(1000), (_, start) => start % 100 === 0);
  assert.deepEqual(
    found.map(([text]) => text.length),
    [300, 300, 300, 100],
  );
});
