/** Tests that files are read whole, small ones once, whatever size they were said to have. */
import assert from 'node:assert/strict';
import { appendFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileSource } from '../src/documents/files/source.ts';
import { freshFolder } from './fresh-folder.ts';

async function read(source: ReturnType<typeof fileSource>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source.stream()) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

function fileOf(text: string): string {
  const path = join(freshFolder(), 'a.txt');
  writeFileSync(path, text);
  return path;
}

test('a small file is read once, for every stream of its source', async () => {
  const path = fileOf('The ferry left.');
  const source = fileSource(path, 'a', 15);
  assert.equal(await read(source), 'The ferry left.');
  rmSync(path);
  assert.equal(await read(source), 'The ferry left.');
  await assert.rejects(read(fileSource(path, 'a', 15)), { code: 'missing-file' });
});

test('a file that grew, shrank, or had no size is read to its end', async () => {
  const path = fileOf('The ferry left.');
  appendFileSync(path, ' It rained.'.repeat(50_000));
  assert.equal((await read(fileSource(path, 'a', 15))).length, 15 + 11 * 50_000);
  assert.equal((await read(fileSource(path, 'a', 0))).length, 15 + 11 * 50_000);
  truncateSync(path, 3);
  assert.equal(await read(fileSource(path, 'a', 15)), 'The');
  truncateSync(path, 0);
  assert.equal(await read(fileSource(path, 'a', 15)), '');
});

test('a file above one piece is streamed', async () => {
  const size = 3 << 20;
  const source = fileSource(fileOf('x'.repeat(size)), 'a', size);
  assert.equal((await read(source)).length, size);
  assert.equal((await read(source)).length, size);
});
