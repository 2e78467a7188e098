/** Checks requests in vector spaces that an engine must reject, each with its code. */
import type { Unit } from '../core/ranking/ranking.ts';
import { freeCall } from '../core/trace/call.ts';
import { requirePort } from '../search/capabilities.ts';
import type { EngineQuery, SearchEngine, SearchRequest } from '../search/engine.ts';
import { VECTORS, type Vectors } from '../search/ports/vectors-port.ts';
import { isInput, throws } from './law.ts';

type Refusal = readonly [code: string, what: string, work: () => Promise<unknown>];

const call = freeCall();
const NOWHERE = 'no-such-space';

async function checkAll(where: string, refusals: readonly Refusal[]): Promise<void> {
  for (const [code, what, work] of refusals)
    await throws(work, isInput(code), `${where}: ${what}`, `InputError ${code}`);
}

export async function spaceRefusals(
  engine: SearchEngine,
  unit: Unit,
  space: string,
): Promise<void> {
  const search = (query: EngineQuery, more: Partial<SearchRequest> = {}): Promise<unknown> =>
    engine.search({ unit, space, k: 1, queries: [query], ...more }, call);
  const filter = { op: 'eq', field: 'sorce', value: 'x' } as const;
  await checkAll(`${unit}, ${space}`, [
    ['unknown-space', 'an unknown space', () => search({ text: 'x' }, { space: NOWHERE })],
    ['empty-query', 'neither text nor vector', () => search({})],
    ['scorer-and-space', 'a scorer and a space', () => search({ text: 'x' }, { scorer: 'bm25' })],
    ['bad-k', 'a negative k', () => search({ text: 'x' }, { k: -1 })],
    ...(engine.capabilities.filters.includes('eq')
      ? [['unknown-field', 'a misspelt field', () => search({ text: 'x', filter })] as const]
      : []),
  ]);
}

export async function vectorRefusals(
  engine: SearchEngine,
  unit: Unit,
  space: string,
): Promise<void> {
  const { port, vector, long, odd } = await vectorsFor(engine, unit, space);
  const search = (query: EngineQuery): Promise<unknown> =>
    engine.search({ unit, space, k: 1, queries: [query] }, call);
  const nowhere = (): Promise<unknown> =>
    engine.search({ unit, k: 1, queries: [{ vector }] }, call);
  await checkAll(`${unit}, ${space}`, [
    ['unknown-space', 'vectors of an unknown space', () => port.vectors(unit, [], NOWHERE, call)],
    ['unknown-id', 'an unknown id', () => port.vectors(unit, ['no such id'], space, call)],
    [
      'unknown-space',
      'queries in an unknown space',
      () => port.queryVectors(unit, ['x'], NOWHERE, call),
    ],
    ...(engine.capabilities.vectorSearch === undefined
      ? []
      : ([
          ['wrong-dimensions', 'a vector that is too long', () => search({ vector: long })],
          ['not-finite', 'a vector with NaN', () => search({ vector: odd })],
          ['no-space', 'a vector without a space', nowhere],
        ] as const)),
  ]);
}

export async function scoreRefusals(
  engine: SearchEngine,
  unit: Unit,
  space: string,
): Promise<void> {
  const { port, vector, long, odd } = await vectorsFor(engine, unit, space);
  const scores = (ids: readonly string[], by: Float32Array, where = space): Promise<unknown> =>
    port.scores(unit, ids, [by], where, call);
  await checkAll(`${unit}, ${space}`, [
    ['unknown-space', 'scores in an unknown space', () => port.scores(unit, [], [], NOWHERE, call)],
    ['unknown-id', 'scores of an unknown id', () => scores(['no such id'], vector)],
    ['wrong-dimensions', 'scores for a vector that is too long', () => scores([], long)],
    ['not-finite', 'scores for a vector with NaN', () => scores([], odd)],
  ]);
}

/** Returns a vector of the space, one that is too long, and one with NaN. */
async function vectorsFor(
  engine: SearchEngine,
  unit: Unit,
  space: string,
): Promise<{
  readonly port: Vectors;
  readonly vector: Float32Array;
  readonly long: Float32Array;
  readonly odd: Float32Array;
}> {
  const port = requirePort(engine, VECTORS, 'The law');
  const [known] = await port.queryVectors(unit, ['lighthouse'], space, call);
  const vector = known!;
  const odd = vector.map((value, i) => (i === 0 ? Number.NaN : value));
  return { port, vector, long: new Float32Array(vector.length + 1), odd };
}
