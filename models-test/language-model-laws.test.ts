/** Checks the laws of language models on a local one, over a tiny decoder with random weights. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import {
  type LocalLanguageModel,
  transformersLanguageModel,
} from '../src/providers/transformers-language-model.ts';
import { languageModelLaws } from '../src/testing/language-model-laws.ts';
import { runLaws } from '../test/laws/run-laws.ts';
import { writeTinyDecoder } from './tiny-decoder.ts';

const folder = mkdtempSync(join(tmpdir(), 'multihop-tiny-laws-'));
let model: LocalLanguageModel;
before(async () => {
  writeTinyDecoder(folder, 1);
  model = await transformersLanguageModel({
    model: 'tiny',
    folder,
    dtype: 'fp32',
    load: () => import('@huggingface/transformers'),
  });
});
after(async () => {
  await model.close();
  rmSync(folder, { recursive: true });
});

runLaws(
  'in process',
  languageModelLaws(() => model, { short: true }),
);
