/**
 * A strategy is one multi-hop retrieval system, as an anytime algorithm: it yields hops, and
 * wherever it is stopped its evidence can be read.
 */
import type { Context } from '../context/context.ts';
import type { PlannedCalls } from '../models/planned-calls.ts';
import type { Need, ResourceLookup } from '../models/port.ts';
import type { Unit } from '../ranking/ranking.ts';
import type { Requirements } from '../retrieval/capabilities.ts';
import type { SearchEngine } from '../retrieval/engine.ts';
import type { Retriever } from '../retrieval/retriever.ts';
import type { Call } from '../trace/call.ts';
import { keptInOrder } from '../trace/evidence-order.ts';
import type { End, Hop, Question } from '../trace/trace.ts';

/**
 * What a strategy may work with, bound to one snapshot of one store. Everything here is metered by
 * `ask`.
 */
export interface Kit {
  readonly engine: SearchEngine;
  readonly retriever: Retriever;
  readonly context: Context;
  /** Returns a metered resource that the member declares in its needs. */
  readonly resource: ResourceLookup;
}

/** A hop as a strategy yields it; `ask` adds what it cost. */
export type OpenHop = Omit<Hop, 'spent' | 'incomplete'>;

/** A second order of the documents of a run, under a name that says how it is made. */
export interface DiagnosticOrder {
  readonly name: string;
  /** Returns document ids, each once. */
  ranking(hops: readonly Hop[]): string[];
}

export interface Strategy {
  /** Canonical and parseable: `budgeted-agent(tokens=620, calls=4)`. */
  readonly name: string;
  /** Resources that it asks the kit for, computed from its settings. */
  readonly needs?: readonly Need[];
  /** Units that it searches beside the retriever's own: indexes to open before the clock starts. */
  readonly units?: readonly Unit[];
  /**
   * Returns the capabilities that the engine must have for this retriever: `ask` refuses the run
   * otherwise. Missing for a strategy that reads records and asks its retriever alone.
   */
  requires?(retriever: Retriever): Requirements;
  /**
   * What it asks of a language model for one question, by role, at most and usually: what
   * `--dry-run` prints before any money is spent. Computed from its parameters, prompts as large as
   * they can become; `[]` or missing for a strategy without a model.
   */
  readonly modelCalls?: readonly PlannedCalls[];
  /**
   * Yields one hop at a time. It has no limit of its own beyond what its paper defines, never
   * catches `BudgetReached`, and reads nothing but the question and the kit.
   */
  hops(question: Question, kit: Kit, call: Call): AsyncGenerator<OpenHop, End, void>;
  /**
   * Returns document ids, each once, in the order in which this system would hand them over: the
   * evidence first, best first, and other hits only behind it. Pure, so that it works wherever the
   * run was stopped.
   */
  ranking(hops: readonly Hop[]): string[];
  /**
   * The order that the paper defines for recall@k and reciprocal rank, where it is another one:
   * published figures are computed over it. `name` says by which rule.
   */
  readonly diagnostic?: DiagnosticOrder;
}

/** First searches reach at least this deep, whatever is kept, so that rankings can be measured. */
export const SEARCH_DEPTH = 30;

/** Names the first search of a run. */
export const FIRST_SEARCH = { hop: 0, search: 0 } as const;

/** Returns the documents of the evidence, in its order, and behind them the others. */
export function evidenceFirst(
  hops: readonly Hop[],
  others: readonly string[] = rankingOfFirstSearch(hops),
): string[] {
  return [...new Set([...keptInOrder(hops).map(({ documentId }) => documentId), ...others])];
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
 * Returns the list that the budgeted-agent paper measures for systems that ask several queries: the
 * hits that each hop considered (kept, or refused for room) in call order, then all other hits by
 * their best score over all searches.
 */
export function rankingOfConsidered(hops: readonly Hop[]): string[] {
  const order = new Set<string>();
  const best = new Map<string, number>();
  for (const hop of hops) {
    const considered = new Set([
      ...hop.kept.map(item => item.id),
      ...hop.rejected.filter(({ why }) => why === 'budget' || why === 'cap').map(({ id }) => id),
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

/** `rankingOfConsidered` as the diagnostic ranking of a strategy. */
export const BY_CONSIDERED: DiagnosticOrder = {
  name: 'considered',
  ranking: rankingOfConsidered,
};
