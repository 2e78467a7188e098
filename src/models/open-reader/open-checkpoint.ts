/**
 * Reads and writes the open reader's weights as JSON: a network that ranks spans, one linear model
 * for each other decision, the threshold of support, and provenance.
 */
import {
  badCheckpoint,
  checkpointFields,
  finiteField,
  type Provenance,
  recordField,
  rounded,
} from '../checked-fields.ts';
import type { LinearModel } from '../linear-model.ts';
import type { SpanNetwork } from './span-network.ts';

const bad = badCheckpoint('the open reader');

export const OPEN_FORMAT = 'multihop open-reader 3';

/**
 * The linear models, each with one output: `choice`: this thing of several; `verdict`: yes;
 * `answerable`: the evidence holds the answer.
 */
export const OPEN_PARTS = ['choice', 'verdict', 'answerable'] as const;
export type OpenPart = (typeof OPEN_PARTS)[number];
export interface OpenModel extends Readonly<Record<OpenPart, LinearModel>> {
  /** Ranks spans. */
  readonly span: SpanNetwork;
}

export interface OpenCheckpoint {
  readonly model: OpenModel;
  /** Support below which the reader abstains, from 0 to 1. */
  readonly support: number;
  readonly provenance: Provenance;
}

/** Magnitude below which weights are negligible and not written. */
const MIN_WEIGHT = 0.005;

export function writeOpen({ model, support, provenance }: OpenCheckpoint): string {
  const parts = {
    span: writtenNetwork(model.span),
    ...Object.fromEntries(OPEN_PARTS.map(part => [part, written(model[part])])),
  };
  return `${JSON.stringify({ format: OPEN_FORMAT, provenance, support, parts }, undefined, 2)}\n`;
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : 1;
/** Numbers as one text: an array would take a line each. */
const joined = (values: readonly number[]): string => values.map(rounded).join(' ');

const written = ({ bias, weights }: LinearModel): object => ({
  bias: rounded(bias[0]!),
  weights: Object.fromEntries(
    [...weights]
      .filter(([, [weight]]) => Math.abs(weight!) >= MIN_WEIGHT)
      .sort(byName)
      .map(([name, [weight]]) => [name, rounded(weight!)]),
  ),
});

function writtenNetwork({ weights, biases, outputs }: SpanNetwork): object {
  const all = [...weights].sort(byName);
  return {
    biases: joined(biases),
    outputs: joined(outputs),
    sums: Object.fromEntries(
      all.flatMap(([name, { sum }]) =>
        Math.abs(sum) >= MIN_WEIGHT ? [[name, rounded(sum)] as const] : [],
      ),
    ),
    units: Object.fromEntries(
      all.flatMap(([name, { units }]) => (units.length > 0 ? [[name, joined(units)]] : [])),
    ),
  };
}

/** Parses a checkpoint. Throws `InputError('bad-checkpoint')` that names the invalid field. */
export function readOpenCheckpoint(json: unknown): OpenCheckpoint {
  const { all, provenance } = checkpointFields(json, OPEN_FORMAT, bad);
  const parts = recordField(all['parts'], 'parts', bad);
  const part = (name: string): Record<string, unknown> =>
    recordField(parts[name], `parts.${name}`, bad);
  const linear = Object.fromEntries(
    OPEN_PARTS.map(name => [name, modelOf(name, part(name))]),
  ) as Record<OpenPart, LinearModel>;
  return {
    model: { ...linear, span: networkOf(part('span')) },
    support: finiteField(all['support'], 'support', bad),
    provenance,
  };
}

function modelOf(part: OpenPart, fields: Record<string, unknown>): LinearModel {
  const field = `parts.${part}.weights`;
  const weights = Object.entries(recordField(fields['weights'], field, bad));
  return {
    outputs: [part],
    bias: [finiteField(fields['bias'], `parts.${part}.bias`, bad)],
    weights: new Map(
      weights.map(([name, weight]) => [name, [finiteField(weight, `${field}["${name}"]`, bad)]]),
    ),
  };
}

function networkOf(fields: Record<string, unknown>): SpanNetwork {
  const record = (name: string): Record<string, unknown> =>
    recordField(fields[name], `parts.span.${name}`, bad);
  const biases = numbersField(fields['biases'], 'parts.span.biases');
  const outputs = numbersField(fields['outputs'], 'parts.span.outputs', biases.length);
  const sums = new Map(
    Object.entries(record('sums')).map(([name, sum]) => [
      name,
      finiteField(sum, `parts.span.sums["${name}"]`, bad),
    ]),
  );
  const units = new Map(
    Object.entries(record('units')).map(([name, values]) => [
      name,
      numbersField(values, `parts.span.units["${name}"]`, biases.length),
    ]),
  );
  const names = new Set([...sums.keys(), ...units.keys()]);
  return {
    biases,
    outputs,
    weights: new Map(
      [...names].map(name => [name, { sum: sums.get(name) ?? 0, units: units.get(name) ?? [] }]),
    ),
  };
}

/** Parses numbers that blanks separate, `length` of them if given. */
function numbersField(value: unknown, field: string, length?: number): number[] {
  const numbers = typeof value === 'string' && value !== '' ? value.split(' ').map(Number) : [];
  const right = length === undefined || numbers.length === length;
  if (typeof value !== 'string' || !right || !numbers.every(Number.isFinite))
    throw bad(field, length === undefined ? 'numbers' : `${length} numbers`, value);
  return numbers;
}
