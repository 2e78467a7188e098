/** Defines the laws of exact searches in vector spaces, and of the port `VECTORS`. */
import { matches } from '../core/corpus/filter.ts';
import type { Unit } from '../core/ranking/ranking.ts';
import { freeCall } from '../core/trace/call.ts';
import { requirePort } from '../search/capabilities.ts';
import type { EngineQuery, SearchEngine } from '../search/engine.ts';
import { VECTORS, type Vectors } from '../search/ports/vectors-port.ts';
import { scoreRefusals, spaceRefusals, vectorRefusals } from './engine-space-refusals.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from './fixture-corpus.ts';
import { holds, type Law, law, same } from './law.ts';
import { checkOrder, checkPrefixes, checkSpans } from './ranking-checks.ts';

const TEXTS = FIXTURE_QUESTIONS.map(({ text }) => text);
const call = freeCall();

type Check = (engine: SearchEngine, unit: Unit, space: string) => Promise<void>;

/** Checks every unit in every space. */
export const inSpaces =
  (engine: EngineUnderTest, spaces: readonly string[]) =>
  (check: Check): (() => Promise<void>) =>
    engine.over(async filled => {
      for (const unit of engine.capabilities.units)
        for (const space of spaces) await check(filled, unit, space);
    });

export function spaceLaws(engine: EngineUnderTest, spaces: readonly string[]): Law[] {
  const everywhere = inSpaces(engine, spaces);
  return [
    law(
      'engine: rankings of a space are in total order, and k hits are a prefix of k + 1',
      everywhere(checkRankings),
    ),
    law(
      'engine: batched and single queries of a space have equal results, by text or by vector',
      everywhere(checkBatches),
    ),
    ...(engine.capabilities.filters.includes('in')
      ? [
          law(
            'engine: a filtered search in a space returns exactly the hits that pass',
            everywhere(checkFilter),
          ),
        ]
      : []),
    law('engine: the order of insertion does not matter in a space', () =>
      checkOrderOfInsertion(engine, spaces),
    ),
    law('engine: a snapshot keeps its vectors during writes', () => checkSnapshot(engine, spaces)),
    law('engine: an invalid request in a space throws an InputError', everywhere(spaceRefusals)),
    law('engine: an empty engine has empty spaces', () => checkEmpty(engine, spaces)),
  ];
}

/** Returns the laws of the port `VECTORS`, whose scores equal those of an exact search. */
export function vectorLaws(engine: EngineUnderTest, spaces: readonly string[]): Law[] {
  const everywhere = inSpaces(engine, spaces);
  const exact = engine.capabilities.vectorSearch === 'exact';
  return [
    law(
      'engine: a score in a space is the inner product with the stored vector',
      everywhere(checkScores),
    ),
    law('engine: vectors of queries have length 1, equal in any batch', everywhere(checkQueries)),
    ...(exact
      ? [
          law(
            'engine: a text and its query vector have equal results',
            everywhere(checkQueryVectors),
          ),
        ]
      : []),
    law('engine: an invalid request by vector throws an InputError', everywhere(vectorRefusals)),
    law('engine: an invalid request for scores throws an InputError', everywhere(scoreRefusals)),
    law('engine: an empty engine has no vectors', () => checkNoVectors(engine, spaces)),
  ];
}

const vectorsOf = (engine: SearchEngine): Vectors => requirePort(engine, VECTORS, 'The law');

async function checkEmpty(
  { capabilities, holding }: EngineUnderTest,
  spaces: readonly string[],
): Promise<void> {
  await using engine = await holding([]);
  const queries = [{ text: 'ferry' }, { text: '' }];
  for (const unit of capabilities.units)
    for (const space of spaces)
      same(
        await engine.search({ unit, space, k: 5, queries }, call),
        [[], []],
        `${unit}, ${space}`,
      );
}

async function checkNoVectors(
  { capabilities, holding }: EngineUnderTest,
  spaces: readonly string[],
): Promise<void> {
  await using engine = await holding([]);
  const port = vectorsOf(engine);
  for (const unit of capabilities.units)
    for (const space of spaces) {
      same(await port.vectors(unit, [], space, call), [], `vectors, ${unit}, ${space}`);
      same(await port.scores(unit, [], [], space, call), [], `scores, ${unit}, ${space}`);
      const [vector] = await port.queryVectors(unit, ['ferry'], space, call);
      same(vector === undefined, true, `no vector of a query, ${unit}, ${space}`);
    }
}

