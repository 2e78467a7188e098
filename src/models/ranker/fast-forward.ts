/**
 * The network of a ranker by the WebAssembly kernel: states in 32-bit floats, linear maps by codes
 * of 8 bits for weights and 16 for states. Of the last layer only [CLS] is computed.
 */
import { createKernel, type RankerKernel } from './kernel.ts';
import {
  PANEL,
  type PackedLayer,
  type PackedLinear,
  type PackedNetwork,
  Places,
  packNetwork,
  placeNetwork,
} from './packed-weights.ts';
import type { Pair } from './pairs.ts';
import { classifierOf } from './plain-forward.ts';
import type { Matrix, RankerModel } from './ranker-file.ts';

/** The kernel computes so many rows at a time. */
const ROWS = 4;
const FLOAT = 4;
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
  readonly heads: number;
  /** Bytes of a state. */
  readonly bytes: number;
  /** Bytes from one value to the next: no power of two, so that they spread over the cache. */
  readonly valueBytes: number;
}

/** Returns what computes the logit of a pair; undefined without WebAssembly or SIMD. */
export function fastForward(model: RankerModel): ((pair: Pair) => number) | undefined {
  const places = new Places();
  const packed = placeNetwork(model, places);
  const bytes = FLOAT * model.hidden;
  const valueBytes = bytes + FLOAT * PANEL;
  const buffers = placeBuffers(model, valueBytes, places);
  const kernel = createKernel(places.bytes);
  if (!kernel) return undefined;
  packNetwork(model, packed, kernel.buffer);
  const network = { ...buffers, kernel, heads: model.heads, bytes, valueBytes };
  const floats = new Float32Array(kernel.buffer);
  const first = floats.subarray(buffers.state / FLOAT, buffers.state / FLOAT + model.hidden);
  const classify = classifierOf(model);
  return pair => {
    const count = pair.ids.length;
    embed(model, network, pair, floats);
    norm(network, packed, upTo(ROWS, count));
    for (const [at, layer] of packed.layers.entries()) {
      const isLast = at === packed.layers.length - 1;
      throughLayer(network, layer, count, isLast ? ROWS : upTo(ROWS, count));
    }
    return classify(first);
  };
}

function placeBuffers(
  { hidden, intermediate, maxTokens }: RankerModel,
  valueBytes: number,
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
    codes: places.of(rows * Math.max(hidden, intermediate) * 2),
    scales: places.of(rows * FLOAT),
  };
}

/** Writes word and type of each token to its state, its position to what is added. */
function embed(
  { words, places, types: typeRows, hidden }: RankerModel,
  { state, added }: Network,
  { ids, types }: Pair,
  floats: Float32Array,
): void {
  for (const [at, id] of ids.entries()) {
    const [to, from] = [state / FLOAT + at * hidden, added / FLOAT + at * hidden];
    addRow(floats, to, words, id, 0);
    addRow(floats, to, typeRows, types[at]!, 1);
    addRow(floats, from, places, at, 0);
  }
}

/** Adds a row of a matrix to `keep` times what stands there. */
function addRow(
  floats: Float32Array,
  to: number,
  { codes, scales, columns }: Matrix,
  row: number,
  keep: 0 | 1,
): void {
  const scale = scales[row]!;
  const from = row * columns;
  for (let i = 0; i < columns; i++)
    floats[to + i] = keep * floats[to + i]! + codes[from + i]! * scale;
}

function norm({ kernel, state, added, bytes }: Network, packed: PackedNetwork, rows: number): void {
  const { gamma, beta } = packed.embeddingNorm;
  kernel.norm(state, added, rows, bytes, gamma, beta);
}

/**
 * Computes the first `rows` states of the next layer. Rows behind the last token, up to a multiple
 * of four, hold numbers that no other row reads.
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
  const all = upTo(ROWS, count);
  quantise(network, state, all, layer.key);
  linear(network, layer.query, rows, query, bytes);
  linear(network, layer.key, all, key, bytes);
  linear(network, layer.value, all, value, valueBytes);
  const columns = upTo(PANEL, count);
  const shareBytes = columns * FLOAT;
  kernel.transpose(key, columns / ROWS, bytes, keyColumns, shareBytes);
  const headBytes = bytes / heads;
  const width = headBytes / FLOAT;
  const [fours, factor] = [rows / ROWS, 1 / Math.sqrt(width)];
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
  { kernel, codes, scales }: Network,
  from: number,
  rows: number,
  { inputs, limit }: PackedLinear,
): void {
  kernel.quantise(from, rows, inputs * FLOAT, limit, codes, scales);
}

function linear(
  { kernel, codes, scales }: Network,
  { weights, factors, biases, inputs, outputs }: PackedLinear,
  rows: number,
  out: number,
  outBytes: number,
): void {
  const [fours, panels] = [rows / ROWS, outputs / PANEL];
  kernel.linear(
    ...[codes, scales, fours, 2 * inputs, weights, panels, factors, biases, out, outBytes],
  );
}
