/**
 * Tests the system calls of a store on a real disk: nothing is acknowledged before its content and
 * its name are on the disk. Observed by strace, since a process cannot tell what a power cut
 * leaves.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freshFolder } from './fresh-folder.ts';

const root = freshFolder();

const WRITER = fileURLToPath(new URL('./oracles/store-writer.ts', import.meta.url));
const CALLS = 'trace=fsync,fdatasync,rename,renameat,renameat2,write,pwrite64,writev,pwritev,mkdir';
const isAllowed = spawnSync('strace', ['-f', '-o', join(root, 'try'), 'true']).status === 0;
const skip = isAllowed ? false : '`strace` is missing or not permitted here';

/** A finished call: files by path, `fd` of the standard streams. */
interface Call {
  readonly name: string;
  readonly paths: readonly string[];
  readonly fd: number | undefined;
}

/** Returns the calls that succeeded, in order of their ends; joins those cut by other threads. */
function callsIn(log: string): Call[] {
  const begun = new Map<string, string>();
  const calls: Call[] = [];
  for (const line of log.split('\n')) {
    const [, thread, text] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (thread === undefined || text === undefined) continue;
    if (text.endsWith('<unfinished ...>')) {
      begun.set(thread, text.slice(0, -'<unfinished ...>'.length));
      continue;
    }
    const rest = /^<\.\.\. \w+ resumed>(.*)$/.exec(text)?.[1];
    const whole = rest === undefined ? text : `${begun.get(thread) ?? ''}${rest}`;
    const [, name, words] = /^(\w+)\((.*)\)\s+= \d+$/.exec(whole) ?? [];
    if (name === undefined || words === undefined) continue;
    const [, fd, file] = /^(\d+)<([^>]*)>/.exec(words) ?? [];
    const quoted = [...words.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(found => found[1]!);
    calls.push({
      name,
      paths: file === undefined ? quoted : [file],
      fd: fd === undefined ? undefined : Number(fd),
    });
  }
  return calls;
}

const isLock = (path: string): boolean => /^lock[-.]/.test(basename(path));

/** Returns what the order of the calls breaks, and the number of acknowledgements. */
function check(
  calls: readonly Call[],
  store: string,
): { problems: string[]; acknowledged: number } {
  const problems: string[] = [];
  const dirtyFiles = new Set<string>();
  const dirtyFolders = new Set<string>();
  let acknowledged = 0;
  const settled = (what: string): void => {
    for (const file of dirtyFiles) problems.push(`${what}: the content of ${basename(file)}`);
    for (const folder of dirtyFolders) problems.push(`${what}: the names in ${folder}`);
  };
  for (const { name, paths, fd } of calls) {
    const path = paths[0] ?? '';
    if (name === 'fsync' || name === 'fdatasync') {
      dirtyFiles.delete(path);
      dirtyFolders.delete(path);
    } else if (name === 'mkdir') {
      if (store.startsWith(path)) dirtyFolders.add(dirname(path));
    } else if (name.includes('write')) {
      if (fd === 1) {
        acknowledged++;
        settled('acknowledged');
      } else if (path.startsWith(store) && !isLock(path)) dirtyFiles.add(path);
    } else if (path.startsWith(store) && !isLock(path)) {
      const to = paths[1]!;
      if (dirtyFiles.has(path)) problems.push(`renamed: the content of ${basename(path)}`);
      if (basename(to) === 'store.json') settled('committed');
      dirtyFiles.delete(path);
      dirtyFolders.add(dirname(to));
    }
  }
  return { problems: [...new Set(problems)], acknowledged };
}

describe('a store on a real disk', { skip }, () => {
  test('syncs contents before names, names before the manifest, and all before it acknowledges', () => {
    const store = join(root, 'new', 'store');
    const log = join(root, 'log');
    const node = [process.execPath, '--disable-warning=ExperimentalWarning', WRITER];
    const { status, stderr } = spawnSync(
      'strace',
      ['-f', '-y', '-s', '200', '-e', CALLS, '-o', log, ...node, store, 'w', '6', '2'],
      { encoding: 'utf8' },
    );
    assert.equal(status, 0, stderr);
    const calls = callsIn(readFileSync(log, 'utf8'));
    const { problems, acknowledged } = check(calls, store);
    assert.deepEqual(problems, []);
    assert.equal(acknowledged, 3);
  });

  test('finds each kind of sync that is left out', () => {
    const calls = callsIn(readFileSync(join(root, 'log'), 'utf8'));
    const store = join(root, 'new', 'store');
    const without = (isLeftOut: (path: string) => boolean): string[] =>
      check(
        calls.filter(({ name, paths }) => !(name.includes('sync') && isLeftOut(paths[0]!))),
        store,
      ).problems;
    assert.match(
      without(path => path.includes('documents-')).join(),
      /renamed: the content of doc/,
    );
    assert.match(without(path => path.endsWith('store.json.tmp')).join(), /content of store.json/);
    assert.match(without(path => path === store).join(), /committed: the names in .*acknowledged/s);
    assert.match(without(path => path === dirname(store)).join(), /acknowledged: the names in/);
    assert.match(without(path => path === root).join(), /acknowledged: the names in/);
  });
});
