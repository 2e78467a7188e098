/**
 * Fits the network that ranks spans by Adam over small batches, with dropout of its units (Kingma
 * and Ba, Adam: A Method for Stochastic Optimization, arXiv 1412.6980; Srivastava et al., Dropout,
 * JMLR 15, 2014). The loss of a question is that of all its right spans together. Deterministic.
 */

import { mulberry32 } from '../../../src/core/mulberry32.ts';
import { shuffled } from '../../../src/evaluation/fitting/folds.ts';
import type { SpanNetwork } from '../../../src/models/open-reader/span-network.ts';
import type { FeatureRow } from './feature-table.ts';

/** Spans of a question of which at least one is right. */
export interface SpanGroup {
  readonly rows: readonly FeatureRow[];
  readonly right: readonly boolean[];
}

export interface NetworkSettings {
  readonly units: number;
  readonly epochs: number;
  readonly rate: number;
  readonly l2: number;
  /** Share of units that a question does not use. */
  readonly dropout: number;
  readonly batch: number;
  /** Least number of items of a feature; rarer ones are omitted. */
  readonly least: number;
  /** Networks from different random starts whose scores are averaged, as one network. */
  readonly members: number;
}

/** Parameters in one array: sums, units by feature, biases, outputs. */
interface Layout {
  readonly features: number;
  readonly units: number;
  readonly weights: Float64Array;
}

const START = 0.15;
/** Random start of the first member. */
const SEED = 3;
/** Decay of the mean gradient and of its square, and the least root (section 2 of the paper). */
const ADAM = { mean: 0.9, square: 0.999, least: 1e-8 };

/** Fits on groups whose rows name features by index in `names`; `inUnits` selects for the units. */
export function fitNetwork(
  groups: readonly SpanGroup[],
  names: readonly string[],
  inUnits: (name: string) => boolean,
  settings: NetworkSettings,
): SpanNetwork {
  const kept = keptFeatures(groups, names.length, settings.least);
  const places = new Int32Array(names.length).fill(-1);
  for (const [place, index] of kept.entries()) places[index] = place;
  const hidden = Uint8Array.from(kept, index => Number(inUnits(names[index]!)));
  const data = groups
    .filter(({ right }) => right.includes(true) && right.includes(false))
    .map(({ rows, right }) => ({ right, rows: rows.map(row => keptRow(row, places)) }));
  return averaged(
    Array.from({ length: settings.members }, (_, member) =>
      networkOf(fitMember(data, kept.length, hidden, settings, SEED + member), kept, hidden, names),
    ),
  );
}

function fitMember(
  data: readonly SpanGroup[],
  features: number,
  hidden: Uint8Array,
  settings: NetworkSettings,
  seed: number,
): Layout {
  const random = mulberry32(seed);
  const layout = started(features, settings.units, random);
  const adam = new Adam(layout, settings.l2);
  const pass = new Pass(layout, hidden);
  let order = data;
  for (let epoch = 0; epoch < settings.epochs; epoch++) {
    order = shuffled(order, random);
    const rate = settings.rate * (1 - epoch / settings.epochs);
    for (let from = 0; from < order.length; from += settings.batch) {
      const batch = order.slice(from, from + settings.batch);
      pass.gradient.fill(0);
      for (const group of batch) pass.add(group, settings.dropout, batch.length, random);
      adam.step(pass.gradient, rate);
    }
  }
  return layout;
}

/** Returns the network whose score is the mean of the members' scores. */
function averaged(members: readonly SpanNetwork[]): SpanNetwork {
  const share = 1 / members.length;
  return {
    weights: new Map(
      [...members[0]!.weights.keys()].map(name => {
        const ofFeature = members.map(({ weights }) => weights.get(name)!);
        return [
          name,
          {
            sum: ofFeature.reduce((total, { sum }) => total + sum * share, 0),
            units: ofFeature.flatMap(({ units }) => units),
          },
        ];
      }),
    ),
    biases: members.flatMap(({ biases }) => biases),
    outputs: members.flatMap(({ outputs }) => outputs.map(output => output * share)),
  };
}

function keptFeatures(groups: readonly SpanGroup[], size: number, least: number): number[] {
  const counts = new Int32Array(size);
  for (const { rows } of groups)
    for (const { at } of rows) for (const index of at) counts[index]!++;
  return [...counts.keys()].filter(index => counts[index]! >= least);
}

function keptRow({ at, values }: FeatureRow, places: Int32Array): FeatureRow {
  const known = [...at.keys()].filter(place => places[at[place]!]! >= 0);
  return {
    at: Int32Array.from(known, place => places[at[place]!]!),
    values: Float32Array.from(known, place => values[place]!),
  };
}

function started(features: number, units: number, random: () => number): Layout {
  const weights = new Float64Array(features * (1 + units) + 2 * units);
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  for (let i = features; i < features * (1 + units); i++) weights[i] = START * normal();
  for (let i = weights.length - units; i < weights.length; i++) weights[i] = START * normal();
  return { features, units, weights };
}

