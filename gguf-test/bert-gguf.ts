/**
 * Writes a GGUF file from the folder of a BERT in ONNX, as llama.cpp's own converter names its
 * parts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GgufTensor, writeGguf } from './gguf-file.ts';
import { onnxWeights } from './onnx-weights.ts';

/** Kinds of pooling: of the first token, and into a score. */
const POOLING = { cls: 2, rank: 4 };
/** Kinds of tokens: normal and control. */
const [NORMAL, CONTROL] = [1, 3];
/** Begins a word in a vocabulary of llama.cpp, which marks words and not their rests. */
const WORD = '\u2581';

interface Config {
  readonly hidden_size: number;
  readonly num_hidden_layers: number;
  readonly num_attention_heads: number;
  readonly intermediate_size: number;
  readonly max_position_embeddings: number;
  readonly layer_norm_eps: number;
}

/** Names of a layer's parts there and here, with their sizes by `hidden` and `inner`. */
const LAYER: readonly (readonly [onnx: string, gguf: string])[] = [
  ['attention.self.query', 'attn_q'],
  ['attention.self.key', 'attn_k'],
  ['attention.self.value', 'attn_v'],
  ['attention.output.dense', 'attn_output'],
  ['attention.output.LayerNorm', 'attn_output_norm'],
  ['intermediate.dense', 'ffn_up'],
  ['output.dense', 'ffn_down'],
  ['output.LayerNorm', 'layer_output_norm'],
];

export function writeBertGguf(folder: string, path: string, pooling: keyof typeof POOLING): void {
  const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as Config;
  const { model } = JSON.parse(readFileSync(join(folder, 'tokenizer.json'), 'utf8')) as {
    readonly model: { readonly vocab: Readonly<Record<string, number>> };
  };
  const words = Object.keys(model.vocab).sort((a, b) => model.vocab[a]! - model.vocab[b]!);
  const special = (word: string): boolean => /^\[(?:PAD|UNK|CLS|SEP|MASK|unused\d+)\]$/.test(word);
  const tokens = words.map(word =>
    special(word) ? word : word.startsWith('##') ? word.slice(2) : `${WORD}${word}`,
  );
  const id = (word: string): number => model.vocab[word]!;
  const metadata = {
    'general.architecture': 'bert',
    'general.name': folder.slice(folder.lastIndexOf('/') + 1),
    'general.alignment': 32,
    'general.file_type': 0,
    'bert.context_length': config.max_position_embeddings,
    'bert.embedding_length': config.hidden_size,
    'bert.block_count': config.num_hidden_layers,
    'bert.feed_forward_length': config.intermediate_size,
    'bert.attention.head_count': config.num_attention_heads,
    'bert.attention.layer_norm_epsilon': { float: config.layer_norm_eps },
    'bert.attention.causal': false,
    'bert.pooling_type': POOLING[pooling],
    'tokenizer.ggml.model': 'bert',
    'tokenizer.ggml.pre': 'default',
    'tokenizer.ggml.token_type_count': 2,
    'tokenizer.ggml.tokens': tokens,
    'tokenizer.ggml.token_type': Int32Array.from(words, word => (special(word) ? CONTROL : NORMAL)),
    'tokenizer.ggml.unknown_token_id': id('[UNK]'),
    'tokenizer.ggml.seperator_token_id': id('[SEP]'),
    'tokenizer.ggml.padding_token_id': id('[PAD]'),
    'tokenizer.ggml.cls_token_id': id('[CLS]'),
    'tokenizer.ggml.mask_token_id': id('[MASK]'),
  };
  writeGguf(path, metadata, tensorsOf(folder, config, tokens.length, pooling));
}

function tensorsOf(
  folder: string,
  config: Config,
  vocabulary: number,
  pooling: keyof typeof POOLING,
): GgufTensor[] {
  const weights = onnxWeights(join(folder, 'onnx', 'model_quantized.onnx'));
  const prefix = pooling === 'rank' ? 'bert.' : '';
  const { hidden_size: hidden, max_position_embeddings: positions } = config;
  const table = (onnx: string, name: string, rows: number): GgufTensor => {
    const values = weights(`${prefix}embeddings.${onnx}.weight`);
    return { name: `${name}.weight`, shape: [hidden, rows], values };
  };
  const both = (onnx: string, name: string): GgufTensor[] => {
    const bias = weights(`${onnx}.bias`);
    const weight = weights(`${onnx}.weight`);
    const inputs = weight.length / bias.length;
    const isMatrix = !onnx.endsWith('LayerNorm');
    return [
      {
        name: `${name}.weight`,
        shape: isMatrix ? [inputs, bias.length] : [bias.length],
        values: isMatrix ? turned(weight, inputs, bias.length) : weight,
      },
      { name: `${name}.bias`, shape: [bias.length], values: bias },
    ];
  };
  const layers = Array.from({ length: config.num_hidden_layers }, (_, layer) =>
    LAYER.flatMap(([onnx, gguf]) =>
      both(`${prefix}encoder.layer.${layer}.${onnx}`, `blk.${layer}.${gguf}`),
    ),
  );
  const head =
    pooling === 'rank'
      ? [...both('bert.pooler.dense', 'cls'), ...both('classifier', 'cls.output')]
      : [];
  return [
    table('word_embeddings', 'token_embd', vocabulary),
    table('token_type_embeddings', 'token_types', 2),
    table('position_embeddings', 'position_embd', positions),
    ...both(`${prefix}embeddings.LayerNorm`, 'token_embd_norm'),
    ...layers.flat(),
    ...head,
  ];
}

/** Turns a matrix of inputs by outputs into one of outputs by inputs. */
function turned(values: Float32Array, inputs: number, outputs: number): Float32Array {
  const other = new Float32Array(values.length);
  for (let input = 0; input < inputs; input++)
    for (let output = 0; output < outputs; output++)
      other[output * inputs + input] = values[input * outputs + output]!;
  return other;
}
