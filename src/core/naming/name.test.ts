/**
 * Checks names: they survive a round trip, errors give the position, and hostile texts cause no
 * other fault.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { InputError } from '../errors.ts';
import { type Name, parseName, printName, printValue, type Value } from './name.ts';

/** Words, except those that parse as a number or a flag in the place of a value. */
const word$ = fc
  .stringMatching(/^[A-Za-z0-9_][\w.\-/:@|]{0,12}$/)
  .filter(word => word !== 'true' && word !== 'false' && Number.isNaN(Number(word)));
const key$ = fc.stringMatching(/^[A-Za-z][\w-]{0,8}$/);
const { value: value$ } = fc.letrec<{ value: Value; name: Name }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.string(),
    fc.string({ unit: 'binary' }),
    tie('name'),
  ),
  name: fc.record({
    name: word$,
    args: fc.array(
      fc.oneof(fc.record({ value: tie('value') }), fc.record({ key: key$, value: tie('value') })),
      { maxLength: 4 },
    ),
  }),
}));
const name$ = fc.record({
  name: word$,
  args: fc.array(fc.oneof(fc.record({ value: value$ }), fc.record({ key: key$, value: value$ })), {
    maxLength: 4,
  }),
});

describe('round trips', () => {
  test('a printed name parses back: printing it again gives the same text', () => {
    fc.assert(
      fc.property(name$, name => {
        const printed = printName(name);
        fc.pre(printed.length <= 2000);
        assert.equal(printName(parseName(printed)), printed);
      }),
      { numRuns: 1000 },
    );
  });

  test('a text value parses back as the text, or as a bare word with that text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ unit: 'binary' }),
          fc.constantFrom('true', '-3', '1e5', 'a b', '', '"', '\\', 'x=1', 'a(b)'),
        ),
        text => {
          const read = parseName(`m(${printValue(text)})`).args[0]!.value;
          const back = typeof read === 'object' && read.args.length === 0 ? read.name : read;
          assert.equal(back, text);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('numbers survive exactly', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), number => {
        const read = parseName(`m(x=${printValue(number)})`).args[0]!.value;
        // -0 is printed as 0.
        assert.ok(read === number);
      }),
    );
  });

  test('white space is ignored', () => {
    assert.deepEqual(
      parseName(' fused ( lexical ,  dense( m/x-y_1.5 ) , k = 3 , ) '),
      parseName('fused(lexical,dense(m/x-y_1.5),k=3)'),
    );
  });
});

test('values by example', () => {
  const { args } = parseName(
    'm(1, -2.5, .5, 1e3, true, false, "a \\"b\\" \\\\", word, 3M, k=v, "true")',
  );
  assert.deepEqual(
    args.map(({ value }) => value),
    [
      1,
      -2.5,
      0.5,
      1000,
      true,
      false,
      'a "b" \\',
      { name: 'word', args: [] },
      { name: '3M', args: [] },
      { name: 'v', args: [] },
      'true',
    ],
  );
  assert.equal(args[9]!.key, 'k');
});

describe('errors', () => {
  const cases: [text: string, at: number, expected: RegExp][] = [
    ['', 1, /expected a name, received the end/],
    ['   ', 4, /expected a name, received the end/],
    ['(', 1, /expected a name, received "\("/],
    ['a(', 3, /received the end/],
    ['a(1 2)', 5, /expected ',' or '\)'/],
    ['a(1;2)', 4, /expected ',' or '\)'/],
    ['a)', 2, /expected the end of the name, received "\)"/],
    ['a() b', 5, /expected the end of the name/],
    ['a(,)', 3, /expected a name/],
    ['a("x)', 3, /expected a name/],
    ['a(k=)', 5, /expected a name/],
  ];
  for (const [text, at, expected] of cases) {
    test(`${JSON.stringify(text)} gives the position`, () => {
      assert.throws(
        () => parseName(text),
        (error: unknown) =>
          InputError.is(error) &&
          error.code === 'bad-name' &&
          expected.test(error.message) &&
          error.message.includes(`at character ${at}`),
      );
    });
  }

  test('names that are too long or too deep are refused', () => {
    assert.throws(() => parseName('x'.repeat(2001)), { code: 'bad-name' });
    assert.equal(parseName('x'.repeat(2000)).name.length, 2000);
    assert.throws(() => parseName(`${'a('.repeat(500)}${')'.repeat(500)}`), { code: 'bad-name' });
    parseName(`${'a('.repeat(12)}a${')'.repeat(12)}`);
  });

  test('any text is a name or an InputError', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({
            unit: fc.constantFrom('a', '(', ')', ',', '=', '"', '\\', '1', '-', '.', ' '),
          }),
        ),
        text => {
          try {
            const printed = printName(parseName(text));
            assert.equal(printName(parseName(printed)), printed);
          } catch (error) {
            assert.ok(InputError.is(error), String(error));
          }
        },
      ),
      { numRuns: 3000 },
    );
  });
});
