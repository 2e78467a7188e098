/** Tests the forms in which clients and models write the values of a schema. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { InputError } from '../../core/errors.ts';
import { checkedInput, coerced, typedBy } from './checked-input.ts';
import { flag, list, number, object, optional, type Schema, text, whole } from './schema.ts';

const INNER = object({ ms: optional(number()), hops: optional(whole()) } as never);
const SCHEMA: Schema = object({
  question: text(),
  k: optional(whole()),
  explain: optional(flag()),
  budget: optional(INNER),
  earlier: optional(list(INNER)),
  after: optional(text()),
} as never);

const budgets = fc.record(
  { ms: fc.nat(), hops: fc.nat() },
  { requiredKeys: [], noNullPrototype: true },
);
const inputs = fc.record(
  {
    question: fc.string(),
    k: fc.nat(),
    explain: fc.boolean(),
    budget: budgets,
    earlier: fc.array(budgets),
    after: fc.constantFrom('3', 'null', 'true', '[]', ''),
  },
  { requiredKeys: ['question'], noNullPrototype: true },
);

test('values in texts, and null for what is missing, become the values of the schema', () => {
  fc.assert(
    fc.property(inputs, fc.nat(3), (input, nulls) => {
      const texts = Object.entries(input).map(([name, value]): [string, unknown] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]);
      const missing = ['k', 'budget', 'after'].slice(0, nulls);
      const written = {
        ...Object.fromEntries(missing.map(name => [name, null])),
        ...Object.fromEntries(texts),
      };
      assert.deepEqual(coerced(written, SCHEMA), { ...input });
    }),
  );
});

test('a value of any other form stays, and is refused as before', () => {
  const check = checkedInput(SCHEMA);
  for (const [field, value] of [
    ['k', 'three'],
    ['k', ''],
    ['explain', 'yes'],
    ['explain', 1],
    ['budget', '{"ms":'],
    ['budget', []],
    ['budget', '['.repeat(100_000)],
    ['question', null],
    ['nothing', 'x'],
    ['__proto__', 'x'],
  ] as const) {
    const input = Object.fromEntries([
      ['question', 'x'],
      [field, value],
    ]);
    assert.deepEqual(coerced(input, SCHEMA), input, field);
    assert.throws(() => check(coerced(input, SCHEMA)), { code: 'bad-request' }, field);
  }
});

test('an error names each form that the schema of a value takes', () => {
  const message = (schema: Schema): string => {
    const check = checkedInput(object({ value: schema } as never));
    try {
      check({ value: 3 });
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };
  const nothing = { type: 'null' };
  assert.match(message({ anyOf: [text(), list(text()), nothing] }), /expected a text or a list, r/);
  assert.match(message({ type: ['boolean', 'null'] }), /expected true or false, received 3/);
  assert.match(message(nothing), /expected another value, received 3/);
});

test('any value is read without an error, and twice as once', () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), inputs), value => {
      const once = coerced(value, SCHEMA);
      assert.deepEqual(coerced(once, SCHEMA), once);
    }),
  );
});

describe('the schema of an answer in a request', () => {
  const answer = {
    type: 'object',
    properties: { pattern: { type: 'integer' } },
    required: ['pattern'],
  };

  test('validates, and says what is wrong', async () => {
    const { validate, jsonSchema } = typedBy(answer)['~standard'];
    assert.deepEqual(await validate({ pattern: 3 }), { value: { pattern: 3 } });
    const { issues } = await validate({ pattern: 'x' });
    assert.match(issues![0]!.message, /"pattern": expected a whole number, received x/);
    assert.deepEqual(jsonSchema!.input({ target: 'draft-2020-12' }), answer);
  });

  test('has no keyword that takes long, and no wrong one', () => {
    for (const schema of [
      { $ref: '#' },
      { type: 'string', pattern: '(a+)+b' },
      { patternProperties: { a: true } },
      { description: 'x'.repeat(9000) },
      { enum: 'x' },
      { anyOf: 5 },
      { allOf: [null] },
    ])
      assert.throws(() => typedBy(schema), { code: 'bad-schema' }, JSON.stringify(schema));
  });

  test('takes any JSON or refuses it by its code', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), async (a, b) => {
        try {
          await typedBy({ ...answer, ...a })['~standard'].validate(b);
        } catch (error) {
          assert.ok(InputError.is(error) && error.code === 'bad-schema', String(error));
        }
      }),
    );
  });
});
