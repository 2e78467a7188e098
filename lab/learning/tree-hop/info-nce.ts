/**
 * The loss of TreeHop: InfoNCE, each query against its positive and the negatives that are chosen
 * for it.
 *
 * ℓ_j = ĥ · k̂_j / τ, all lengths 1, the positive first; loss = -ℓ_0 + log Σ_j exp ℓ_j. The
 * gradient with the softmax p of ℓ: ∂loss/∂ĥ = (1/τ) Σ_j (p_j - [j = 0]) k̂_j and ∂loss/∂h = (∂ĥ -
 * ĥ (ĥ · ∂ĥ)) / ‖h‖.
 */

/** Published: τ. */
export const TEMPERATURE = 0.15;
/** Below this a length counts as this, as PyTorch's `normalize` does. */
const LEAST_LENGTH = 1e-12;

/** Vectors that stand in a larger array. */
export interface Vectors {
  readonly values: Float32Array;
  /** The position of the first. */
  readonly at: number;
}

export interface InfoNceTerm {
  readonly d: number;
  readonly temperature: number;
  /** State h of the query, of any length. */
  readonly state: Vectors;
  readonly positive: Vectors;
  /**
   * A matrix of vectors, and which of its rows count here: `count` of them from `from` on. A row
   * named twice counts twice.
   */
  readonly negatives: Float32Array;
  readonly chosen: Int32Array;
  readonly from: number;
  readonly count: number;
}

/** The place of ∂loss/∂h times `factor`. */
export interface GradientPlace extends Vectors {
  readonly factor: number;
}

/** The loss of one query; in f64. */
export function infoNce(term: InfoNceTerm, gradient?: GradientPlace): number {
  const { d, state, temperature, count } = term;
  const length = lengthOf(state, d);
  const scales = new Float64Array(count + 1);
  const logits = new Float64Array(count + 1);
  let greatest = Number.NEGATIVE_INFINITY;
  for (let j = 0; j <= count; j++) {
    const key = keyAt(term, j);
    scales[j] = 1 / (lengthOf(key, d) * temperature);
    logits[j] = (dot(state, key, d) * scales[j]!) / length;
    greatest = Math.max(greatest, logits[j]!);
  }
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - greatest);
  if (gradient) writeGradient(term, length, scales, logits, greatest + Math.log(sum), gradient);
  return greatest - logits[0]! + Math.log(sum);
}

const keyAt = ({ d, positive, negatives, chosen, from }: InfoNceTerm, j: number): Vectors =>
  j === 0 ? positive : { values: negatives, at: chosen[from + j - 1]! * d };

function writeGradient(
  term: InfoNceTerm,
  length: number,
  scales: Float64Array,
  logits: Float64Array,
  logSum: number,
  { values, at, factor }: GradientPlace,
): void {
  const { d, state, count } = term;
  const direction = new Float64Array(d);
  // ĥ · ∂ĥ
  let along = 0;
  for (let j = 0; j <= count; j++) {
    const weight = Math.exp(logits[j]! - logSum) - (j === 0 ? 1 : 0);
    const key = keyAt(term, j);
    for (let i = 0; i < d; i++) direction[i]! += weight * scales[j]! * key.values[key.at + i]!;
    along += weight * logits[j]!;
  }
  for (let i = 0; i < d; i++)
    values[at + i] =
      (factor * (direction[i]! - (along * state.values[state.at + i]!) / length)) / length;
}

/** ‖v‖, or the least length that counts. */
export function lengthOf({ values, at }: Vectors, d: number): number {
  let squares = 0;
  for (let i = 0; i < d; i++) squares += values[at + i]! ** 2;
  return Math.max(Math.sqrt(squares), LEAST_LENGTH);
}

function dot(a: Vectors, b: Vectors, d: number): number {
  let sum = 0;
  for (let i = 0; i < d; i++) sum += a.values[a.at + i]! * b.values[b.at + i]!;
  return sum;
}
