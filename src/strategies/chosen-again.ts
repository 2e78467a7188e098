/**
 * Keeps the best hits of a search at once and chooses again after a walk, so that an interrupted
 * run has evidence.
 */
import type { Selection } from '../context/selection.ts';
import { defined } from '../core/defined.ts';
import type { Hit } from '../core/ranking/ranking.ts';
import type { EvidenceItem, Rejection, Search, SearchRef } from '../core/trace/trace.ts';
import { keptFrom } from '../search/retriever.ts';
import type { OpenHop } from './strategy.ts';

/** A search or walk and its place in the run. */
export interface Placed {
  readonly search: Search;
  readonly ref: SearchRef;
}

/** A passage and the search that it is kept from. */
export interface PlacedHit extends Placed {
  readonly hit: Hit;
}

/** Changes of the evidence. */
type Choice = Pick<OpenHop, 'kept' | 'rejected' | 'withdrawn'>;

/** Reason of a passage that leaves the evidence, which it may enter again elsewhere. */
const RANKED_AGAIN = 'ranked-again';

/** Said of a walk that returns nothing. */
export const NO_PASSAGE =
  'The walk reaches no passage (its names are of too many, or of excluded ones): the search alone ranks';

/** Returns the hits of a search with their place. */
export const placed = ({ search, ref }: Placed): PlacedHit[] =>
  search.hits.map(hit => ({ hit, search, ref }));

const itemOf = ({ search, ref, hit }: PlacedHit): EvidenceItem => keptFrom(search, ref, hit);

/**
 * Keeps the first `k` of `candidates` whose texts differ in place of the evidence before, in their
 * order, within the budget.
 */
export async function chooseAgain(
  selection: Selection,
  candidates: readonly PlacedHit[],
  k: number,
): Promise<Choice> {
  const { items: best, duplicates } = await selection.distinct(candidates, k, itemOf);
  const before = selection.all.map(({ id }) => id);
  if (before.length === best.length && best.every(({ hit }, at) => hit.id === before[at]))
    return { kept: [], rejected: [] };
  if (before.length > 0) selection.withdrawAll();
  const rejected: Rejection[] = [...duplicates];
  for (const candidate of best)
    if (!(await selection.keep(itemOf(candidate))))
      rejected.push({ id: candidate.hit.id, search: candidate.ref, ...selection.refusal });
  const withdrawn = before.map(id => ({ id, why: RANKED_AGAIN }));
  const kept = [...selection.all];
  return defined({ kept, rejected, withdrawn: withdrawn.length > 0 ? withdrawn : undefined });
}

/** Yields a walk, and the choice that follows from it. */
export async function* chooseByWalk(
  selection: Selection,
  walk: Search,
  candidates: readonly PlacedHit[],
  k: number,
  noted: Pick<OpenHop, 'outputs'>,
): AsyncGenerator<OpenHop, void, void> {
  if (selection.all.length > 0) {
    yield { searches: [walk], ...(await chooseAgain(selection, candidates, k)), ...noted };
    return;
  }
  // A hop that is cut keeps what it added, for which its walk must stand in the trace already.
  yield { searches: [walk], kept: [], rejected: [], ...noted };
  yield { searches: [], ...(await chooseAgain(selection, candidates, k)) };
}
