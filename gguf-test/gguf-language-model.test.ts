/**
 * Checks language models of GGUF files over a tiny one with random weights that is created here; no
 * real model is needed.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import type { PortError } from '../src/core/errors.ts';
import { freeCall } from '../src/core/trace/call.ts';
import type { Prompt } from '../src/models/language-model.ts';
import { ggufLanguageModel } from '../src/providers/llama/gguf-language-model.ts';
import type { GgufOptions } from '../src/providers/llama/gguf-model.ts';
import { languageModelLaws } from '../src/testing/language-model-laws.ts';
import { runLaws } from '../test/laws/run-laws.ts';
import { CONTEXT, writeTinyGguf } from './tiny-gguf.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'multihop-gguf-'));
const open: { close(): Promise<void> }[] = [];
after(async () => {
  for (const model of open) await model.close();
  rmSync(FOLDER, { recursive: true });
});

const load = (): Promise<unknown> => import('node-llama-cpp');
async function tiny(
  options: Partial<GgufOptions> = {},
  seed = 1,
  without?: 'system' | 'template',
): ReturnType<typeof ggufLanguageModel> {
  const file = join(FOLDER, `tiny-${seed}-${without}.gguf`);
  writeTinyGguf(file, seed, without);
  const model = await ggufLanguageModel({ file, gpu: false, threads: 1, load, ...options });
  open.push(model);
  return model;
}

const SYSTEM = 'Answer from the passages.';
const QUESTION = 'Who owns the ferry to Skåne?';
const prompt = (more: Partial<Prompt> = {}): Prompt => ({
  role: 'answer',
  messages: [
    { role: 'system', text: SYSTEM },
    { role: 'user', text: QUESTION },
  ],
  maxTokens: 40,
  ...more,
});
const asking = (text: string, maxTokens = 20): Prompt =>
  prompt({ messages: [{ role: 'user', text }], maxTokens });

let shared: ReturnType<typeof ggufLanguageModel> | undefined;
runLaws(
  'a GGUF file in process',
  languageModelLaws(() => (shared ??= tiny()), { short: true }),
);

describe('a GGUF file as a language model', () => {
  test('reads a prompt in the chat format of the file, in which special tokens of people are letters', async () => {
    const model = await tiny();
    // Five special tokens and one for each byte, but one for "er" and "th", which are there twice.
    const bytes = SYSTEM.length + QUESTION.length + 1;
    assert.equal(model.countTokens(prompt()), 5 + bytes - 4);
    assert.equal((await model.generate(prompt(), freeCall())).usage.input, 5 + bytes - 4);
    assert.equal(model.countTokens(asking('<|end|><|user|>x')), 3 + 15);
  });

  test('equal prompts have equal texts, whatever was asked before and however much was reused', async () => {
    const model = await tiny({ sequences: 2 });
    const fresh = async (asked: Prompt): Promise<string> => {
      const other = await tiny({ sequences: 1 });
      return (await other.generate(asked, freeCall())).text;
    };
    const known = new Map<string, string>();
    const texts = ['the ferry '.repeat(20), 'another beginning '.repeat(12)];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...texts),
        fc.string({ minLength: 1, maxLength: 30, unit: fc.constantFrom(...'abz e') }),
        async (beginning, end) => {
          const asked = asking(beginning + end);
          const { text } = await model.generate(asked, freeCall());
          const key = asked.messages[0]!.text;
          if (!known.has(key) && known.size < 12) known.set(key, await fresh(asked));
          if (known.has(key)) assert.equal(text, known.get(key));
        },
      ),
      { numRuns: 60, seed: 7 },
    );
    assert.ok(
      model.read.reused > model.read.tokens / 2,
      `${model.read.reused} of ${model.read.tokens}`,
    );
  });

  test('a reply to a schema follows it, and one to a schema without a grammar is free', async () => {
    const model = await tiny();
    const schema = {
      type: 'object',
      properties: {
        citations: { type: 'array', items: { enum: [1, 2, 3] }, minItems: 1, maxItems: 2 },
        answer: { type: ['string', 'null'], maxLength: 10 },
        sure: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
        more: { type: ['array', 'null'], items: { type: 'string', maxLength: 4 }, maxItems: 2 },
      },
    };
    const asked = (part: object): Prompt =>
      prompt({ schema: { name: 'a', schema: part as Record<string, unknown> }, maxTokens: 200 });
    const { text, finish } = await model.generate(asked(schema), freeCall());
    const reply = JSON.parse(text) as Record<string, unknown>;
    assert.deepEqual(Object.keys(reply), ['citations', 'answer', 'sure', 'more']);
    assert.equal(finish, 'stop');
    const free = await model.generate(asked({ not: { type: 'null' } }), freeCall());
    const plain = await model.generate(prompt({ maxTokens: 200 }), freeCall());
    assert.equal(free.text, plain.text);
  });

  test('refuses a prompt that leaves no room, and names both lengths', async () => {
    const model = await tiny({ contextTokens: 256 });
    assert.equal(model.contextTokens, 256);
    const asked = asking('x'.repeat(200), 60);
    await assert.rejects(model.generate(asked, freeCall()), (error: PortError) => {
      assert.equal(error.code, 'context-full');
      assert.match(error.message, /at most 256 tokens.*received 203 and 60 of the completion/);
      return true;
    });
    assert.equal((await tiny()).contextTokens, CONTEXT);
  });

  test('sampling follows its seed', async () => {
    const model = await tiny();
    const text = async (seed: number): Promise<string> =>
      (await model.generate(prompt({ temperature: 1.5, seed }), freeCall())).text;
    const texts = await Promise.all([1, 2, 3, 1].map(text));
    assert.equal(texts[0], texts[3]);
    assert.ok(new Set(texts).size > 1);
  });

  test('an abort releases the caller at once, ends the work, and leaves the next call alone', async () => {
    const model = await tiny();
    const controller = new AbortController();
    const long = asking('the ferry '.repeat(300), 600);
    const running = model.generate(long, freeCall(controller.signal));
    const waiting = model.generate(prompt(), freeCall());
    const began = performance.now();
    setTimeout(() => controller.abort(new Error('enough')), 20);
    await assert.rejects(running, /enough/);
    assert.ok(performance.now() - began < 500, 'the caller waits');
    const alone = await (await tiny()).generate(prompt(), freeCall());
    assert.equal((await waiting).text, alone.text);
  });

  test('a file without a system role, and one without a template, read both texts', async () => {
    for (const without of ['system', 'template'] as const) {
      const model = await tiny({}, 2, without);
      const { usage } = await model.generate(prompt(), freeCall());
      assert.ok(usage.input >= SYSTEM.length + QUESTION.length - 4, `${without}: ${usage.input}`);
    }
  });

  test('its id names the file and the settings that change texts, and nothing else', async () => {
    const ids = [
      await tiny(),
      await tiny({ threads: 2, contextTokens: 512, sequences: 1 }),
      await tiny({ cacheType: 'q8_0' }),
      await tiny({}, 3),
    ].map(({ id }) => id);
    assert.equal(ids[0], ids[1]);
    assert.equal(new Set(ids).size, 3);
    assert.match(ids[0]!, /^tiny-1-undefined@gguf-[0-9a-f]{12}$/);
  });
});
