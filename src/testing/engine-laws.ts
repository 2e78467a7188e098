/**
 * The laws of search engines (architecture, section 7): one suite over the embedded engine and
 * every remote one.
 */
import type { Document, Passage } from '../corpus/document.ts';
import { InputError } from '../errors.ts';
import type { Unit } from '../ranking/ranking.ts';
import { requirePort } from '../retrieval/capabilities.ts';
import type { Engine, EngineSnapshot, SearchEngine } from '../retrieval/engine.ts';
import { EXPLAIN } from '../retrieval/explain-port.ts';
import { freeCall } from '../trace/call.ts';
import { checkCatalogue, checkPages } from './engine-catalogue-checks.ts';
import { checkFilters } from './engine-filter-check.ts';
import { checkSpaces } from './engine-space-checks.ts';
import { checkWrites } from './engine-write-checks.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from './fixture-corpus.ts';
import { holds, type Law, law, same, throws } from './law.ts';
import { bm25ByDefinition } from './naive-bm25.ts';
import { checkOrder, checkPrefixes, checkSpans } from './ranking-checks.ts';

export interface EngineLawsOptions {
  /** The scorers to check; `bm25` alone when missing. The oracle judges `bm25` only. */
  readonly scorers?: readonly string[];
  /**
   * How far a score may be from the oracle's, as a share of it; 1e-9 when missing. Infinity leaves
   * the oracle out.
   */
  readonly tolerance?: number;
  /** The vector spaces to check, by name; none when missing, for an engine without any. */
  readonly spaces?: readonly string[];
}

const UNITS: readonly Unit[] = ['document', 'passage', 'sentence'];
const TEXTS = FIXTURE_QUESTIONS.map(({ text }) => text);
const call = freeCall();

/** `make` gives a fresh engine that holds exactly these documents. */
export function engineLaws(
  make: (documents: readonly Document[]) => Promise<Engine>,
  options: EngineLawsOptions = {},
): Law[] {
  const scorers = options.scorers ?? ['bm25'];
  const filled = async (): Promise<EngineSnapshot> => (await make(FIXTURE_DOCUMENTS)).snapshot();
  const everywhere =
    (check: (engine: SearchEngine, unit: Unit, scorer: string) => Promise<void>) =>
    async (): Promise<void> => {
      await using engine = await filled();
      for (const unit of UNITS) for (const scorer of scorers) await check(engine, unit, scorer);
    };
  const over = (check: (engine: SearchEngine) => Promise<void>) => async (): Promise<void> => {
    await using engine = await filled();
    await check(engine);
  };
  return [
    law(
      'engine: rankings are in the total order, with spans inside their documents',
      everywhere(checkRankings),
    ),
    law(
      'engine: search(q, k) is a prefix of search(q, k + 1)',
      everywhere(async (engine, unit, scorer) => {
        for (const text of TEXTS)
          await checkPrefixes(
            async k => (await engine.search({ unit, k, scorer, queries: [{ text }] }, call))[0]!,
            `${unit}, "${text}"`,
          );
      }),
    ),
    law(
      'engine: several queries in one call are one by one',
      everywhere(async (engine, unit, scorer) => {
        const one = async (text: string) =>
          (await engine.search({ unit, k: 6, scorer, queries: [{ text }] }, call))[0]!;
        const all = await engine.search(
          { unit, k: 6, scorer, queries: TEXTS.map(text => ({ text })) },
          call,
        );
        same(all, await Promise.all(TEXTS.map(one)), `${unit}, ${scorer}`);
      }),
    ),
    law('engine: the order of insertion does not matter', () => checkInsertionOrder(make, scorers)),
    law(
      'engine: agrees with BM25 by its definition',
      over(engine => checkOracle(engine, options.tolerance ?? 1e-9)),
    ),
    law(
      'engine: a filter never lets a stranger through, and nothing that passes is lost',
      over(checkFilters),
    ),
    law('engine: explain gives the score', everywhere(checkExplanations)),
    law('engine: passages and sentences equal their slice', over(checkRecords)),
    law('engine: parts are all of a document, in its order', over(checkParts)),
    law('engine: what is unknown is an InputError', over(checkUnknown)),
    law('engine: an empty engine answers everything with nothing', () => checkEmpty(make)),
    law('engine: values and fields are the catalogue', over(checkCatalogue)),
    law('engine: pages of values are the whole', over(checkPages)),
    ...checkWrites(make),
    ...(options.spaces?.length ? checkSpaces(make, options.spaces) : []),
  ];
}

