/** Tests answers in the form of a schema: validated, repaired once, cited field by field. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { ask, ingest } from '../index.ts';
import { scriptedModel } from '../testing/scripted-model.ts';

const engine = await ingest([
  { id: 'linnet', title: 'Linnet', text: 'The Linnet lost its engines. She was built in 1902.' },
  { id: 'keeper', title: 'Keeper', text: 'Orla Quill keeps the light. She wrote of the Linnet.' },
]);
const QUESTION = 'Which ship lost its engines, when was she built, and who wrote of the Linnet?';
const SHIP = z.object({
  ship: z.string(),
  built: z.int(),
  writers: z.array(z.object({ name: z.string() })).optional(),
});
const GOOD = { ship: 'Linnet', built: 1902, writers: [{ name: 'Orla Quill' }] };

/** Cites both passages for every field. */
const reply = (answer: unknown, numbers: readonly number[] = [1, 2]): string => {
  const citations = { ship: numbers, built: numbers, writers: numbers };
  return JSON.stringify({ citations, answer });
};
const options = { engine, strategy: 'fixed-top-k(k=2)' };

describe('an answer with a schema', () => {
  test('is validated, and each field cites the sentences that state it', async () => {
    const model = scriptedModel([reply(GOOD)]);
    const { value, answer, reader } = await ask(QUESTION, { ...options, model, schema: SHIP });
    const built: number | undefined = value?.built;
    assert.deepEqual([value, built, reader], [GOOD, 1902, 'typed-answer']);
    assert.ok(answer.kind === 'answered');
    assert.deepEqual(
      answer.fields!.map(({ path, citations, unsupported }) => [
        path.join('.'),
        [...new Set(citations.map(({ documentId }) => documentId))].includes(
          path[0] === 'writers' ? 'keeper' : 'linnet',
        ),
        unsupported,
      ]),
      [
        ['ship', true, undefined],
        ['built', true, undefined],
        ['writers.0.name', true, undefined],
      ],
    );
    assert.deepEqual(JSON.parse(answer.text), GOOD);
    const [{ schema, messages }] = model.prompts as [(typeof model.prompts)[0]];
    assert.ok(messages[0]!.text.includes('"built":{"type":"integer"'));
    assert.ok(JSON.stringify(schema).includes('"anyOf":[{"type":"object"'));
  });

  test('transforms its value; the trace keeps the JSON', async () => {
    const schema = z.object({ built: z.string().transform(year => new Date(`${year}-01-01`)) });
    const model = scriptedModel([reply({ built: '1902' })]);
    const { value, answer } = await ask(QUESTION, { ...options, model, schema });
    assert.ok(value?.built instanceof Date && answer.kind === 'answered');
    assert.equal(answer.text, '{"built":"1902"}');
  });

  test('a reply that the schema refuses is repaired once, with what was wrong', async () => {
    const model = scriptedModel([reply({ ...GOOD, built: 'long ago' }), reply(GOOD)]);
    const { value } = await ask(QUESTION, { ...options, model, schema: SHIP });
    assert.deepEqual(value, GOOD);
    assert.match(model.prompts[1]!.messages.at(-1)!.text, /not the JSON asked for.*\nbuilt: /s);
    const wrong = scriptedModel([reply({ ...GOOD, built: 'long ago' })]);
    const asked = { ...options, model: wrong, schema: SHIP };
    const { answer, value: none } = await ask(QUESTION, asked);
    assert.equal(wrong.prompts.length, 2);
    assert.ok(answer.kind === 'abstained' && none === undefined);
    assert.match(answer.reason, /^The output of the model does not match the schema: built: /);
  });

  test('a field that no passage holds is marked, and invented passages are dropped', async () => {
    const model = scriptedModel([reply({ ship: 'Linnet', built: 1777 }, [1, 9])]);
    const { answer } = await ask(QUESTION, { ...options, model, schema: SHIP });
    assert.ok(answer.kind === 'answered');
    assert.deepEqual(answer.unsupported, ['built: 1777']);
    assert.deepEqual(
      answer.fields!.map(({ unsupported }) => unsupported),
      [undefined, true],
    );
    assert.deepEqual(answer.dropped, [9]);
  });

  test('true and false about the same passages are neither supported nor refuted', async () => {
    const schema = z.object({ lost: z.boolean(), built: z.int().optional() });
    const asked = async (answer: unknown, numbers = [1]) => {
      const citations = { lost: numbers, built: numbers };
      const model = scriptedModel([JSON.stringify({ citations, answer })]);
      const { answer: read } = await ask('Did the Linnet lose its engines?', {
        ...options,
        model,
        schema,
      });
      assert.ok(read.kind === 'answered');
      return read;
    };
    for (const lost of [true, false]) {
      const alone = await asked({ lost });
      assert.deepEqual([alone.support, alone.fields![0]!.unjudged], [undefined, true]);
      assert.equal((await asked({ lost, built: 1902 })).support, 1);
      assert.equal((await asked({ lost, built: 1777 })).support, 0);
    }
  });

  test('nothing that is cited nowhere is answered, nor what the passages do not determine', async () => {
    for (const [text, reason] of [
      [reply({ ship: 'Bittern', built: 1777 }, [9]), /cites nothing/],
      [reply(null), /Insufficient/i],
      ['I do not know', /does not match the schema$/],
    ] as const) {
      const model = scriptedModel([text]);
      const { answer, value } = await ask(QUESTION, { ...options, model, schema: SHIP });
      assert.ok(answer.kind === 'abstained' && value === undefined);
      assert.match(answer.reason, reason);
    }
  });

  test('a value alone is accepted, of any type of JSON', async () => {
    const model = scriptedModel([JSON.stringify({ ship: 'Linnet', built: 1902 })]);
    const { value } = await ask(QUESTION, { ...options, model, schema: SHIP });
    assert.equal(value?.ship, 'Linnet');
    const names = await ask(QUESTION, {
      ...options,
      model: scriptedModel(['["Orla Quill"]']),
      schema: z.array(z.string()),
    });
    assert.deepEqual(names.value, ['Orla Quill']);
    const year = scriptedModel(['{"citations": [1, 2], "answer": 1902}']);
    const asked = await ask(QUESTION, { ...options, model: year, schema: z.int() });
    assert.equal(asked.value, 1902);
    assert.ok(asked.answer.kind === 'answered');
    assert.deepEqual(
      asked.answer.fields!.map(({ path }) => path),
      [[]],
    );
  });

  test('needs a model, a schema that describes itself, and no reader', async () => {
    await assert.rejects(async () => ask('x?', { ...options, schema: SHIP }), {
      code: 'missing-resource',
      message: /"typed-answer" needs the language model.*Give resources: \{ model \}/,
    });
    const model = scriptedModel(['']);
    const bare = { '~standard': { version: 1, vendor: 'x', validate: SHIP['~standard'].validate } };
    for (const schema of [bare, {}, null, z.object({ at: z.date() })])
      await assert.rejects(async () => ask('x?', { ...options, model, schema: schema as never }), {
        code: 'bad-schema',
      });
    const both = { ...options, model, schema: SHIP, reader: 'extractive' as const };
    await assert.rejects(async () => ask('x?', both), { code: 'bad-schema' });
  });

  test('no answer of another reader stands in its place', async () => {
    const down = { id: 'down', generate: () => Promise.reject(new Error('down')) };
    const good = scriptedModel([reply(GOOD)]);
    for (const [model, budget] of [
      [down, {}],
      [good, { modelCalls: 0 }],
    ] as const) {
      const asked = { ...options, model, budget, schema: SHIP };
      const { answer, value } = await ask(QUESTION, asked);
      assert.deepEqual([answer.kind, answer.readBy, value], ['abstained', undefined, undefined]);
    }
  });

  test('any reply ends in a valid value or an abstention', async () => {
    const json = fc.json({ maxDepth: 3 });
    const wrapped = fc.tuple(json, json).map(([a, b]) => `{"citations": ${a}, "answer": ${b}}`);
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), json, wrapped), async text => {
        const schema = z.record(z.string(), z.json());
        const model = scriptedModel([text]);
        const { value, answer } = await ask(QUESTION, { ...options, model, schema });
        assert.equal(value === undefined, answer.kind === 'abstained');
      }),
      { numRuns: 60 },
    );
  });
});
