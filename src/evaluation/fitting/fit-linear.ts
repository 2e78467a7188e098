/**
 * Fits linear models with an L2 penalty: logistic and multinomial regression over labelled items,
 * and conditional logit over groups of which some items are right.
 */
import type { Features, LinearModel } from '../../models/linear-model.ts';
import { minimise, type Objective } from './minimise.ts';

export interface FitSettings {
  /** Factor of half the squared weights, added to the summed losses. */
  readonly l2: number;
  /** Least number of items of a feature; rarer ones are omitted. */
  readonly least: number;
  /** Stops after so many steps; at the minimum if missing. */
  readonly iterations?: number;
}

export interface Labelled {
  readonly features: Features;
  /** Index of the output; with one output, 0 for it and 1 for its negation. */
  readonly label: number;
}

/** Items of which at least one is right. */
export interface Group {
  readonly features: readonly Features[];
  readonly right: readonly boolean[];
}

/** Features of an item, by index among the used ones. */
interface Sparse {
  readonly at: Int32Array;
  readonly values: Float64Array;
}

export function fitLinear(
  things: readonly Labelled[],
  outputs: readonly string[],
  { l2, least, iterations }: FitSettings,
): LinearModel {
  const names = keptNames(
    things.map(({ features }) => features),
    least,
  );
  const rows = things.map(({ features }) => sparse(features, names));
  const width = outputs.length;
  const biases = names.size * width;
  const scores = new Float64Array(Math.max(2, width));
  const objective: Objective = (at, gradient) => {
    let loss = penalty(at, gradient, biases, l2);
    for (const [index, row] of rows.entries()) {
      // With one output its negation always scores 0.
      scores.fill(0);
      for (let output = 0; output < width; output++)
        scores[output] = at[biases + output]! + score(row, at, width, output);
      loss += toErrors(scores, things[index]!.label);
      for (let output = 0; output < width; output++) {
        gradient[biases + output]! += scores[output]!;
        addTo(gradient, row, width, output, scores[output]!);
      }
    }
    return loss;
  };
  return modelOf(minimise(biases + width, objective, iterations), names, outputs);
}

/**
 * Fits a ranker: the item of a group with the greatest score is selected; the loss is that of all
 * right items together.
 */
export function fitRanker(
  groups: readonly Group[],
  output: string,
  { l2, least, iterations }: FitSettings,
): LinearModel {
  const useful = groups.filter(({ right }) => right.includes(true) && right.includes(false));
  const names = keptNames(
    useful.flatMap(({ features }) => features),
    least,
  );
  const rows = useful.map(({ features }) => features.map(each => sparse(each, names)));
  const objective: Objective = (at, gradient) => {
    let loss = penalty(at, gradient, names.size, l2);
    for (const [index, group] of rows.entries()) {
      const { right } = useful[index]!;
      const scores = group.map(row => score(row, at, 1, 0));
      const all = logSum(scores);
      const chosen = logSum(scores.filter((_, place) => right[place]));
      loss += all - chosen;
      for (const [place, row] of group.entries()) {
        const target = right[place] ? Math.exp(scores[place]! - chosen) : 0;
        addTo(gradient, row, 1, 0, Math.exp(scores[place]! - all) - target);
      }
    }
    return loss;
  };
  const weights = minimise(names.size, objective, iterations);
  return modelOf(Float64Array.from([...weights, 0]), names, [output]);
}

function keptNames(things: readonly Features[], least: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const features of things)
    for (const name of features.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const frequent = [...counts].filter(([, count]) => count >= least).map(([name]) => name);
  return new Map(frequent.sort().map((name, index) => [name, index]));
}

function sparse(features: Features, names: ReadonlyMap<string, number>): Sparse {
  const known = [...features].filter(([name]) => names.has(name));
  return {
    at: Int32Array.from(known, ([name]) => names.get(name)!),
    values: Float64Array.from(known, ([, value]) => value),
  };
}

function score(
  { at, values }: Sparse,
  weights: Float64Array,
  width: number,
  output: number,
): number {
  let sum = 0;
  for (let i = 0; i < at.length; i++) sum += weights[at[i]! * width + output]! * values[i]!;
  return sum;
}

function addTo(
  gradient: Float64Array,
  { at, values }: Sparse,
  width: number,
  output: number,
  error: number,
): void {
  for (let i = 0; i < at.length; i++) gradient[at[i]! * width + output]! += error * values[i]!;
}

/**
 * Returns the penalty and overwrites the gradient with its own; biases, at the end, are not
 * penalised.
 */
function penalty(at: Float64Array, gradient: Float64Array, biases: number, l2: number): number {
  let sum = 0;
  gradient.fill(0);
  for (let i = 0; i < biases; i++) {
    gradient[i] = l2 * at[i]!;
    sum += at[i]! * at[i]!;
  }
  return (l2 * sum) / 2;
}

/** Replaces scores by probabilities less the labels, in place, and returns the loss. */
function toErrors(scores: Float64Array, label: number): number {
  const all = logSum(scores);
  const loss = all - scores[label]!;
  for (const [output, each] of scores.entries())
    scores[output] = Math.exp(each - all) - Number(output === label);
  return loss;
}

function logSum(scores: ArrayLike<number> & Iterable<number>): number {
  const most = Math.max(...scores);
  let sum = 0;
  for (const each of scores) sum += Math.exp(each - most);
  return most + Math.log(sum);
}

function modelOf(
  fitted: Float64Array,
  names: ReadonlyMap<string, number>,
  outputs: readonly string[],
): LinearModel {
  const width = outputs.length;
  const weightsAt = (place: number): number[] => [
    ...fitted.subarray(place * width, (place + 1) * width),
  ];
  return {
    outputs,
    bias: weightsAt(names.size),
    weights: new Map([...names].map(([name, place]) => [name, weightsAt(place)])),
  };
}
