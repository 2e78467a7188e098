/**
 * Defines the laws of approximate searches in vector spaces: they may miss a limited share of hits,
 * and the hits that they return are correct.
 */
import { matches } from '../core/corpus/filter.ts';
import type { Ranking, Unit } from '../core/ranking/ranking.ts';
import { freeCall } from '../core/trace/call.ts';
import { requirePort } from '../search/capabilities.ts';
import type { SearchEngine } from '../search/engine.ts';
import { VECTORS } from '../search/ports/vectors-port.ts';
import { checkSnapshot, inSpaces, itemsOf } from './engine-space-checks.ts';
import { spaceRefusals } from './engine-space-refusals.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from './fixture-corpus.ts';
import { holds, type Law, law, same } from './law.ts';
import { checkOrder, checkSpans } from './ranking-checks.ts';

const TEXTS = FIXTURE_QUESTIONS.map(({ text }) => text);
const DEPTH = 10;
const FILTER = { op: 'in', field: 'source', values: ['Coast Courier', 'Notices'] } as const;
const PASSING = new Set(
  FIXTURE_DOCUMENTS.filter(({ metadata }) => matches(FILTER, metadata)).map(({ id }) => id),
);
const call = freeCall();

/**
 * Returns the laws. `recall` is the least mean share of the first ten hits of an exact search that
 * an approximate one must return.
 */
export function approximateLaws(
  engine: EngineUnderTest,
  spaces: readonly string[],
  recall: number,
): Law[] {
  const everywhere = inSpaces(engine, spaces);
  const filtered = engine.capabilities.filters.includes('in');
  return [
    law(
      'engine: approximate rankings are in total order and name existing items',
      everywhere(checkRankings),
    ),
    law(
      'engine: a snapshot repeats its approximate rankings, alone or in a batch',
      everywhere(checkRepeats),
    ),
    ...(filtered
      ? [
          law(
            'engine: an approximate search returns only hits that pass its filter',
            everywhere(checkFilter),
          ),
        ]
      : []),
    ...(engine.serves(VECTORS) ? lawsAgainstExact(everywhere, filtered, recall) : []),
    law('engine: a snapshot keeps its vectors during writes', () => checkSnapshot(engine, spaces)),
    law('engine: an invalid request in a space throws an InputError', everywhere(spaceRefusals)),
  ];
}

function lawsAgainstExact(
  everywhere: ReturnType<typeof inSpaces>,
  filtered: boolean,
  recall: number,
): Law[] {
  const recalls = (filter: boolean): (() => Promise<void>) =>
    everywhere((engine, unit, space) => checkRecall(engine, { unit, space, filter }, recall));
  return [
    law('engine: scores of an approximate search equal exact scores', everywhere(checkScores)),
    law(`engine: approximate search has a mean recall of at least ${recall}`, recalls(false)),
    ...(filtered
      ? [
          law(
            `engine: approximate search with a filter has a mean recall of at least ${recall}`,
            recalls(true),
          ),
        ]
      : []),
  ];
}

async function search(
  engine: SearchEngine,
  unit: Unit,
  space: string,
  fields: object = {},
): Promise<Ranking[]> {
  const queries = TEXTS.map(text => ({ text, ...fields }));
  return engine.search({ unit, space, k: DEPTH, queries }, call);
}

async function checkRankings(engine: SearchEngine, unit: Unit, space: string): Promise<void> {
  const items = new Set(await itemsOf(engine, unit));
  for (const [index, ranking] of (await search(engine, unit, space)).entries()) {
    const what = `${unit}, ${space}, "${TEXTS[index]}"`;
    checkOrder(ranking, DEPTH, what);
    await checkSpans(engine, ranking, what);
    for (const { id } of ranking) holds(items.has(id), what, `a ${unit} of the corpus`, id);
  }
  const blank = { unit, space, k: DEPTH, queries: [{ text: ' ' }] };
  same(await engine.search(blank, call), [[]], `${unit}, ${space}: a blank query`);
}

async function checkRepeats(engine: SearchEngine, unit: Unit, space: string): Promise<void> {
  const together = await search(engine, unit, space);
  same(await search(engine, unit, space), together, `${unit}, ${space}: again`);
  for (const [index, text] of TEXTS.entries()) {
    const [alone] = await engine.search({ unit, space, k: DEPTH, queries: [{ text }] }, call);
    same(alone, together[index], `${unit}, ${space}, "${text}": alone`);
  }
}

/** Checks mean recall; with `filter`, among the documents that pass `FILTER`. */
async function checkRecall(
  engine: SearchEngine,
  {
    unit,
    space,
    filter,
  }: { readonly unit: Unit; readonly space: string; readonly filter: boolean },
  floor: number,
): Promise<void> {
  const exact = await exactScores(engine, unit, space);
  const items = await itemsOf(engine, unit, filter ? [...PASSING] : undefined);
  const rankings = await search(engine, unit, space, filter ? { filter: FILTER } : {});
  const shares = rankings.flatMap((ranking, index) => {
    const scores = items.flatMap(id => exact[index]!.get(id) ?? []).sort((a, b) => b - a);
    const best = scores.slice(0, DEPTH);
    if (best.length === 0) return [];
    // Counts any item that scores at least as much as the tenth, so that ties do no harm.
    const right = ranking.filter(({ id }) => exact[index]!.get(id)! >= best.at(-1)!);
    return [right.length / best.length];
  });
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  holds(mean >= floor, `${unit}, ${space}: mean recall`, `at least ${floor}`, mean);
}

async function checkScores(engine: SearchEngine, unit: Unit, space: string): Promise<void> {
  const exact = await exactScores(engine, unit, space);
  for (const [index, ranking] of (await search(engine, unit, space)).entries())
    for (const { id, score } of ranking) {
      const expected = exact[index]!.get(id);
      const near = expected !== undefined && Math.abs(expected - score) < 1e-4;
      holds(near, `${unit}, ${space}, "${TEXTS[index]}", ${id}`, String(expected), score);
    }
}

async function checkFilter(engine: SearchEngine, unit: Unit, space: string): Promise<void> {
  const rankings = await search(engine, unit, space, { filter: FILTER });
  for (const [index, ranking] of rankings.entries())
    for (const { documentId } of ranking)
      holds(
        PASSING.has(documentId),
        `${unit}, ${space}, "${TEXTS[index]}" under a filter`,
        'a document that passes',
        documentId,
      );
}

/** Returns exact scores of all items that have a direction in the space, by text. */
async function exactScores(
  engine: SearchEngine,
  unit: Unit,
  space: string,
): Promise<ReadonlyMap<string, number>[]> {
  const port = requirePort(engine, VECTORS, 'The law');
  const all = await itemsOf(engine, unit);
  const vectors = await port.vectors(unit, all, space, call);
  const ids = all.filter((_, at) => vectors[at]!.some(value => value !== 0));
  const queries = await port.queryVectors(unit, TEXTS, space, call);
  const known = queries.filter(query => query !== undefined);
  const scores = (await port.scores(unit, ids, known, space, call)).values();
  return queries.map(query => {
    const own = query && scores.next().value!;
    return new Map(own ? ids.map((id, at) => [id, own[at]!]) : []);
  });
}
