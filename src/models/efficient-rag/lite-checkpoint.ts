/**
 * Reads and writes a lite checkpoint as JSON: three networks, the weights of common words, and
 * provenance.
 */
import { badCheckpoint, finiteField, recordField } from '../checked-fields.ts';
import { CHUNK_INPUTS } from './chunk-features.ts';
import { FILTER_INPUTS } from './filter-features.ts';
import { type Decision, LITE_PARTS, type LiteModel, type LitePart } from './lite-classifiers.ts';
import { type Network, parametersOf } from './network.ts';
import type { TermWeights } from './term-weights.ts';
import { WORD_INPUTS } from './word-features.ts';

const bad = badCheckpoint('token classifiers');

export const LITE_FORMAT = 'multihop efficient-rag-lite 1';

export interface LiteCheckpoint {
  readonly model: LiteModel;
  /** Free-form: data with hashes, settings, seed and cross-validation figures; no times. */
  readonly provenance: Readonly<Record<string, unknown>>;
}

/** Numbers as multiples of `step`, 16 bits each, in base64. */
interface Packed {
  readonly step: number;
  readonly values: string;
}

const PARTS_OF_NETWORK = ['first', 'last', 'table'] as const;
const INPUTS: Readonly<Record<LitePart, number>> = {
  chunks: CHUNK_INPUTS,
  words: WORD_INPUTS,
  filter: FILTER_INPUTS,
};
const MAX_INT16 = 32_767;

export const liteParameters = (model: LiteModel): number =>
  LITE_PARTS.reduce((sum, part) => sum + parametersOf(model[part].network), 0);

export function writeLite({ model, provenance }: LiteCheckpoint): string {
  const networks = Object.fromEntries(
    LITE_PARTS.map(part => {
      const { network, threshold } = model[part];
      const { inputs, hidden } = network;
      return [
        part,
        {
          threshold,
          inputs,
          hidden,
          ...Object.fromEntries(PARTS_OF_NETWORK.map(name => [name, pack(network[name])])),
        },
      ];
    }),
  );
  const { most, common } = model.weights;
  const words = Object.fromEntries([...common].map(([stem, weight]) => [stem, rounded(weight)]));
  const written = {
    format: LITE_FORMAT,
    provenance,
    parameters: liteParameters(model),
    networks,
    weights: { most: rounded(most), common: words },
  };
  return `${JSON.stringify(written, undefined, 2)}\n`;
}

const rounded = (value: number): number => Number(value.toFixed(3));

function pack(values: Float64Array): Packed {
  const step = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / MAX_INT16;
  const bytes = new Uint8Array(values.length * 2);
  const view = new DataView(bytes.buffer);
  for (const [at, value] of values.entries())
    view.setInt16(2 * at, step === 0 ? 0 : Math.round(value / step), true);
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return { step, values: btoa(text) };
}

/** Parses a checkpoint. Throws `InputError('bad-checkpoint')` that names the invalid field. */
export function readLite(written: unknown): LiteCheckpoint {
  const all = record(written, 'the checkpoint');
  if (all['format'] !== LITE_FORMAT) throw bad('its format', `"${LITE_FORMAT}"`, all['format']);
  const networks = record(all['networks'], 'networks');
  const model = Object.fromEntries(
    LITE_PARTS.map(part => [part, decisionOf(part, record(networks[part], `networks.${part}`))]),
  );
  return {
    model: {
      ...(model as Record<LitePart, Decision>),
      weights: weightsOf(record(all['weights'], 'weights')),
    },
    provenance: record(all['provenance'], 'provenance'),
  };
}

function decisionOf(part: LitePart, fields: Record<string, unknown>): Decision {
  const inputs = finite(fields['inputs'], `networks.${part}.inputs`);
  if (inputs !== INPUTS[part])
    throw bad(`networks.${part}.inputs`, `${INPUTS[part]} in this version`, inputs);
  const hidden = finite(fields['hidden'], `networks.${part}.hidden`);
  const arrays = Object.fromEntries(
    PARTS_OF_NETWORK.map(name => [name, unpack(fields[name], `networks.${part}.${name}`)]),
  );
  const network = {
    inputs,
    hidden,
    ...(arrays as Pick<Network, (typeof PARTS_OF_NETWORK)[number]>),
  };
  if (network.first.length !== hidden * inputs + hidden)
    throw bad(`networks.${part}.first`, `${hidden * inputs + hidden} values`, network.first.length);
  if (network.last.length !== inputs + hidden + 1)
    throw bad(`networks.${part}.last`, `${inputs + hidden + 1} values`, network.last.length);
  return { network, threshold: finite(fields['threshold'], `networks.${part}.threshold`) };
}

function weightsOf(fields: Record<string, unknown>): TermWeights {
  const common = Object.entries(record(fields['common'], 'weights.common'));
  return {
    most: finite(fields['most'], 'weights.most'),
    common: new Map(
      common.map(([stem, weight]) => [stem, finite(weight, `the weight of "${stem}"`)]),
    ),
  };
}

function unpack(packed: unknown, field: string): Float64Array {
  const fields = record(packed, field);
  const step = finite(fields['step'], `${field}.step`);
  const { values } = fields;
  const text = typeof values === 'string' ? decoded(values) : undefined;
  if (text === undefined) throw bad(`${field}.values`, 'base64', values);
  if (text.length % 2 !== 0)
    throw bad(`${field}.values`, 'two bytes a value', `${text.length} bytes`);
  const view = new DataView(Uint8Array.from(text, character => character.charCodeAt(0)).buffer);
  return Float64Array.from(
    { length: text.length / 2 },
    (_, at) => view.getInt16(2 * at, true) * step,
  );
}

function decoded(base64: string): string | undefined {
  try {
    return atob(base64);
  } catch {
    return undefined;
  }
}

const record = (value: unknown, field: string): Record<string, unknown> =>
  recordField(value, field, bad);
const finite = (value: unknown, field: string): number => finiteField(value, field, bad);
