/** Defines the laws of lexical searches. */
import type { Document } from '../core/corpus/document.ts';
import type { Unit } from '../core/ranking/ranking.ts';
import { freeCall } from '../core/trace/call.ts';
import { requirePort } from '../search/capabilities.ts';
import type { SearchEngine } from '../search/engine.ts';
import { EXPLAIN } from '../search/ports/explain-port.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from './fixture-corpus.ts';
import { holds, type Law, law, same } from './law.ts';
import { bm25ByDefinition } from './naive-bm25.ts';
import { checkOrder, checkPrefixes, checkSpans } from './ranking-checks.ts';

const TEXTS = FIXTURE_QUESTIONS.map(({ text }) => text);
const call = freeCall();

export interface LexicalChecks {
  /** Scorers to check, by name. */
  readonly scorers: readonly string[];
  /** Largest relative distance of a score from BM25 by its definition. */
  readonly tolerance: number;
}

type Check = (engine: SearchEngine, unit: Unit, scorer: string) => Promise<void>;

export function lexicalLaws(engine: EngineUnderTest, { scorers, tolerance }: LexicalChecks): Law[] {
  const { units } = engine.capabilities;
  const everywhere = (check: Check): (() => Promise<void>) =>
    engine.over(async filled => {
      for (const unit of units) for (const scorer of scorers) await check(filled, unit, scorer);
    });
  const judged = units.includes('document') && scorers.includes('bm25') && tolerance < Infinity;
  return [
    law(
      'engine: rankings are in total order, with spans inside their documents',
      everywhere(checkRankings),
    ),
    law('engine: search(q, k) is a prefix of search(q, k + 1)', everywhere(checkDepths)),
    law('engine: batched and single queries have equal results', everywhere(checkBatches)),
    law('engine: the order of insertion does not matter', () =>
      checkInsertionOrder(engine, scorers),
    ),
    ...(judged
      ? [
          law(
            'engine: agrees with BM25 by its definition',
            engine.over(filled => checkOracle(filled, tolerance)),
          ),
        ]
      : []),
    ...(engine.serves(EXPLAIN)
      ? [law('engine: explain returns the score', everywhere(checkExplanations))]
      : []),
  ];
}

async function checkRankings(engine: SearchEngine, unit: Unit, scorer: string): Promise<void> {
  for (const text of TEXTS) {
    const [ranking] = await engine.search({ unit, k: 9, scorer, queries: [{ text }] }, call);
    holds(ranking !== undefined, `${unit}, "${text}"`, 'one ranking per query', ranking);
    checkOrder(ranking, 9, `${unit}, ${scorer}, "${text}"`);
    await checkSpans(engine, ranking, unit);
  }
  const [known] = await engine.search(
    { unit, k: 3, scorer, queries: [{ text: 'lighthouse' }] },
    call,
  );
  holds(known!.length > 0, `${unit}, ${scorer}, "lighthouse"`, 'a hit', known);
}

async function checkDepths(engine: SearchEngine, unit: Unit, scorer: string): Promise<void> {
  for (const text of TEXTS)
    await checkPrefixes(
      async k => (await engine.search({ unit, k, scorer, queries: [{ text }] }, call))[0]!,
      `${unit}, "${text}"`,
    );
}

async function checkBatches(engine: SearchEngine, unit: Unit, scorer: string): Promise<void> {
  const one = async (text: string) =>
    (await engine.search({ unit, k: 6, scorer, queries: [{ text }] }, call))[0]!;
  const queries = TEXTS.map(text => ({ text }));
  const all = await engine.search({ unit, k: 6, scorer, queries }, call);
  same(all, await Promise.all(TEXTS.map(one)), `${unit}, ${scorer}`);
}

async function checkInsertionOrder(
  { capabilities, holding }: EngineUnderTest,
  scorers: readonly string[],
): Promise<void> {
  const orders: readonly (readonly Document[])[] = [
    FIXTURE_DOCUMENTS,
    [...FIXTURE_DOCUMENTS].reverse(),
    [...FIXTURE_DOCUMENTS].sort((a, b) => a.text.length - b.text.length),
  ];
  const engines = await Promise.all(orders.map(holding));
  for (const unit of capabilities.units) {
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
  for (const text of TEXTS) {
    const expected = bm25ByDefinition(FIXTURE_DOCUMENTS, text);
    const [hits] = await engine.search({ unit: 'document', k: 100, queries: [{ text }] }, call);
    same(
      hits!.map(hit => hit.id).sort(),
      expected.map(({ id }) => id).sort(),
      `the documents returned for "${text}"`,
    );
    for (const hit of hits!) {
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
