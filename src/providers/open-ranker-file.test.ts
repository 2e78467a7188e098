/** Rankers by name: of a file, of the package, and what is said where there is none. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { rankerFile, rankerParts } from '../../test/random-ranker.ts';
import { freeCall } from '../core/trace/call.ts';
import { resolveModel } from './resolve-model.ts';

const folder = mkdtempSync(join(tmpdir(), 'multihop-ranker-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const written = (name: string, bytes: Uint8Array | string): string => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};
const open = (name: string): ReturnType<typeof resolveModel<'reranker'>> =>
  resolveModel('reranker', name, { env: {} });

describe('ranker:FILE', () => {
  test('opens a file under its name and a hash of its bytes, and scores', async () => {
    const [one, two] = [1, 2].map(seed =>
      written(`${seed}.safetensors`, rankerFile(rankerParts({ seed, metadata: { name: 'mine' } }))),
    );
    const opened = await open(`ranker:${one}`);
    assert.match(opened.id, /^mine@[0-9a-f]{12}$/);
    assert.notEqual((await open(`ranker:${two}`)).id, opened.id);
    assert.equal((await opened.score('who', ['the run', 'a play'], freeCall())).length, 2);
  });

  const wrong: readonly (readonly [what: string, name: () => string, code: string])[] = [
    ['no name of a file', () => 'ranker:', 'bad-model'],
    ['a missing file', () => `ranker:${join(folder, 'missing')}`, 'missing-file'],
    ['a folder', () => `ranker:${folder}`, 'unreadable-file'],
    ['no safetensors', () => `ranker:${written('text', 'text')}`, 'bad-safetensors'],
  ];
  for (const [what, name, code] of wrong)
    test(`refuses ${what}`, () => assert.rejects(open(name()), { code }));
});

const WEIGHTS = new URL('../../packages/ranker/ranker.safetensors', import.meta.url);
test('ranker names the package to install', { skip: existsSync(WEIGHTS) && 'it is here' }, () =>
  assert.rejects(open('ranker'), {
    code: 'missing-weights',
    message: /npm install @multihop\/ranker\. Or name a file: ranker:FILE/,
  }),
);
