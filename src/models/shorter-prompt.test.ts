import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { PortError } from '../core/errors.ts';
import { freeCall } from '../core/trace/call.ts';
import { type CompletionStore, cachedModel, replayedModel } from './cached-model.ts';
import type { Completion, LanguageModel, Prompt } from './language-model.ts';
import { promptTokens } from './prompt-tokens.ts';
import { shorteningModel, withShorter } from './shorter-prompt.ts';
import { generateStructured } from './structured.ts';

/** Returns a prompt of words, of which shorter ones can be built down to a single word. */
function promptOf(words: number): Prompt {
  const messages = [{ role: 'user', text: 'word '.repeat(words) }] as const;
  const prompt: Prompt = { role: 'answer', messages, maxTokens: 10 };
  return withShorter(prompt, atMost => {
    let less = words;
    while (less > 1 && promptTokens(promptOf(less)) > atMost) less--;
    return promptOf(less);
  });
}

/** Has room for prompts of so many tokens, and notes the sizes of those that it gets. */
function model(room: number, replies: readonly string[] = []) {
  const sizes: number[] = [];
  const said = replies.values();
  const inner: LanguageModel = {
    id: 'm',
    async generate(prompt) {
      sizes.push(promptTokens(prompt));
      if (promptTokens(prompt) > room) throw new PortError('model', 'context-full', 'No room');
      return { text: said.next().value ?? 'x', usage: { input: 1, output: 1 }, finish: 'stop' };
    },
  };
  let shortened = 0;
  const shortening = shorteningModel(inner, () => shortened++);
  return { shortening, sizes, notes: () => shortened };
}

test('a prompt without room is asked with half its tokens, and later ones are built shorter', async () => {
  const whole = promptTokens(promptOf(400));
  const { shortening, sizes, notes } = model(whole / 3);
  await shortening.generate(promptOf(400), freeCall());
  assert.equal(sizes.length, 3);
  assert.ok(sizes[1]! <= whole / 2 && sizes[2]! <= whole / 4, `${sizes}`);
  await shortening.generate(promptOf(400), freeCall());
  await shortening.generate(promptOf(2), freeCall());
  assert.ok(sizes[3]! < sizes[1]!, 'what was refused is not sent again');
  assert.equal(notes(), 2);
});

test('a repair is shortened as its prompt is', async () => {
  const { shortening, sizes } = model(promptTokens(promptOf(150)), ['no JSON', '{"a": 1}']);
  const read = (json: unknown): unknown => json;
  const { kind } = await generateStructured(shortening, promptOf(400), read, freeCall());
  assert.equal(kind, 'parsed');
  assert.ok(sizes.at(-1)! <= promptTokens(promptOf(150)));
});

test('a prompt that nothing shortens fails as before, and no field shows that one can be', async () => {
  const { shortening } = model(0);
  const { messages, ...rest } = promptOf(9);
  await assert.rejects(shortening.generate({ ...rest, messages }, freeCall()), {
    code: 'context-full',
  });
  await assert.rejects(shortening.generate(promptOf(9), freeCall()), { code: 'context-full' });
  assert.deepEqual(promptOf(9), { ...rest, messages });
});

test('a recording of prompts that were shortened is replayed', async () => {
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  const completions = new Map<string, Completion>();
  const store: CompletionStore = {
    get: async key => completions.get(key),
    async put(key, completion) {
      completions.set(key, completion);
      return completion;
    },
  };
  const inner: LanguageModel = {
    id: 'm',
    async generate(prompt) {
      if (promptTokens(prompt) > 100) throw new PortError('model', 'context-full', 'No room');
      return { text: `${promptTokens(prompt)}`, usage: { input: 1, output: 1 }, finish: 'stop' };
    },
  };
  const ask = async (model: LanguageModel): Promise<string[]> => {
    const shortening = shorteningModel(model, () => {});
    const said: string[] = [];
    for (const words of [400, 300, 5])
      said.push((await shortening.generate(promptOf(words), freeCall())).text);
    return said;
  };
  const recorded = await ask(cachedModel(inner, store, { hash }));
  const replayed = replayedModel({ id: 'm' }, store, { hash });
  assert.deepEqual(await ask(replayed), recorded);
  assert.equal(replayed.misses, 0, 'a refused prompt is not missing');
  await assert.rejects(shorteningModel(replayed, () => {}).generate(promptOf(7), freeCall()), {
    code: 'not-recorded',
  });
  assert.ok(replayed.misses > 0);
});
