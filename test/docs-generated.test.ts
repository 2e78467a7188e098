/** Compares the generated blocks of the documentation with the code that they describe. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { errorCodes } from '../tools/docs/error-codes.ts';
import { PICTURE, pages, regenerated } from '../tools/docs/generated.ts';
import { listedMembers } from '../tools/docs/members.ts';
import { tracePicture } from '../tools/docs/trace-picture.ts';

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
