/** Tests that every kept figure of a benchmark names its commit, day and machine, in docs too. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { keptResults, measuredSources, staleResults, taskOf } from '../bench/stale.ts';
import { TASKS } from '../bench/tasks.ts';
import { PACKAGE } from './running-command.ts';

const PAGE = readFileSync(join(PACKAGE, 'docs', 'benchmarks.md'), 'utf8');
const MARK = /[0-9a-f]{8}, \d{4}-\d\d-\d\d/;
const kept = keptResults();
const nameOf = (file: string): string => file.replace(/\.\w+$/, '');

test('every kept result names a benchmark, its commit, day and machine', () => {
  assert.ok(kept.length >= 29, `${kept.length}`);
  for (const { file, commit, date, machine } of kept) {
    assert.ok(TASKS[taskOf(file)], file);
    assert.match(commit, /^[0-9a-f]{8,12}$/, file);
    assert.match(date, /^\d{4}-\d\d-\d\d$/, file);
    assert.match(machine, /CPUs/, file);
  }
});

test('every figure of docs/benchmarks.md names commit and day, those of its result', () => {
  const rows = PAGE.split('\n').filter(line => /^\| (?!what|---)/.test(line));
  assert.ok(rows.length >= 16, `${rows.length}`);
  for (const row of rows) assert.match(row, new RegExp(`\\| ${MARK.source} \\|$`));
  // Some pages mark the results of one benchmark themselves, commit by commit.
  const elsewhere = /^(?:server|soak|capacity|engines-load-|tree-hop\.|vector-6k)/;
  for (const { file, commit, date } of kept.filter(({ file }) => !elsewhere.test(file))) {
    const named = PAGE.split('\n\n').flatMap(part => (part[0] === '|' ? part.split('\n') : part));
    const places = named.filter(
      part => part.includes(`\`${nameOf(file)}\``) || part.includes(file),
    );
    const mark = `${commit.slice(0, 8)}, ${date}`;
    assert.ok(
      places.some(part => part.replaceAll('\n', ' ').includes(mark)),
      `${file}: expected "${mark}" where docs/benchmarks.md names it`,
    );
  }
});

test('a benchmark measures the sources that its file imports or starts', () => {
  const lexical = measuredSources('lexical-6k');
  assert.ok(lexical.includes('src/search/indexes/lexical/bm25.ts'));
  assert.ok(!lexical.includes('src/run/ask.ts'));
  assert.ok(measuredSources('import').includes('src/index.ts'));
  for (const [name, { file, task }] of Object.entries(TASKS)) {
    const source = readFileSync(join(PACKAGE, 'bench', file), 'utf8');
    assert.match(source, new RegExp(`export const ${task}: Task`), name);
    assert.ok(measuredSources(name).length > 0, name);
  }
});

test('a result of a commit that git does not know is stale, and none is where none is kept', () => {
  const [one] = kept;
  const unknown = { ...one!, commit: '000000000000' };
  assert.match(staleResults([unknown]), /git does not know the commit/);
  assert.equal(staleResults([]), 'No kept result is stale.');
});
