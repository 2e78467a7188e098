/**
 * `slot-agent`: keeps a document for each source that the question names, then the best of the
 * rest, as many as the form of the question suggests. Not from a paper; the counts were tuned on
 * all of MultiHop-RAG, so figures on it are in-sample. Model calls: 0. Stops after one hop, which
 * searches the question everywhere and within each source.
 */
import { Selection } from '../context/selection.ts';
import { type Member, member } from '../core/naming/family.ts';
import type { Search } from '../core/trace/trace.ts';
import { findSlots } from '../planning/slots.ts';
import { sourceNames } from '../planning/sources.ts';
import { searchAll } from '../search/retriever.ts';
import { HopDraft } from './hop-draft.ts';
import { evidenceFirst, SEARCH_DEPTH, type Strategy } from './strategy.ts';

interface Counts {
  readonly wh: number;
  readonly multi: number;
  readonly single: number;
  readonly none: number;
}

export const slotAgent: Member<Strategy> = member({
  name: 'slot-agent',
  summary:
    'A slot for each source the question names, filled first; then the plain ranking up to a count from the question’s form',
  paper: 'ours',
  cost: '1 search and 1 for each named source, in one pass; 0 model calls; about 505 context tokens',
  parameters: [
    {
      name: 'wh',
      type: 'integer',
      default: 6,
      min: 1,
      max: 1000,
      summary: 'documents for who, which, what, considering',
    },
    {
      name: 'multi',
      type: 'integer',
      default: 4,
      min: 1,
      max: 1000,
      summary: 'documents for two named sources or more',
    },
    {
      name: 'single',
      type: 'integer',
      default: 5,
      min: 1,
      max: 1000,
      summary: 'documents for one named source',
    },
    {
      name: 'none',
      type: 'integer',
      default: 1,
      min: 1,
      max: 1000,
      summary: 'documents when no known source is named',
    },
    {
      name: 'dates',
      type: 'flag',
      default: false,
      summary: 'a source followed by a date is a separate slot',
    },
  ],
  create(counts, name) {
    return {
      name,
      requires: () => ({ filters: counts.dates ? ['eq', 'and'] : ['eq'] }),
      async *hops(question, kit, call) {
        // A filter may name only fields that some document has.
        const dates = counts.dates && (await kit.engine.fields(call)).includes('published_at');
        const slots = findSlots(question.text, await sourceNames(kit.engine, call), dates);
        const queries = [
          { text: question.text },
          ...slots.map(({ filter }) => ({ text: question.text, filter })),
        ];
        const searches = await searchAll(kit.retriever, queries, SEARCH_DEPTH, call);
        const hop = new HopDraft(new Selection(kit.context, call), 0, searches);
        const count = documentCount(question.text, slots.length, counts);
        for (const { search, hit } of inOrder(searches).slice(0, count))
          await hop.keep(hit, search);
        const labels = slots.map(({ label }) => label);
        yield hop.closed({ reason: labels.length > 0 ? labels.join('; ') : undefined });
        return { why: 'completed' };
      },
      ranking: hops =>
        evidenceFirst(
          hops,
          inOrder(hops[0]?.searches ?? []).map(({ hit }) => hit.documentId),
        ),
    };
  },
});

/** Returns the best hit of each slot, in order, then the hits of the whole question; each once. */
function inOrder(searches: readonly Search[]): { search: number; hit: Search['hits'][number] }[] {
  const [all, ...slots] = searches;
  const order: { search: number; hit: Search['hits'][number] }[] = [];
  const seen = new Set<string>();
  const add = (search: number, hit: Search['hits'][number] | undefined): void => {
    if (!hit || seen.has(hit.id)) return;
    seen.add(hit.id);
    order.push({ search, hit });
  };
  for (const [index, slot] of slots.entries()) add(index + 1, slot.hits[0]);
  for (const hit of all?.hits ?? []) add(0, hit);
  return order;
}

/**
 * Returns the number of documents for the question's form: by no known source, then by the opening
 * word, then by the number of sources.
 */
function documentCount(question: string, slots: number, counts: Counts): number {
  if (slots === 0) return counts.none;
  if (/^\W*(?:who|which|what|considering)\b/i.test(question)) return counts.wh;
  return slots >= 2 ? counts.multi : counts.single;
}
