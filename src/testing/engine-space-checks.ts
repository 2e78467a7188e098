/**
 * Laws of the vector spaces of an engine: searches by text and by vector, stored vectors, and what
 * is refused.
 */
import type { Document } from '../corpus/document.ts';
import { matches } from '../corpus/filter.ts';
import { InputError } from '../errors.ts';
import type { Unit } from '../ranking/ranking.ts';
import { requirePort } from '../retrieval/capabilities.ts';
import type { Engine, SearchEngine } from '../retrieval/engine.ts';
import { isFittedSpace } from '../retrieval/space-names.ts';
import { VECTORS, type Vectors } from '../retrieval/vectors-port.ts';
import { freeCall } from '../trace/call.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from './fixture-corpus.ts';
import { holds, type Law, law, same, throws } from './law.ts';
import { checkOrder, checkPrefixes, checkSpans } from './ranking-checks.ts';

type Make = (documents: readonly Document[]) => Promise<Engine>;

const UNITS: readonly Unit[] = ['document', 'passage', 'sentence'];
const TEXTS = FIXTURE_QUESTIONS.map(({ text }) => text);
const call = freeCall();

const vectorsOf = (engine: SearchEngine): Vectors => requirePort(engine, VECTORS, 'The law');

export function checkSpaces(make: Make, spaces: readonly string[]): Law[] {
  const everywhere =
    (check: (engine: SearchEngine, unit: Unit, space: string) => Promise<void>) =>
    async (): Promise<void> => {
      await using engine = await (await make(FIXTURE_DOCUMENTS)).snapshot();
      for (const unit of UNITS) for (const space of spaces) await check(engine, unit, space);
    };
  return [
    law(
      'engine: rankings of a space are in the total order, each k a prefix of the next',
      everywhere(checkRankings),
    ),
    law(
      'engine: several queries of a space in one call are one by one, by text or by vector',
      everywhere(checkBatches),
    ),
    law(
      'engine: the score in a space is the inner product with the stored vector',
      everywhere(checkVectors),
    ),
    law('engine: a text finds what its query vector finds', everywhere(checkQueryVectors)),
    law('engine: a filter holds in every space', everywhere(checkFilter)),
    law('engine: for a space too the order of insertion does not matter', () =>
      checkOrderOfInsertion(make, spaces),
    ),
    law('engine: a snapshot keeps its vectors under writes', () => checkSnapshot(make, spaces)),
    law('engine: what a space cannot do is an InputError', everywhere(checkRefusals)),
    law('engine: an empty engine has empty spaces', async () => {
      await using engine = await (await make([])).snapshot();
      for (const unit of UNITS)
        for (const space of spaces) {
          same(
            await engine.search(
              { unit, space, k: 5, queries: [{ text: 'ferry' }, { text: '' }] },
              call,
            ),
            [[], []],
            `${unit}, ${space}`,
          );
          same(
            await vectorsOf(engine).vectors(unit, [], space, call),
            [],
            `vectors, ${unit}, ${space}`,
          );
          same(
            await vectorsOf(engine).scores(unit, [], [], space, call),
            [],
            `scores, ${unit}, ${space}`,
          );
          const [vector] = await vectorsOf(engine).queryVectors(unit, ['ferry'], space, call);
          same(vector === undefined, true, `no vector of a query, ${unit}, ${space}`);
        }
    }),
  ];
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
  const [ranking] = await engine.search({ unit, k: 1, queries: [{ text: 'ferry' }] }, call);
  const [vector] = await vectorsOf(engine).vectors(unit, [ranking![0]!.id], space, call);
  const filter = { op: 'eq', field: 'source', value: 'Notices' } as const;
  const queries = [
    ...TEXTS.map(text => ({ text })),
    { vector: vector! },
    { text: '' },
    { text: 'ferry', filter },
    { vector: vector!, filter },
  ];
  const one = async (query: (typeof queries)[number]) =>
    (await engine.search({ unit, space, k: 6, queries: [query] }, call))[0]!;
  same(
    await engine.search({ unit, space, k: 6, queries }, call),
    await Promise.all(queries.map(one)),
    `${unit}, ${space}`,
  );
  same(await one({ text: '  ' }), [], `${unit}, ${space}: a blank query`);
}

