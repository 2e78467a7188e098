/** Tests that the manifest in docs/store-format.md is valid for this release. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { STORE_VERSION } from './manifest.ts';
import { parseManifest, printManifest } from './manifest-file.ts';

test('docs/store-format.md shows a manifest of this version with a valid checksum', () => {
  const page = readFileSync(new URL('../../../docs/store-format.md', import.meta.url), 'utf8');
  const example = /```json\n([\s\S]*?)```/.exec(page)![1]!;
  const manifest = parseManifest('store.json', Buffer.from(example));
  assert.equal(printManifest(manifest), example);
  assert.match(page, new RegExp(`describes version ${STORE_VERSION} `));
});
