/**
 * The laws of search engines: one suite over the embedded engine and every remote one. It follows
 * the capabilities that an engine states: what it does not serve is refused, and not checked.
 */
import { InputError } from '../errors.ts';
import type { Unit } from '../ranking/ranking.ts';
import type { SearchEngine } from '../retrieval/engine.ts';
import { VECTORS } from '../retrieval/vectors-port.ts';
import { freeCall } from '../trace/call.ts';
import { approximateLaws } from './engine-approximate-checks.ts';
import { checkCatalogue, checkPages } from './engine-catalogue-checks.ts';
import { checkFilters } from './engine-filter-check.ts';
import { lexicalLaws } from './engine-lexical-checks.ts';
import { recordLaws } from './engine-record-checks.ts';
import { spaceLaws, vectorLaws } from './engine-space-checks.ts';
import { type EngineUnderTest, type MakeEngine, underTest } from './engine-under-test.ts';
import { checkWrites } from './engine-write-checks.ts';
import { isInput, type Law, law, same, throws } from './law.ts';

export type { MakeEngine };

export interface EngineLawsOptions {
  /**
   * Scorers to check; if missing those that the engine states, or `bm25` for one that takes any.
   */
  readonly scorers?: readonly string[];
  /**
   * Largest distance of a score from BM25 by its definition, as a share of it; 1e-9 if missing.
   * Infinity leaves that law out.
   */
  readonly tolerance?: number;
  /** Vector spaces to check, by name: an engine that searches vectors needs one here. */
  readonly spaces?: readonly string[];
  /**
   * Least mean share of the first ten of an exact search that an approximate one finds; 0.8 if
   * missing.
   */
  readonly recall?: number;
}

const UNITS: readonly Unit[] = ['document', 'passage', 'sentence'];
const call = freeCall();

/**
 * Returns the laws for what the engine states. Throws `InputError('no-spaces')` for an engine that
 * searches vectors if no space is given.
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
      'engine: a filter never lets a stranger through, and nothing that passes is lost',
      engine.over(filled => checkFilters(filled, engine.capabilities)),
    ),
    ...recordLaws(engine),
    law(
      'engine: what is unknown is an InputError',
      engine.over(filled =>
        checkUnknown(filled, engine.capabilities.units, filters.includes('eq')),
      ),
    ),
    law('engine: what it does not state is an InputError', engine.over(checkUnstated)),
    law('engine: an empty engine answers everything with nothing', () => checkEmpty(engine)),
    law('engine: values and fields are the catalogue', engine.over(checkCatalogue)),
    law('engine: pages of values are the whole', engine.over(checkPages)),
    law('engine: a snapshot may be disposed of, and another one is open', () =>
      checkDisposal(engine),
    ),
    ...checkWrites(make, engine.capabilities.units),
    ...lawsOfVectors(engine, options),
  ];
}

function lawsOfVectors(engine: EngineUnderTest, options: EngineLawsOptions): Law[] {
  const { vectorSearch } = engine.capabilities;
  const { spaces = [], recall = 0.8 } = options;
  if (vectorSearch === undefined && !engine.serves(VECTORS)) return [];
  if (spaces.length === 0)
    throw new InputError('no-spaces', 'The laws of an engine that has vectors', {
      expected: 'the names of vector spaces, in "spaces"',
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

/** A capability that is not stated is refused, not answered in some other way. */
async function checkUnstated(engine: SearchEngine): Promise<void> {
  const { units, scorers, vectorSearch } = engine.capabilities;
  const refused = (what: string, request: object): Promise<void> =>
    throws(
      () =>
        engine.search({ unit: units[0]!, k: 1, queries: [{ text: 'ferry' }], ...request }, call),
      isInput(),
      what,
      'an InputError',
    );
  for (const unit of UNITS.filter(each => !units.includes(each)))
    await refused(`a search for ${unit}s`, { unit });
  if (scorers !== 'any') await refused('another scorer', { scorer: 'bm25(k1=0.123)' });
  if (vectorSearch === undefined) await refused('a search in a space', { space: 'lsa' });
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
        { unit, k: 5, queries: [{ text: 'ferry' }, { text: '', ...(filtered ? { filter } : {}) }] },
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
