/**
 * Tests the public entries: package.json and the build agree on them, their names are few, and each
 * name has one entry.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { exportedNames } from '../tools/public-files.ts';
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
const MOST_NAMES = 200;
/** Entries of which a program writes no name, as compilers do, or those of its framework alone. */
const APART = ['./types', './ai-sdk', './langchain', './mastra', './voltagent'];

describe('package: entries', () => {
  const names = subpaths.map(([subpath, target]): [string, string[]] => {
    const path = target.default.replace(/^\.\/dist\//, 'src/').replace(/\.js$/, '.ts');
    return [subpath, exportedNames(path, read(path))];
  });

  test(`there are fewer than ${MOST_NAMES} public names`, t => {
    const written = names.filter(([at]) => !APART.includes(at));
    const total = written.reduce((sum, [, own]) => sum + own.length, 0);
    t.diagnostic(
      `${total} public names: ${written.map(([at, own]) => `${at} ${own.length}`).join(', ')}`,
    );
    assert.ok(total < MOST_NAMES, `${total} names`);
  });

  test('each name is exported by one entry', () => {
    const all = names.flatMap(([, own]) => own);
    assert.deepEqual(
      all.filter((name, index) => all.indexOf(name) !== index),
      [],
    );
  });

  test('package.json names exactly what the build makes', () => {
    const built = Object.keys((buildConfig as { entry: Record<string, string> }).entry).sort();
    const code = subpaths.flatMap(([, { types: _, ...conditions }]) => Object.values(conditions));
    const named = [...code, ...Object.values(manifest.bin)].map(path =>
      path.replace(/^\.\/dist\/|\.js$/g, ''),
    );
    const processes = ['documents/reading-process', 'stores/disk/packing-thread'];
    assert.deepEqual([...new Set([...named, ...processes])].sort(), built);
    for (const [subpath, { types, default: code }] of subpaths)
      assert.equal(types, code.replace(/\.js$/, '.d.ts'), subpath);
  });

  test('the entry for browsers exports the names of the main entry', () => {
    const [main, browser] = ['src/index.ts', 'src/index-browser.ts'].map(path =>
      exportedNames(path, read(path)).sort(),
    );
    assert.deepEqual(browser, main);
  });

  test('there is no dependency at run time and no script that an installation runs', () => {
    assert.equal(manifest.dependencies, undefined);
    for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
      assert.equal(manifest.scripts[script], undefined, script);
  });

  test('every form of export is counted', () => {
    const text = `export { a, type B } from './a.ts';
      export type { C as D } from './c.ts';
      export const e = 1, f = 2;
      export function g() {}
      export interface H {}
      const local = 1;`;
    assert.deepEqual(exportedNames('x.ts', text), ['a', 'B', 'D', 'e', 'f', 'g', 'H']);
    assert.throws(() => exportedNames('x.ts', "export * from './a.ts';"), /name each export/);
  });
});
