/** Tests that a prompt is shortened in a fixed order, and no more than necessary. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Prompt } from '../models/language-model.ts';
import { promptTokens } from '../models/prompt-tokens.ts';
import { fittingPrompt, type PromptRoom } from './passages-prompt.ts';

const sizes = { demonstrations: 300, words: 5, passages: 40 };
const tried: PromptRoom[] = [];
const build = (room: PromptRoom): Prompt => {
  tried.push(room);
  const { demonstrations, words, passages } = room;
  const text = 'x'.repeat(
    demonstrations * sizes.demonstrations + passages * (sizes.passages + words * sizes.words),
  );
  return { role: 'thought', messages: [{ role: 'user', text }], maxTokens: 1 };
};
const fitted = (most: PromptRoom, atMost: number): PromptRoom => {
  tried.length = 0;
  const prompt = fittingPrompt(build, most, atMost);
  const last = tried.at(-1)!;
  assert.deepEqual(prompt, build(last));
  assert.deepEqual(last, stepByStep(most, atMost));
  return last;
};

/** Takes the steps one by one. */
function stepByStep(most: PromptRoom, atMost: number): PromptRoom {
  let room = most;
  while (promptTokens(build(room)) > atMost) {
    const { demonstrations, words, passages } = room;
    if (demonstrations > 0) room = { ...room, demonstrations: demonstrations - 1 };
    else if (passages === 0) break;
    else if (words > 20) room = { ...room, words: Math.max(20, Math.floor(words / 2)) };
    else room = { ...room, passages: passages - 1 };
  }
  return room;
}

test('by hand: drops demonstrations first, then halves words down to 20, then drops passages', () => {
  // Two messages of 8 tokens, and 2.5 bytes per token: a demonstration costs 120, a passage of w
  // words 16 + 2w.
  const most = { demonstrations: 2, words: 90, passages: 2 };
  const tokens = (room: PromptRoom): number => promptTokens(build(room));
  assert.equal(tokens(most), 16 + 240 + 2 * 196);
  const steps: PromptRoom[] = [
    most,
    { ...most, demonstrations: 1 },
    { ...most, demonstrations: 0 },
    { demonstrations: 0, words: 45, passages: 2 },
    { demonstrations: 0, words: 22, passages: 2 },
    { demonstrations: 0, words: 20, passages: 2 },
    { demonstrations: 0, words: 20, passages: 1 },
    { demonstrations: 0, words: 20, passages: 0 },
  ];
  for (const [index, room] of steps.entries()) {
    assert.deepEqual(fitted(most, tokens(room)), room);
    assert.deepEqual(fitted(most, tokens(room) - 1), steps[index + 1] ?? room);
  }
});

test('the prompt is within the limit, and whole if that fits', () => {
  const room = fc.record(
    { demonstrations: fc.nat(4), words: fc.integer({ min: 1, max: 400 }), passages: fc.nat(15) },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(room, fc.integer({ min: 0, max: 9000 }), (most, atMost) => {
      const got = fitted(most, atMost);
      if (promptTokens(build(most)) <= atMost) assert.deepEqual(got, most);
      else if (promptTokens(build({ demonstrations: 0, words: 1, passages: 0 })) <= atMost)
        assert.ok(promptTokens(build(got)) <= atMost);
    }),
  );
});
