/**
 * A ranker as a file: safetensors with the tensors of `BertForSequenceClassification` under the
 * names of its state dict (shape.ts).
 *
 * - Matrices are I8 with a scale a row in F32 under the name of the matrix and `_scale`: a number
 *   is code times scale. Codes of layers are from -63 to 63. Biases, layer norms and
 *   `classifier.weight` are F32.
 * - `vocabulary` is U8: the tokens in UTF-8, one a line, in the order of their numbers, with [UNK],
 *   [CLS] and [SEP] among them.
 * - `bert.pooler.dense` may be absent; the last map then reads [CLS] itself.
 * - Metadata: `format` is `multihop-ranker`, `version` is `1`, `heads` the heads of the attention;
 *   `maxTokens` (160) and `questionTokens` (64) where pairs are cut; `name`; all else is
 *   provenance.
 *
 * Sizes are those of the tensors. The network is BERT's with GELU by the error function and layer
 * norms with 1e-12 in the root; it returns the logit of [CLS].
 */
import { InputError } from '../../core/errors.ts';
import { readSafetensors } from '../safetensors/safetensors.ts';
import type { ElementType, Tensor } from '../safetensors/tensor.ts';
import {
  CLASSIFIER,
  EMBEDDING_NORM,
  LAYER,
  LAYERS,
  layerPrefix,
  POOLER,
  POSITIONS,
  type RankerShape,
  rankerTensors,
  SCALE,
  TYPES,
  VOCABULARY,
  WORDS,
} from './shape.ts';
import { type Vocabulary, vocabularyOf } from './word-piece.ts';

/** The number in a row is its code times the scale of the row. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly codes: Int8Array;
  readonly scales: Float32Array;
}
export interface Linear {
  readonly weight: Matrix;
  readonly bias: Float32Array;
}
export interface Norm {
  readonly gamma: Float32Array;
  readonly beta: Float32Array;
}
type LinearPart = 'query' | 'key' | 'value' | 'output' | 'up' | 'down';
export type Layer = Readonly<Record<LinearPart, Linear> & Record<'attentionNorm' | 'norm', Norm>>;

export interface RankerModel extends RankerShape, PairLimits {
  /** Attention heads. */
  readonly heads: number;
  readonly name: string;
  readonly tokens: Vocabulary;
  readonly words: Matrix;
  readonly places: Matrix;
  readonly types: Matrix;
  readonly embeddingNorm: Norm;
  readonly blocks: readonly Layer[];
  readonly pooler: Linear | undefined;
  readonly classifier: { readonly weight: Float32Array; readonly bias: number };
  readonly provenance: Readonly<Record<string, string>>;
}

/** Lengths at which a pair is cut. */
export interface PairLimits {
  /** Tokens of a pair, the three special ones included. */
  readonly maxTokens: number;
  /** Word pieces of the question. */
  readonly questionTokens: number;
}

type Tensors = ReadonlyMap<string, Tensor<ElementType>>;
type Metadata = Readonly<Record<string, string>>;

export const FORMAT = 'multihop-ranker';
export const VERSION = '1';
const DEFAULTS: PairLimits = { maxTokens: 160, questionTokens: 64 };
const SPECIAL_TOKENS = 3;
/** The kernel computes eight outputs at a time. */
const STEP = 8;
/** The kernel multiplies weights of 7 bits; sums of so many products stay below 2^31. */
const GREATEST_CODE = 63;
const GREATEST_SIZE = 2 ** 17;

/**
 * Reads a file. Throws `InputError`: 'bad-safetensors', 'bad-vocabulary', or 'bad-ranker' naming
 * the tensor or the entry of the metadata that is missing, superfluous or invalid.
 */
