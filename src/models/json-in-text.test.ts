/**
 * Checks that complete JSON is extracted from any text, without exceptions and without values from
 * broken JSON.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { jsonIn, jsonValuesIn } from './json-in-text.ts';
import { withoutThinking } from './thoughts.ts';

const values = (text: string): unknown[] => [...jsonValuesIn(text)];

describe('extracts complete values', () => {
  const cases: readonly (readonly [text: string, expected: readonly unknown[]])[] = [
    ['{"a": 1}', [{ a: 1 }]],
    ['  [1, 2]\n', [[1, 2]]],
    ['```json\n{"a": "b"}\n```', [{ a: 'b' }]],
    ['Sure! Here it is: {"a": [1, {"b": "}"}]} I hope that helps.', [{ a: [1, { b: '}' }] }]],
    ['As [1] says: {"answer": "x"}', [[1], { answer: 'x' }]],
    ['(see [a] and {b}) {"answer": "x"}', [{ answer: 'x' }]],
    ['He {said "oops {"a": 1}', [{ a: 1 }]],
    ['a [sic {"a": 1}', [{ a: 1 }]],
    ['{"a": 1}{"b": 2}\n{"c": 3}', [{ a: 1 }, { b: 2 }, { c: 3 }]],
    ['<think>{"no": 1}</think>{"yes": 1}', [{ yes: 1 }]],
    ['<think>{"no": 1}', []],
    ['{"a": "\\"}\\\\"}', [{ a: '"}\\' }]],
    ['', []],
    ['null', []],
    ['"text"', []],
    ['42', []],
    ['I cannot answer that.', []],
  ];
  for (const [text, expected] of cases)
    test(JSON.stringify(text).slice(0, 70), () => assert.deepEqual(values(text), expected));
});

describe('skips values inside broken JSON', () => {
  for (const text of [
    '{"steps": [{"answer": "x"}], "citat',
    '{"steps": [{"answer": "x"}',
    '[{"answer": "x"}, {"ans',
    '["a", ["b"], "c',
    '{"a": {"answer": 1},}',
    '{\'a\': {"answer": 1}}',
    '[{"answer": 1},]',
    '```json\n{"a": [{"answer": "x"}, {"answer": "y"}]',
  ])
    test(text, () => assert.deepEqual(values(text), []));

  test('rejects keys that could pollute a prototype', () => {
    assert.equal(jsonIn('{"__proto__": {"answer": "x"}}'), undefined);
    assert.equal(jsonIn('{"a": [{"\\u005f_proto__": 1}]}'), undefined);
    assert.deepEqual(values('{"__proto__": 1} {"constructor": 1}'), [{ constructor: 1 }]);
  });

  test('skips values that are nested too deep', () => {
    const deep = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
    assert.notEqual(jsonIn(deep(64)), undefined);
    assert.deepEqual(values(deep(65)).length <= 1, true);
    for (const depth of [1000, 400_000])
      assert.doesNotThrow(() => JSON.stringify(values(deep(depth))));
    assert.doesNotThrow(() => values('['.repeat(1_000_000)));
    assert.doesNotThrow(() => values('{"a":'.repeat(200_000)));
  });
});

test('every proper prefix of an object yields nothing, and the whole yields the object', () => {
  const value = {
    answer: 'Käthe "K." [1]',
    steps: [{ text: '{x}', n: [1, -2.5e3, null, true] }],
    empty: {},
  };
  const text = JSON.stringify(value);
  for (let end = 0; end < text.length; end++)
    assert.deepEqual(values(text.slice(0, end)), [], text.slice(0, end));
  assert.deepEqual(values(text), [value]);
});

test('an object or array is extracted from any surrounding prose', () => {
  const prose = fc.stringMatching(/^[A-Za-z0-9 .,:;!?'\n()<>-]{0,80}$/);
  const json = fc.oneof(
    fc.dictionary(
      fc.string().filter(key => key !== '__proto__'),
      fc.jsonValue({ maxDepth: 3 }),
    ),
    fc.array(fc.jsonValue({ maxDepth: 3 })),
  );
  fc.assert(
    fc.property(prose, json, prose, (before, value, after) => {
      const text = JSON.stringify(value);
      if (text.includes('__proto__') || text.includes('think>') || before.includes('think>'))
        return;
      assert.deepEqual(values(`${before}${text}${after}`)[0], JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

const FRAGMENTS = [
  ...['{', '}', '[', ']', '"', '\\', ',', ':', '{"a":', '"answer"', 'null', '1', '\n', '```json'],
  ...['<think>', '</think>', ' x ', '\ud800', '😀'],
];

test('no text throws, and every extracted value is complete JSON of the text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 60 }).map(parts => parts.join('')),
  );
  fc.assert(
    fc.property(text, reply => {
      const extracted = values(reply);
      assert.ok(extracted.length <= 32);
      for (const value of extracted) assert.ok(typeof value === 'object' && value !== null);
      assert.deepEqual(jsonIn(reply), extracted.length > 0 ? { value: extracted[0] } : undefined);
      // Each occurs in the text as written; the oracle tries every range.
      if (reply.length <= 40 && extracted.length > 0) {
        const ranges = new Set<string>();
        for (let from = 0; from < reply.length; from++)
          for (let end = from + 1; end <= reply.length; end++) {
            try {
              ranges.add(JSON.stringify(JSON.parse(reply.slice(from, end))));
            } catch {}
          }
        for (const value of extracted) assert.ok(ranges.has(JSON.stringify(value)));
      }
    }),
    { numRuns: 3000 },
  );
});

test('think-blocks are left out', () => {
  assert.equal(withoutThinking('<think>a</think>b'), 'b');
  assert.equal(withoutThinking('a</think>b</think>c'), 'c');
  assert.equal(withoutThinking(' \n<think>a'), '');
  assert.equal(withoutThinking('say <think> aloud'), 'say <think> aloud');
  assert.equal(withoutThinking('It is `</think>` [1].'), 'It is `</think>` [1].');
  assert.equal(withoutThinking('<think>```\na</think>```\nb\n```'), '```\nb\n```');
});
