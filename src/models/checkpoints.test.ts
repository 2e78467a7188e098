/**
 * Tests the files of weights: the shipped ones are written as they are read, and a wrong value
 * anywhere is refused by the name of its field.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { shippedCheckpoint } from '../../test/shipped-lite.ts';
import { InputError } from '../core/errors.ts';
import { readProbability, writeProbability } from './answer-probability/answer-probability.ts';
import { cascadeLogit } from './cascade/cascade-checkpoint.ts';
import { readLite, writeLite } from './efficient-rag/lite-checkpoint.ts';
import { LITE_PARTS } from './efficient-rag/lite-classifiers.ts';
import { readFactRanker } from './fact-ranker/fact-ranker.ts';
import { readFactCheckpoint, writeFacts } from './fact-reader/fact-checkpoint.ts';
import { readOpenCheckpoint, writeOpen } from './open-reader/open-checkpoint.ts';
import { sectionLogit } from './section-reader/section-checkpoint.ts';

interface Kind {
  read(json: unknown): object;
  write(read: never): string;
}
const KINDS: Readonly<Record<string, Kind>> = {
  '../../packages/efficient-rag-lite/lite': { read: readLite, write: writeLite },
  'cascade/cascade': cascadeLogit,
  'answer-probability/answer-probability': { read: readProbability, write: writeProbability },
  'fact-ranker/fact-ranker': { read: readFactRanker, write: JSON.stringify },
  'fact-reader/fact-reader': { read: readFactCheckpoint, write: writeFacts },
  'open-reader/open-reader': { read: readOpenCheckpoint, write: writeOpen },
  'section-reader/section-reader': sectionLogit,
};
type Json = Record<string, unknown>;
const jsonOf = (name: string): Json =>
  JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'));

/** Returns paths of values, without those of provenance; of maps of weights the first alone. */
function pathsOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Object.keys(value).filter(key => key !== 'parameters');
  return (keys.length > 10 ? keys.slice(0, 1) : keys).flatMap(key => {
    const at = [...path, key];
    return [at, ...(key === 'provenance' ? [] : pathsOf((value as Json)[key], at))];
  });
}

/** Changes a value for as long as `work` takes; undefined removes it. */
function changed<T>(json: Json, path: readonly string[], value: unknown, work: () => T): T {
  const holder = path.slice(0, -1).reduce((at, key) => at[key] as Json, json);
  const [key, before] = [path.at(-1)!, holder[path.at(-1)!]];
  if (value === undefined) delete holder[key];
  else holder[key] = value;
  try {
    return work();
  } finally {
    if (before === undefined) delete holder[key];
    else holder[key] = before;
  }
}

const refused = (error: unknown): error is InputError =>
  InputError.is(error) && /^bad-(?:checkpoint|ranker)$/.test(error.code);

/** The networks of the token classifiers without hidden units: their weights take long to read. */
const small = (): Json => {
  const { model, provenance } = shippedCheckpoint();
  const none = new Float64Array(0);
  const parts = LITE_PARTS.map(part => {
    const { network, threshold } = model[part];
    const last = network.last.subarray(0, network.inputs + 1);
    return [
      part,
      { network: { ...network, hidden: 0, first: none, last, table: none }, threshold },
    ];
  });
  return JSON.parse(writeLite({ model: { ...model, ...Object.fromEntries(parts) }, provenance }));
};

for (const [name, { read, write }] of Object.entries(KINDS))
  describe(name.split('/').at(-1)!, () => {
    test('is written as it is read', () => {
      const json = jsonOf(name);
      assert.deepEqual(JSON.parse(write(read(json) as never)), json);
    });

    test('with a wrong value is refused by the name of the field', () => {
      const json = name.endsWith('lite') ? small() : jsonOf(name);
      for (const path of pathsOf(json)) {
        const isEntry =
          /(?:^|\.)(?:\d+|(?:first|second|sums|units|common|parts\.\w+\.weights)\..+)$/;
        for (const wrong of [undefined, null, '?', '1 2 3 4 5', [], ['x'], true, 1 / 0]) {
          // A model may lack any feature.
          if (wrong === undefined && isEntry.test(path.join('.'))) continue;
          assert.throws(
            () => changed(json, path, wrong, () => read(json)),
            error =>
              refused(error) &&
              Boolean(error.expected && error.received) &&
              // Without rankers the first of them is named.
              [path.at(-1)!, path.at(-2) ?? 'words'].some(key =>
                `${error.message} ${error.expected}`.includes(key),
              ),
            `${path.join('.')}: ${JSON.stringify(wrong)}`,
          );
        }
      }
    });

    test('is read or refused, whatever JSON it is', () => {
      const { format } = jsonOf(name);
      const value = fc.oneof(
        fc.jsonValue(),
        fc.record({ format: fc.constant(format), parts: fc.jsonValue(), weights: fc.jsonValue() }),
        fc.record({ format: fc.constant(format), networks: fc.jsonValue() }),
        fc.record({ format: fc.constant(format), rankers: fc.jsonValue() }),
      );
      const networks = [{ toString: null }];
      fc.assert(
        fc.property(value, json => assert.throws(() => read(json), refused)),
        { examples: [[{ format, networks }]] },
      );
    });

    test('says by which command it was trained, and names files by their hashes', () => {
      const { provenance } = jsonOf(name);
      assert.match(JSON.stringify(provenance), /"trainedBy":"[^"]*(?:learn|fit|train)/);
      const hashes = JSON.stringify(provenance).matchAll(/"(?:file|sha256)":"([^"]*)"/g);
      for (const [, hash] of hashes) assert.match(hash!, /^[0-9a-f]{64}$/);
    });
  });

test('weights are written in thousandths, and negligible ones are left out', () => {
  for (const [name, path, value, written] of [
    ['fact-reader/fact-reader', ['parts', 'entity', 'weights', 'tiny'], 0.0001, undefined],
    ['open-reader/open-reader', ['parts', 'choice', 'weights', 'tiny'], 0.0001, undefined],
    ['open-reader/open-reader', ['parts', 'span', 'sums', 'tiny'], 0.0001, undefined],
    ['section-reader/section-reader', ['none'], 1.23456, 1.235],
    ['answer-probability/answer-probability', ['curves', 'span', 'slope'], -1.9996, -2],
  ] as const) {
    const [{ read, write }, json] = [KINDS[name]!, jsonOf(name)];
    const text = changed(json, path, value, () => write(read(json) as never));
    assert.deepEqual(
      JSON.parse(text),
      changed(json, path, written, () => structuredClone(json)),
      path.join('.'),
    );
    assert.ok(text.endsWith('}\n'));
  }
});
