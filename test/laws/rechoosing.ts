/** A strategy that chooses anew in its second hop, sound or with one fault that a law must find. */
import { Selection } from '../../src/context/selection.ts';
import { defined } from '../../src/core/defined.ts';
import type { EvidenceItem, Rejection, Search, SearchRef } from '../../src/core/trace/trace.ts';
import { keptFrom, type StrategyQuery, searchAll } from '../../src/search/retriever.ts';
import {
  evidenceFirst,
  type OpenHop,
  SEARCH_DEPTH,
  type Strategy,
} from '../../src/strategies/strategy.ts';

export type RechoosingFault =
  | 'asks in the same hop by what it found'
  | 'asks by what it found and does not say so'
  | 'asks by what it found where it found nothing, and does not say so'
  | 'says that a search comes of its own hop'
  | 'ranks the rest first'
  | 'ranks the evidence backwards'
  | 'withdraws in the trace alone'
  | 'withdraws in the ledger alone'
  | 'withdraws what was never evidence'
  | 'withdraws without a reason'
  | 'orders what it dropped'
  | 'scores what it dropped'
  | 'names another hop’s search'
  | 'keeps what it has'
  | 'swallows a limit and yields half of a choice';

/** First two hits; then, of a search with the best one's words, one more and the old best. */
export function rechoosing(fault?: RechoosingFault): Strategy {
  return {
    name: 'iterative(rounds=2)',
    async *hops(question, kit, call) {
      const selection = new Selection(kit.context, call);
      const search = async (query: StrategyQuery): Promise<Search> =>
        (await searchAll(kit.retriever, [query], SEARCH_DEPTH, call))[0]!;
      const first = await search({ text: question.text });
      const best = first.hits[0];
      const words = best ? best.id : 'nothing';
      const from = defined<SearchRef & { readonly id?: string }>({
        hop: 0,
        search: 0,
        id: best?.id,
      });
      const searches = [first];
      if (fault === 'asks in the same hop by what it found')
        searches.push(await search({ text: words }));
      const keep = async (items: readonly EvidenceItem[]): Promise<Rejection[]> => {
        const rejected: Rejection[] = [];
        for (const item of items)
          if (!(await selection.keep(item)))
            rejected.push({ id: item.id, search: item.search, ...selection.refusal });
        return rejected;
      };
      const rejected = await keep(
        first.hits.slice(0, 2).map(hit => keptFrom(first, { hop: 0, search: 0 }, hit)),
      );
      const before = [...selection.all];
      yield { searches, kept: before, rejected };
      const unsaid =
        fault === 'asks by what it found and does not say so' ||
        (!best && fault === 'asks by what it found where it found nothing, and does not say so');
      const second = await search(
        defined({ text: `${question.text} ${words}`, from: unsaid ? undefined : from }),
      );
      const own = fault === 'says that a search comes of its own hop';
      const others = own ? [await search({ text: 'ferry', from: { hop: 1, search: 0 } })] : [];
      yield await choose(second, others);
      return { why: 'completed' };

      async function choose(found: Search, others: readonly Search[]): Promise<OpenHop> {
        const fresh = found.hits.filter(({ id }) => !before.some(item => item.id === id));
        const ref = { hop: 1, search: 0 };
        let refused: Rejection[] = [];
        const candidates = [
          ...fresh.slice(0, 1).map(hit => keptFrom(found, ref, hit)),
          ...before.slice(0, 1),
        ];
        try {
          if (fault !== 'withdraws in the trace alone') {
            selection.withdrawAll();
            refused = await keep(candidates);
          }
        } catch (error) {
          if (fault !== 'swallows a limit and yields half of a choice') throw error;
        }
        const after = fault === 'withdraws in the trace alone' ? candidates : selection.all;
        const hop = changed(fault, before, after, found);
        return { ...hop, rejected: refused, searches: [...hop.searches, ...others] };
      }
    },
    ranking(hops) {
      const sound = evidenceFirst(hops);
      if (fault === 'ranks the rest first') return sound.reverse();
      if (fault !== 'ranks the evidence backwards') return sound;
      return [...evidenceFirst(hops, []).reverse(), ...sound.slice(evidenceFirst(hops, []).length)];
    },
  };
}

function changed(
  fault: RechoosingFault | undefined,
  before: readonly EvidenceItem[],
  after: readonly EvidenceItem[],
  search: Search,
): OpenHop {
  const kept = after.filter(({ id }) => !before.some(item => item.id === id));
  const dropped = before
    .filter(({ id }) => !after.some(item => item.id === id))
    .map(({ id }) => ({ id, why: 'weak' }));
  const order = after.map(({ id }) => id);
  const hop = { searches: [search], kept, rejected: [], withdrawn: dropped, order };
  if (fault === 'withdraws in the ledger alone') return { ...hop, withdrawn: [] };
  if (fault === 'withdraws what was never evidence')
    return { ...hop, withdrawn: [...dropped, { id: 'nobody', why: 'weak' }] };
  if (fault === 'withdraws without a reason')
    return { ...hop, withdrawn: dropped.map(item => ({ ...item, why: '' })) };
  if (fault === 'orders what it dropped') return { ...hop, order: before.map(({ id }) => id) };
  if (fault === 'scores what it dropped')
    return { ...hop, scores: Object.fromEntries(before.map(({ id }) => [id, 1])) };
  if (fault === 'names another hop’s search')
    return { ...hop, kept: kept.map(item => ({ ...item, search: { hop: 2, search: 0 } })) };
  if (fault === 'keeps what it has') return { ...hop, kept: after };
  return hop;
}
