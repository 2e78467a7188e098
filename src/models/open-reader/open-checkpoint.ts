/**
 * Reads and writes the open reader's weights as JSON: one linear model for each form of answer, and
 * provenance.
 */
import { describeValue, InputError } from '../../errors.ts';
import { finiteField, recordField } from '../checked-fields.ts';
import type { LinearModel } from '../fact-reader/linear-model.ts';

export const OPEN_FORMAT = 'multihop open-reader 2';

/**
 * The linear models, each with one output: `span`: this span is the answer; `choice`: this thing of
 * several; `verdict`: yes; `answerable`: the evidence holds the answer.
 */
export const OPEN_PARTS = ['span', 'choice', 'verdict', 'answerable'] as const;
export type OpenPart = (typeof OPEN_PARTS)[number];
export type OpenModel = Readonly<Record<OpenPart, LinearModel>>;

export interface OpenCheckpoint {
  readonly model: OpenModel;
  /** Free-form: data with hashes, settings and cross-validation figures; no times. */
  readonly provenance: Readonly<Record<string, unknown>>;
}

/** Magnitude below which weights are negligible and not written. */
const MIN_WEIGHT = 0.005;
const DIGITS = 3;

export function writeOpen({ model, provenance }: OpenCheckpoint): string {
  const parts = Object.fromEntries(OPEN_PARTS.map(part => [part, written(model[part])]));
  return `${JSON.stringify({ format: OPEN_FORMAT, provenance, parts }, undefined, 2)}\n`;
}

const rounded = (value: number): number => Number(value.toFixed(DIGITS));

const written = ({ bias, weights }: LinearModel): object => ({
  bias: rounded(bias[0]!),
  weights: Object.fromEntries(
    [...weights]
      .filter(([, [weight]]) => Math.abs(weight!) >= MIN_WEIGHT)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, [weight]]) => [name, rounded(weight!)]),
  ),
});

/** Parses a checkpoint. Throws `InputError('bad-checkpoint')` that names the invalid field. */
export function readOpenCheckpoint(given: unknown): OpenCheckpoint {
  const all = recordField(given, 'the checkpoint', bad);
  if (all['format'] !== OPEN_FORMAT) throw bad('its format', `"${OPEN_FORMAT}"`, all['format']);
  const parts = recordField(all['parts'], 'parts', bad);
  const model = Object.fromEntries(
    OPEN_PARTS.map(part => [part, modelOf(part, recordField(parts[part], `parts.${part}`, bad))]),
  );
  return {
    model: model as Record<OpenPart, LinearModel>,
    provenance: recordField(all['provenance'], 'provenance', bad),
  };
}

function modelOf(part: OpenPart, fields: Record<string, unknown>): LinearModel {
  const weights = Object.entries(recordField(fields['weights'], `parts.${part}.weights`, bad));
  return {
    outputs: [part],
    bias: [finiteField(fields['bias'], `parts.${part}.bias`, bad)],
    weights: new Map(
      weights.map(([name, weight]) => [
        name,
        [finiteField(weight, `parts.${part}.weights["${name}"]`, bad)],
      ]),
    ),
  };
}

const bad = (field: string, expected: string, received: unknown): InputError =>
  new InputError('bad-checkpoint', `Invalid checkpoint of the open reader: ${field}`, {
    expected,
    received: describeValue(received),
  });
