/**
 * Checks local text generation over a tiny decoder with random weights that is created here; no
 * real model is needed.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { PortError } from '../src/core/errors.ts';
import { freeCall } from '../src/core/trace/call.ts';
import type { Prompt } from '../src/models/language-model.ts';
import {
  type LocalLanguageModel,
  transformersLanguageModel,
} from '../src/providers/transformers-language-model.ts';
import { CONTEXT, tinyText, writeTinyDecoder } from './tiny-decoder.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'multihop-tiny-'));
const open: LocalLanguageModel[] = [];
after(async () => {
  for (const model of open) await model.close();
  rmSync(FOLDER, { recursive: true });
});

const load = (): Promise<unknown> => import('@huggingface/transformers');
async function tiny(seed: number, without?: 'system' | 'template'): Promise<LocalLanguageModel> {
  const folder = join(FOLDER, `tiny-${seed}-${without}`);
  writeTinyDecoder(folder, seed, without);
  const model = await transformersLanguageModel({ model: 'tiny', folder, dtype: 'fp32', load });
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
  maxTokens: 60,
  ...more,
});
const CHAT = `<|system|>${SYSTEM}<|end|><|user|>${QUESTION}<|end|><|assistant|>`;

describe('a local language model', () => {
  test('generates what its weights imply, computed independently, in its chat format', async () => {
    for (const seed of [1, 2, 4, 7]) {
      const model = await tiny(seed);
      const { text, usage, finish } = await model.generate(prompt(), freeCall());
      assert.equal(text, tinyText(seed, CHAT, 60));
      // Five special tokens, and each byte is a token: the question has one letter of two bytes.
      assert.equal(usage.input, 5 + SYSTEM.length + QUESTION.length + 1);
      assert.equal(usage.estimated, undefined);
      assert.equal(finish, usage.output < 60 ? 'stop' : 'length');
    }
  });

  test('generates the same text again, and its pieces join to the text', async () => {
    const model = await tiny(1);
    const pieces: string[] = [];
    const streamed = await model.generate(prompt(), freeCall(), piece => pieces.push(piece));
    assert.ok(pieces.length > 3, `${pieces}`);
    assert.equal(pieces.join(''), streamed.text);
    assert.deepEqual(await model.generate(prompt(), freeCall()), streamed);
  });

  test('ends before a stop, however it is divided into pieces', async () => {
    const model = await tiny(1);
    const { text } = await model.generate(prompt(), freeCall());
    for (const [from, length] of [
      [7, 1],
      [9, 4],
      [12, 9],
    ] as const) {
      const stop = text.slice(from, from + length);
      const pieces: string[] = [];
      const cut = await model.generate(prompt({ stop: ['@@', stop] }), freeCall(), piece =>
        pieces.push(piece),
      );
      assert.equal(cut.text, text.slice(0, text.indexOf(stop)));
      assert.equal(pieces.join(''), cut.text);
      assert.equal(cut.finish, 'stop');
      assert.ok(cut.usage.output < 60, `${cut.usage.output} tokens`);
    }
  });

  test('samples above temperature 0, by its seed', async () => {
    const model = await tiny(1);
    const texts = new Set<string>();
    for (let run = 0; run < 4; run++)
      texts.add((await model.generate(prompt({ temperature: 1 }), freeCall())).text);
    assert.ok(texts.size > 1);
    const seeded = async (seed: number) =>
      (await model.generate(prompt({ temperature: 1, seed }), freeCall())).text;
    assert.equal(await seeded(5), await seeded(5));
    assert.notEqual(await seeded(5), await seeded(6));
  });

  test('ends within 250 ms of an abort, without further text', async () => {
    const model = await tiny(1);
    const stop = new AbortController();
    let after = 0;
    let aborted = 0;
    const generating = model.generate(prompt({ maxTokens: 3500 }), freeCall(stop.signal), () => {
      if (aborted > 0) after++;
      else {
        aborted = performance.now();
        stop.abort(new Error('enough'));
      }
    });
    await assert.rejects(generating, { message: 'enough' });
    assert.ok(performance.now() - aborted < 250);
    await new Promise(resolve => setTimeout(resolve, 100));
    assert.equal(after, 0);
    await assert.rejects(
      model.generate(prompt(), freeCall(AbortSignal.abort(new Error('before')))),
      { message: 'before' },
    );
  });

  test('ends at the deadline of its call', async () => {
    const model = await tiny(1);
    const call = { ...freeCall(), left: () => ({ ms: 20 }) };
    await assert.rejects(model.generate(prompt({ maxTokens: 3500 }), call), {
      code: 'timeout',
      port: 'model',
    });
  });

  test('refuses a prompt that is too long instead of cutting it', async () => {
    const model = await tiny(1);
    const long = (bytes: number): Prompt =>
      prompt({ messages: [{ role: 'user', text: 'x'.repeat(bytes) }], maxTokens: 100 });
    // Three special tokens around the text.
    assert.equal(
      (await model.generate(long(CONTEXT - 103), freeCall())).usage.input,
      CONTEXT - 100,
    );
    await assert.rejects(model.generate(long(CONTEXT - 102), freeCall()), (error: PortError) => {
      assert.equal(error.code, 'context-full');
      assert.match(error.message, /at most 4096 tokens.*received 3997 and 100 of the completion/);
      return true;
    });
  });

  test('without a system role receives the system message before the question; without a template, the plain texts', async () => {
    const merged = await tiny(2, 'system');
    assert.equal(
      (await merged.generate(prompt(), freeCall())).text,
      tinyText(2, `<|user|>${SYSTEM}\n\n${QUESTION}<|end|><|assistant|>`, 60),
    );
    const bare = await tiny(2, 'template');
    assert.equal(
      (await bare.generate(prompt(), freeCall())).text,
      tinyText(2, `${SYSTEM}\n\n${QUESTION}`, 60),
    );
  });

  test('has another id for other weights', async () => {
    assert.match((await tiny(1)).id, /^tiny@fp32-[0-9a-f]{12}$/);
    assert.notEqual((await tiny(1)).id, (await tiny(2)).id);
    assert.equal((await tiny(1)).id, (await tiny(1)).id);
  });
});
