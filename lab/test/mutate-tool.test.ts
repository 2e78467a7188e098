/** Tests the parts of `npm run mutate` that decide its score; no mutant is run. */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Mutant, shuffled } from '../mutate/mutants.ts';
import { importsOf, Nearness } from '../mutate/nearness.ts';
import { report, triedOf } from '../mutate/report.ts';
import { Results, wilson } from '../mutate/results.ts';
import { MUTATED_ROOMS, sourcesOf, testsOf } from '../mutate/rooms.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

const mutant = (key: string, file = 'text', start = 0, end = 1): Mutant => ({
  key,
  file,
  path: 'src/a.ts',
  line: 3,
  start,
  end,
  operator: 'EqualityOperator',
  original: 'a < b',
  replacement: 'a <= b',
});

test('every room has sources, and tests that exist', () => {
  for (const room of MUTATED_ROOMS) {
    assert.ok(sourcesOf(room, ROOT).length > 10, room);
    const tests = testsOf(room, ROOT);
    assert.ok(tests.length > 5 && new Set(tests).size === tests.length, room);
    for (const path of tests) assert.ok(existsSync(join(ROOT, path)), path);
  }
});

test('the seed alone orders mutants, and one more moves no other', () => {
  const some = Array.from({ length: 50 }, (_, at) => mutant(`key ${at}`));
  const keys = (order: readonly Mutant[]): string[] => order.map(({ key }) => key);
  assert.deepEqual(keys(shuffled(some, 1)), keys(shuffled(some.toReversed(), 1)));
  assert.notDeepEqual(keys(shuffled(some, 1)), keys(shuffled(some, 2)));
  assert.deepEqual(keys(shuffled(some, 1)).toSorted(), keys(some).toSorted());
  const more = keys(shuffled([...some, mutant('another')], 1));
  assert.deepEqual(
    more.filter(key => key !== 'another'),
    keys(shuffled(some, 1)),
  );
});

test('a file’s own test comes first, then tests that load it and the room’s, the quickest first', () => {
  const folder = mkdtempSync(join(tmpdir(), 'multihop-nearness-'));
  try {
    const texts: Record<string, string> = {
      'far.test.ts': "import { c } from './c.ts';",
      'slow.test.ts': "import { a } from './a.ts';",
      'quick.test.ts': "import {\n  a,\n} from './a.ts';\nconst b = await import('./b.ts');",
      'a.test.ts': '',
      'typed.test.ts': "import type { A } from './a.ts';",
    };
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
    assert.deepEqual(
      [...importsOf('src/x/q.ts', texts['quick.test.ts']!)],
      ['src/x/a.ts', 'src/x/b.ts'],
    );
    const nearness = new Nearness(['far.test.ts'], Object.keys(texts), folder);
    const ms = (name: string): number => (name === 'slow.test.ts' ? 9 : 1);
    assert.deepEqual(nearness.ordered('a.ts', ms), [
      ...['a.test.ts', 'far.test.ts', 'quick.test.ts', 'slow.test.ts'],
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('results are read again; survivors count against the same tests only', () => {
  const folder = mkdtempSync(join(tmpdir(), 'multihop-results-'));
  try {
    const path = join(folder, 'deep', 'room.jsonl');
    const first = new Results(path);
    first.add({ key: 'a', file: 'text', outcome: 'killed', by: 't', against: '1' });
    first.add({ key: 'b', file: 'text', outcome: 'survived', against: '1' });
    first.add({ key: 'c', file: 'text', outcome: 'uncompiled', against: '1' });
    first.add({ key: 'd', file: 'text', outcome: 'compiled', against: '1' });
    appendFileSync(path, '{"key":"e","fi');
    const again = new Results(path);
    const known = (against: string, file = 'text'): (string | undefined)[] =>
      ['a', 'b', 'c', 'd', 'e'].map(key => again.of(mutant(key, file), against)?.outcome);
    assert.deepEqual(known('1'), ['killed', 'survived', undefined, undefined, undefined]);
    assert.deepEqual(known('2'), ['killed', undefined, undefined, undefined, undefined]);
    assert.deepEqual(known('1', 'changed'), Array(5).fill(undefined));
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'e'].map(key => again.compiles(mutant(key))),
      [true, true, false, true, undefined],
    );
    const resultOf = (mutant: Mutant) => again.of(mutant, '1');
    const three = ['a', 'b', 'c'].map(key => mutant(key));
    const two = three.slice(0, 2);
    const stopped = report('room', triedOf(three, resultOf));
    assert.match(stopped, /room: stopped .*, no score: 1 of 3 mutants killed, 1 not decided$/);
    const told = report('room', triedOf(two, resultOf));
    assert.match(told, /Survivors \(1\):\n {2}b src\/a\.ts:3 EqualityOperator: a < b -> a <= b\n/);
    assert.match(told, /room: 1 of 2 mutants killed, 50\.0 % \(95 % interval 9\.5 % to 90\.5 %\)/);
    const tried = triedOf(two, resultOf, { b: 'the same' });
    assert.deepEqual(
      [tried.all, tried.distinct, tried.survivors],
      [...[{ killed: 1, tried: 2 }, { killed: 1, tried: 1 }, []]],
    );
    const equal = report('room', tried);
    assert.match(equal, /Equivalent \(1\):\n {2}b src.*: the same\n/);
    assert.match(equal, /1 of 2 mutants killed.*; without equivalent ones 1 of 1 mutants killed/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a pass counts for the text of its test', () => {
  const folder = mkdtempSync(join(tmpdir(), 'multihop-passes-'));
  try {
    const path = join(folder, 'room.jsonl');
    const results = new Results(path);
    results.add({ key: 'a', file: 'text', outcome: 'passed', by: 'x.test.ts', against: 'old' });
    for (const known of [results, new Results(path)]) {
      assert.equal(known.passed(mutant('a'), 'x.test.ts', 'old'), true);
      assert.equal(known.passed(mutant('a'), 'x.test.ts', 'new'), false);
      assert.equal(known.passed(mutant('a'), 'y.test.ts', 'old'), false);
      assert.equal(known.passed(mutant('a', 'changed'), 'x.test.ts', 'old'), false);
      assert.equal(known.of(mutant('a'), 'old'), undefined);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the Wilson interval, by hand', () => {
  const near = (found: readonly number[], expected: readonly number[]): void =>
    expected.forEach(
      (value, at) => void assert.ok(Math.abs(found[at]! - value) < 5e-4, `${found}`),
    );
  near(wilson(170, 200), [0.7938, 0.8929]);
  near(wilson(0, 10), [0, 0.2775]);
  near(wilson(10, 10), [0.7225, 1]);
  assert.deepEqual(wilson(0, 0), [0, 1]);
});