export function readRanker(bytes: Uint8Array): RankerModel {
  const { metadata, tensors } = readSafetensors(bytes, ['F32', 'I8', 'U8']);
  for (const [key, value] of [
    ['format', FORMAT],
    ['version', VERSION],
  ] as const)
    if (metadata[key] !== value)
      throw bad(`"${key}" in the metadata`, `"${value}"`, metadata[key] ?? 'none');
  const shape = shapeOf(tensors);
  checkTensors(tensors, shape);
  const { format: _f, version: _v, heads: _h, ...rest } = metadata;
  const { maxTokens: _m, questionTokens: _q, name = 'ranker', ...provenance } = rest;
  return {
    ...shape,
    ...limitsOf(metadata, shape),
    heads: headsOf(metadata, shape),
    name,
    provenance,
    tokens: tokensOf(tensors, shape),
    ...partsOf(tensors, shape),
  };
}

function shapeOf(tensors: Tensors): RankerShape {
  const matrix = (name: string): readonly [number, number] => {
    const { shape } = tensorNamed(tensors, name);
    if (shape.length !== 2 || shape.some(length => length < 1))
      throw bad(`The tensor "${name}"`, 'a matrix', `[${shape.join(', ')}]`);
    return shape as [number, number];
  };
  const [vocabulary, hidden] = matrix(WORDS);
  const [positions] = matrix(POSITIONS);
  const [intermediate] = matrix(`${layerPrefix(0)}${LAYER.up}.weight`);
  let layers = 1;
  while (tensors.has(`${layerPrefix(layers)}${LAYER.up}.weight`)) layers++;
  for (const [what, size] of [
    ['hidden', hidden],
    ['intermediate', intermediate],
  ] as const)
    if (size % STEP !== 0 || size > GREATEST_SIZE)
      throw bad(
        `The ${what} size of a ranker`,
        `a multiple of ${STEP}, at most ${GREATEST_SIZE}`,
        String(size),
      );
  const hasPooler = tensors.has(`${POOLER}.weight`);
  return { vocabulary, positions, hidden, intermediate, layers, hasPooler };
}

function checkTensors(tensors: Tensors, shape: RankerShape): void {
  const declared = rankerTensors(shape);
  const names = new Set([...declared.map(({ name }) => name), VOCABULARY]);
  for (const name of tensors.keys())
    if (!names.has(name))
      throw bad(`The tensor "${name}" is none of a ranker`, `the ${names.size} of its network`);
  for (const { name, type, shape: lengths } of declared) {
    const { shape: found, data } = tensorNamed(tensors, name);
    if (found.join() !== lengths.join())
      throw bad(`The shape of "${name}"`, `[${lengths.join(', ')}]`, `[${found.join(', ')}]`);
    if (type !== (data instanceof Float32Array ? 'F32' : data instanceof Int8Array ? 'I8' : 'U8'))
      throw bad(`The element type of "${name}"`, type, data.constructor.name);
    if (data instanceof Float32Array) checkNumbers(name, data);
    if (data instanceof Int8Array && name.startsWith(LAYERS)) checkCodes(name, data);
  }
}

function checkNumbers(name: string, data: Float32Array): void {
  const isScale = name.endsWith(SCALE);
  const at = data.findIndex(value => !Number.isFinite(value) || (isScale && value < 0));
  if (at >= 0)
    throw bad(
      `The tensor "${name}"`,
      isScale ? 'finite numbers of at least 0' : 'finite numbers',
      `${data[at]} at ${at}`,
    );
}

function checkCodes(name: string, data: Int8Array): void {
  const at = data.findIndex(code => Math.abs(code) > GREATEST_CODE);
  if (at >= 0)
    throw bad(
      `The tensor "${name}"`,
      `codes from -${GREATEST_CODE} to ${GREATEST_CODE}`,
      `${data[at]} at ${at}`,
    );
}

