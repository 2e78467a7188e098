/**
 * `efficient-rag`: a token classifier tags each chunk of a search and marks its useful words; a
 * second one composes the next query from the query and the marked words. Chunks that are not
 * tagged TERMINATE are the evidence. Paper: EfficientRAG (arXiv 2408.04259). Model calls: 0. Stops
 * after its rounds, when every chunk is tagged TERMINATE, or (added here) when the next query is
 * blank or unchanged.
 */

import { Selection } from '../context/selection.ts';
import { type Member, member } from '../core/naming/family.ts';
import { required } from '../core/port.ts';
import { distinctDocuments, type Hit } from '../core/ranking/ranking.ts';
import type { Call } from '../core/trace/call.ts';
import type { End, Hop, ModelOutput } from '../core/trace/trace.ts';
import type { Chunk, LabeledChunk } from '../models/efficient-rag/token-classifiers.ts';
import { tokenClassifiers } from '../models/ports.ts';
import { type StrategyQuery, searchAll } from '../search/retriever.ts';
import { HopDraft } from './hop-draft.ts';
import { type Kit, SEARCH_DEPTH, type Strategy } from './strategy.ts';
import { completed } from './usual-settings.ts';

export const efficientRag: Member<Strategy> = member({
  name: 'efficient-rag',
  summary: 'Token classifiers choose the chunks of each search and the words of the next query',
  paper: 'EfficientRAG, arXiv 2408.04259 (model=lite is our small approximation)',
  cost: 'one search a round, 4 at most, 0 model calls',
  parameters: completed([
    {
      name: 'k',
      type: 'integer',
      default: 10,
      max: 10_000,
      summary: 'chunks of each search that are read',
    },
    {
      name: 'rounds',
      type: 'integer',
      default: 4,
      min: 1,
      max: 50,
      shown: true,
      summary: 'searches, at most',
    },
    {
      name: 'model',
      type: 'text',
      default: 'lite',
      port: 'token-classifiers',
      summary:
        'id of the token classifiers: lite is that of @multihop/efficient-rag-lite, others are resources of the run',
    },
  ]),
  create({ k, rounds, model }, name) {
    const need = required(tokenClassifiers, model);
    return {
      name,
      needs: [need],
      async *hops(question, kit, call) {
        const classifiers = kit.resource(need);
        const selection = new Selection(kit.context, call);
        const useful = new Set<string>();
        let query: StrategyQuery = { text: question.text };
        for (let round = 0; round < rounds; round++) {
          const depth = round === 0 ? Math.max(k, SEARCH_DEPTH) : k;
          const searches = await searchAll(kit.retriever, [query], depth, call);
          const hits = searches[0]!.hits.slice(0, k);
          const chunks = await chunksOf(kit, hits, call);
          const labels = await classifiers.labeler.label(query.text, chunks, call);
          const draft = new HopDraft(selection, round, searches);
          await keepUseful(draft, hits, labels, useful);
          const infos = labels
            .filter(({ tag, info }) => tag === 'CONTINUE' && info.trim() !== '')
            .map(({ info }) => info);
          const goesOn = round + 1 < rounds && labels.some(({ tag }) => tag === 'CONTINUE');
          const next = goesOn ? await classifiers.filter.compose(query.text, infos, call) : '';
          yield draft.closed({
            reason: round > 0 ? query.text : undefined,
            outputs: outputsOf(infos, next),
          });
          const end = endOf(labels, goesOn, next, query.text);
          if (end) return end;
          query = { text: next, from: { hop: round, search: 0 } };
        }
        return { why: 'completed' };
      },
      ranking: (hops: readonly Hop[]) => distinctDocuments(hops.flatMap(({ kept }) => kept)),
    };
  },
});

/** Reads each hit as a chunk under its document's title. */
async function chunksOf({ engine }: Kit, hits: readonly Hit[], call: Call): Promise<Chunk[]> {
  const documents = await engine.read(
    'document',
    hits.map(({ documentId }) => documentId),
    call,
  );
  return hits.map(({ start, end }, index) => ({
    title: documents[index]!.title,
    text: documents[index]!.text.slice(start, end),
  }));
}

/**
 * Keeps chunks that are tagged useful for the first time. A chunk that the budget refuses counts as
 * seen, so that queries do not depend on the budget.
 */
async function keepUseful(
  draft: HopDraft,
  hits: readonly Hit[],
  labels: readonly LabeledChunk[],
  useful: Set<string>,
): Promise<void> {
  for (const [index, hit] of hits.entries()) {
    if (labels[index]!.tag === 'TERMINATE') draft.refuse(hit.id, { why: 'terminate' });
    else if (useful.has(hit.id)) draft.refuse(hit.id, { why: 'repeated' });
    else {
      useful.add(hit.id);
      await draft.keep(hit);
    }
  }
}

const outputsOf = (infos: readonly string[], next: string): ModelOutput[] => [
  ...infos.map(text => ({ role: 'info', text, parsed: true })),
  ...(next.trim() === '' ? [] : [{ role: 'next-query', text: next, parsed: true }]),
];

/** Returns how the run ends, or undefined if another round follows. */
function endOf(
  labels: readonly LabeledChunk[],
  goesOn: boolean,
  next: string,
  query: string,
): End | undefined {
  if (goesOn) return next.trim() === '' || next === query ? { why: 'exhausted' } : undefined;
  if (labels.some(({ tag }) => tag === 'CONTINUE')) return { why: 'completed' };
  return { why: labels.some(({ tag }) => tag === 'FINISH') ? 'sufficient' : 'exhausted' };
}
