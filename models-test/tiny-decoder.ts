/**
 * Writes a decoder of one layer and one head with random weights in the layout that
 * `@huggingface/transformers` loads: config.json, tokenizer.json and an ONNX file of some 50 KB,
 * written field by field. Its tokens are bytes; it generates random printable ASCII.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mulberry32 } from '../src/core/mulberry32.ts';
import {
  bytes,
  constant,
  type Field,
  FLOAT,
  INT64,
  int,
  message,
  node,
  slot,
} from './onnx-file.ts';

const WIDTH = 16;
const BYTES = 256;
const EOS = 256;
/** Negative bias of the end token's logit. */
const END = -3;
const MARKS = ['<|end|>', '<|system|>', '<|user|>', '<|assistant|>'];
const VOCABULARY = BYTES + MARKS.length;
export const CONTEXT = 4096;

const TEMPLATE =
  "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}";

/** `without`: a template without system messages, or no template. */
export function writeTinyDecoder(
  folder: string,
  seed: number,
  without?: 'system' | 'template',
): void {
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  const json = (name: string, value: unknown): void =>
    writeFileSync(join(folder, name), JSON.stringify(value));
  json('config.json', {
    ...{
      model_type: 'llama',
      architectures: ['LlamaForCausalLM'],
      hidden_size: WIDTH,
      num_hidden_layers: 1,
    },
    ...{
      num_attention_heads: 1,
      num_key_value_heads: 1,
      vocab_size: VOCABULARY,
      max_position_embeddings: CONTEXT,
      eos_token_id: EOS,
    },
  });
  const refusal =
    "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}";
  json('tokenizer_config.json', {
    ...{
      tokenizer_class: 'PreTrainedTokenizerFast',
      eos_token: MARKS[0],
      clean_up_tokenization_spaces: false,
    },
    ...(without === 'template'
      ? {}
      : { chat_template: (without === 'system' ? refusal : '') + TEMPLATE }),
  });
  json('tokenizer.json', tokenizer());
  writeFileSync(join(folder, 'onnx', 'model.onnx'), decoder(seed));
}

/**
 * Returns the letters of bytes in byte-level BPE: printable ones for themselves, the others from
 * 256 on.
 */
export function byteLetters(): string[] {
  let next = BYTES;
  const printable = (byte: number): boolean =>
    (byte >= 0x21 && byte <= 0x7e) ||
    (byte >= 0xa1 && byte <= 0xac) ||
    (byte >= 0xae && byte <= 0xff);
  return Array.from({ length: BYTES }, (_, byte) =>
    String.fromCodePoint(printable(byte) ? byte : next++),
  );
}

function tokenizer(): object {
  const mark = (content: string, at: number): object => {
    return {
      id: BYTES + at,
      content,
      special: true,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
    };
  };
  const level = {
    type: 'ByteLevel',
    add_prefix_space: false,
    trim_offsets: true,
    use_regex: false,
  };
  return {
    ...{
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: MARKS.map(mark),
      normalizer: null,
    },
    ...{ pre_tokenizer: level, post_processor: null, decoder: level },
    model: {
      type: 'BPE',
      vocab: Object.fromEntries([...byteLetters(), ...MARKS].map((letter, at) => [letter, at])),
      merges: [],
    },
  };
}

const axis = (value: number): Field => message(5, bytes(1, 'axis'), int(3, value), int(20, 2));
const order = (...axes: number[]): Field =>
  message(5, bytes(1, 'perm'), ...axes.map(value => int(8, value)), int(20, 7));

interface Weights {
  readonly E: Float32Array;
  readonly Wq: Float32Array;
  readonly Wk: Float32Array;
  readonly Wv: Float32Array;
  readonly Wo: Float32Array;
  readonly bias: Float32Array;
}

function weightsOf(seed: number): Weights {
  const random = mulberry32(seed);
  const matrix = (rows: number, columns: number): Float32Array =>
    Float32Array.from({ length: rows * columns }, () => 2 * random() - 1);
  const printable = (token: number): boolean => (token >= 0x61 && token <= 0x7a) || token === 0x20;
  const bias = Float32Array.from({ length: VOCABULARY }, (_, token) =>
    token === EOS ? END : printable(token) ? 0 : -1e4,
  );
  const [E, Wq, Wk, Wv] = [
    matrix(VOCABULARY, WIDTH),
    matrix(WIDTH, WIDTH),
    matrix(WIDTH, WIDTH),
    matrix(WIDTH, WIDTH),
  ];
  return { E, Wq, Wk, Wv, Wo: matrix(WIDTH, VOCABULARY), bias };
}

