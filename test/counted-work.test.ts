/** Checks that counted work finds what is quadratic, wherever its work is, and nothing else. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { repeated } from '../bench/repeated-pieces.ts';
import { squareShare, tooMuch } from './counted-work/growth.ts';
import { match } from './counted-work/regex-machine.ts';
import { freshFolder } from './fresh-folder.ts';

const growthOf = (read: (text: string) => unknown, piece = 'a ', before = '', after = '') =>
  tooMuch(read, repeated(piece, before, after), { size: 250, longest: 4000 });

/** Reads a text by a module whose blocks are counted, as those of the project are. */
async function written(source: string): Promise<(text: string) => unknown> {
  const path = join(freshFolder(), 'reader.ts');
  writeFileSync(path, source);
  return ((await import(pathToFileURL(path).href)) as { read: (text: string) => unknown }).read;
}

describe('counted work', () => {
  const quadratic: Readonly<Record<string, readonly [(text: string) => unknown, string]>> = {
    // Zeros of a time, blanks in a name, a heading of AsciiDoc: as they once were.
    'zeros before an end': [text => /^1\.(\d*?)0*$/.exec(text), '0'],
    'blanks that are trimmed': [text => text.replace(/\s+$/, ''), ' '],
    'a search from each place': [text => text.split(/a(?=.*b)/s), 'a'],
    'a search by characters': [
      text => Array.from(text, (_, at) => text.indexOf('never there', at)),
      'a ',
    ],
    'a list that is copied': [
      text => {
        let list: string[] = [];
        for (const item of text.split(' ')) list = [...list, item];
        return list;
      },
      'a ',
    ],
  };
  for (const [name, [read, piece]] of Object.entries(quadratic))
    test(`finds ${name}`, async () => {
      const found = await growthOf(read, piece, '1.', 'x').catch(String);
      assert.notDeepEqual(found, []);
    });

  test('finds loops inside loops of a module', async () => {
    const nested = `export function read(text: string): number {
      let sum = 0;
      for (const _ of text) for (let at = 0; at < text.length; at++) sum += at;
      return sum;
    }`;
    assert.match(String(await growthOf(await written(nested))), /blocks \(9\d|10\d/);
    const calls =
      'export const read = (text: string) => [...text].map(a => [...text].some(b => a + b === ""));';
    assert.match(String(await growthOf(await written(calls))), /blocks/);
  });

  test('finds nothing in linear work, in n log n, nor in work that a bound ends', async () => {
    const simple = 'export const read = (text: string) => [...text].map(a => a + a).join("");';
    assert.deepEqual(await growthOf(await written(simple)), []);
    assert.deepEqual(await growthOf(text => text.match(/[a-z]+ /g)), []);
    assert.deepEqual(await growthOf(text => /\s+$/.exec(text.slice(0, 900)), ' ', '', 'x'), []);
    const work = [1, 2, 4].map(times => 1000 * times * Math.log2(1000 * times));
    assert.ok(squareShare(work as [number, number, number]) < 0.2);
  });
});

test('the machine of regular expressions finds what the engine finds', () => {
  const expressions = [
    ...[/(a|b)*?c/, /(?<=(\w+)\s)b/, /(?:(a)|b)*/, /(\w)\1/i, /\bab\b/, /(?<n>a){2,3}/, /\p{L}+/u],
    ...[
      /^b/m,
      /(?!a)./s,
      /(?=(a*))\1b/,
      /()*/,
      /(a*)*/,
      /(?:a*?)*b/,
      /[\s\S]$/,
      /(b)((a+)?(B+)?(c))*/,
    ],
    ...[/a+$/, /(?<!a)b/, /a{2}|b{1,}?c/, /[^a]/gu, /(?:a|ab)(?:c|bcd)*/, /\w+?\b/y, /(?:^|c)a/],
  ];
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'B', 'c', ' ', '\n', '𝐀'),
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.constantFrom(...expressions), text, (expression, text) => {
      expression.lastIndex = 0;
      const found = expression.exec(text);
      const { bounds } = match(expression, text, 0);
      const groups = bounds?.flatMap((start, at) =>
        at % 2 === 1 ? [] : [start < 0 ? undefined : text.slice(start, bounds[at + 1])],
      );
      assert.deepEqual([bounds?.[0], groups], [found?.index, found ? [...found] : undefined]);
    }),
    { numRuns: 3000 },
  );
});
