/**
 * An engine whose searches in vector spaces are approximate: items belong to the nearest of a few
 * leaders, and a search looks at the items of the leaders nearest to the query alone.
 */
import type { Document } from '../../src/core/corpus/document.ts';
import type { Ranking, Unit } from '../../src/core/ranking/ranking.ts';
import { type Call, freeCall } from '../../src/core/trace/call.ts';
import { EmbeddedEngine } from '../../src/search/embedded-engine.ts';
import {
  type Engine,
  type EngineSnapshot,
  engineWith,
  type SearchRequest,
} from '../../src/search/engine.ts';
import type { Snapshot } from '../../src/search/snapshot.ts';
import { hashedEmbedder } from '../../src/testing/hashed-embedder.ts';

export interface Probing {
  readonly leaders: number;
  /** Leaders whose items a search looks at, at least. */
  readonly probes: number;
  /** Items that pass the filter it looks at, at least, as a multiple of k. */
  readonly least: number;
}

type Leaders = readonly {
  readonly vector: Float32Array;
  readonly members: ReadonlySet<string>;
}[];

const ALL = 1_000_000;

export function approximateEngine(documents: readonly Document[], probing: Probing): Engine {
  const inner = new EmbeddedEngine({ documents, embedders: [hashedEmbedder()] });
  return {
    put: (given, call) => inner.put(given, call),
    remove: (ids, call) => inner.remove(ids, call),
    snapshot: async () => approximate(await inner.snapshot(), probing),
  };
}

function approximate(inner: Snapshot, probing: Probing): EngineSnapshot {
  const known = new Map<string, Promise<Leaders>>();
  const leadersOf = (unit: Unit, space: string): Promise<Leaders> => {
    const key = `${unit} ${space}`;
    let leaders = known.get(key);
    if (!leaders) known.set(key, (leaders = leadersIn(inner, unit, space, probing.leaders)));
    return leaders;
  };
  const search = async (request: SearchRequest, call: Call): Promise<Ranking[]> => {
    const exact = await inner.search({ ...request, k: request.space ? ALL : request.k }, call);
    if (request.space === undefined || inner.documents.length === 0) return exact;
    const { unit, space, queries, k } = request;
    if (!Number.isInteger(k) || k < 0) return inner.search(request, call);
    const texts = queries.map(({ text }) => text ?? '');
    const embedded = await inner.queryVectors(unit, texts, space, call);
    const leaders = await leadersOf(unit, space);
    return exact.map((ranking, index) => {
      const query = queries[index]!.vector ?? embedded[index];
      return query ? probed(ranking, nearest(leaders, query), k, probing).slice(0, k) : [];
    });
  };
  const capabilities = { ...inner.capabilities, vectorSearch: 'approximate' as const };
  return {
    ...engineWith(inner, { search, capabilities }),
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
}

/** Looks at the items of one leader after the other, nearest first, until it has seen enough. */
function probed(
  ranking: Ranking,
  leaders: Leaders,
  k: number,
  { probes, least }: Probing,
): Ranking {
  let seen: Ranking = [];
  for (let count = probes; count <= leaders.length; count++) {
    const near = leaders.slice(0, count);
    seen = ranking.filter(({ id }) => near.some(({ members }) => members.has(id)));
    if (seen.length >= k * least) break;
  }
  return seen;
}

/** Every n-th item leads; the others follow the leader with the largest inner product. */
async function leadersIn(
  inner: Snapshot,
  unit: Unit,
  space: string,
  count: number,
): Promise<Leaders> {
  const ids = inner.itemsOf(unit).items.map(({ id }) => id);
  const vectors = await inner.vectors(unit, ids, space, freeCall());
  const step = Math.max(1, Math.floor(ids.length / count));
  const leaders = vectors
    .filter((_, at) => at % step === 0)
    .map(vector => ({ vector, members: new Set<string>() }));
  for (const [at, id] of ids.entries()) nearest(leaders, vectors[at]!)[0]!.members.add(id);
  return leaders;
}

function nearest<T extends { readonly vector: Float32Array }>(
  leaders: readonly T[],
  to: Float32Array,
): T[] {
  const product = ({ vector }: T): number =>
    vector.reduce((sum, value, at) => sum + value * to[at]!, 0);
  return leaders
    .map(leader => ({ leader, score: product(leader) }))
    .sort((a, b) => b.score - a.score)
    .map(({ leader }) => leader);
}
