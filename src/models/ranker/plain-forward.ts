/**
 * The network of a ranker in plain JavaScript, in 64-bit numbers: what the kernel is checked
 * against, and what computes where WebAssembly is missing.
 */
import type { Pair } from './pairs.ts';
import type { Layer, Linear, Matrix, Norm, RankerModel } from './ranker-file.ts';

type Rows = readonly Float64Array[];
type Map = (state: Float64Array) => Float64Array;
type Maps = { readonly [K in keyof Layer]: Layer[K] extends Linear ? Map : Norm };

/** Added to the variance in the root of every layer norm. */
export const NORM_EPSILON = 1e-12;

/**
 * Returns what computes the logit of a pair. `round` is applied to what the maps of layers read, as
 * the kernel rounds it.
 */
export function plainForward(model: RankerModel, round?: Map): (pair: Pair) => number {
  const layers = model.blocks.map(layer => mapsOf(layer, round));
  const classify = classifierOf(model);
  return pair => {
    let states = embedded(model, pair);
    for (const layer of layers) states = throughLayer(states, layer, model.heads);
    return classify(states[0]!);
  };
}

/** Returns what computes the logit from the last state of [CLS]. */
export function classifierOf(model: RankerModel): (state: ArrayLike<number>) => number {
  const pooler = model.pooler && mapOf(model.pooler);
  const { weight, bias } = model.classifier;
  return state => {
    const read = pooler ? pooler(Float64Array.from(state)).map(Math.tanh) : state;
    return weight.reduce((sum, factor, at) => sum + factor * read[at]!, bias);
  };
}

function embedded(model: RankerModel, { ids, types }: Pair): Rows {
  return ids.map((id, at) => {
    const parts = [
      rowOf(model.words, id),
      rowOf(model.places, at),
      rowOf(model.types, types[at]!),
    ] as const;
    return normed(
      parts[0].map((value, i) => value + parts[1][i]! + parts[2][i]!),
      model.embeddingNorm,
    );
  });
}

function throughLayer(states: Rows, layer: Maps, heads: number): Rows {
  const attended = attention(states, layer, heads);
  return states.map((state, at) => {
    const middle = normed(sum(state, layer.output(attended[at]!)), layer.attentionNorm);
    const inner = layer.up(middle).map(gelu);
    return normed(sum(middle, layer.down(inner)), layer.norm);
  });
}

function attention(states: Rows, { query, key, value }: Maps, heads: number): Rows {
  const [queries, keys, values] = [states.map(query), states.map(key), states.map(value)];
  const width = queries[0]!.length / heads;
  return queries.map(asked => {
    const out = new Float64Array(asked.length);
    for (let from = 0; from < out.length; from += width) {
      const to = from + width;
      const scores = keys.map(other => product(asked, other, from, to) / Math.sqrt(width));
      const most = Math.max(...scores);
      const weights = scores.map(score => Math.exp(score - most));
      const total = weights.reduce((a, b) => a + b);
      for (const [at, row] of values.entries())
        for (let i = from; i < to; i++) out[i]! += (weights[at]! / total) * row[i]!;
    }
    return out;
  });
}

function mapsOf(layer: Layer, round: Map = state => state): Maps {
  const map = (linear: Linear): Map => {
    const exact = mapOf(linear);
    return state => exact(round(state));
  };
  return {
    ...layer,
    query: map(layer.query),
    key: map(layer.key),
    value: map(layer.value),
    output: map(layer.output),
    up: map(layer.up),
    down: map(layer.down),
  };
}

function mapOf({ weight: { codes, scales, columns }, bias }: Linear): Map {
  return state => {
    const out = Float64Array.from(bias);
    for (let row = 0; row < out.length; row++) {
      const from = row * columns;
      // Columns are a multiple of 8; one sum would wait for itself.
      let [a, b, c, d] = [0, 0, 0, 0];
      for (let i = 0; i < columns; i += 4) {
        a += codes[from + i]! * state[i]!;
        b += codes[from + i + 1]! * state[i + 1]!;
        c += codes[from + i + 2]! * state[i + 2]!;
        d += codes[from + i + 3]! * state[i + 3]!;
      }
      out[row]! += scales[row]! * (a + b + (c + d));
    }
    return out;
  };
}

function rowOf({ codes, scales, columns }: Matrix, row: number): Float64Array {
  return Float64Array.from(
    codes.subarray(row * columns, (row + 1) * columns),
    code => code * scales[row]!,
  );
}

function product(a: Float64Array, b: Float64Array, from = 0, to = a.length): number {
  let total = 0;
  for (let i = from; i < to; i++) total += a[i]! * b[i]!;
  return total;
}

const sum = (a: Float64Array, b: Float64Array): Float64Array => a.map((value, i) => value + b[i]!);

function normed(state: Float64Array, { gamma, beta }: Norm): Float64Array {
  const mean = state.reduce((a, b) => a + b) / state.length;
  const variance = state.reduce((total, value) => total + (value - mean) ** 2, 0) / state.length;
  const root = Math.sqrt(variance + NORM_EPSILON);
  return state.map((value, i) => ((value - mean) / root) * gamma[i]! + beta[i]!);
}

const gelu = (value: number): number => (value / 2) * (1 + erf(value / Math.SQRT2));

/** Abramowitz and Stegun 7.1.26: at most 1.5e-7 from the error function. */
function erf(value: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(value));
  const sum =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(value) * (1 - sum * Math.exp(-value * value));
}
