/** Tests that docs/security.md names tests that there are. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PACKAGE } from './running-command.ts';

const PAGE = readFileSync(join(PACKAGE, 'docs', 'security.md'), 'utf8');
const ROW = /^\| (.+) \| \[([^\]]+)\]\(\.\.\/([^)]+)\) \|$/;

interface NamedTest {
  readonly title: string;
  readonly file: string;
}

/** Returns the tests in the tables of a part of the page. */
const testsIn = (part: string): NamedTest[] =>
  part.split('\n').flatMap(line => {
    const [, title, shown, file] = ROW.exec(line) ?? [];
    if (title === undefined) return [];
    assert.equal(shown, file, line);
    return [{ title, file: file! }];
  });

/** Titles of the tests and of their groups, as the sources spell them. */
function titlesOf(file: string): string[] {
  const source = readFileSync(join(PACKAGE, file), 'utf8');
  const titles = source.matchAll(/\b(?:test|describe)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs);
  return [...titles].map(([, , title]) => title!.replace(/\\(['"`])/g, '$1'));
}

test('every named test exists by its file and title', () => {
  const all = testsIn(PAGE);
  assert.ok(all.length > 80, String(all.length));
  const missing = all.filter(
    ({ title, file }) => !existsSync(join(PACKAGE, file)) || !titlesOf(file).includes(title),
  );
  assert.deepEqual(missing, []);
  assert.ok(!titlesOf('test/security-doc.test.ts').includes('a title that no test has'));
});

test('every row of a table of tests is read', () => {
  const rows = PAGE.split('\n').filter(line => /^\|.*\.test\.ts/.test(line));
  assert.equal(testsIn(PAGE).length, rows.length);
});

test('all ten risks of OWASP are there, each with at least two tests', () => {
  const parts = PAGE.split(/^### (?=LLM\d\d )/m).slice(1);
  const names = parts.map(part => part.slice(0, 5));
  assert.deepEqual(
    names,
    Array.from({ length: 10 }, (_, index) => `LLM${String(index + 1).padStart(2, '0')}`),
  );
  for (const part of parts) {
    const [own = ''] = part.split(/^## /m);
    assert.ok(testsIn(own).length >= 2, own.slice(0, 40));
  }
});

test('every file of attacks is named', () => {
  const files = readdirSync(join(PACKAGE, 'test', 'server'))
    .filter(name => /^attack-.*\.test\.ts$/.test(name))
    .map(name => `test/server/${name}`);
  const named = new Set(testsIn(PAGE).map(({ file }) => file));
  assert.deepEqual(
    files.filter(file => !named.has(file)),
    [],
  );
});
