import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { sha256 } from '../../platform/sha256.ts';
import { checksums, isUndamaged, withoutCrcs } from './checksums.ts';
import { emptyManifest } from './manifest.ts';

const noPause = async (): Promise<void> => {};

test('checksums of pieces are those of the whole, and show a flipped bit', async () => {
  const pieces = [new Uint8Array(5_000_000).fill(7), new Uint8Array(0), Uint8Array.of(1, 2, 3)];
  const whole = new Uint8Array(Buffer.concat(pieces));
  const sums = await checksums(pieces, noPause);
  assert.deepEqual(sums, { sha256: sha256(whole), crc32: crc32(whole) });
  assert.ok(isUndamaged(whole, sums));
  assert.ok(isUndamaged(whole, { sha256: sums.sha256 }), 'of an earlier release');
  whole[4_999_999]! ^= 16;
  assert.ok(!isUndamaged(whole, sums));
  assert.ok(!isUndamaged(whole, { sha256: sums.sha256 }));
});

test('a manifest without CRCs keeps everything else', () => {
  const file = { file: 'documents-1.jsonl', bytes: 3, sha256: 'aa', documents: 1 };
  const manifest = { ...emptyManifest('whole'), segments: [{ ...file, crc32: 5 }] };
  assert.deepEqual(withoutCrcs(manifest), { ...manifest, segments: [file] });
});