async function checkRankings(engine: SearchEngine, unit: Unit, space: string): Promise<void> {
  for (const text of TEXTS) {
    const [ranking] = await engine.search({ unit, space, k: 9, queries: [{ text }] }, call);
    checkOrder(ranking!, 9, `${unit}, ${space}, "${text}"`);
    await checkSpans(engine, ranking!, unit);
  }
  const [known] = await engine.search(
    { unit, space, k: 3, queries: [{ text: 'lighthouse' }] },
    call,
  );
  same(known!.length, 3, `${unit}, ${space}: hits for a known word`);
  await checkPrefixes(
    async k => (await engine.search({ unit, space, k, queries: [{ text: TEXTS[0]! }] }, call))[0]!,
    `${unit}, ${space}`,
  );
}

async function checkBatches(engine: SearchEngine, unit: Unit, space: string): Promise<void> {
  const filter = { op: 'eq', field: 'source', value: 'Notices' } as const;
  const filtered = engine.capabilities.filters.includes('eq') ? [{}, { filter }] : [{}];
  const [vector] =
    (await engine.port(VECTORS)?.queryVectors(unit, ['lighthouse'], space, call)) ?? [];
  const mixed: readonly EngineQuery[] = [
    ...[...TEXTS, ''].map(text => ({ text })),
    ...filtered.flatMap(fields => [
      { text: 'ferry', ...fields },
      ...(vector ? [{ vector, ...fields }] : []),
    ]),
  ];
  const one = async (query: EngineQuery) =>
    (await engine.search({ unit, space, k: 6, queries: [query] }, call))[0]!;
  same(
    await engine.search({ unit, space, k: 6, queries: mixed }, call),
    await Promise.all(mixed.map(one)),
    `${unit}, ${space}`,
  );
  same(await one({ text: '  ' }), [], `${unit}, ${space}: a blank query`);
}

async function checkFilter(engine: SearchEngine, unit: Unit, space: string): Promise<void> {
  const filter = { op: 'in', field: 'source', values: ['Coast Courier', 'Notices'] } as const;
  const passes = new Set(
    FIXTURE_DOCUMENTS.filter(({ metadata }) => matches(filter, metadata)).map(({ id }) => id),
  );
  const search = async (fields: object) =>
    (
      await engine.search({ unit, space, k: 1000, queries: [{ text: TEXTS[0]!, ...fields }] }, call)
    )[0]!;
  const expected = (await search({})).filter(({ documentId }) => passes.has(documentId));
  holds(expected.length > 1, `${unit}, ${space}`, 'hits that pass', expected);
  same(
    await search({ filter }),
    expected,
    `${unit}, ${space}: the hits that pass the filter, with unfiltered scores`,
  );
}

async function checkOrderOfInsertion(
  { capabilities, holding }: EngineUnderTest,
  spaces: readonly string[],
): Promise<void> {
  const [one, other] = await Promise.all([
    holding(FIXTURE_DOCUMENTS),
    holding([...FIXTURE_DOCUMENTS].reverse()),
  ]);
  for (const unit of capabilities.units)
    for (const space of spaces) {
      const request = { unit, space, k: 20, queries: TEXTS.map(text => ({ text })) };
      same(await other.search(request, call), await one.search(request, call), `${unit}, ${space}`);
    }
}

/**
 * Checks, also for approximate searches, that a snapshot repeats its results and that a new one
 * includes writes.
 */
export async function checkSnapshot(
  { capabilities, make }: EngineUnderTest,
  spaces: readonly string[],
): Promise<void> {
  const unit = capabilities.units[0]!;
  const engine = await make(FIXTURE_DOCUMENTS);
  const [opened, unopened] = [await engine.snapshot(), await engine.snapshot()];
  const resultsOf = (of: SearchEngine): Promise<unknown> =>
    Promise.all(
      spaces.map(space =>
        of.search({ unit, space, k: 50, queries: TEXTS.map(text => ({ text })) }, call),
      ),
    );
  const before = await resultsOf(opened);
  const [first, second] = FIXTURE_DOCUMENTS;
  const changed = { ...first!, text: 'A walrus now lives in the tower by the ferry.' };
  await engine.put([changed], call);
  await engine.remove([second!.id], call);
  same(await resultsOf(opened), before, 'a snapshot that was searched before the writes');
  same(await resultsOf(unopened), before, 'a snapshot that is first searched after them');
  for (const space of spaces) {
    await using written = await engine.snapshot();
    await checkWritten(written, { unit, space }, changed.id, second!.id);
  }
}

