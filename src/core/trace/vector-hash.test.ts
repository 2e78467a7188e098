/** The hash of vectors against the platform's SHA-256. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { vectorHash } from './vector-hash.ts';

test('equals the SHA-256 of the little-endian bytes, for any length and offset', () => {
  const every = fc.array(fc.float(), { maxLength: 70 });
  fc.assert(
    fc.property(every, fc.nat(3), (values, skipped) => {
      const vector = Float32Array.from([
        ...Array.from({ length: skipped }, () => 7),
        ...values,
      ]).subarray(skipped);
      const bytes = new DataView(new ArrayBuffer(4 * vector.length));
      for (const [i, value] of vector.entries()) bytes.setFloat32(4 * i, value, true);
      assert.equal(
        vectorHash(vector),
        `sha256:${createHash('sha256').update(new Uint8Array(bytes.buffer)).digest('hex')}`,
      );
    }),
    { numRuns: 300 },
  );
});

test('hashes an empty vector', () => {
  // FIPS 180-4's digest of the empty message.
  assert.equal(
    vectorHash(new Float32Array()),
    'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  );
});
