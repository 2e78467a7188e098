/**
 * Fits a network to labelled samples by logistic loss and AdaGrad, one sample at a time (Duchi,
 * Hazan and Singer, Adaptive Subgradient Methods for Online Learning and Stochastic Optimization,
 * JMLR 12, 2011). Deterministic for equal data and seed.
 */

import { mulberry32 } from '../../../src/core/mulberry32.ts';
import { shuffled } from '../../../src/evaluation/fitting/folds.ts';
import {
  type Features,
  hiddenOf,
  logitOf,
  type Network,
  sigmoid,
} from '../../../src/models/efficient-rag/network.ts';

export interface Labelled {
  readonly features: Features;
  readonly label: boolean;
}

export interface NetworkSettings {
  readonly hidden: number;
  /** Number of buckets of the table of crossed features; 0 for none. */
  readonly buckets: number;
  readonly epochs: number;
  readonly rate: number;
  readonly seed: number;
}

/** Initial value of AdaGrad's sum of squares, which shortens the first steps. */
const FIRST_SQUARES = 1;

class AdaGrad {
  private readonly weights: Float64Array;
  private readonly squares: Float64Array;
  private readonly rate: number;

  constructor(weights: Float64Array, rate: number) {
    this.weights = weights;
    this.rate = rate;
    this.squares = new Float64Array(weights.length).fill(FIRST_SQUARES);
  }

  step(at: number, gradient: number): void {
    this.squares[at]! += gradient * gradient;
    this.weights[at]! -= (this.rate * gradient) / Math.sqrt(this.squares[at]!);
  }
}

export function trainNetwork(
  things: readonly Labelled[],
  inputs: number,
  settings: NetworkSettings,
): Network {
  const { hidden, buckets, epochs, rate, seed } = settings;
  const random = mulberry32(seed);
  const first = Float64Array.from({ length: hidden * inputs + hidden }, (_, at) =>
    at < hidden * inputs ? (random() * 2 - 1) / Math.sqrt(inputs) : 0,
  );
  const last = Float64Array.from({ length: inputs + hidden + 1 }, (_, at) =>
    at >= inputs && at < inputs + hidden ? (random() * 2 - 1) / Math.sqrt(hidden) : 0,
  );
  const network: Network = { inputs, hidden, first, last, table: new Float64Array(buckets) };
  const steps = {
    first: new AdaGrad(first, rate),
    last: new AdaGrad(last, rate),
    table: new AdaGrad(network.table, rate),
  };
  let order = things;
  const values = new Float64Array(hidden);
  for (let epoch = 0; epoch < epochs; epoch++) {
    order = shuffled(order, random);
    for (const thing of order) learn(network, thing, steps, values);
  }
  return network;
}

interface Steps {
  readonly first: AdaGrad;
  readonly last: AdaGrad;
  readonly table: AdaGrad;
}

function learn(
  network: Network,
  { features, label }: Labelled,
  steps: Steps,
  values: Float64Array,
): void {
  const { inputs, hidden, last, table } = network;
  const { dense, crossed } = features;
  const slope = sigmoid(logitOf(network, features, values)) - (label ? 1 : 0);
  hiddenOf(network, dense, values);
  for (let unit = 0; unit < hidden; unit++) {
    if (values[unit] === 0) continue;
    const through = slope * last[inputs + unit]!;
    for (let i = 0, row = unit * inputs; i < inputs; i++)
      if (dense[i] !== 0) steps.first.step(row + i, through * dense[i]!);
    steps.first.step(hidden * inputs + unit, through);
  }
  for (let i = 0; i < inputs; i++) if (dense[i] !== 0) steps.last.step(i, slope * dense[i]!);
  for (let unit = 0; unit < hidden; unit++)
    if (values[unit] !== 0) steps.last.step(inputs + unit, slope * values[unit]!);
  steps.last.step(last.length - 1, slope);
  if (table.length > 0)
    for (const bucket of crossed) steps.table.step(bucket % table.length, slope);
}
