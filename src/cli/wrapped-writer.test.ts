/** Tests that text wraps the same however it is cut into pieces. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { WrappedWriter } from './wrapped-writer.ts';

function wrapped(text: string, width: number, cuts: readonly number[] = []): string {
  let out = '';
  const writer = new WrappedWriter(width, part => (out += part));
  const places = [...new Set([0, ...cuts.map(cut => cut % (text.length + 1)), text.length])];
  places.sort((a, b) => a - b);
  for (const [index, at] of places.entries()) writer.push(text.slice(at, places[index + 1]));
  writer.end();
  return out;
}

describe('text that comes in pieces', () => {
  test('breaks at blanks, keeps line ends, and leaves code as it is', () => {
    assert.equal(wrapped('one two three four', 9), 'one two\nthree\nfour\n');
    assert.equal(wrapped('one\n\n- two', 9), 'one\n\n- two\n');
    assert.equal(
      wrapped('a:\n```\n  long line of code\n```\nb c', 6),
      'a:\n```\n  long line of code\n```\nb c\n',
    );
  });

  test('loses control characters, so that it cannot write to the terminal', () => {
    assert.equal(wrapped('a\u001b[2Jb \u0007 c\r', 40), 'a [2Jb   c\n');
  });

  test('is laid out the same for any cuts, within the width where words allow it', () => {
    const text = fc.array(fc.constantFrom('ab', 'c', ' ', '\n', 'word', '```', '  '), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(text, fc.array(fc.nat(100)), (parts, cuts) => {
        const whole = parts.join('');
        const out = wrapped(whole, 10);
        assert.equal(wrapped(whole, 10, cuts), out);
        assert.equal(out.replace(/\s+/g, ''), whole.replace(/\s+/g, ''));
        if (!whole.includes('```'))
          for (const line of out.split('\n'))
            assert.ok(line.length <= 10 || !line.trim().includes(' '), JSON.stringify(out));
      }),
    );
  });
});
