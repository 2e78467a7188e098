/**
 * Writes a GGUF file of a llama of one layer with random weights, some 100 KB. Its tokens are bytes
 * and a few pairs of letters; it writes small letters and blanks.
 */

import { byteLetters } from '../models-test/tiny-decoder.ts';
import { mulberry32 } from '../src/core/mulberry32.ts';
import { type GgufTensor, writeGguf } from './gguf-file.ts';

const [WIDTH, INNER, BYTES] = [32, 48, 256];
export const CONTEXT = 4096;
const MARKS = ['<|end|>', '<|system|>', '<|user|>', '<|assistant|>'];
const MERGES = ['t h', 'e r', 'a n', 'i n'];
const PAIRS = MERGES.map(merge => merge.replace(' ', ''));
/** Kinds of tokens in the file. */
const [NORMAL, CONTROL] = [1, 3];

const TEMPLATE =
  "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}";
const REFUSAL =
  "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}";

/** `without`: a template without system messages, or no template. */
export function writeTinyGguf(path: string, seed: number, without?: 'system' | 'template'): void {
  const tokens = [...byteLetters(), ...MARKS, ...PAIRS];
  const template = { 'tokenizer.chat_template': (without === 'system' ? REFUSAL : '') + TEMPLATE };
  const metadata = {
    'general.architecture': 'llama',
    'general.name': 'Tiny',
    'general.license': 'mit',
    'general.alignment': 32,
    'general.file_type': 0,
    'llama.context_length': CONTEXT,
    'llama.embedding_length': WIDTH,
    'llama.block_count': 1,
    'llama.feed_forward_length': INNER,
    'llama.attention.head_count': 1,
    'llama.attention.head_count_kv': 1,
    'llama.rope.dimension_count': WIDTH,
    'llama.attention.layer_norm_rms_epsilon': { float: 1e-5 },
    'llama.vocab_size': tokens.length,
    'tokenizer.ggml.model': 'gpt2',
    'tokenizer.ggml.pre': 'gpt-2',
    'tokenizer.ggml.tokens': tokens,
    'tokenizer.ggml.token_type': Int32Array.from(tokens, (_, at) =>
      at >= BYTES && at < BYTES + MARKS.length ? CONTROL : NORMAL,
    ),
    'tokenizer.ggml.merges': MERGES,
    'tokenizer.ggml.bos_token_id': BYTES,
    'tokenizer.ggml.eos_token_id': BYTES,
    'tokenizer.ggml.add_bos_token': false,
  };
  writeGguf(
    path,
    without === 'template' ? metadata : { ...metadata, ...template },
    tensorsOf(seed, tokens),
  );
}

function tensorsOf(seed: number, tokens: readonly string[]): GgufTensor[] {
  const random = mulberry32(seed);
  const matrix = (name: string, columns: number, rows: number, scale = 1): GgufTensor => {
    const values = Float32Array.from({ length: rows * columns }, () => scale * (2 * random() - 1));
    return { name: `${name}.weight`, shape: [columns, rows], values };
  };
  const ones = (name: string): GgufTensor => ({
    ...{ name: `${name}.weight`, shape: [WIDTH] },
    values: new Float32Array(WIDTH).fill(1),
  });
  const output = matrix('output', WIDTH, tokens.length);
  // A token of a zero row has the logit 0: below the best of the letters, nearly always.
  for (const [at, token] of tokens.entries())
    if (!/^[a-zĠ]+$|^<.end/.test(token)) output.values.fill(0, at * WIDTH, (at + 1) * WIDTH);
  return [
    matrix('token_embd', WIDTH, tokens.length),
    ones('blk.0.attn_norm'),
    matrix('blk.0.attn_q', WIDTH, WIDTH),
    matrix('blk.0.attn_k', WIDTH, WIDTH),
    matrix('blk.0.attn_v', WIDTH, WIDTH),
    matrix('blk.0.attn_output', WIDTH, WIDTH),
    ones('blk.0.ffn_norm'),
    matrix('blk.0.ffn_gate', WIDTH, INNER),
    matrix('blk.0.ffn_up', WIDTH, INNER),
    matrix('blk.0.ffn_down', INNER, WIDTH),
    ones('output_norm'),
    output,
  ];
}
