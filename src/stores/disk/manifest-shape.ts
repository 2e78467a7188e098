/**
 * Checks the fields of a manifest: its checksum shows damage, and whoever writes a malformed one
 * computes that too.
 */
import { describeValue } from '../../core/errors.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import type { Manifest } from './manifest.ts';

/** Returns the path and the expectation of the first part that fails; undefined if none does. */
type Shape = (value: unknown, path: string) => Fault | undefined;

interface Fault {
  readonly path: string;
  readonly expected: string;
  readonly value: unknown;
}

const that =
  (expected: string, holds: (value: unknown) => boolean): Shape =>
  (value, path) =>
    holds(value) ? undefined : { path, expected, value };

const text = that('a text', value => typeof value === 'string');
const name = that('a text that is not empty', value => typeof value === 'string' && value !== '');
const count = that(
  'a whole number from 0',
  value => Number.isSafeInteger(value) && (value as number) >= 0,
);
/** Joined to the folder of the store: it must not lead out of it. */
const fileName = that(
  'the name of a file in the folder of the store',
  value => typeof value === 'string' && /^[^./\\:\0][^/\\:\0]*$/.test(value),
);
const digest = that(
  'a SHA-256 in hexadecimal digits',
  value => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
);
const UNITS: readonly unknown[] = ['document', 'passage', 'sentence'] satisfies Unit[];
const unit = that(UNITS.join(' or '), value => UNITS.includes(value));

const optional =
  (shape: Shape): Shape =>
  (value, path) =>
    value === undefined ? undefined : shape(value, path);

const list =
  (shape: Shape): Shape =>
  (value, path) => {
    if (!Array.isArray(value)) return { path, expected: 'a list', value };
    for (const [at, element] of value.entries()) {
      const fault = shape(element, `${path}[${at}]`);
      if (fault) return fault;
    }
    return undefined;
  };

const record =
  (fields: Readonly<Record<string, Shape>>): Shape =>
  (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { path, expected: 'an object', value };
    for (const [field, shape] of Object.entries(fields)) {
      const member = Object.hasOwn(value, field) ? (value as never)[field] : undefined;
      const fault = shape(member, path === '' ? field : `${path}.${field}`);
      if (fault) return fault;
    }
    return undefined;
  };

const file = { file: fileName, bytes: count, sha256: digest, crc32: optional(count) };

const MANIFEST = record({
  generation: count,
  analysis: optional(count),
  chunker: name,
  documents: count,
  segments: list(
    record({ ...file, documents: count, indexes: optional(list(record({ ...file, key: name }))) }),
  ),
  spaces: optional(
    list(
      record({
        name,
        id: name,
        dimensions: count,
        units: list(unit),
        baseUrl: optional(text),
        template: optional(text),
        prefixes: optional(record({ query: text, passage: text })),
      }),
    ),
  ),
  graph: optional(record({ recogniser: name, id: name })),
  claims: optional(record({ name, id: name })),
  derived: optional(
    list(
      record({ ...file, key: name, documents: count, generation: count, behind: optional(count) }),
    ),
  ),
  roots: optional(list(record({ name: text, at: optional(text), sha256: text }))),
  sources: optional(list(record({ ...file, lines: count }))),
} satisfies Readonly<Record<Exclude<keyof Manifest, 'format' | 'version'>, Shape>>);

/** Returns what is wrong with the fields of a manifest; undefined if nothing is. */
export function manifestFault(manifest: unknown): string | undefined {
  const fault = MANIFEST(manifest, '');
  return fault && `"${fault.path}" is not ${fault.expected}, but ${describeValue(fault.value, 40)}`;
}
