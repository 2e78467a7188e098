/** Checks the package of the span model: its files are there, and it is small. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openModelFolder } from '../src/providers/model-folder.ts';

const FOLDER = fileURLToPath(new URL('../packages/span-minilm/', import.meta.url));
const MOST_BYTES = 25e6;

test('the package of the span model holds what it publishes, in 25 MB', async () => {
  const { files } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as {
    files: string[];
  };
  const there = readdirSync(FOLDER).filter(name => name !== 'package.json');
  assert.deepEqual(there.sort(), files.toSorted());
  const all = readdirSync(FOLDER, { recursive: true }) as string[];
  const bytes = all.reduce((sum, name) => sum + statSync(join(FOLDER, name)).size, 0);
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
  assert.match((await openModelFolder(FOLDER, 'q8')).fingerprint, /^[0-9a-f]{12}$/);
});
