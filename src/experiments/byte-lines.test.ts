/** Lines of bytes, cut into chunks of any size, are what splitting the whole gives. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ByteLine, byteLines } from './byte-lines.ts';

async function* inChunks(
  bytes: Buffer,
  sizes: readonly number[],
): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function linesOf(bytes: Buffer, sizes: readonly number[], cap?: number): Promise<ByteLine[]> {
  const lines: ByteLine[] = [];
  for await (const line of byteLines(inChunks(bytes, sizes), cap)) lines.push(line);
  return lines;
}

const texts = fc.array(
  fc.constantFrom(
    'a',
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    '\u2028',
    '\u2029',
    'é',
    '東京',
    '😀',
    '\ufeff',
    '\0',
    'word ',
  ),
  { maxLength: 60 },
);
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });

test('equal the lines of split, for chunks of any size', async () => {
  await fc.assert(
    fc.asyncProperty(texts, sizes, async (pieces, chunks) => {
      const text = pieces.join('');
      const bytes = Buffer.from(text);
      const lines = await linesOf(bytes, chunks);
      assert.deepEqual(
        lines.map(line => line.bytes!.toString('utf8')),
        text.split('\n'),
      );
      assert.deepEqual(
        lines.map(({ last }) => last),
        lines.map((_, index) => index === lines.length - 1),
      );
      // Each says where it stands, its line end included.
      for (const line of lines)
        assert.deepEqual(
          bytes.subarray(line.start, line.end),
          Buffer.concat([line.bytes!, Buffer.from(line.last ? '' : '\n')]),
        );
      assert.equal(lines.at(-1)!.end, bytes.length);
    }),
  );
});

test('keep invalid UTF-8 unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array(), sizes, async (any, chunks) => {
      const bytes = Buffer.from(any);
      const lines = await linesOf(bytes, chunks);
      assert.equal(
        Buffer.from(lines.map(line => line.bytes!.toString('latin1')).join('\n'), 'latin1').compare(
          bytes,
        ),
        0,
      );
    }),
  );
});

test('omit a line over the cap and keep the ranges of others', async () => {
  const lines = await linesOf(Buffer.from('12345\n123456\n\n1234567'), [4], 5);
  assert.deepEqual(
    lines.map(({ bytes, start, end }) => [bytes?.toString('utf8'), start, end]),
    [
      ['12345', 0, 6],
      [undefined, 6, 13],
      ['', 13, 14],
      [undefined, 14, 21],
    ],
  );
});