class Adam {
  private readonly means: Float64Array;
  private readonly squares: Float64Array;
  private steps = 0;
  private readonly layout: Layout;
  private readonly l2: number;

  constructor(layout: Layout, l2: number) {
    this.layout = layout;
    this.l2 = l2;
    this.means = new Float64Array(layout.weights.length);
    this.squares = new Float64Array(layout.weights.length);
  }

  step(gradient: Float64Array, rate: number): void {
    const { weights, features, units } = this.layout;
    const { means, squares } = this;
    this.steps++;
    const ofMean = 1 - ADAM.mean ** this.steps;
    const ofSquare = 1 - ADAM.square ** this.steps;
    const biases = features * (1 + units);
    for (let i = 0; i < weights.length; i++) {
      const isBias = i >= biases && i < biases + units;
      const slope = gradient[i]! + (isBias ? 0 : this.l2 * weights[i]!);
      means[i] = ADAM.mean * means[i]! + (1 - ADAM.mean) * slope;
      squares[i] = ADAM.square * squares[i]! + (1 - ADAM.square) * slope * slope;
      const root = Math.sqrt(squares[i]! / ofSquare) + ADAM.least;
      weights[i]! -= (rate * (means[i]! / ofMean)) / root;
    }
  }
}

/** Adds the gradient of questions. */
class Pass {
  readonly gradient: Float64Array;
  private readonly layout: Layout;
  private readonly hidden: Uint8Array;

  constructor(layout: Layout, hidden: Uint8Array) {
    this.layout = layout;
    this.hidden = hidden;
    this.gradient = new Float64Array(layout.weights.length);
  }

  add({ rows, right }: SpanGroup, dropout: number, among: number, random: () => number): void {
    const { units } = this.layout;
    const used = Float64Array.from({ length: units }, () =>
      random() < dropout ? 0 : 1 / (1 - dropout),
    );
    const inputs = rows.map(row => this.inputsOf(row));
    const scores = rows.map((row, at) => this.scoreOf(row, inputs[at]!, used));
    const all = logSum(scores);
    const chosen = logSum(scores.filter((_, at) => right[at]));
    for (const [at, row] of rows.entries()) {
      const target = right[at] ? Math.exp(scores[at]! - chosen) : 0;
      const error = (Math.exp(scores[at]! - all) - target) / among;
      if (Math.abs(error) > 1e-6) this.addRow(row, inputs[at]!, used, error);
    }
  }

  private inputsOf({ at, values }: FeatureRow): Float64Array {
    const { weights, features, units } = this.layout;
    const biases = features * (1 + units);
    const inputs = weights.slice(biases, biases + units);
    for (let place = 0; place < at.length; place++) {
      const feature = at[place]!;
      if (this.hidden[feature] === 0) continue;
      const start = features + feature * units;
      for (let unit = 0; unit < units; unit++)
        inputs[unit]! += weights[start + unit]! * values[place]!;
    }
    return inputs;
  }

  private scoreOf({ at, values }: FeatureRow, inputs: Float64Array, used: Float64Array): number {
    const { weights, units } = this.layout;
    const outputs = weights.length - units;
    let score = 0;
    for (let place = 0; place < at.length; place++) score += weights[at[place]!]! * values[place]!;
    for (let unit = 0; unit < units; unit++)
      if (inputs[unit]! > 0) score += weights[outputs + unit]! * inputs[unit]! * used[unit]!;
    return score;
  }

  private addRow(
    { at, values }: FeatureRow,
    inputs: Float64Array,
    used: Float64Array,
    error: number,
  ): void {
    const { gradient, hidden } = this;
    const { weights, features, units } = this.layout;
    const outputs = weights.length - units;
    const biases = outputs - units;
    const errors = new Float64Array(units);
    for (let unit = 0; unit < units; unit++)
      if (inputs[unit]! > 0) {
        gradient[outputs + unit]! += error * inputs[unit]! * used[unit]!;
        errors[unit] = error * weights[outputs + unit]! * used[unit]!;
        gradient[biases + unit]! += errors[unit]!;
      }
    for (let place = 0; place < at.length; place++) {
      const feature = at[place]!;
      const value = values[place]!;
      gradient[feature]! += error * value;
      if (hidden[feature] === 0) continue;
      const start = features + feature * units;
      for (let unit = 0; unit < units; unit++) gradient[start + unit]! += errors[unit]! * value;
    }
  }
}

function logSum(scores: readonly number[]): number {
  const most = Math.max(...scores);
  return most + Math.log(scores.reduce((sum, each) => sum + Math.exp(each - most), 0));
}

function networkOf(
  { weights, features, units }: Layout,
  kept: readonly number[],
  hidden: Uint8Array,
  names: readonly string[],
): SpanNetwork {
  const slice = (from: number): number[] => [...weights.subarray(from, from + units)];
  return {
    weights: new Map(
      kept.map((index, place) => [
        names[index]!,
        { sum: weights[place]!, units: hidden[place] ? slice(features + place * units) : [] },
      ]),
    ),
    biases: slice(features * (1 + units)),
    outputs: slice(features * (1 + units) + units),
  };
}
