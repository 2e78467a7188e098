/**
 * The sizes of a ranker and the tensors that follow from them: those of
 * `BertForSequenceClassification` with one label, under the names of its state dict.
 */
import type { ElementType } from '../safetensors/tensor.ts';

export interface RankerShape {
  readonly vocabulary: number;
  readonly positions: number;
  readonly hidden: number;
  readonly intermediate: number;
  readonly layers: number;
  /** Passes [CLS] through a linear map and tanh before the last map. */
  readonly hasPooler: boolean;
}

export interface RankerTensor {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly number[];
}

export const VOCABULARY = 'vocabulary';
export const WORDS = 'bert.embeddings.word_embeddings.weight';
export const POSITIONS = 'bert.embeddings.position_embeddings.weight';
/** Types of tokens: of the question, of the passage, and each where a piece stands in both. */
export const TYPE_COUNT = 4;
export const TYPES = 'bert.embeddings.token_type_embeddings.weight';
export const EMBEDDING_NORM = 'bert.embeddings.LayerNorm';
export const POOLER = 'bert.pooler.dense';
export const CLASSIFIER = 'classifier';
/** Follows the name of a matrix of codes: its scales. */
export const SCALE = '_scale';

/** Begins the names of the tensors of layers. */
export const LAYERS = 'bert.encoder.layer.';
export const layerPrefix = (layer: number): string => `${LAYERS}${layer}.`;
/** The parts of a layer, by what they compute. */
export const LAYER = {
  query: 'attention.self.query',
  key: 'attention.self.key',
  value: 'attention.self.value',
  output: 'attention.output.dense',
  attentionNorm: 'attention.output.LayerNorm',
  up: 'intermediate.dense',
  down: 'output.dense',
  norm: 'output.LayerNorm',
} as const;

/** Every tensor but the vocabulary, whose length is in bytes. */
export function rankerTensors(shape: RankerShape): RankerTensor[] {
  const { vocabulary, positions, hidden, layers, hasPooler } = shape;
  return [
    ...codes(WORDS, vocabulary, hidden),
    ...codes(POSITIONS, positions, hidden),
    ...codes(TYPES, TYPE_COUNT, hidden),
    ...norm(EMBEDDING_NORM, hidden),
    ...Array.from({ length: layers }, (_, layer) => layerTensors(layerPrefix(layer), shape)).flat(),
    ...(hasPooler ? linear(POOLER, hidden, hidden) : []),
    floats(`${CLASSIFIER}.weight`, 1, hidden),
    floats(`${CLASSIFIER}.bias`, 1),
  ];
}

function layerTensors(prefix: string, { hidden, intermediate }: RankerShape): RankerTensor[] {
  return [
    ...[LAYER.query, LAYER.key, LAYER.value, LAYER.output].flatMap(part =>
      linear(prefix + part, hidden, hidden),
    ),
    ...norm(prefix + LAYER.attentionNorm, hidden),
    ...linear(prefix + LAYER.up, intermediate, hidden),
    ...linear(prefix + LAYER.down, hidden, intermediate),
    ...norm(prefix + LAYER.norm, hidden),
  ];
}

const floats = (name: string, ...shape: number[]): RankerTensor => ({ name, type: 'F32', shape });
const codes = (name: string, rows: number, columns: number): RankerTensor[] => [
  { name, type: 'I8', shape: [rows, columns] },
  floats(name + SCALE, rows),
];
const linear = (name: string, outputs: number, inputs: number): RankerTensor[] => [
  ...codes(`${name}.weight`, outputs, inputs),
  floats(`${name}.bias`, outputs),
];
const norm = (name: string, width: number): RankerTensor[] => [
  floats(`${name}.weight`, width),
  floats(`${name}.bias`, width),
];
