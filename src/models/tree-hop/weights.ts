/** Places the tensors of a TreeHop model in a kernel's memory, packs and unpacks them. */
import { padded, strideOf } from './kernel.ts';
import {
  blockPrefix,
  headPrefix,
  OUTPUT_NAME,
  type TensorShape,
  type TreeHopShape,
  tensorShapes,
} from './shape.ts';

/**
 * A tensor in the memory: rows of `groups` times `width` floats, each group padded; a matrix is
 * also padded with rows of zeros.
 */
export interface Place {
  readonly name: string;
  readonly at: number;
  readonly rows: number;
  readonly groups: number;
  readonly width: number;
  /** Floats from one row to the next. */
  readonly stride: number;
  /** Floats in all. */
  readonly floats: number;
}

export interface LinearPlace {
  readonly weight: Place;
  readonly bias: Place;
}

export interface BlockPlace {
  readonly linear: LinearPlace;
  readonly gamma: Place;
  readonly beta: Place;
}

export interface HeadPlace {
  readonly q: LinearPlace;
  readonly k: LinearPlace;
  readonly v: LinearPlace;
  /** Only where gate and blocks differ in size. */
  readonly input: LinearPlace | undefined;
  readonly blocks: readonly BlockPlace[];
  readonly scale: LinearPlace;
}

export interface WeightPlaces {
  /** In the published order. */
  readonly all: readonly Place[];
  readonly heads: readonly HeadPlace[];
  readonly output: Place;
  /** Floats in all, padding included. */
  readonly floats: number;
}

/** The places of all tensors, from 0 on. */
export function placeWeights(shape: TreeHopShape): WeightPlaces {
  let floats = 0;
  const all = tensorShapes(shape).map(tensor => {
    const place = placeOf(tensor, shape, floats);
    floats += place.floats;
    return place;
  });
  const byName = new Map(all.map(place => [place.name, place]));
  const linear = (name: string): LinearPlace => ({
    weight: byName.get(`${name}.weight`)!,
    bias: byName.get(`${name}.bias`)!,
  });
  const heads = Array.from({ length: shape.heads }, (_, head) =>
    placeHead(shape, name => linear(headPrefix(head) + name)),
  );
  return { all, heads, output: byName.get(OUTPUT_NAME)!, floats };
}

function placeHead(shape: TreeHopShape, linear: (name: string) => LinearPlace): HeadPlace {
  const blocks = Array.from({ length: shape.nMlp }, (_, index): BlockPlace => {
    const prefix = blockPrefix(shape, index);
    const norm = linear(`${prefix}layer_norm`);
    return { linear: linear(`${prefix}linear`), gamma: norm.weight, beta: norm.bias };
  });
  const input = shape.g === shape.m ? undefined : linear('mlp.layers.0');
  return {
    q: linear('W_Q'),
    k: linear('W_K'),
    v: linear('W_V'),
    input,
    blocks,
    scale: linear('mlp_scale'),
  };
}

/** The last map reads the outputs of all heads, each padded by itself. */
function placeOf({ name, shape: lengths }: TensorShape, shape: TreeHopShape, at: number): Place {
  const groups = name === OUTPUT_NAME ? shape.heads : 1;
  const width = lengths.at(-1)! / groups;
  const stride = groups * strideOf(width);
  const rows = lengths.length === 2 ? lengths[0]! : 1;
  return {
    name,
    at,
    rows,
    groups,
    width,
    stride,
    floats: (lengths.length === 2 ? padded(rows) : 1) * stride,
  };
}

/** Copies tensors into the memory; `offset` is where the first place stands. */
export function packTensors(
  places: WeightPlaces,
  tensors: ReadonlyMap<string, Float32Array>,
  memory: Float32Array,
  offset: number = 0,
): void {
  for (const place of places.all) {
    const tensor = tensors.get(place.name)!;
    eachRun(place, (at, from) =>
      memory.set(tensor.subarray(from, from + place.width), offset + at),
    );
  }
}

/** Copies them out again, without the padding. */
export function unpackTensors(
  places: WeightPlaces,
  memory: Float32Array,
  offset: number = 0,
): Map<string, Float32Array> {
  return new Map(
    places.all.map(place => {
      const tensor = new Float32Array(place.rows * place.groups * place.width);
      eachRun(place, (at, to) =>
        tensor.set(memory.subarray(offset + at, offset + at + place.width), to),
      );
      return [place.name, tensor];
    }),
  );
}

/** Visits the runs of a tensor that are contiguous on both sides. */
function eachRun(
  { at, rows, groups, width, stride }: Place,
  visit: (at: number, index: number) => void,
): void {
  for (let row = 0; row < rows; row++)
    for (let group = 0; group < groups; group++)
      visit(at + row * stride + (group * stride) / groups, (row * groups + group) * width);
}
