/** Checks that structured generation returns one value after at most one repair, for any reply. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { freeCall } from '../core/trace/call.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import type { Completion, Prompt } from './language-model.ts';
import { promptTokens } from './prompt-tokens.ts';
import { generateStructured, REPAIR_TOKENS } from './structured.ts';

const prompt: Prompt = {
  role: 'sub-questions',
  messages: [
    { role: 'system', text: 'Be brief.' },
    { role: 'user', text: 'Split it.' },
  ],
  maxTokens: 40,
};
const readAnswer = (json: unknown): string | undefined => {
  const answer = (json as { answer?: unknown } | null)?.answer;
  return typeof answer === 'string' ? answer : undefined;
};
const ask = (script: readonly (string | Completion)[]) => {
  const model = scriptedModel((_, index) => script[Math.min(index, script.length - 1)]!);
  return generateStructured(model, prompt, readAnswer, freeCall()).then(result => ({
    result,
    prompts: model.prompts,
  }));
};
const completion = (text: string, finish: Completion['finish']): Completion => ({
  text,
  usage: { input: 1, output: 1 },
  finish,
});

describe('generateStructured', () => {
  test('a valid reply needs no repair', async () => {
    const { result, prompts } = await ask(['```{"answer": "x"}```']);
    assert.deepEqual(
      [result, prompts.length],
      [{ kind: 'parsed', value: 'x', texts: ['```{"answer": "x"}```'] }, 1],
    );
  });

  test('one repair, which quotes the first reply', async () => {
    const { result, prompts } = await ask(['nonsense', '{"answer": "x"}']);
    assert.deepEqual(result, {
      kind: 'parsed',
      value: 'x',
      texts: ['nonsense', '{"answer": "x"}'],
    });
    assert.deepEqual(prompts[1], {
      ...prompt,
      messages: [
        ...prompt.messages,
        { role: 'assistant', text: 'nonsense' },
        { role: 'user', text: 'That was not the JSON asked for. Reply with that JSON alone.' },
      ],
    });
  });

  test('gives up after one repair', async () => {
    const { result, prompts } = await ask(['no', 'no', '{"answer": "too late"}']);
    assert.deepEqual([result, prompts.length], [{ kind: 'unparsed', texts: ['no', 'no'] }, 2]);
  });

  test('a reply that the provider refused is not repaired', async () => {
    const { result, prompts } = await ask([completion('', 'filtered')]);
    assert.deepEqual(
      [result, prompts.length],
      [{ kind: 'unparsed', texts: [''], filtered: true }, 1],
    );
  });

  test('the repair of a truncated reply asks for a shorter one; that of an empty reply adds no empty turn and no two turns of one role', async () => {
    const cut = await ask([completion('{"answer": "long', 'length'), '{"answer": "x"}']);
    assert.match(cut.prompts[1]!.messages.at(-1)!.text, /shorter/);
    const empty = await ask([' \n', '{"answer": "x"}']);
    assert.deepEqual(
      empty.prompts[1]!.messages.map(({ role, text }) => [role, text.slice(0, 9)]),
      [
        ['system', 'Be brief.'],
        ['user', 'Split it.'],
      ],
    );
    assert.match(empty.prompts[1]!.messages.at(-1)!.text, /^Split it\.\n\nReply with/);
  });

  test('any replies: no exception, at most two calls, a repair within its size limit, and no value that is not in a reply', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.constantFrom(
        '',
        'I am sorry, but I cannot help with that.',
        '{"answer": 7}',
        '{"answer": "x"',
        '{"answer": "made"}',
        '[]',
        '{"__proto__": {"answer": "x"}}',
        'x'.repeat(5000),
        '😀'.repeat(300),
      ),
      fc
        .array(
          fc.constantFrom('{', '}', '[', ']', '"', 'answer', ':', ',', '"answer": "y"', '\\'),
          { maxLength: 30 },
        )
        .map(parts => parts.join('')),
    );
    const reply = fc.record({
      text,
      finish: fc.constantFrom('stop', 'length', 'filtered', 'other'),
    }) as fc.Arbitrary<{
      text: string;
      finish: Completion['finish'];
    }>;
    await fc.assert(
      fc.asyncProperty(reply, reply, async (first, second) => {
        const { result, prompts } = await ask([
          completion(first.text, first.finish),
          completion(second.text, second.finish),
        ]);
        assert.ok(prompts.length <= 2);
        assert.deepEqual(result.texts, [first.text, second.text].slice(0, prompts.length));
        if (prompts[1])
          assert.ok(
            promptTokens(prompts[1]) <= promptTokens(prompt) + prompt.maxTokens + REPAIR_TOKENS,
          );
        if (result.kind === 'parsed')
          assert.ok(result.texts.at(-1)!.includes('answer') && typeof result.value === 'string');
      }),
      { numRuns: 1000 },
    );
  });
});
