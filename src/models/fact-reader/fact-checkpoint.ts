/** The fact reader's weights as JSON: one linear model a part, and where they come from. */
import { describeValue, InputError } from '../../errors.ts';
import { finiteField, recordField } from '../checked-fields.ts';
import type { LinearModel } from './linear-model.ts';

export const FACT_FORMAT = 'multihop fact-reader 1';

/**
 * `type`: comparison, inference or temporal. The others have one output: for an answer in the
 * evidence (`answerable` by the evidence alone, `form` by the words of the question too), for yes,
 * for this name as the answer.
 */
export const FACT_PARTS = ['type', 'answerable', 'form', 'verdict', 'entity'] as const;
export type FactPart = (typeof FACT_PARTS)[number];
export type FactModel = Readonly<Record<FactPart, LinearModel>>;

export interface FactCheckpoint {
  readonly model: FactModel;
  /** Free-form: data with their hashes, settings, seed, what cross-validation gave; no times. */
  readonly provenance: Readonly<Record<string, unknown>>;
}

export const QUESTION_TYPES = ['comparison', 'inference', 'temporal'] as const;
const OUTPUTS: Readonly<Record<FactPart, readonly string[]>> = {
  type: QUESTION_TYPES,
  answerable: ['answerable'],
  form: ['answerable'],
  verdict: ['yes'],
  entity: ['answer'],
};
/** Smaller weights decide nothing and are not written. */
const LEAST = 0.0005;
const DIGITS = 3;

export function writeFacts({ model, provenance }: FactCheckpoint): string {
  const parts = Object.fromEntries(FACT_PARTS.map(part => [part, written(model[part])]));
  // One feature a line: what changed from one fit to the next can be read.
  return `${JSON.stringify({ format: FACT_FORMAT, provenance, parts }, undefined, 2).replace(/\[\s+([^[\]{}]*?)\s+\]/g, (_, inside: string) => `[${inside.replace(/\s+/g, ' ')}]`)}\n`;
}

function written({ outputs, bias, weights }: LinearModel): object {
  const kept = [...weights]
    .filter(([, own]) => own.some(weight => Math.abs(weight) >= LEAST))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const values = (own: readonly number[]): number | number[] =>
    own.length === 1 ? rounded(own[0]!) : own.map(rounded);
  return {
    outputs,
    bias: bias.map(rounded),
    weights: Object.fromEntries(kept.map(([name, own]) => [name, values(own)])),
  };
}

const rounded = (value: number): number => Number(value.toFixed(DIGITS));

/** Throws `InputError('bad-checkpoint')`, naming what is wrong. */
export function readFactCheckpoint(given: unknown): FactCheckpoint {
  const all = record(given, 'the checkpoint');
  if (all['format'] !== FACT_FORMAT) throw bad('its format', `"${FACT_FORMAT}"`, all['format']);
  const parts = record(all['parts'], 'parts');
  const model = Object.fromEntries(
    FACT_PARTS.map(part => [part, modelOf(part, record(parts[part], `parts.${part}`))]),
  );
  return { model: model as FactModel, provenance: record(all['provenance'], 'provenance') };
}

function modelOf(part: FactPart, fields: Record<string, unknown>): LinearModel {
  const outputs = OUTPUTS[part];
  if (JSON.stringify(fields['outputs']) !== JSON.stringify(outputs))
    throw bad(`parts.${part}.outputs`, JSON.stringify(outputs), JSON.stringify(fields['outputs']));
  const numbers = (value: unknown, what: string): number[] => {
    const list: unknown[] = Array.isArray(value) ? value : [value];
    if (list.length !== outputs.length) throw bad(what, `${outputs.length} numbers`, value);
    return list.map(each => finite(each, what));
  };
  const weights = Object.entries(record(fields['weights'], `parts.${part}.weights`));
  return {
    outputs,
    bias: numbers(fields['bias'], `parts.${part}.bias`),
    weights: new Map(
      weights.map(([name, own]) => [name, numbers(own, `parts.${part}.weights["${name}"]`)]),
    ),
  };
}

const record = (value: unknown, what: string): Record<string, unknown> =>
  recordField(value, what, bad);
const finite = (value: unknown, what: string): number => finiteField(value, what, bad);

const bad = (what: string, expected: string, received: unknown): InputError =>
  new InputError('bad-checkpoint', `A checkpoint of the fact reader: ${what}`, {
    expected,
    received: describeValue(received),
  });
