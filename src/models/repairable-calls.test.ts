/** Checks estimates of tokens, and plans of calls with a repair each, against numbers by hand. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Prompt } from './language-model.ts';
import { firstTokens, promptTokens } from './prompt-tokens.ts';
import { repairable } from './repairable-calls.ts';
import { REPAIR_TOKENS } from './structured.ts';

describe('a token is two and a half bytes', () => {
  test('the longest prefix of so many tokens', () => {
    assert.equal(firstTokens('abcdefghij', 2), 'abcde');
    assert.equal(firstTokens('abcde', 2), 'abcde');
    assert.equal(firstTokens('abc', 0), '');
  });

  test('units of one, two and three bytes', () => {
    // Four tokens are ten bytes; U+07FF is the last character of two bytes.
    for (const [unit, count] of [
      ['\u007f', 10],
      ['\u0080', 5],
      ['\u07ff', 5],
      ['\u0800', 3],
    ] as const)
      assert.equal(firstTokens(unit.repeat(20), 4), unit.repeat(count));
    // 16 for the message and the reply.
    for (const [unit, tokens] of Object.entries({ '\u007f': 20, '\u0080': 24, '\u0800': 28 }))
      assert.equal(promptTokens({ messages: [{ role: 'user', text: unit.repeat(10) }] }), tokens);
  });
});

describe('the plan of calls with a repair each', () => {
  // 25 bytes are 10 tokens, and 8 each for the message and the reply.
  const prompt: Prompt = {
    role: 'split',
    maxTokens: 40,
    messages: [{ role: 'user', text: 'x'.repeat(25) }],
  };
  const planned = (atMost: number, calls: number, usual: number, bound: number): object => ({
    role: 'split',
    atMost,
    promptTokens: bound + 40 + REPAIR_TOKENS,
    completionTokens: 40,
    expected: { calls, promptTokens: usual },
  });

  test('by the prompt itself', () => {
    assert.equal(promptTokens(prompt), 26);
    assert.deepEqual(repairable(prompt, 3), planned(6, 3, 26, 26));
  });

  test('within a bound on any such prompt', () => {
    assert.deepEqual(repairable(prompt, 3, 100), planned(6, 3, 26, 100));
    assert.deepEqual(repairable(prompt, 3, 20), planned(6, 3, 20, 20));
  });
});
