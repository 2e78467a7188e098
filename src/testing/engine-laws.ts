/**
 * Defines the laws of search engines: one suite for the embedded engine and remote ones. It follows
 * the capabilities that an engine states: unsupported features must be rejected and are not checked
 * further.
 */
import { defined } from '../core/defined.ts';
import { InputError } from '../core/errors.ts';
import type { Unit } from '../core/ranking/ranking.ts';
import { freeCall } from '../core/trace/call.ts';
import type { SearchEngine } from '../search/engine.ts';
import { VECTORS } from '../search/ports/vectors-port.ts';
import { approximateLaws } from './engine-approximate-checks.ts';
import { checkCatalogue, checkPages } from './engine-catalogue-checks.ts';
import { checkFilters } from './engine-filter-check.ts';
import { lexicalLaws } from './engine-lexical-checks.ts';
import { neighbourLaws } from './engine-neighbour-checks.ts';
import { recordLaws } from './engine-record-checks.ts';
import { spaceLaws, vectorLaws } from './engine-space-checks.ts';
import { type EngineUnderTest, type MakeEngine, underTest } from './engine-under-test.ts';
import { checkWrites } from './engine-write-checks.ts';
import { isInput, type Law, law, same, throws } from './law.ts';

export type { MakeEngine };

export interface EngineLawsOptions {
  /**
   * Scorers to check; by default those that the engine states, or `bm25` for one that takes any.
   */
  readonly scorers?: readonly string[];
  /**
   * Largest relative distance of a score from BM25 by its definition; 1e-9 by default. Infinity
   * omits that law.
   */
  readonly tolerance?: number;
  /** Names of vector spaces to check; required for an engine that searches vectors. */
  readonly spaces?: readonly string[];
  /**
   * Least mean share of the first ten hits of an exact search that an approximate one must return;
   * 0.8 by default.
   */
  readonly recall?: number;
  /**
   * True for an engine that counts terms of removed documents until it merges: after a change the
   * hits of searches are checked without their scores and order.
   */
  readonly countsRemoved?: boolean;
}

const UNITS: readonly Unit[] = ['document', 'passage', 'sentence'];
const call = freeCall();

/**
 * Returns the laws for the engine's capabilities. Throws `InputError('no-spaces')` for an engine
 * that searches vectors if no space is given.
 *
 * @example
 * ```ts
 * import type { Document } from 'multihop';
 * import { EmbeddedEngine } from 'multihop/retrieval';
 * import { engineLaws, hashedEmbedder } from 'multihop/testing';
 *
 * const embedders = [hashedEmbedder('toy')];
 * const make = async (documents: readonly Document[]) => {
 *   const engine = new EmbeddedEngine({ embedders });
 *   await engine.put(documents);
 *   return engine;
 * };
 * for (const law of await engineLaws(make, { spaces: ['toy'] })) await law.run();
 * ```
 */
export async function engineLaws(
  make: MakeEngine,
  options: EngineLawsOptions = {},
): Promise<Law[]> {
  const engine = await underTest(make);
  const { scorers: stated, filters } = engine.capabilities;
  const scorers = options.scorers ?? (stated === 'any' ? ['bm25'] : stated);
  return [
    ...lexicalLaws(engine, { scorers, tolerance: options.tolerance ?? 1e-9 }),
    law(
      'engine: a filtered search returns exactly the hits that pass',
      engine.over(filled => checkFilters(filled, engine.capabilities)),
    ),
    ...recordLaws(engine),
    law(
      'engine: unknown ids, fields and scorers throw an InputError',
      engine.over(filled =>
        checkUnknown(filled, engine.capabilities.units, filters.includes('eq')),
      ),
    ),
    law('engine: requests beyond its capabilities throw an InputError', engine.over(checkUnstated)),
    law('engine: an empty engine returns empty results', () => checkEmpty(engine)),
    law('engine: values and fields equal those of the documents', engine.over(checkCatalogue)),
    law('engine: pages of values add up to the whole', engine.over(checkPages)),
    law('engine: disposing of a snapshot leaves others open', () => checkDisposal(engine)),
    ...checkWrites(make, engine.capabilities.units, options.countsRemoved ?? false),
    ...lawsOfVectors(engine, options),
    ...neighbourLaws(engine),
  ];
}

