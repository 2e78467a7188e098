/**
 * Defines the laws of retrievers: one ranking per query in total order, prefixes, filters, and
 * prompt rejection on abort.
 */
import type { Filter } from '../core/corpus/filter.ts';
import { matches } from '../core/corpus/filter.ts';
import type { Unit } from '../core/ranking/ranking.ts';
import { freeCall } from '../core/trace/call.ts';
import { lookupIn, type Resources } from '../models/resources.ts';
import { requirePort } from '../search/capabilities.ts';
import type { SearchEngine } from '../search/engine.ts';
import { VECTORS } from '../search/ports/vectors-port.ts';
import type { Retriever, UnboundRetriever } from '../search/retriever.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from './fixture-corpus.ts';
import { holds, type Law, law, same } from './law.ts';
import { checkOrder, checkPrefixes, checkSpans } from './ranking-checks.ts';
import { engineOf } from './strategy-run.ts';

const QUERIES = FIXTURE_QUESTIONS.map(({ text }) => ({ text }));
const UNITS: readonly Unit[] = ['document', 'passage', 'sentence'];
const BY_SOURCE: Filter = { op: 'eq', field: 'source', value: 'Coast Courier' };
const BY_DAY: Filter = { op: 'range', field: 'published_at', from: '2024' };

/**
 * Returns the laws. `engine` defaults to the embedded one over the fixture corpus, cut into
 * passages of two sentences.
 *
 * @example
 * ```ts
 * import { retrievers } from 'multihop/retrieval';
 * import { retrieverLaws } from 'multihop/testing';
 *
 * for (const law of retrieverLaws(retrievers.create('lexical'))) await law.run();
 * ```
 */
export function retrieverLaws(
  unbound: UnboundRetriever,
  engine: SearchEngine = engineOf(FIXTURE_DOCUMENTS),
  resources: Resources = {},
): Law[] {
  const retriever = unbound.bind(engine, lookupIn(resources));
  const call = freeCall();
  return [
    law('retriever: the bound retriever carries the name', () =>
      same(retriever.name, unbound.name, 'name'),
    ),
    law(
      'retriever: returns one ranking per query, in total order, with spans inside their documents',
      async () => {
        for (const unit of UNITS) {
          const rankings = await retriever.retrieve(QUERIES, 7, call, { unit });
          same(rankings.length, QUERIES.length, 'rankings');
          for (const [index, ranking] of rankings.entries()) {
            checkOrder(ranking, 7, `${unit}s for "${QUERIES[index]!.text}"`);
            await checkSpans(engine, ranking, unit);
          }
        }
      },
    ),
    law('retriever: retrieve(q, k) is a prefix of retrieve(q, k + 1)', async () => {
      for (const query of QUERIES)
        await checkPrefixes(
          async k => (await retriever.retrieve([query], k, call))[0]!,
          query.text,
        );
    }),
    law('retriever: batched and single queries have equal results', async () => {
      const single = await Promise.all(
        QUERIES.map(async query => (await retriever.retrieve([query], 5, call))[0]!),
      );
      same(await retriever.retrieve(QUERIES, 5, call), single, 'rankings');
    }),
    law('retriever: returns no rankings for no queries', async () =>
      same(await retriever.retrieve([], 5, call), [], 'rankings'),
    ),
    law('retriever: all hits pass the filter of the query and that of the call', () =>
      filtersHold(retriever, engine),
    ),
    law('retriever: a text and its query vector have equal results', () =>
      vectorsSearch(retriever, engine),
    ),
    law('retriever: rejects an aborted call', () => abortRejects(retriever)),
  ];
}

async function filtersHold(retriever: Retriever, engine: SearchEngine): Promise<void> {
  const call = freeCall();
  for (const { text } of QUERIES) {
    const rankings = [
      {
        filter: BY_SOURCE,
        hits: (await retriever.retrieve([{ text, filter: BY_SOURCE }], 50, call))[0]!,
      },
      {
        filter: BY_DAY,
        hits: (await retriever.retrieve([{ text }], 50, call, { filter: BY_DAY }))[0]!,
      },
      {
        filter: { op: 'and', filters: [BY_SOURCE, BY_DAY] } as const,
        hits: (
          await retriever.retrieve([{ text, filter: BY_SOURCE }], 50, call, { filter: BY_DAY })
        )[0]!,
      },
    ];
    for (const { filter, hits } of rankings) {
      const documents = await engine.read(
        'document',
        [...new Set(hits.map(hit => hit.documentId))],
        call,
      );
      for (const { id, metadata } of documents)
        holds(
          matches(filter, metadata),
          `"${text}"`,
          `documents that pass ${JSON.stringify(filter)}`,
          id,
        );
    }
  }
}

async function vectorsSearch(retriever: Retriever, engine: SearchEngine): Promise<void> {
  const { space } = retriever;
  if (space === undefined) return;
  const call = freeCall();
  for (const unit of UNITS) {
    const vectors = await requirePort(engine, VECTORS, 'The law').queryVectors(
      unit,
      QUERIES.map(({ text }) => text),
      space,
      call,
    );
    const queries = vectors.flatMap((vector, index) =>
      vector ? [{ text: QUERIES[index]!.text, vector }] : [],
    );
    const byText = await retriever.retrieve(
      queries.map(({ text }) => ({ text })),
      7,
      call,
      { unit },
    );
    const byVector = await retriever.retrieve(
      queries.map(({ vector }) => ({ text: '', vector })),
      7,
      call,
      { unit },
    );
    same(byVector, byText, `${unit}s in ${space}`);
  }
}

async function abortRejects(retriever: Retriever): Promise<void> {
  const controller = new AbortController();
  controller.abort();
  const outcome = await retriever
    .retrieve([{ text: 'lighthouse' }], 3, freeCall(controller.signal))
    .catch(() => 'rejected');
  same(outcome, 'rejected', 'a call whose signal is aborted');
}
