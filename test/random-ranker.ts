/** Rankers with random weights, and the bytes of their files. */
import { mulberry32 } from '../src/core/mulberry32.ts';
import { type RankerModel, readRanker } from '../src/models/ranker/ranker-file.ts';
import {
  LAYERS,
  type RankerShape,
  rankerTensors,
  SCALE,
  VOCABULARY,
} from '../src/models/ranker/shape.ts';
import { writeSafetensors } from '../src/models/safetensors/safetensors.ts';
import { type ElementType, elementsOf, type Tensor } from '../src/models/safetensors/tensor.ts';

export const SMALL_TOKENS: readonly string[] = [
  ...['[PAD]', '[UNK]', '[CLS]', '[SEP]', '.', '?', ',', '$', '[', ']', '京', '##s', '##ing'],
  ...['the', 'a', 'who', 'play', 'un', '##aff', '##able', 'run', 'cafe', 'sep', 'x', '##x'],
];

export interface RandomRanker extends Partial<Omit<RankerShape, 'vocabulary'>> {
  readonly heads?: number;
  readonly tokens?: readonly string[];
  readonly seed?: number;
  readonly metadata?: Readonly<Record<string, string>>;
}

export const randomRanker = (options: RandomRanker = {}): RankerModel =>
  readRanker(rankerFile(rankerParts(options)));

export interface RankerParts {
  readonly metadata: Record<string, string>;
  readonly tensors: Map<string, Tensor<ElementType>>;
}
export const rankerFile = (parts: RankerParts): Uint8Array => writeSafetensors(parts);

/** Returns the content of a file, to be changed before it is written. */
export function rankerParts({
  positions = 32,
  hidden = 16,
  intermediate = 24,
  layers = 2,
  hasPooler = false,
  heads = 2,
  tokens = SMALL_TOKENS,
  seed = 1,
  metadata = {},
}: RandomRanker = {}): RankerParts {
  const random = mulberry32(seed);
  const vocabulary = tokens.length;
  const shape = { vocabulary, positions, hidden, intermediate, layers, hasPooler };
  const tensors = new Map<string, Tensor<ElementType>>();
  for (const { name, type, shape: lengths } of rankerTensors(shape)) {
    const values = Array.from({ length: elementsOf(lengths) }, () => 2 * random() - 1);
    const greatest = name.startsWith(LAYERS) ? 63 : 127;
    // Linear maps keep the spread of what they read, as those of trained networks do.
    const floats = name.endsWith(SCALE)
      ? values.map(value => (2.54 + 1.27 * value) / greatest / Math.sqrt(hidden))
      : name.endsWith('LayerNorm.weight')
        ? values.map(value => 1 + value / 2)
        : values;
    const data =
      type === 'I8'
        ? Int8Array.from(values, value => Math.round(greatest * value))
        : Float32Array.from(floats);
    tensors.set(name, { shape: lengths, data });
  }
  const text = new TextEncoder().encode(tokens.join('\n'));
  tensors.set(VOCABULARY, { shape: [text.length], data: text });
  const limits = { maxTokens: String(positions), questionTokens: String(positions >> 1) };
  return {
    metadata: {
      format: 'multihop-ranker',
      version: '1',
      heads: `${heads}`,
      ...limits,
      ...metadata,
    },
    tensors,
  };
}
