/**
 * Checks a real language model of 1.5B parameters: tools/models/coder.sh brings it into the folder
 * that MULTIHOP_GGUF names.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { freeCall } from '../src/core/trace/call.ts';
import { ask, ingest } from '../src/index.ts';
import type { Prompt } from '../src/models/language-model.ts';
import {
  type GgufLanguageModel,
  ggufLanguageModel,
} from '../src/providers/llama/gguf-language-model.ts';
import { languageModelLaws } from '../src/testing/language-model-laws.ts';

const FILE = join(process.env.MULTIHOP_GGUF ?? '', 'qwen2.5-coder-1.5b-instruct-q4_k_m.gguf');
const skip = existsSync(FILE) ? false : 'needs MULTIHOP_GGUF: tools/models/coder.sh FOLDER';

const PASSAGES = `1. The ferry Linnet was built in 1931 by Dunmarrow Drives in the town of Orrest.
2. Orrest lies on the river Tarn, and its mayor in 1931 was Ada Fenwick.`;
const asking = (question: string, more: Partial<Prompt> = {}): Prompt => ({
  role: 'answer',
  messages: [
    { role: 'system', text: 'Answer from the passages with a name alone.' },
    { role: 'user', text: `${PASSAGES}\n\n${question}` },
  ],
  maxTokens: 12,
  ...more,
});

describe('a real language model', { skip }, () => {
  let model: GgufLanguageModel;
  before(async () => {
    model = await ggufLanguageModel({
      file: FILE,
      contextTokens: 4096,
      threads: 1,
      gpu: false,
      load: () => import('node-llama-cpp'),
    });
  });
  after(() => model.close());

  test('answers from passages, in its chat format', async context => {
    const began = performance.now();
    const { text, usage, finish } = await model.generate(
      asking('Who built the Linnet?'),
      freeCall(),
    );
    assert.match(text, /Dunmarrow Drives/);
    assert.equal(finish, 'stop');
    assert.equal(usage.input, model.countTokens(asking('Who built the Linnet?')));
    const seconds = (performance.now() - began) / 1000;
    context.diagnostic(
      `${usage.input} prompt and ${usage.output} answer tokens in ${seconds.toFixed(1)} s`,
    );
  });

  test('a second question reuses the beginning of the first', async () => {
    const { reused } = model.read;
    const { text } = await model.generate(asking('Who was mayor of Orrest?'), freeCall());
    assert.match(text, /Ada Fenwick/);
    assert.ok(model.read.reused >= reused + 64, `${model.read.reused - reused} tokens`);
  });

  test('a reply to a schema follows it', async () => {
    const schema = {
      type: 'object',
      properties: {
        citations: { type: 'array', items: { enum: [1, 2] }, minItems: 1, maxItems: 2 },
        answer: { type: ['string', 'null'], maxLength: 30 },
      },
    };
    const asked = asking('In which town was the Linnet built?', {
      schema: { name: 'cited', schema },
      maxTokens: 60,
    });
    const reply = JSON.parse((await model.generate(asked, freeCall())).text) as {
      readonly citations: readonly number[];
      readonly answer: string;
    };
    assert.match(reply.answer, /Orrest/);
    assert.equal(reply.citations[0], 1);
  });

  test('an abort releases the caller at once, and the work ends soon after', async context => {
    const long = asking(`${PASSAGES}\n`.repeat(20), { maxTokens: 200 });
    const controller = new AbortController();
    const running = model
      .generate(long, freeCall(controller.signal))
      .catch(() => performance.now());
    await new Promise(resolve => setTimeout(resolve, 300));
    const began = performance.now();
    controller.abort(new Error('enough'));
    const released = Number(await running) - began;
    const short = {
      role: 'answer',
      messages: [{ role: 'user' as const, text: 'Hi' }],
      maxTokens: 1,
    };
    await model.generate(short, freeCall());
    const free = performance.now() - began;
    assert.ok(released < 100, `the caller waits ${released} ms`);
    context.diagnostic(
      `caller released in ${released.toFixed(1)} ms, next call done in ${free.toFixed(0)} ms`,
    );
  });

  for (const { name, run } of languageModelLaws(() => model, { short: true, maxTokens: 2 }).filter(
    ({ name }) => /constant id|exceeds its context|aborted|after an abort/.test(name),
  ))
    test(name, () => run());

  test('ask answers in the form of a schema, and cites the document of each field', async () => {
    const engine = await ingest([
      { id: 'linnet', title: 'The Linnet', text: 'The Linnet is a ferry. She was built in 1902.' },
      {
        id: 'holm',
        title: 'Holm Works',
        text: 'Holm Works built the Linnet. Ivo Stern founded it.',
      },
    ]);
    const schema = z.object({ built: z.int().describe('year'), founder: z.string() });
    const question = 'When was the Linnet built, and who founded the works that built her?';
    const { value, answer } = await ask(question, { engine, model, schema });
    assert.deepEqual(value, { built: 1902, founder: 'Ivo Stern' });
    assert.ok(answer.kind === 'answered');
    assert.deepEqual(
      answer.fields!.map(({ citations }) => citations.map(({ documentId }) => documentId)),
      [['linnet'], ['holm']],
    );
  });

  test('ask cites the document that it answers from', async () => {
    const engine = await ingest([...PASSAGES.split('\n')]);
    const { answer } = await ask('Who built the ferry Linnet?', {
      engine,
      strategy: 'fixed-top-k(k=2)',
      reader: 'generative(form=short)',
      resources: { model },
    });
    assert.equal(answer.kind, 'answered');
    assert.match(JSON.stringify(answer), /Dunmarrow Drives/);
  });
});
