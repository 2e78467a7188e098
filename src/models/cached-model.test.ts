/**
 * Checks caching and replay: keys depend on everything that is sent and nothing else, and above
 * temperature 0 each occurrence has its own completion.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PortError } from '../core/errors.ts';
import { freeCall } from '../core/trace/call.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import { type CompletionStore, cachedModel, completionKey, replayedModel } from './cached-model.ts';
import type { Completion, LanguageModel, Prompt } from './language-model.ts';

/** Uses the text itself as its hash, for readable keys. */
const options = { hash: (text: string) => text };
const call = freeCall();
const cold: Prompt = { role: 'thought', messages: [{ role: 'user', text: 'Who?' }], maxTokens: 9 };
const warm: Prompt = { ...cold, temperature: 0.7 };

function memory(): CompletionStore & { readonly stored: Map<string, Completion> } {
  const stored = new Map<string, Completion>();
  return {
    stored,
    get: async key => stored.get(key),
    async put(key, completion) {
      if (!stored.has(key)) stored.set(key, completion);
      return stored.get(key)!;
    },
  };
}

const counting = (): ReturnType<typeof scriptedModel> =>
  scriptedModel((_, index) => `text ${index}`);
const texts = async (model: LanguageModel, ...prompts: readonly Prompt[]): Promise<string[]> => {
  const outputs: string[] = [];
  for (const prompt of prompts) outputs.push((await model.generate(prompt, call)).text);
  return outputs;
};

describe('cachedModel', () => {
  test('at temperature 0 equal prompts share one completion, also across decorators and roles', async () => {
    const [model, store] = [counting(), memory()];
    assert.deepEqual(
      await texts(
        cachedModel(model, store, options),
        cold,
        { ...cold, role: 'answer' },
        { ...cold, temperature: 0 },
      ),
      Array(3).fill('text 0'),
    );
    assert.deepEqual(await texts(cachedModel(model, store, options), cold), ['text 0']);
    assert.equal(model.prompts.length, 1);
  });

  test('above temperature 0 each occurrence has its own completion, and the next decorator repeats them', async () => {
    const [model, store] = [counting(), memory()];
    assert.deepEqual(await texts(cachedModel(model, store, options), warm, warm, cold, warm), [
      'text 0',
      'text 1',
      'text 2',
      'text 3',
    ]);
    assert.deepEqual(await texts(cachedModel(model, store, options), warm, warm, warm, warm), [
      'text 0',
      'text 1',
      'text 3',
      'text 4',
    ]);
    assert.equal(model.prompts.length, 5);
  });

  test('the key depends on the model and on everything that is sent', () => {
    const key = (prompt: Prompt, id = 'm', occurrence = 0): string =>
      completionKey(id, prompt, occurrence, text => text);
    const others: readonly Prompt[] = [
      { ...cold, maxTokens: 10 },
      { ...cold, temperature: 0.1 },
      { ...cold, stop: ['\n'] },
      { ...cold, seed: 0 },
      { ...cold, schema: { name: 'a', schema: {} } },
      { ...cold, schema: { name: 'a', schema: { type: 'object' } } },
      { ...cold, messages: [{ role: 'system', text: 'Who?' }] },
      { ...cold, messages: [{ role: 'user', text: 'Who? ' }] },
      { ...cold, messages: [...cold.messages, ...cold.messages] },
      { ...cold, messages: [{ role: 'user', text: '\ud800' }] },
      { ...cold, messages: [{ role: 'user', text: '\ufffd' }] },
    ];
    const keys = [
      key(cold),
      key(cold, 'n'),
      key(cold, 'm', 1),
      ...others.map(prompt => key(prompt)),
    ];
    assert.equal(new Set(keys).size, keys.length);
    assert.equal(key({ ...cold, role: 'other', temperature: 0, stop: [] }), key(cold));
  });

  test('a failed call is neither stored nor counted', async () => {
    const store = memory();
    let calls = 0;
    const flaky = cachedModel(
      {
        id: 'flaky',
        async generate() {
          if (calls++ % 2 === 0) throw new PortError('model', 'busy', 'Not now');
          return { text: `text ${calls}`, usage: { input: 1, output: 1 }, finish: 'stop' };
        },
      },
      store,
      options,
    );
    for (let time = 0; time < 2; time++) {
      await assert.rejects(flaky.generate(warm, call), PortError.is);
      await flaky.generate(warm, call);
    }
    assert.deepEqual(
      [...store.stored.keys()],
      [0, 1].map(time => completionKey('flaky', warm, time, options.hash)),
    );
  });

  test('two concurrent calls return the same completion', async () => {
    const [model, store] = [counting(), memory()];
    const cached = cachedModel(model, store, options);
    const both = await Promise.all([cached.generate(cold, call), cached.generate(cold, call)]);
    assert.equal(both[0].text, both[1].text);
  });

  test('a cached completion is streamed, and keeps its usage and finish', async () => {
    const store = memory();
    const completion: Completion = {
      text: 'a b',
      usage: { input: 5, output: 2, estimated: true },
      finish: 'length',
      cut: { tokens: 9 },
    };
    const cached = cachedModel(
      scriptedModel(() => completion),
      store,
      options,
    );
    await cached.generate(cold, call);
    const pieces: string[] = [];
    assert.deepEqual(await cached.generate(cold, call, piece => pieces.push(piece)), completion);
    assert.deepEqual(pieces, ['a b']);
  });
});

describe('replayedModel', () => {
  test('replays recorded completions, and refuses an unknown prompt with a hint', async () => {
    const store = memory();
    const script: readonly Prompt[] = [warm, cold, warm, cold];
    const recorded = await texts(cachedModel(counting(), store, options), ...script);
    const replayed = replayedModel({ id: 'scripted', price: { input: 1, output: 2 } }, store, {
      ...options,
      from: 'The cassette x.jsonl',
    });
    assert.deepEqual(
      [await texts(replayed, ...script), replayed.price, replayed.misses],
      [recorded, { input: 1, output: 2 }, 0],
    );
    await assert.rejects(
      replayed.generate(warm, call),
      (error: unknown) =>
        PortError.is(error) &&
        error.port === 'model' &&
        error.code === 'not-recorded' &&
        /The cassette x\.jsonl holds no completion of "scripted" for this prompt \(thought\).*Record it: ask the model through cachedModel over the same store/.test(
          error.message,
        ) &&
        !error.message.includes('Who?'),
    );
    assert.equal(replayed.misses, 1);
    await assert.rejects(
      replayedModel({ id: 'another' }, store, options).generate(cold, call),
      PortError.is,
    );
  });
});
