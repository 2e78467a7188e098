/**
 * Defines a strategy: one multi-hop retrieval system as an anytime algorithm, which yields hops and
 * whose evidence can be read after each of them.
 */
import type { Context } from '../context/context.ts';
import { duplicateOf } from '../context/selection.ts';
import type { CorpusKind } from '../core/corpus/corpus-kind.ts';
import type { Need, ResourceLookup } from '../core/port.ts';
import type { Unit } from '../core/ranking/ranking.ts';
import type { Call } from '../core/trace/call.ts';
import { keptInOrder } from '../core/trace/evidence-order.ts';
import type { End, EvidenceItem, Hop, Question, Rejection } from '../core/trace/trace.ts';
import type { PlannedCalls } from '../models/planned-calls.ts';
import type { Requirements } from '../search/capabilities.ts';
import type { SearchEngine } from '../search/engine.ts';
import type { Retriever } from '../search/retriever.ts';

/**
 * The ports of a strategy, bound to one snapshot of one store and metered by `ask`.
 */
export interface Kit {
  readonly engine: SearchEngine;
  readonly retriever: Retriever;
  readonly context: Context;
  /** Returns a metered resource that the member declares in its needs. */
  readonly resource: ResourceLookup;
  /** For readers, as `Trace.corpusKind`. */
  readonly corpusKind?: CorpusKind;
  /** For readers: the probability below which an answer is withheld, from 0 to 1. */
  readonly answerAt?: number;
}

/** A hop as a strategy yields it; `ask` adds what it cost. */
export interface OpenHop extends Omit<Hop, 'spent' | 'incomplete'> {
  /** The kind of corpus by which the strategy goes, if it decided. */
  readonly corpusKind?: CorpusKind;
}

/** A second order of a run's documents; `name` identifies the rule. */
export interface DiagnosticOrder {
  readonly name: string;
  /** Returns document ids, each once. */
  ranking(hops: readonly Hop[]): string[];
}

/**
 * One multi-hop retrieval system: yields hops, and ranks documents after any of them.
 *
 * @example
 * ```ts
 * import { ask, ingest, type Strategy } from 'multihop';
 * import { evidenceFirst, keptFrom, Selection, searchAll } from 'multihop/strategies';
 *
 * const best: Strategy = {
 *   name: 'best',
 *   async *hops(question, kit, call) {
 *     const searches = await searchAll(kit.retriever, [{ text: question.text }], 30, call);
 *     const selection = new Selection(kit.context, call);
 *     const hit = searches[0]!.hits[0];
 *     if (hit) await selection.keep(keptFrom(searches[0]!, { hop: 0, search: 0 }, hit));
 *     yield { searches, kept: [...selection.all], rejected: [] };
 *     return { why: 'completed' };
 *   },
 *   ranking: hops => evidenceFirst(hops),
 * };
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * console.log((await ask('Who built the engine?', { engine, strategy: best })).ranking);
 * ```
 */
export interface Strategy {
  /** Canonical and parseable: `budgeted-agent(tokens=620, calls=4)`. */
  readonly name: string;
  /** Resources that it gets from the kit, computed from its settings. */
  readonly needs?: readonly Need[];
  /** Units that it searches besides the retriever's: their indexes open before the clock starts. */
  readonly units?: readonly Unit[];
  /**
   * Returns the capabilities that the engine must have for this retriever; otherwise `ask` throws.
   * Omitted by a strategy that only reads records and uses its retriever.
   */
  requires?(retriever: Retriever): Requirements;
  /**
   * Planned calls of a language model for one question, by role, at most and expected; `--dry-run`
   * prints them. Computed from the settings for the largest prompts; `[]` or missing for a strategy
   * without a model.
   */
  readonly modelCalls?: readonly PlannedCalls[];
  /**
   * Yields one hop at a time. Sets no limits beyond those of its paper, never catches
   * `BudgetReached`, and reads nothing but the question and the kit.
   */
  hops(question: Question, kit: Kit, call: Call): AsyncGenerator<OpenHop, End, void>;
  /**
   * Returns document ids, each once, in the order in which this system would hand them over:
   * evidence first, best first, then other hits. Pure, so that it works wherever the run was
   * stopped.
   */
  ranking(hops: readonly Hop[]): string[];
  /**
   * The order that the paper defines for recall@k and reciprocal rank, if it differs: published
   * figures are computed over it.
   */
  readonly diagnostic?: DiagnosticOrder;
}

