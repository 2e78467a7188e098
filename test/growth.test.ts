/**
 * Checks that whatever reads text of strangers takes work in proportion to the text: it counts the
 * work as the input doubles, of every reader over every hostile input of `bench growth`.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tooMuch, workOf } from './counted-work/growth.ts';

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

/** Blocks of code and steps of expressions for each UTF-16 unit. */
const MOST_WORK = 1000;

test('lines below many marks of Markdown are not read again at each of them', async () => {
  const { read } = (await readers.fileReaders()).find(({ name }) => name.endsWith('.md'))!;
  for (const marks of ['- '.repeat(32), '1. '.repeat(32), '- '.repeat(500)])
    for (const line of [':\n', 'a\n\n']) {
      const text = `${marks}a\n${line.repeat(2000 / line.length)}`;
      const { blocks, steps } = await workOf(() => read(text));
      const each = Math.round((blocks + steps) / text.length);
      assert.ok(each < MOST_WORK, `${each} for each unit of ${JSON.stringify(text.slice(0, 9))}`);
    }
});