async function checkRankings(engine: SearchEngine, unit: Unit, scorer: string): Promise<void> {
  for (const text of TEXTS) {
    const [ranking] = await engine.search({ unit, k: 9, scorer, queries: [{ text }] }, call);
    holds(ranking !== undefined, `${unit}, "${text}"`, 'one ranking a query', ranking);
    checkOrder(ranking, 9, `${unit}, ${scorer}, "${text}"`);
    await checkSpans(engine, ranking, unit);
  }
  const [known] = await engine.search(
    { unit, k: 3, scorer, queries: [{ text: 'lighthouse' }] },
    call,
  );
  holds(known!.length > 0, `${unit}, ${scorer}, "lighthouse"`, 'a hit', known);
}

async function checkInsertionOrder(
  make: (documents: readonly Document[]) => Promise<Engine>,
  scorers: readonly string[],
): Promise<void> {
  const orders = [
    FIXTURE_DOCUMENTS,
    [...FIXTURE_DOCUMENTS].reverse(),
    [...FIXTURE_DOCUMENTS].sort((a, b) => a.text.length - b.text.length),
  ];
  const engines = await Promise.all(
    orders.map(async documents => (await make(documents)).snapshot()),
  );
  for (const unit of UNITS) {
    for (const scorer of scorers) {
      const request = { unit, k: 20, scorer, queries: TEXTS.map(text => ({ text })) };
      const [first, ...others] = await Promise.all(
        engines.map(engine => engine.search(request, call)),
      );
      for (const other of others) same(other, first, `${unit}, ${scorer}`);
    }
  }
}

async function checkOracle(engine: SearchEngine, tolerance: number): Promise<void> {
  if (tolerance === Number.POSITIVE_INFINITY) return;
  for (const text of TEXTS) {
    const expected = bm25ByDefinition(FIXTURE_DOCUMENTS, text);
    const [found] = await engine.search({ unit: 'document', k: 100, queries: [{ text }] }, call);
    same(
      found!.map(hit => hit.id).sort(),
      expected.map(({ id }) => id).sort(),
      `the documents found for "${text}"`,
    );
    for (const hit of found!) {
      const { score } = expected.find(({ id }) => id === hit.id)!;
      holds(
        Math.abs(hit.score - score) <= tolerance * score,
        `"${text}", ${hit.id}`,
        String(score),
        hit.score,
      );
    }
  }
}

async function checkExplanations(engine: SearchEngine, unit: Unit, scorer: string): Promise<void> {
  for (const query of TEXTS) {
    const [ranking] = await engine.search({ unit, k: 5, scorer, queries: [{ text: query }] }, call);
    for (const { id, score } of ranking!) {
      const { value } = await requirePort(engine, EXPLAIN, 'The law').explain(
        { unit, query, id, scorer },
        call,
      );
      holds(
        Math.abs(value - score) <= 1e-9 * Math.abs(score),
        `${unit}, ${scorer}, ${id} for "${query}"`,
        String(score),
        value,
      );
    }
  }
}

