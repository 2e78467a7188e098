/** Checks schemas in the words of the library, and those that have none. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { grammarSchema } from './llama-grammar.ts';

const text = { type: 'string' };

describe('schemas as grammars', () => {
  const cases: readonly [string, unknown, unknown][] = [
    [
      'a list that may be null',
      { type: ['array', 'null'], items: text },
      { oneOf: [{ type: 'array', items: text }, { type: 'null' }] },
    ],
    ['anyOf', { anyOf: [text, { type: 'null' }] }, { oneOf: [text, { type: 'null' }] }],
    [
      'descriptions and bounds of numbers are left out',
      { type: 'integer', description: 'x', minimum: 1 },
      { type: 'integer' },
    ],
    [
      'lengths that a grammar unrolls',
      { type: 'string', minLength: 1, maxLength: 9000 },
      { type: 'string', minLength: 1 },
    ],
    [
      'fields keep their order',
      { type: 'object', properties: { b: text, a: text }, required: ['a'] },
      { type: 'object', properties: { b: text, a: text } },
    ],
    ['any object', { type: 'object' }, { type: 'object', additionalProperties: true }],
    [
      'bounds of lists',
      { type: 'array', items: { enum: [1, 2] }, maxItems: 3 },
      { type: 'array', maxItems: 3, items: { enum: [1, 2] } },
    ],
  ];
  for (const [name, schema, expected] of cases)
    test(name, () => assert.deepEqual(grammarSchema(schema), expected));

  const without: readonly unknown[] = [
    {},
    true,
    { $ref: '#/$defs/a' },
    { type: 'string', pattern: '^a' },
    { anyOf: [text, { not: text }] },
    { type: 'object', properties: { a: text, b: {} } },
    { type: 'array' },
    { type: 'array', items: { allOf: [text] } },
    { type: 'thing' },
  ];
  for (const schema of without)
    test(`${JSON.stringify(schema)} has no grammar, so that the reply is free`, () =>
      assert.equal(grammarSchema(schema), undefined));
});