/**
 * Builds the graph. With one layer only the last token's state is read; it attends to all earlier
 * ones, so no mask is needed.
 */
function decoder(seed: number): Buffer {
  const { E, Wq, Wk, Wv, Wo, bias } = weightsOf(seed);
  const past = ['batch', 1, 'past', WIDTH];
  const present = ['batch', 1, 'all', WIDTH];
  const projected = (name: string): Field[] => [
    node('MatMul', ['x', `W${name}`], [`${name}3`]),
    node('Unsqueeze', [`${name}3`, 'one'], [`${name}4`]),
  ];
  const graph = [
    node('Gather', ['E', 'input_ids'], ['x']),
    ...['q', 'k', 'v'].flatMap(projected),
    node('Concat', ['past_key_values.0.key', 'k4'], ['present.0.key'], axis(2)),
    node('Concat', ['past_key_values.0.value', 'v4'], ['present.0.value'], axis(2)),
    node('Transpose', ['present.0.key'], ['kT'], order(0, 1, 3, 2)),
    node('MatMul', ['q4', 'kT'], ['likeness']),
    node('Softmax', ['likeness'], ['attention'], axis(3)),
    node('MatMul', ['attention', 'present.0.value'], ['seen4']),
    node('Squeeze', ['seen4', 'one'], ['seen']),
    node('Add', ['x', 'seen'], ['state']),
    node('MatMul', ['state', 'Wo'], ['raw']),
    node('Add', ['raw', 'bias'], ['logits']),
    bytes(2, 'tiny'),
    constant('one', INT64, [1], BigInt64Array.of(1n)),
    constant('E', FLOAT, [VOCABULARY, WIDTH], E),
    ...Object.entries({ Wq, Wk, Wv }).map(([name, values]) =>
      constant(name, FLOAT, [WIDTH, WIDTH], values),
    ),
    constant('Wo', FLOAT, [WIDTH, VOCABULARY], Wo),
    constant('bias', FLOAT, [VOCABULARY], bias),
    slot(11, 'input_ids', INT64, ['batch', 'tokens']),
    slot(11, 'attention_mask', INT64, ['batch', 'all']),
    slot(11, 'past_key_values.0.key', FLOAT, past),
    slot(11, 'past_key_values.0.value', FLOAT, past),
    slot(12, 'logits', FLOAT, ['batch', 'tokens', VOCABULARY]),
    slot(12, 'present.0.key', FLOAT, present),
    slot(12, 'present.0.value', FLOAT, present),
  ];
  return Buffer.concat([int(1, 8), message(8, bytes(1, ''), int(2, 17)), message(7, ...graph)]);
}

/** Computes this decoder's output after a prompt without any library or cache: a slow oracle. */
export function tinyText(seed: number, prompt: string, tokens: number): string {
  const { E, Wq, Wk, Wv, Wo, bias } = weightsOf(seed);
  const row = (token: number): number[] => [...E.subarray(token * WIDTH, (token + 1) * WIDTH)];
  const times = (vector: readonly number[], matrix: Float32Array, columns: number): number[] =>
    Array.from({ length: columns }, (_, column) =>
      vector.reduce((sum, value, at) => sum + value * matrix[at * columns + column]!, 0),
    );
  const ids = prompt
    .split(/(<\|\w+\|>)/)
    .flatMap(part =>
      MARKS.includes(part) ? [BYTES + MARKS.indexOf(part)] : [...Buffer.from(part)],
    );
  const output: number[] = [];
  while (output.length < tokens && output.at(-1) !== EOS) {
    const states = [...ids, ...output].map(row);
    const query = times(states.at(-1)!, Wq, WIDTH);
    const likeness = states.map(state =>
      Math.exp(times(state, Wk, WIDTH).reduce((sum, value, at) => sum + value * query[at]!, 0)),
    );
    const whole = likeness.reduce((sum, value) => sum + value, 0);
    const state = states.at(-1)!;
    for (const [at, other] of states.entries())
      for (const [place, value] of times(other, Wv, WIDTH).entries())
        state[place] = state[place]! + (likeness[at]! / whole) * value;
    const logits = times(state, Wo, VOCABULARY).map((value, token) => value + bias[token]!);
    output.push(logits.indexOf(Math.max(...logits)));
  }
  return Buffer.from(output.filter(token => token < BYTES)).toString();
}
