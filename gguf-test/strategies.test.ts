/** Checks that every schema that members send to a model has a grammar, over a tiny model. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ask, type Engine, InputError, ingest, type LanguageModel } from '../src/index.ts';
import {
  type GgufLanguageModel,
  ggufLanguageModel,
} from '../src/providers/llama/gguf-language-model.ts';
import { grammarSchema } from '../src/providers/llama/llama-grammar.ts';
import { strategies } from '../src/strategies/strategies.ts';
import { writeTinyGguf } from './tiny-gguf.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'multihop-gguf-strategies-'));
let model: GgufLanguageModel;
let engine: Engine;
before(async () => {
  const file = join(FOLDER, 'tiny.gguf');
  writeTinyGguf(file, 5);
  model = await ggufLanguageModel({
    file,
    gpu: false,
    threads: 1,
    load: () => import('node-llama-cpp'),
  });
  engine = (await ingest([
    'The ferry Linnet was built by Dunmarrow Drives in Orrest in 1931.',
    'Dunmarrow Drives was founded by Ada Fenwick.',
  ])) as Engine;
});
after(async () => {
  await model.close();
  rmSync(FOLDER, { recursive: true });
});

test('every schema that strategies and the reader send has a grammar, and its reply is JSON', async context => {
  const schemas = new Map<string, string>();
  const watched: LanguageModel = {
    id: model.id,
    contextTokens: model.contextTokens,
    countTokens: prompt => model.countTokens(prompt),
    async generate(prompt, call, onText) {
      const completion = await model.generate(prompt, call, onText);
      if (!prompt.schema) return completion;
      const { name, schema } = prompt.schema;
      schemas.set(JSON.stringify(schema), name);
      assert.ok(grammarSchema(schema), `${name}: ${JSON.stringify(schema)}`);
      if (completion.finish === 'stop') JSON.parse(completion.text);
      return completion;
    },
  };
  const question = 'Who founded the company that built the Linnet, and when was the ferry built?';
  for (const { name } of strategies.members)
    for (const reader of ['generative', 'generative(form=short)'])
      await ask(question, {
        engine,
        strategy: name,
        reader,
        resources: { model: watched },
        budget: { modelCalls: 4 },
      }).then(undefined, (error: unknown) => {
        // A strategy that needs another model, or its weights.
        if (!InputError.is(error)) throw error;
      });
  const names = [...new Set(schemas.values())].sort();
  context.diagnostic(`${schemas.size} schemas: ${names.join(', ')}`);
  assert.ok(schemas.size >= 5, `${schemas.size}`);
});
