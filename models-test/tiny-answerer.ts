/**
 * Writes a question answerer of one table with random weights in the layout that
 * `@huggingface/transformers` loads: each token has a score as start and one as end of an answer.
 * Its tokenizer splits as BERT's and knows letters and digits, so that words are WordPiece tokens.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mulberry32 } from '../src/core/mulberry32.ts';
import { bytes, constant, FLOAT, INT64, int, message, node, slot } from './onnx-file.ts';

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789.,?!()-\'"'];
export const VOCABULARY: readonly string[] = [
  ...SPECIAL,
  ...LETTERS,
  ...LETTERS.map(letter => `##${letter}`),
];

export function writeTinyAnswerer(folder: string, seed: number): void {
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  const json = (name: string, value: unknown): void =>
    writeFileSync(join(folder, name), JSON.stringify(value));
  json('config.json', { model_type: 'bert', architectures: ['BertForQuestionAnswering'] });
  json('tokenizer_config.json', { tokenizer_class: 'BertTokenizer', model_max_length: 512 });
  json('tokenizer.json', tokenizer());
  writeFileSync(join(folder, 'onnx', 'model.onnx'), graph(seed));
}

/** Returns the scores of a token id as start and as end. */
export function tinyScores(seed: number): (id: number) => readonly [start: number, end: number] {
  const table = weights(seed);
  return id => [table[2 * id]!, table[2 * id + 1]!];
}

export const idOf = (token: string): number => VOCABULARY.indexOf(token);

const weights = (seed: number): Float32Array => {
  const random = mulberry32(seed);
  return Float32Array.from({ length: 2 * VOCABULARY.length }, () => 4 * random() - 2);
};

/** Splits as BERT's. */
export function tokenizer(): object {
  const added = SPECIAL.map((content, id) => ({
    ...{ id, content, special: true, single_word: false },
    ...{ lstrip: false, rstrip: false, normalized: false },
  }));
  const piece = (id: string, type_id: number): object => ({ SpecialToken: { id, type_id } });
  const part = (id: string, type_id: number): object => ({ Sequence: { id, type_id } });
  return {
    ...{ version: '1.0', truncation: null, padding: null, added_tokens: added },
    normalizer: {
      ...{ type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true },
      ...{ strip_accents: null, lowercase: true },
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [piece('[CLS]', 0), part('A', 0), piece('[SEP]', 0)],
      pair: [piece('[CLS]', 0), part('A', 0), piece('[SEP]', 0), part('B', 1), piece('[SEP]', 1)],
      special_tokens: Object.fromEntries(
        ['[CLS]', '[SEP]'].map(id => [id, { id, ids: [idOf(id)], tokens: [id] }]),
      ),
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      ...{ type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##' },
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(VOCABULARY.map((token, id) => [token, id])),
    },
  };
}

function graph(seed: number): Buffer {
  const size = BigInt64Array.of(1n, 1n);
  const fields = [
    node('Gather', ['table', 'input_ids'], ['both']),
    node(
      'Split',
      ['both', 'halves'],
      ['start3', 'end3'],
      message(5, bytes(1, 'axis'), int(3, 2), int(20, 2)),
    ),
    node('Squeeze', ['start3', 'last'], ['start_logits']),
    node('Squeeze', ['end3', 'last'], ['end_logits']),
    bytes(2, 'tiny'),
    constant('table', FLOAT, [VOCABULARY.length, 2], weights(seed)),
    constant('halves', INT64, [2], size),
    constant('last', INT64, [1], BigInt64Array.of(2n)),
    ...['input_ids', 'attention_mask', 'token_type_ids'].map(name =>
      slot(11, name, INT64, ['batch', 'tokens']),
    ),
    ...['start_logits', 'end_logits'].map(name => slot(12, name, FLOAT, ['batch', 'tokens'])),
  ];
  return Buffer.concat([int(1, 8), message(8, bytes(1, ''), int(2, 17)), message(7, ...fields)]);
}
