/**
 * Checks that whatever reads text of strangers takes work in proportion to the text: it counts the
 * work as the input doubles, of every reader over every hostile input of `bench growth`.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tooMuch } from './counted-work/growth.ts';

// Imported after the counters, which see what is imported from then on.
const readers = await import('../bench/growth-readers.ts');

/** UTF-16 units of the smallest input of three, and of the smallest question. */
const SIZE = 250;
const QUESTION_SIZE = 125;

const all = (
  await Promise.all([
    readers.fileReaders(),
    readers.proseReaders(),
    readers.replyReaders(),
    readers.filterReaders(),
    readers.cassetteReaders(),
    readers.manifestReaders(),
    readers.questionReaders(),
  ])
).flat();

describe('work grows in proportion to the input', () => {
  for (const { name, inputs, read, longest } of all)
    test(name, async () => {
      const found: string[] = [];
      const sizes = longest ? { size: QUESTION_SIZE, longest } : { size: SIZE };
      // The first reading loads what it needs.
      await read(inputs[0]!.text(SIZE));
      for (const input of inputs)
        for (const each of await tooMuch(read, input, sizes)) found.push(`${input.name}: ${each}`);
      assert.deepEqual(found, []);
    });
});
