/** Tests which files an ingest leaves out: those that git ignores, and all below node_modules. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readDocuments } from '../src/documents/read-documents.ts';
import { freshFolder } from './fresh-folder.ts';
import { printed, run, succeeds } from './running-command.ts';

function folderOf(files: Readonly<Record<string, string>>, folder: string = freshFolder()): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

async function idsIn(paths: readonly string[], all = false): Promise<string[]> {
  const ids: string[] = [];
  for await (const event of readDocuments(paths, { all }))
    if (event.type === 'document') ids.push(event.document.id);
  return ids.sort();
}

const FILES = {
  'a.md': 'A.',
  'build/b.md': 'B.',
  'docs/c.md': 'C.',
  'docs/draft.md': 'D.',
  'docs/build/e.md': 'E.',
  'node_modules/x/f.md': 'F.',
  'packages/p/node_modules/g.md': 'G.',
};

describe('a folder is read without what its rules name', () => {
  const cases: Record<string, readonly [rules: Record<string, string>, left: readonly string[]]> = {
    'node_modules without any rules': [{}, []],
    'a folder anywhere': [{ '.gitignore': 'build/\n' }, ['build/b.md', 'docs/build/e.md']],
    'a folder at the top': [{ '.gitignore': '/build\n' }, ['build/b.md']],
    'rules of a folder below': [{ 'docs/.gitignore': 'draft.*\n' }, ['docs/draft.md']],
    'a file that is named again': [
      { '.gitignore': '*.md\n!c.md\n' },
      ['a.md', 'build/b.md', 'docs/draft.md', 'docs/build/e.md'],
    ],
    'a file that inner rules name again': [
      { '.gitignore': 'draft.md\n', 'docs/.gitignore': '!draft.md\n' },
      [],
    ],
    'comments, blanks and a byte order mark': [
      { '.gitignore': '\ufeff# a.md\n\n  \nbuild\n' },
      ['build/b.md', 'docs/build/e.md'],
    ],
    'other capitals name another file': [{ '.gitignore': 'A.md\n' }, []],
  };
  for (const [title, [rules, left]] of Object.entries(cases))
    test(title, async () => {
      const folder = folderOf({ ...FILES, ...rules });
      const read = Object.keys(FILES).filter(
        path => !path.includes('node_modules') && !left.includes(path),
      );
      assert.deepEqual(await idsIn([folder]), read.sort());
      assert.deepEqual(await idsIn([folder], true), Object.keys(FILES).sort());
    });
});

test('a path that is named is read, with what it holds', async () => {
  const folder = folderOf({ ...FILES, '.gitignore': 'build/\ndraft.md\n', '.git/HEAD': '' });
  const at = (path: string): string => join(folder, path);
  assert.deepEqual(await idsIn([at('docs/draft.md')]), ['draft.md']);
  assert.deepEqual(await idsIn([at('build')]), ['b.md']);
  assert.deepEqual(await idsIn([at('node_modules/x')]), ['f.md']);
  // Rules of the work tree hold in a folder of it that they do not leave out.
  assert.deepEqual(await idsIn([at('docs')]), ['c.md']);
});

test('rules of git hold in its work tree', async () => {
  const folder = folderOf({ ...FILES, '.git/info/exclude': 'draft.md\n', '.git/HEAD': '' });
  assert.ok(!(await idsIn([folder])).includes('docs/draft.md'));
});

const PATHS = ['a', 'b', 'd/a', 'd/b', 'd/e/a', 'd/e/b', 'e/a', 'e/d/b', 'ab'].map(
  path => `${path}.md`,
);
const rule = fc
  .tuple(
    fc.constantFrom('', '', '', '!'),
    fc.constantFrom('', '', '/'),
    fc.constantFrom(
      'a.md',
      'b.md',
      'd',
      'e',
      'd/e',
      '*',
      'a*',
      '**/a.md',
      'd/**',
      '?.md',
      '[ab].md',
      '*.md',
    ),
    fc.constantFrom('', '', '/'),
  )
  .map(parts => parts.join(''))
  // The package takes this for what lies in the folder itself, too.
  .filter(line => !line.endsWith('**/'));
const rulesOf = (each: typeof rule): fc.Arbitrary<string> =>
  fc.array(each, { maxLength: 4 }).map(lines => `${lines.join('\n')}\n`);
const rules = rulesOf(rule);
// The package tells no rule of a file from that of its folder, if inner rules name this one again.
const inner = rulesOf(rule.filter(line => !line.startsWith('!') || line.endsWith('.md')));

test('files are left out as git leaves them out', async () => {
  await fc.assert(
    fc.asyncProperty(rules, fc.option(inner), async (outer, below) => {
      const folder = folderOf(Object.fromEntries(PATHS.map(path => [path, 'Words.'])));
      folderOf({ '.gitignore': outer, 'd/.gitignore': below ?? '' }, folder);
      const git = (...words: string[]): string =>
        execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8' });
      git('init', '-q');
      const listed = git('ls-files', '--others', '--exclude-standard').split('\n');
      assert.deepEqual(await idsIn([folder]), listed.filter(path => /\.md$/.test(path)).sort());
    }),
    { numRuns: 60 },
  );
});

test('an ingest counts what is left out, and --sync removes and names it', async () => {
  const folder = folderOf(FILES);
  const store = join(freshFolder(), 's');
  const ingest = (...words: string[]): Promise<{ readonly out: string; readonly err: string }> =>
    run(['ingest', folder, '--store', store, ...words]);
  assert.match((await ingest()).err, /not read: 2 files that .*node_modules leaves out \(--all/);
  const all = await printed(['ingest', folder, '--store', store, '--all']);
  assert.deepEqual([all.added, all.ignored], [2, undefined]);
  writeFileSync(join(folder, '.gitignore'), 'build\n');
  const without = await ingest();
  assert.match(without.err, /4 stored documents of files that vanished or are left out stay/);
  const synced = await ingest('--sync');
  assert.match(synced.err, /removed build\/b\.md: its file is left out now/);
  assert.match(synced.err, /removed node_modules\/x\/f\.md/);
  assert.match(synced.out, /4 removed/);
  await succeeds(['documents', '--store', store]);
});
