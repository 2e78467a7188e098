/**
 * Reads and writes the fact reader's weights as JSON: one linear model for each part, and
 * provenance.
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

const bad = badCheckpoint('the fact reader');

export const FACT_FORMAT = 'multihop fact-reader 1';

/**
 * The linear models. `type`: comparison, inference or temporal. The others have one output:
 * `answerable`: the evidence has an answer, by the evidence alone; `form`: the same by the words of
 * the question too; `entity`: this name is the answer.
 */
export const FACT_PARTS = ['type', 'answerable', 'form', 'entity'] as const;
export type FactPart = (typeof FACT_PARTS)[number];
export type FactModel = Readonly<Record<FactPart, LinearModel>>;

export interface FactCheckpoint {
  readonly model: FactModel;
  readonly provenance: Provenance;
}

export const QUESTION_TYPES = ['comparison', 'inference', 'temporal'] as const;
const OUTPUTS: Readonly<Record<FactPart, readonly string[]>> = {
  type: QUESTION_TYPES,
  answerable: ['answerable'],
  form: ['answerable'],
  entity: ['answer'],
};
/** Magnitude below which weights are negligible and not written. */
const MIN_WEIGHT = 0.0005;
/**
 * The same for the words of `form`, which are many, and which the reader reads only if it is asked
 * to.
 */
const MIN_WORD_WEIGHT = 0.2;

export function writeFacts({ model, provenance }: FactCheckpoint): string {
  const isWord = (name: string): boolean => !model.answerable.weights.has(name);
  const least = (part: FactPart, name: string): number =>
    part === 'form' && isWord(name) ? MIN_WORD_WEIGHT : MIN_WEIGHT;
  const parts = Object.fromEntries(
    FACT_PARTS.map(part => [part, written(model[part], name => least(part, name))]),
  );
  // Prints one feature a line, so that diffs between fits are readable.
  return `${JSON.stringify({ format: FACT_FORMAT, provenance, parts }, undefined, 2).replace(/\[\s+([^[\]{}]*?)\s+\]/g, (_, inside: string) => `[${inside.replace(/\s+/g, ' ')}]`)}\n`;
}

function written({ outputs, bias, weights }: LinearModel, least: (name: string) => number): object {
  const kept = [...weights]
    .filter(([name, row]) => row.some(weight => Math.abs(weight) >= least(name)))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const values = (row: readonly number[]): number | number[] =>
    row.length === 1 ? rounded(row[0]!) : row.map(rounded);
  return {
    outputs,
    bias: bias.map(rounded),
    weights: Object.fromEntries(kept.map(([name, row]) => [name, values(row)])),
  };
}

/** Parses a checkpoint. Throws `InputError('bad-checkpoint')` that names the invalid field. */
export function readFactCheckpoint(json: unknown): FactCheckpoint {
  const { all, provenance } = checkpointFields(json, FACT_FORMAT, bad);
  const parts = record(all['parts'], 'parts');
  const model = Object.fromEntries(
    FACT_PARTS.map(part => [part, modelOf(part, record(parts[part], `parts.${part}`))]),
  );
  return { model: model as FactModel, provenance };
}

function modelOf(part: FactPart, fields: Record<string, unknown>): LinearModel {
  const outputs = OUTPUTS[part];
  if (JSON.stringify(fields['outputs']) !== JSON.stringify(outputs))
    throw bad(`parts.${part}.outputs`, JSON.stringify(outputs), JSON.stringify(fields['outputs']));
  const numbers = (value: unknown, field: string): number[] => {
    const list: unknown[] = Array.isArray(value) ? value : [value];
    if (list.length !== outputs.length) throw bad(field, `${outputs.length} numbers`, value);
    return list.map(each => finite(each, field));
  };
  const weights = Object.entries(record(fields['weights'], `parts.${part}.weights`));
  return {
    outputs,
    bias: numbers(fields['bias'], `parts.${part}.bias`),
    weights: new Map(
      weights.map(([name, row]) => [name, numbers(row, `parts.${part}.weights["${name}"]`)]),
    ),
  };
}

const record = (value: unknown, field: string): Record<string, unknown> =>
  recordField(value, field, bad);
const finite = (value: unknown, field: string): number => finiteField(value, field, bad);
