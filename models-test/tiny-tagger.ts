/**
 * Writes a token classifier of one table with random weights in the layout that
 * `@huggingface/transformers` loads, with the tokenizer of `tiny-answerer.ts`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mulberry32 } from '../src/core/mulberry32.ts';
import { bytes, constant, FLOAT, INT64, int, message, node, slot } from './onnx-file.ts';
import { idOf, tokenizer, VOCABULARY } from './tiny-answerer.ts';

export const LABELS: readonly string[] = ['O', 'B-PER', 'I-PER', 'B-LOC', 'I-LOC'];

export function writeTinyTagger(folder: string, seed: number, labels = LABELS): void {
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  const json = (name: string, value: unknown): void =>
    writeFileSync(join(folder, name), JSON.stringify(value));
  json('config.json', {
    ...{ model_type: 'bert', architectures: ['BertForTokenClassification'] },
    id2label: Object.fromEntries(labels.entries()),
    label2id: Object.fromEntries(labels.map((label, at) => [label, at])),
  });
  json('tokenizer_config.json', { tokenizer_class: 'BertTokenizer', model_max_length: 64 });
  json('tokenizer.json', tokenizer());
  // The second is what a model is opened by unless told otherwise.
  for (const name of ['model.onnx', 'model_quantized.onnx'])
    writeFileSync(join(folder, 'onnx', name), graph(seed));
}

/** Returns the label of a token. */
export function tinyLabel(seed: number): (token: string) => string {
  const table = weights(seed);
  const width = LABELS.length;
  return token => {
    const row = table.subarray(width * idOf(token), width * (idOf(token) + 1));
    return LABELS[row.indexOf(Math.max(...row))]!;
  };
}

const weights = (seed: number): Float32Array => {
  const random = mulberry32(seed);
  return Float32Array.from({ length: LABELS.length * VOCABULARY.length }, () => 4 * random() - 2);
};

function graph(seed: number): Buffer {
  const fields = [
    node('Gather', ['table', 'input_ids'], ['logits']),
    bytes(2, 'tiny'),
    constant('table', FLOAT, [VOCABULARY.length, LABELS.length], weights(seed)),
    ...['input_ids', 'attention_mask', 'token_type_ids'].map(name =>
      slot(11, name, INT64, ['batch', 'tokens']),
    ),
    slot(12, 'logits', FLOAT, ['batch', 'tokens', LABELS.length]),
  ];
  return Buffer.concat([int(1, 8), message(8, bytes(1, ''), int(2, 17)), message(7, ...fields)]);
}