async function checkRecords(engine: SearchEngine): Promise<void> {
  for (const unit of ['passage', 'sentence'] as const) {
    const [hits] = await engine.search(
      {
        unit,
        k: 1000,
        queries: [{ text: 'the of a in harrow point furnace fair ferry rope 東京' }],
      },
      call,
    );
    const records: Passage[] = await engine.read(
      unit,
      hits!.map(hit => hit.id),
      call,
    );
    for (const [index, { id, documentId, start, end, text }] of records.entries()) {
      const { score: _, ...place } = hits![index]!;
      same({ id, documentId, start, end }, place, `the place of ${id}`);
      const [document] = await engine.read('document', [documentId], call);
      same(text, document!.text.slice(start, end), `the text of ${id}`);
    }
  }
  const ids = FIXTURE_DOCUMENTS.map(({ id }) => id);
  same(
    await engine.read('document', ids, call),
    FIXTURE_DOCUMENTS,
    'documents as they were put, in the order asked',
  );
}

async function checkParts(engine: SearchEngine): Promise<void> {
  const documents = FIXTURE_DOCUMENTS.toReversed();
  const ids = documents.map(({ id }) => id);
  for (const unit of ['passage', 'sentence'] as const) {
    const lists = await engine.parts(unit, ids, call);
    same(lists.length, ids.length, `lists of ${unit}s`);
    for (const [index, { id, text }] of documents.entries()) {
      const list = lists[index]!;
      const stored = list.map(part => part.id);
      same(list, await engine.read(unit, stored, call), `the ${unit}s of ${id}`);
      holds(
        list.every(
          (part, place) =>
            part.documentId === id && (place === 0 || part.start > list[place - 1]!.start),
        ),
        `the ${unit}s of ${id}`,
        'of this document, in its order',
        list,
      );
      // White space alone stands outside all parts.
      same(outsideOf(text, list), '', `what the parts of ${id} leave out`);
    }
  }
  await throws(
    () => engine.parts('passage', ['nowhere'], call),
    isInput('unknown-id'),
    'parts of an unknown document',
    'InputError unknown-id',
  );
}

function outsideOf(text: string, parts: readonly Passage[]): string {
  let outside = '';
  let covered = 0;
  for (const { start, end } of parts) {
    outside += text.slice(covered, Math.max(covered, start));
    covered = Math.max(covered, end);
  }
  return (outside + text.slice(covered)).trim();
}

const isInput =
  (code?: string) =>
  (error: unknown): boolean =>
    InputError.is(error) && (code === undefined || error.code === code);

async function checkUnknown(engine: SearchEngine): Promise<void> {
  for (const unit of UNITS)
    await throws(
      () => engine.read(unit, ['no such id'], call),
      isInput('unknown-id'),
      `read ${unit}`,
      'InputError unknown-id',
    );
  const filter = { op: 'eq', field: 'sorce', value: 'x' } as const;
  const search = (): Promise<unknown> =>
    engine.search({ unit: 'document', k: 1, queries: [{ text: 'ferry', filter }] }, call);
  await throws(
    search,
    isInput('unknown-field'),
    'a misspelt filter field',
    'InputError unknown-field',
  );
  for (const k of [-1, 1.5, Number.NaN]) {
    const bad = (): Promise<unknown> =>
      engine.search({ unit: 'document', k, queries: [{ text: 'ferry' }] }, call);
    await throws(bad, isInput(), `k = ${k}`, 'an InputError');
  }
  const scorer = (): Promise<unknown> =>
    engine.search({ unit: 'document', k: 1, scorer: 'bm52', queries: [{ text: 'ferry' }] }, call);
  await throws(scorer, isInput(), 'an unknown scorer', 'an InputError');
}

async function checkEmpty(
  make: (documents: readonly Document[]) => Promise<Engine>,
): Promise<void> {
  await using engine = await (await make([])).snapshot();
  const filter = { op: 'eq', field: 'source', value: 'x' } as const;
  for (const unit of UNITS) {
    same(
      await engine.search({ unit, k: 5, queries: [{ text: 'ferry' }, { text: '', filter }] }, call),
      [[], []],
      unit,
    );
    same(await engine.read(unit, [], call), [], `read no ${unit}`);
  }
  same(await engine.values('source', {}, call), [], 'values');
  same(await engine.fields(call), [], 'fields');
}