/** Least depth of a run's first search, whatever is kept, so that rankings can be measured. */
export const SEARCH_DEPTH = 30;

/** Names the first search of a run. */
export const FIRST_SEARCH = { hop: 0, search: 0 } as const;

/**
 * Returns the documents of the evidence, in its order, then the others. A document whose text the
 * evidence holds already stands behind the item that has it, and behind the evidence that comes
 * before it in `others`: a ranking is what it would be if each text counted each time.
 */
export function evidenceFirst(
  hops: readonly Hop[],
  others: readonly string[] = rankingOfFirstSearch(hops),
): string[] {
  const kept = keptInOrder(hops);
  const ranking = [...new Set(kept.map(({ documentId }) => documentId))];
  const twins = duplicatesIn(hops, kept);
  for (const id of ranking) twins.delete(id);
  const places = new Map([...new Set(others)].map((id, at) => [id, at]));
  const placeOf = (id: string): number => places.get(id) ?? Number.POSITIVE_INFINITY;
  for (const [id, twin] of [...twins].sort(([a], [b]) => placeOf(a) - placeOf(b))) {
    const before = ranking.findLastIndex(other => placeOf(other) < placeOf(id));
    ranking.splice(Math.max(before, ranking.indexOf(twin)) + 1, 0, id);
  }
  return [...new Set([...ranking, ...others])];
}

/** Returns the documents that were refused for their text, each with that of the kept item. */
function duplicatesIn(hops: readonly Hop[], kept: readonly EvidenceItem[]): Map<string, string> {
  const twins = new Map(kept.map(({ id, documentId }) => [duplicateOf(id).detail, documentId]));
  const documents = hops.flatMap(({ rejected }) =>
    rejected.flatMap(({ id, why, detail, search: { hop, search } }) => {
      const twin = why === 'duplicate' && detail !== undefined ? twins.get(detail) : undefined;
      const hit = twin && hops[hop]?.searches[search]?.hits.find(other => other.id === id);
      return hit ? [[hit.documentId, twin!] as const] : [];
    }),
  );
  return new Map(documents);
}

/** Returns the document ids of the first search's hits, in order. */
export function rankingOfFirstSearch(hops: readonly Hop[]): string[] {
  return [...new Set((hops[0]?.searches[0]?.hits ?? []).map(hit => hit.documentId))];
}

/** `rankingOfFirstSearch` as the diagnostic ranking of a strategy. */
export const BY_FIRST_SEARCH: DiagnosticOrder = {
  name: 'first-search',
  ranking: rankingOfFirstSearch,
};

/**
 * Returns the list that the budgeted-agent paper measures for systems with several queries: the
 * hits that each hop considered (kept, or refused by budget, by cap or as duplicates) in call
 * order, then all other hits by their best score over all searches.
 */
export function rankingOfConsidered(hops: readonly Hop[]): string[] {
  const order = new Set<string>();
  const best = new Map<string, number>();
  for (const hop of hops) {
    const considered = new Set([
      ...hop.kept.map(item => item.id),
      ...hop.rejected.filter(wasConsidered).map(({ id }) => id),
    ]);
    for (const search of hop.searches) {
      for (const hit of search.hits) {
        if (considered.has(hit.id)) order.add(hit.documentId);
        best.set(hit.documentId, Math.max(best.get(hit.documentId) ?? -Infinity, hit.score));
      }
    }
  }
  const rest = [...best]
    .filter(([id]) => !order.has(id))
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return [...order, ...rest.map(([id]) => id)];
}

/** `tree-hop` refuses what it found before as a duplicate too, without detail. */
const wasConsidered = ({ why, detail }: Rejection): boolean =>
  why === 'budget' || why === 'cap' || (why === 'duplicate' && detail !== undefined);

/** `rankingOfConsidered` as the diagnostic ranking of a strategy. */
export const BY_CONSIDERED: DiagnosticOrder = { name: 'considered', ranking: rankingOfConsidered };