/** Checks that a new snapshot includes a written document and no removed one. */
async function checkWritten(
  engine: SearchEngine,
  { unit, space }: { readonly unit: Unit; readonly space: string },
  changed: string,
  removed: string,
): Promise<void> {
  const k = engine.capabilities.vectorSearch === 'exact' ? 1 : 10;
  const queries = [{ text: 'walrus tower' }];
  const [hits] = await engine.search({ unit, space, k, queries }, call);
  const documents = new Set(hits!.map(({ documentId }) => documentId));
  same(documents.has(changed), true, `${space}: a written document is returned`);
  same(documents.has(removed), false, `${space}: a removed document is returned`);
}

/** Returns the ids of a unit's items, of the whole fixture corpus if no documents are given. */
export async function itemsOf(
  engine: SearchEngine,
  unit: Unit,
  documents: readonly string[] = FIXTURE_DOCUMENTS.map(({ id }) => id),
): Promise<string[]> {
  if (unit === 'document') return [...documents];
  return (await engine.parts(unit, documents, call)).flat().map(({ id }) => id);
}

async function checkScores(engine: SearchEngine, unit: Unit, space: string): Promise<void> {
  const port = vectorsOf(engine);
  const all = await itemsOf(engine, unit);
  const directed = await port.vectors(unit, all, space, call);
  // An item without a direction in the space has a zero vector, and no search returns it.
  const ids = all.filter((_, at) => directed[at]!.some(value => value !== 0));
  const vectors = await port.vectors(unit, ids, space, call);
  for (const [index, vector] of vectors.entries()) {
    const what = `${unit}, ${space}, ${ids[index]}`;
    same(vector.length, vectors[0]!.length, `${what}: dimensions`);
    const [scores] = await port.scores(unit, ids, [vector], space, call);
    for (const [at, id] of ids.entries()) {
      const product = vector.reduce((sum, value, i) => sum + value * vectors[at]![i]!, 0);
      const score = scores![at]!;
      holds(Math.abs(product - score) < 1e-5, `${what} with ${id}`, String(product), score);
    }
    holds(
      Math.abs(scores![index]! - 1) < 1e-5 && scores![index]! > Math.max(...scores!) - 1e-5,
      what,
      'itself first, with score 1',
      scores![index],
    );
    if (engine.capabilities.vectorSearch === 'exact')
      await checkHitScores(engine, { unit, space, what }, ids, vector, scores!);
  }
}

/** Checks that a search by a vector returns the scores of the port. */
async function checkHitScores(
  engine: SearchEngine,
  { unit, space, what }: { readonly unit: Unit; readonly space: string; readonly what: string },
  ids: readonly string[],
  vector: Float32Array,
  scores: Float64Array,
): Promise<void> {
  const [hits] = await engine.search({ unit, space, k: 1000, queries: [{ vector }] }, call);
  same(hits!.map(({ id }) => id).sort(), [...ids].sort(), `${what}: all items with a direction`);
  for (const { id, score } of hits!) {
    const expected = scores[ids.indexOf(id)]!;
    const near = Math.abs(expected - score) < 1e-6;
    holds(near, `${what}: score of the hit ${id}`, String(expected), score);
  }
}

const QUERY_TEXTS = [...TEXTS, '', 'lighthouse', ' \n'];

async function checkQueries(engine: SearchEngine, unit: Unit, space: string): Promise<void> {
  const port = vectorsOf(engine);
  const vectors = await port.queryVectors(unit, QUERY_TEXTS, space, call);
  same(vectors.length, QUERY_TEXTS.length, `${unit}, ${space}: vectors of queries`);
  for (const [index, text] of QUERY_TEXTS.entries()) {
    const what = `${unit}, ${space}, "${text}"`;
    const vector = vectors[index];
    same(await port.queryVectors(unit, [text], space, call), [vector], `${what}: alone`);
    if (vector === undefined) continue;
    holds(text.trim() !== '', what, 'no vector of a blank text', vector);
    holds(Math.abs(Math.hypot(...vector) - 1) < 0.01, what, 'length 1', Math.hypot(...vector));
  }
}

async function checkQueryVectors(engine: SearchEngine, unit: Unit, space: string): Promise<void> {
  const vectors = await vectorsOf(engine).queryVectors(unit, QUERY_TEXTS, space, call);
  for (const [index, text] of QUERY_TEXTS.entries()) {
    const what = `${unit}, ${space}, "${text}"`;
    const [hits] = await engine.search({ unit, space, k: 9, queries: [{ text }] }, call);
    const vector = vectors[index];
    if (vector === undefined) {
      same(hits, [], `${what}: hits of a text without a direction`);
      continue;
    }
    const [byVector] = await engine.search({ unit, space, k: 9, queries: [{ vector }] }, call);
    same(byVector, hits, `${what}: by its vector`);
  }
}
