/** Tests that folders of tests are removed, even those of a process that was killed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';

/** Prints a fresh folder from a process of its own, which then runs `ending`. */
function folderOf(ending: string): string {
  const fresh = new URL('./fresh-folder.ts', import.meta.url).href;
  const code = `
    const { freshFolder } = await import('${fresh}');
    const folder = freshFolder();
    require('node:fs').writeFileSync(folder + '/file', 'x');
    require('node:fs').writeSync(2, 'FOLDER ' + folder + '\\n');
    ${ending}`;
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=commonjs', '-e'];
  const { stderr } = spawnSync(process.execPath, [...flags, `(async () => {${code}})()`], {
    encoding: 'utf8',
  });
  const [, folder] = /FOLDER (.*)/.exec(stderr) ?? [];
  assert.ok(folder, stderr);
  return folder;
}

test('a process that ends removes its folders', () => {
  assert.equal(existsSync(dirname(folderOf(''))), false);
  assert.equal(existsSync(dirname(folderOf('process.exit(3);'))), false);
});

test('a process removes the folders of those that were killed', () => {
  const left = folderOf(`process.kill(process.pid, 'SIGKILL'); for (;;);`);
  assert.ok(existsSync(left));
  folderOf('');
  assert.equal(existsSync(dirname(left)), false);
});
