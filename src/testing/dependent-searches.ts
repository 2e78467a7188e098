/**
 * Checks that a search that depends on an earlier search's hits belongs to a later hop and names
 * that search: hits are replaced from one search on, and the requests of the same hop must not
 * change.
 */
import { defined } from '../core/defined.ts';
import type { Ranking } from '../core/ranking/ranking.ts';
import type { Hop, Search } from '../core/trace/trace.ts';
import type { Retriever, UnboundRetriever } from '../search/retriever.ts';
import { retrievers } from '../search/retrievers.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { holds, same } from './law.ts';
import { hopsOf, runOf, type Script } from './strategy-run.ts';

type Replace = (hits: Ranking) => Ranking;

/** Replacements for a search's hits. */
const REPLACEMENTS: readonly (readonly [what: string, replace: Replace])[] = [
  ['nothing', () => []],
  ['the lower half of its hits', hits => hits.slice(Math.ceil(hits.length / 2))],
];

export async function checkDependence(strategy: Strategy, script: Script): Promise<void> {
  const { hops } = (await runOf(strategy, script)).trace;
  let before = 0;
  for (const [index, hop] of hops.entries()) {
    for (const at of hop.searches.keys())
      for (const [what, replace] of REPLACEMENTS) {
        const retriever = replacing(script.retriever, before + at, replace);
        const others = await hopsOf(strategy, { ...script, retriever }, index + 2);
        const where = `"${script.question.text}", ${what} from search ${at} of hop ${index} on`;
        same(requestsOf(others[index]), requestsOf(hop), `${where}, requests of that hop`);
        checkNext(hops[index + 1], others[index + 1], where);
      }
    before += hop.searches.length;
  }
}

/** Checks that a request of the next hop that only one of the two runs makes has `from`. */
function checkNext(whole: Hop | undefined, replaced: Hop | undefined, where: string): void {
  for (const [hop, other] of [
    [whole, replaced],
    [replaced, whole],
  ]) {
    const known = new Set(requestsOf(other));
    for (const search of hop?.searches ?? [])
      if (!known.has(requestOf(search)))
        holds(
          search.from !== undefined,
          `${where}, a search of the next hop`,
          '`from` to name the search that it depends on',
          search.text ?? search.vector,
        );
  }
}

const requestsOf = (hop: Hop | undefined): string[] => hop?.searches.map(requestOf) ?? [];

const requestOf = ({ text, vector, retriever, unit, filter }: Search): string =>
  JSON.stringify([text, vector?.hash, retriever, unit, filter]);

/** Returns the retriever with the hits of its searches replaced from search `first` on. */
function replacing(
  requested: string | UnboundRetriever,
  first: number,
  replace: Replace,
): UnboundRetriever {
  const unbound = typeof requested === 'string' ? retrievers.create(requested) : requested;
  let searches = 0;
  const replaced = (inner: Retriever): Retriever =>
    defined({
      ...inner,
      parts: inner.parts ? inner.parts.map(replaced) : undefined,
      async retrieve(queries, k, call, within) {
        const rankings = await inner.retrieve(queries, k, call, within);
        return rankings.map(hits => (searches++ < first ? hits : replace(hits)));
      },
    });
  return { ...unbound, bind: (engine, models) => replaced(unbound.bind(engine, models)) };
}
