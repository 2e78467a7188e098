/** Compares the generated blocks of the documentation with the code that they describe. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { commands } from '../src/cli/commands.ts';
import { errorCodes } from '../tools/docs/error-codes.ts';
import { PICTURE, pages, regenerated } from '../tools/docs/generated.ts';
import { memberNames } from '../tools/docs/member-names.ts';
import { listedMembers } from '../tools/docs/members.ts';
import { tracePicture } from '../tools/docs/trace-picture.ts';
import { bundledInspector, INSPECTOR_PARTS_FILE } from '../tools/inspector-page/bundle.ts';
import { bundledPageScript, PAGE_SCRIPT_FILE } from '../tools/report-page/bundle.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

describe('generated documentation', () => {
  for (const path of pages()) {
    const page = readFileSync(path, 'utf8');
    if (page.includes('<!-- generated: '))
      test(`${path.slice(ROOT.length)} is up to date with \`npm run docs\``, () =>
        assert.equal(page, regenerated(page)));
  }

  test('the picture of a trace is as `npm run docs` draws it', async () => {
    const drawn = await tracePicture(ROOT);
    assert.match(drawn, /Answer: Dunmarrow Drives/);
    assert.equal(readFileSync(join(ROOT, PICTURE), 'utf8'), drawn);
  });

  test('the script of the HTML report is as `npm run docs` bundles it', async () => {
    const bundled = await bundledPageScript(ROOT);
    assert.ok(bundled.length > 3000, bundled);
    assert.equal(readFileSync(join(ROOT, PAGE_SCRIPT_FILE), 'utf8'), bundled);
  });

  test('types of the names of members are as `npm run docs` writes them', () => {
    for (const [path, text] of memberNames())
      assert.equal(readFileSync(join(ROOT, path), 'utf8'), text, path);
  });

  test('the hop inspector is as `npm run docs` bundles it', async () => {
    const bundled = await bundledInspector(ROOT);
    assert.ok(bundled.length > 3000, bundled);
    assert.equal(readFileSync(join(ROOT, INSPECTOR_PARTS_FILE), 'utf8'), bundled);
  });

  test('every command has a page with its help, and no page is left of another', () => {
    const names = commands.map(({ name }) => `${name}.md`);
    const written = readdirSync(join(ROOT, 'docs/commands'));
    assert.deepEqual(written.toSorted(), names.toSorted());
    for (const { name } of commands)
      assert.match(
        readFileSync(join(ROOT, 'docs/commands', `${name}.md`), 'utf8'),
        new RegExp(`<!-- generated: help ${name} -->`),
      );
  });

  test('every strategy has a page', () => {
    const names = listedMembers(ROOT, 'strategies').map(({ name }) => `${name}.md`);
    const written = readdirSync(join(ROOT, 'docs/strategies'));
    assert.deepEqual(
      names.filter(name => !written.includes(name)),
      [],
    );
  });

  test('error codes are found in literals, conditions and local factories', () => {
    const codes = errorCodes(ROOT);
    const has = (kind: string, code: string): boolean =>
      codes.some(each => each.kind === kind && each.code === code);
    assert.ok(has('InputError', 'empty-question'));
    assert.ok(has('PortError', 'store-damaged'));
    assert.ok(has('PortError', 'wrong-dimensions'), 'passed to a local factory');
    assert.ok(codes.length > 60, `${codes.length} codes`);
  });
});