function lawsOfVectors(engine: EngineUnderTest, options: EngineLawsOptions): Law[] {
  const { vectorSearch } = engine.capabilities;
  const { spaces = [], recall = 0.8 } = options;
  if (vectorSearch === undefined && !engine.serves(VECTORS)) return [];
  if (spaces.length === 0)
    throw new InputError('no-spaces', 'No vector space to check', {
      expected: 'names of vector spaces in the option "spaces"',
      received: 'none',
    });
  return [
    ...(vectorSearch === 'exact' ? spaceLaws(engine, spaces) : []),
    ...(vectorSearch === 'approximate' ? approximateLaws(engine, spaces, recall) : []),
    ...(engine.serves(VECTORS) ? vectorLaws(engine, spaces) : []),
  ];
}

async function checkUnknown(
  engine: SearchEngine,
  units: readonly Unit[],
  filters: boolean,
): Promise<void> {
  const unit = units[0]!;
  for (const unit of units)
    await throws(
      () => engine.read(unit, ['no such id'], call),
      isInput('unknown-id'),
      `read ${unit}`,
      'InputError unknown-id',
    );
  const filter = { op: 'eq', field: 'sorce', value: 'x' } as const;
  const search = (): Promise<unknown> =>
    engine.search({ unit, k: 1, queries: [{ text: 'ferry', filter }] }, call);
  if (filters)
    await throws(
      search,
      isInput('unknown-field'),
      'a misspelt filter field',
      'InputError unknown-field',
    );
  for (const k of [-1, 1.5, Number.NaN]) {
    const bad = (): Promise<unknown> =>
      engine.search({ unit, k, queries: [{ text: 'ferry' }] }, call);
    await throws(bad, isInput(), `k = ${k}`, 'an InputError');
  }
  const scorer = (): Promise<unknown> =>
    engine.search({ unit, k: 1, scorer: 'bm52', queries: [{ text: 'ferry' }] }, call);
  await throws(scorer, isInput(), 'an unknown scorer', 'an InputError');
}

/** Checks that requests beyond the stated capabilities are rejected. */
async function checkUnstated(engine: SearchEngine): Promise<void> {
  const { units, scorers, vectorSearch } = engine.capabilities;
  const rejected = (what: string, request: object): Promise<void> =>
    throws(
      () =>
        engine.search({ unit: units[0]!, k: 1, queries: [{ text: 'ferry' }], ...request }, call),
      isInput(),
      what,
      'an InputError',
    );
  for (const unit of UNITS.filter(each => !units.includes(each)))
    await rejected(`a search for ${unit}s`, { unit });
  if (scorers !== 'any') await rejected('another scorer', { scorer: 'bm25(k1=0.123)' });
  if (vectorSearch === undefined) await rejected('a search in a space', { space: 'none' });
}

async function checkDisposal(engine: EngineUnderTest): Promise<void> {
  const made = await engine.make([]);
  const [first, second] = [await made.snapshot(), await made.snapshot()];
  await first[Symbol.asyncDispose]();
  same(await second.fields(call), [], 'fields of a snapshot beside one that was disposed of');
  await second[Symbol.asyncDispose]();
  await using third = await made.snapshot();
  same(await third.fields(call), [], 'fields of a snapshot after all others were disposed of');
}

async function checkEmpty({ capabilities, holding }: EngineUnderTest): Promise<void> {
  await using engine = await holding([]);
  const filtered = capabilities.filters.includes('eq');
  const filter = { op: 'eq', field: 'source', value: 'x' } as const;
  for (const unit of capabilities.units) {
    same(
      await engine.search(
        {
          unit,
          k: 5,
          queries: [
            { text: 'ferry' },
            defined({ text: '', filter: filtered ? filter : undefined }),
          ],
        },
        call,
      ),
      [[], []],
      unit,
    );
    same(await engine.read(unit, [], call), [], `read no ${unit}`);
  }
  same(await engine.values('source', {}, call), [], 'values');
  same(await engine.fields(call), [], 'fields');
}
