/**
 * The network of a ranker by the WebAssembly kernel: states in 32-bit floats, linear maps by codes
 * of 7 bits for weights and 8 for states. Of the last layer only [CLS] is computed.
 */
import { createKernel, fastestVariant, type RankerKernel, type Variant } from './kernel.ts';
import {
  type CodeBytes,
  PANEL,
  type PackedLayer,
  type PackedLinear,
  Places,
  packNetwork,
  placeNetwork,
} from './packed-weights.ts';
import type { Pair } from './pairs.ts';
import { classifierOf } from './plain-forward.ts';
import type { RankerModel } from './ranker-file.ts';

/** The kernel computes so many rows at a time. */
const ROWS = 4;
const FLOAT = 4;
/** Bytes of the scale of a row of codes, and of their sum. */
const SCALE = 8;
/** Bytes that the kernel may write behind codes. */
const WRITTEN_BEHIND = 8;
const upTo = (step: number, count: number): number => Math.ceil(count / step) * step;

/** Addresses of what is computed for a pair. */
interface Buffers {
  readonly state: number;
  readonly added: number;
  readonly query: number;
  readonly key: number;
  readonly keyColumns: number;
  readonly value: number;
  readonly shares: number;
  readonly inner: number;
  readonly codes: number;
  readonly scales: number;
}

interface Network extends Buffers {
  readonly kernel: RankerKernel;
  readonly codeBytes: CodeBytes;
  readonly heads: number;
  /** Bytes of a state. */
  readonly bytes: number;
  /** Bytes from one value to the next: no power of two, so that they spread over the cache. */
  readonly valueBytes: number;
}

/** Returns what computes the logit of a pair; undefined without WebAssembly or SIMD. */
export function fastForward(
  model: RankerModel,
  variant: Variant = fastestVariant(),
): ((pair: Pair) => number) | undefined {
  const places = new Places();
  const codeBytes: CodeBytes = variant === 'wide' ? 2 : 1;
  const packed = placeNetwork(model, places, codeBytes);
  const bytes = FLOAT * model.hidden;
  const valueBytes = bytes + FLOAT * PANEL;
  const buffers = placeBuffers(model, valueBytes, codeBytes, places);
  const kernel = createKernel(places.bytes, variant);
  if (!kernel) return undefined;
  packNetwork(model, packed, kernel.buffer, codeBytes);
  const network = { ...buffers, kernel, codeBytes, heads: model.heads, bytes, valueBytes };
  const floats = new Float32Array(kernel.buffer);
  const first = floats.subarray(buffers.state / FLOAT, buffers.state / FLOAT + model.hidden);
  const classify = classifierOf(model);
  return pair => {
    const count = pair.ids.length;
    embed(model, network, pair, floats);
    const { gamma, beta } = packed.embeddingNorm;
    kernel.norm(buffers.state, buffers.added, count, bytes, gamma, beta);
    for (const [at, layer] of packed.layers.entries()) {
      const isLast = at === packed.layers.length - 1;
      throughLayer(network, layer, count, isLast ? 1 : count);
    }
    return classify(first);
  };
}

function placeBuffers(
  { hidden, intermediate, maxTokens }: RankerModel,
  valueBytes: number,
  codeBytes: CodeBytes,
  places: Places,
): Buffers {
  const rows = upTo(PANEL, maxTokens);
  const states = (): number => places.of(rows * hidden * FLOAT);
  return {
    state: states(),
    added: states(),
    query: states(),
    key: states(),
    keyColumns: states(),
    value: places.of(rows * valueBytes),
    shares: places.of(rows * rows * FLOAT),
    inner: places.of(rows * intermediate * FLOAT),
    codes: places.of(rows * Math.max(hidden, intermediate) * codeBytes + WRITTEN_BEHIND),
    scales: places.of(rows * SCALE),
  };
}

/** Writes word and type of each token to its state, its place to what is added. */
function embed(
  { words, places, types: typeRows, hidden }: RankerModel,
  { state, added }: Network,
  { ids, types }: Pair,
  floats: Float32Array,
): void {
  for (const [at, id] of ids.entries()) {
    const type = types[at]!;
    const [word, place, kind] = [words.scales[id]!, places.scales[at]!, typeRows.scales[type]!];
    const [to, from] = [state / FLOAT + at * hidden, added / FLOAT + at * hidden];
    for (let i = 0; i < hidden; i++) {
      floats[to + i] =
        words.codes[id * hidden + i]! * word + typeRows.codes[type * hidden + i]! * kind;
      floats[from + i] = places.codes[at * hidden + i]! * place;
    }
  }
}

/**
 * Computes the first `rows` states of the next layer. Rows behind them, up to a multiple of
 * four, hold numbers that no other row reads.
 */
function throughLayer(network: Network, layer: PackedLayer, count: number, rows: number): void {
  const { kernel, state, added, query, inner, bytes } = network;
  attend(network, layer, count, rows);
  quantise(network, query, rows, layer.output);
  linear(network, layer.output, rows, added, bytes);
  const { attentionNorm, up, down } = layer;
  kernel.norm(state, added, rows, bytes, attentionNorm.gamma, attentionNorm.beta);
  quantise(network, state, rows, up);
  linear(network, up, rows, inner, up.outputs * FLOAT);
  kernel.gelu(inner, inner + rows * up.outputs * FLOAT);
  quantise(network, inner, rows, down);
  linear(network, down, rows, added, bytes);
  kernel.norm(state, added, rows, bytes, layer.norm.gamma, layer.norm.beta);
}

/** Replaces the queries by the values to which they attend. */
function attend(network: Network, layer: PackedLayer, count: number, rows: number): void {
  const { kernel, heads, bytes, valueBytes } = network;
  const { state, query, key, keyColumns, value, shares } = network;
  quantise(network, state, count, layer.key);
  linear(network, layer.query, rows, query, bytes);
  linear(network, layer.key, count, key, bytes);
  linear(network, layer.value, count, value, valueBytes);
  const columns = upTo(PANEL, count);
  const shareBytes = columns * FLOAT;
  kernel.transpose(key, columns / ROWS, bytes, keyColumns, shareBytes);
  const headBytes = bytes / heads;
  const width = headBytes / FLOAT;
  const [fours, factor] = [Math.ceil(rows / ROWS), 1 / Math.sqrt(width)];
  for (let head = 0; head < heads; head++) {
    const asked = query + head * headBytes;
    const keys = keyColumns + head * width * shareBytes;
    const values = value + head * headBytes;
    kernel.products(
      ...[asked, bytes, fours, width, keys, shareBytes, columns / PANEL, shares, shareBytes],
    );
    kernel.softmax(shares, rows, count, shareBytes, factor);
    kernel.products(
      ...[shares, shareBytes, fours, count, values, valueBytes, width / PANEL, asked, bytes],
    );
  }
}

function quantise(
  { kernel, codeBytes, codes, scales }: Network,
  from: number,
  rows: number,
  { inputs }: PackedLinear,
): void {
  kernel.quantise(from, rows, inputs * FLOAT, codeBytes - 1, codes, scales);
}

function linear(
  { kernel, codeBytes, codes, scales }: Network,
  { weights, factors, biases, inputs, outputs }: PackedLinear,
  rows: number,
  out: number,
  outBytes: number,
): void {
  const [fours, panels] = [Math.ceil(rows / ROWS), outputs / PANEL];
  kernel.linear(
    ...[codes, scales, fours, codeBytes * inputs, weights, panels, factors, biases, out, outBytes],
  );
}
