/**
 * Tests that a violated plan is detected: one call more, a larger prompt, a longer completion, an
 * unplanned role.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Prompt } from '../models/language-model.ts';
import type { PlannedCalls } from '../models/planned-calls.ts';
import { LawBroken } from './law.ts';
import { checkPlanned } from './planned-calls-check.ts';

test('a violated plan is detected', () => {
  /** A prompt of 24 tokens, as counted by `promptTokens`. */
  const prompt: Prompt = {
    role: 'thought',
    messages: [{ role: 'user', text: 'Who built the ferry?' }],
    maxTokens: 50,
  };
  const plan: PlannedCalls = { role: 'thought', atMost: 2, promptTokens: 24, completionTokens: 50 };
  const check = (planned: readonly PlannedCalls[], ...prompts: Prompt[]) =>
    checkPlanned(planned, prompts, 'a question');
  check([plan], prompt, prompt);
  check(
    [
      { ...plan, atMost: 1 },
      { ...plan, atMost: 1, promptTokens: 1, completionTokens: 1 },
    ],
    prompt,
    prompt,
  );
  check([plan]);
  for (const [what, broken] of [
    ['calls', () => check([plan], prompt, prompt, prompt)],
    ['tokens of a prompt', () => check([{ ...plan, promptTokens: 23 }], prompt)],
    ['tokens of a completion', () => check([plan], { ...prompt, maxTokens: 51 })],
    ['calls', () => check([plan], { ...prompt, role: 'answer' })],
  ] as const)
    assert.throws(
      broken,
      error =>
        error instanceof LawBroken && error.message.startsWith(`a question: ${what} in the role`),
    );
});