async function checkVectors(engine: SearchEngine, unit: Unit, space: string): Promise<void> {
  const [all] = await engine.search(
    { unit, space, k: 1000, queries: [{ text: 'lighthouse at Harrow Point' }] },
    call,
  );
  const ids = all!.map(({ id }) => id);
  const vectors = await vectorsOf(engine).vectors(unit, ids, space, call);
  for (const [index, vector] of vectors.entries()) {
    const what = `${unit}, ${space}, ${ids[index]}`;
    same(vector.length, vectors[0]!.length, `${what}: dimensions`);
    const [found] = await engine.search({ unit, space, k: 1000, queries: [{ vector }] }, call);
    const self = found!.find(({ id }) => id === ids[index])!;
    holds(
      Math.abs(self.score - 1) < 1e-5 && self.score > found![0]!.score - 1e-5,
      what,
      'itself first, with score 1',
      self.score,
    );
    const [scores] = await vectorsOf(engine).scores(
      unit,
      found!.map(({ id }) => id),
      [vector],
      space,
      call,
    );
    for (const [at, { id, score }] of found!.entries()) {
      holds(
        Math.abs(scores![at]! - score) < 1e-6,
        `${what}: scores as found, ${id}`,
        String(score),
        scores![at],
      );
      const product = vector.reduce(
        (sum, value, i) => sum + value * vectors[ids.indexOf(id)]![i]!,
        0,
      );
      holds(Math.abs(product - score) < 1e-5, `${what} with ${id}`, String(product), score);
    }
  }
}

async function checkQueryVectors(engine: SearchEngine, unit: Unit, space: string): Promise<void> {
  const texts = [...TEXTS, '', 'lighthouse', ' \n'];
  const vectors = await vectorsOf(engine).queryVectors(unit, texts, space, call);
  same(vectors.length, texts.length, `${unit}, ${space}: vectors of queries`);
  for (const [index, text] of texts.entries()) {
    const what = `${unit}, ${space}, "${text}"`;
    const [found] = await engine.search({ unit, space, k: 9, queries: [{ text }] }, call);
    const vector = vectors[index];
    if (vector === undefined) {
      same(found, [], `${what}: hits of a text without a direction`);
      continue;
    }
    holds(text.trim() !== '', what, 'no direction of a blank', vector);
    holds(Math.abs(Math.hypot(...vector) - 1) < 0.01, what, 'length 1', Math.hypot(...vector));
    same(
      (await engine.search({ unit, space, k: 9, queries: [{ vector }] }, call))[0],
      found,
      `${what}: by its vector`,
    );
    same(
      await vectorsOf(engine).queryVectors(unit, [text], space, call),
      [vector],
      `${what}: alone`,
    );
  }
}

async function checkFilter(engine: SearchEngine, unit: Unit, space: string): Promise<void> {
  const filter = { op: 'in', field: 'source', values: ['Coast Courier', 'Notices'] } as const;
  const passes = new Set(
    FIXTURE_DOCUMENTS.filter(({ metadata }) => matches(filter, metadata)).map(({ id }) => id),
  );
  const search = async (given: object) =>
    (
      await engine.search({ unit, space, k: 1000, queries: [{ text: TEXTS[0]!, ...given }] }, call)
    )[0]!;
  const expected = (await search({})).filter(({ documentId }) => passes.has(documentId));
  holds(expected.length > 1, `${unit}, ${space}`, 'hits that pass', expected);
  same(
    await search({ filter }),
    expected,
    `${unit}, ${space}: what passes the filter, with the scores of the search without it`,
  );
}

async function checkOrderOfInsertion(make: Make, spaces: readonly string[]): Promise<void> {
  const [one, other] = await Promise.all([
    (await make(FIXTURE_DOCUMENTS)).snapshot(),
    (await make([...FIXTURE_DOCUMENTS].reverse())).snapshot(),
  ]);
  for (const unit of UNITS)
    for (const space of spaces) {
      const request = { unit, space, k: 20, queries: TEXTS.map(text => ({ text })) };
      same(await other.search(request, call), await one.search(request, call), `${unit}, ${space}`);
    }
}

