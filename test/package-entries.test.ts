/**
 * Each public room has an entry that names all of its files: exported, or inside. What
 * package.json, the build and the entries say agrees.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { entryProblems, filesOfRoom, readEntry } from '../tools/public-files.ts';
import buildConfig from '../tsdown.config.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  exports: Record<string, string | { types: string; default: string }>;
  dependencies?: Record<string, string>;
  bin: Record<string, string>;
  files: string[];
  scripts: Record<string, string>;
};
const subpaths = Object.entries(manifest.exports).filter(
  ([, target]) => typeof target !== 'string',
) as [string, { types: string; default: string }][];
const roomOf = (target: { default: string }): string =>
  target.default.replace(/^\.\/dist\//, '').replace(/\/?index\.js$/, '');

describe('package: entries', () => {
  for (const [subpath, target] of subpaths) {
    const room = roomOf(target);
    // What the entries of the edges and of the law suites leave out is theirs to say.
    if (room === '' || room.startsWith('edges/') || room === 'testing') continue;
    test(`${subpath} exports every public file of src/${room}`, () => {
      const folder = fileURLToPath(new URL(`../src/${room}`, import.meta.url));
      const entry = readEntry(`${room}/index.ts`, read(`src/${room}/index.ts`));
      assert.deepEqual(entryProblems(entry, filesOfRoom(folder)), [], `src/${room}/index.ts`);
    });
  }

  test('package.json names exactly what the build makes', () => {
    const built = Object.keys((buildConfig as { entry: Record<string, string> }).entry).sort();
    const named = [...subpaths.map(([, target]) => target.default), ...Object.values(manifest.bin)]
      .map(path => path.replace(/^\.\/dist\/|\.js$/g, ''))
      .sort();
    assert.deepEqual(named, built);
    for (const [subpath, { types, default: code }] of subpaths)
      assert.equal(types, code.replace(/\.js$/, '.d.ts'), subpath);
  });

  test('there is no dependency at run time and no script that an installation runs', () => {
    assert.equal(manifest.dependencies, undefined);
    for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
      assert.equal(manifest.scripts[script], undefined, script);
  });

  test('a forgotten file and a file that is gone are found', () => {
    const entry = readEntry(
      'index.ts',
      "// Inside the room: c.ts, gone.ts, d/\nexport { a, type B } from './a.ts';\n",
    );
    assert.deepEqual(entryProblems(entry, ['a.ts', 'b.ts', 'c.ts', 'd/e.ts']), [
      'b.ts is neither exported nor named as inside the room',
      'gone.ts is named, but is not there',
    ]);
  });
});