function tokensOf(tensors: Tensors, { vocabulary }: RankerShape): Vocabulary {
  const { data } = tensorNamed(tensors, VOCABULARY);
  if (!(data instanceof Uint8Array))
    throw bad(`The element type of "${VOCABULARY}"`, 'U8', data.constructor.name);
  const tokens = new TextDecoder().decode(data).split('\n');
  if (tokens.length !== vocabulary)
    throw bad(`The tensor "${VOCABULARY}"`, `${vocabulary} lines`, `${tokens.length} lines`);
  return vocabularyOf(tokens);
}

function headsOf(metadata: Metadata, { hidden }: RankerShape): number {
  const heads = countIn(metadata, 'heads', 1, hidden);
  if (hidden % (heads * STEP) !== 0)
    throw bad(
      '"heads" in the metadata',
      `heads whose width, ${hidden} / heads, is a multiple of ${STEP}`,
      String(heads),
    );
  return heads;
}

function limitsOf(metadata: Metadata, { positions }: RankerShape): PairLimits {
  const full: Metadata = {
    maxTokens: String(DEFAULTS.maxTokens),
    questionTokens: String(DEFAULTS.questionTokens),
    ...metadata,
  };
  const maxTokens = countIn(full, 'maxTokens', SPECIAL_TOKENS + 2, positions);
  return {
    maxTokens,
    questionTokens: countIn(full, 'questionTokens', 1, maxTokens - SPECIAL_TOKENS - 1),
  };
}

function countIn(metadata: Metadata, key: string, least: number, most: number): number {
  const count = Number(metadata[key]);
  if (Number.isInteger(count) && count >= least && count <= most) return count;
  throw bad(
    `"${key}" in the metadata`,
    `a whole number from ${least} to ${most}`,
    metadata[key] ?? 'none',
  );
}

type Parts = Pick<
  RankerModel,
  'words' | 'places' | 'types' | 'embeddingNorm' | 'blocks' | 'pooler' | 'classifier'
>;

function partsOf(tensors: Tensors, { layers, hasPooler }: RankerShape): Parts {
  const floats = (name: string): Float32Array => tensors.get(name)!.data as Float32Array;
  const matrix = (name: string): Matrix => {
    const { shape, data } = tensors.get(name)!;
    return {
      rows: shape[0]!,
      columns: shape[1]!,
      codes: data as Int8Array,
      scales: floats(name + SCALE),
    };
  };
  const linear = (name: string): Linear => ({
    weight: matrix(`${name}.weight`),
    bias: floats(`${name}.bias`),
  });
  const norm = (name: string): Norm => ({
    gamma: floats(`${name}.weight`),
    beta: floats(`${name}.bias`),
  });
  return {
    words: matrix(WORDS),
    places: matrix(POSITIONS),
    types: matrix(TYPES),
    embeddingNorm: norm(EMBEDDING_NORM),
    blocks: Array.from({ length: layers }, (_, layer): Layer => {
      const part = (name: keyof typeof LAYER): string => layerPrefix(layer) + LAYER[name];
      return {
        query: linear(part('query')),
        key: linear(part('key')),
        value: linear(part('value')),
        output: linear(part('output')),
        attentionNorm: norm(part('attentionNorm')),
        up: linear(part('up')),
        down: linear(part('down')),
        norm: norm(part('norm')),
      };
    }),
    pooler: hasPooler ? linear(POOLER) : undefined,
    classifier: {
      weight: floats(`${CLASSIFIER}.weight`),
      bias: floats(`${CLASSIFIER}.bias`)[0]!,
    },
  };
}

function tensorNamed(tensors: Tensors, name: string): Tensor<ElementType> {
  const tensor = tensors.get(name);
  if (tensor) return tensor;
  throw bad(
    `The tensor "${name}" is missing`,
    'the tensors of BertForSequenceClassification with one label, matrices as int8 with scales',
  );
}

function bad(message: string, expected: string, received?: string): InputError {
  return new InputError('bad-ranker', message, {
    expected,
    received: received?.slice(0, 80),
    hint: 'Export the model again: src/models/ranker/ranker-file.ts describes the file.',
  });
}