async function checkSnapshot(make: Make, spaces: readonly string[]): Promise<void> {
  const engine = await make(FIXTURE_DOCUMENTS);
  const [opened, unopened] = [await engine.snapshot(), await engine.snapshot()];
  const asked = (of: SearchEngine): Promise<unknown> =>
    Promise.all(
      spaces.map(space =>
        of.search({ unit: 'passage', space, k: 50, queries: TEXTS.map(text => ({ text })) }, call),
      ),
    );
  const before = await asked(opened);
  const [first, second] = FIXTURE_DOCUMENTS;
  const changed = { ...first!, text: 'A walrus now lives in the tower by the ferry.' };
  await engine.put([changed], call);
  await engine.remove([second!.id], call);
  same(await asked(opened), before, 'a snapshot that was searched before the writes');
  same(await asked(unopened), before, 'a snapshot that is first searched after them');
  for (const space of spaces) await checkWritten(engine, space, changed.id, second!.id);
}

/** A fitted space may be stale: it knows no new words, but every document, and no removed one. */
async function checkWritten(
  engine: Engine,
  space: string,
  changed: string,
  removed: string,
): Promise<void> {
  const fitted = isFittedSpace(space);
  const request = { unit: 'passage', space, k: fitted ? 1000 : 1 } as const;
  const queries = [{ text: fitted ? 'ferry' : 'walrus tower' }];
  const [hits] = await (await engine.snapshot()).search({ ...request, queries }, call);
  const found = new Set(hits!.map(({ documentId }) => documentId));
  same(found.has(changed), true, `${space}: what was written is found`);
  same(found.has(removed), false, `${space}: what was removed is found`);
}

const isInput =
  (code: string) =>
  (error: unknown): boolean =>
    InputError.is(error) && error.code === code;

async function checkRefusals(engine: SearchEngine, unit: Unit, space: string): Promise<void> {
  const search = (query: object, more: object = {}) =>
    engine.search({ unit, space, k: 1, queries: [query], ...more }, call);
  const [ranking] = await engine.search({ unit, k: 1, queries: [{ text: 'ferry' }] }, call);
  const [vector] = await vectorsOf(engine).vectors(unit, [ranking![0]!.id], space, call);
  const scores = (of: Float32Array) =>
    vectorsOf(engine).scores(unit, [ranking![0]!.id], [of], space, call);
  const cases: readonly (readonly [string, string, () => Promise<unknown>])[] = [
    ['unknown-space', 'an unknown space', () => search({ text: 'x' }, { space: 'no-such-space' })],
    [
      'unknown-space',
      'vectors of an unknown space',
      () => vectorsOf(engine).vectors(unit, [], 'no-such-space', call),
    ],
    [
      'unknown-space',
      'query vectors of an unknown space',
      () => vectorsOf(engine).queryVectors(unit, ['x'], 'no-such-space', call),
    ],
    [
      'unknown-id',
      'vectors of an unknown id',
      () => vectorsOf(engine).vectors(unit, ['no such id'], space, call),
    ],
    [
      'unknown-space',
      'scores in an unknown space',
      () => vectorsOf(engine).scores(unit, [], [], 'no-such-space', call),
    ],
    [
      'unknown-id',
      'scores of an unknown id',
      () => vectorsOf(engine).scores(unit, ['no such id'], [vector!], space, call),
    ],
    [
      'wrong-dimensions',
      'scores for a vector that is too long',
      () => scores(new Float32Array(vector!.length + 1)),
    ],
    [
      'not-finite',
      'scores for a vector with NaN',
      () => scores(vector!.map((value, i) => (i === 0 ? Number.NaN : value))),
    ],
    [
      'wrong-dimensions',
      'a vector that is too long',
      () => search({ vector: new Float32Array(vector!.length + 1) }),
    ],
    [
      'not-finite',
      'a vector with NaN',
      () => search({ vector: vector!.map((value, i) => (i === 0 ? Number.NaN : value)) }),
    ],
    [
      'no-space',
      'a vector without a space',
      () => engine.search({ unit, k: 1, queries: [{ vector: vector! }] }, call),
    ],
    ['empty-query', 'neither text nor vector', () => search({})],
    ['scorer-and-space', 'a scorer and a space', () => search({ text: 'x' }, { scorer: 'bm25' })],
    [
      'unknown-field',
      'a misspelt field',
      () => search({ text: 'x', filter: { op: 'eq', field: 'sorce', value: 'x' } }),
    ],
    ['bad-k', 'a k that is none', () => search({ text: 'x' }, { k: -1 })],
  ];
  for (const [code, what, work] of cases)
    await throws(work, isInput(code), `${unit}, ${space}: ${what}`, `InputError ${code}`);
}
