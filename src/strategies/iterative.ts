/**
 * `iterative`: searches, takes cues from the best new document, and searches again. Paper:
 * iterative retrieval in the budgeted-agent paper, which does not define the cues. Profile
 * `literal` keeps the question and adds title, source, category and frequent terms; `drift` queries
 * only the cues of up to two unseen documents of the first three. Model calls: 0. Stops after its
 * rounds, or when a round keeps no new document.
 */

import { Selection } from '../context/selection.ts';
import { type Member, member } from '../core/naming/family.ts';
import type { EvidenceItem } from '../core/trace/trace.ts';
import { driftCues, literalCues } from '../planning/cues.ts';
import { type StrategyQuery, searchAll } from '../search/retriever.ts';
import { HopDraft } from './hop-draft.ts';
import { BY_FIRST_SEARCH, evidenceFirst, SEARCH_DEPTH, type Strategy } from './strategy.ts';
import { completed } from './usual-settings.ts';

interface Limits {
  readonly rounds: number;
  readonly profile: 'literal' | 'drift';
  readonly 'per-round': number;
  readonly cues: number;
  readonly terms: number;
  readonly documents: number;
}

const DRIFT_POOL = 3; // takes up to two unseen documents of the first three

export const iterative: Member<Strategy> = member({
  name: 'iterative',
  summary: 'Searches again with cues from the best document of the last round',
  paper: 'Su, Chen and Zhao, Budgeted Multi-Hop Retrieval Agent, iterative retrieval (approximate)',
  cost: 'one search a round, 0 model calls',
  parameters: completed([
    {
      name: 'rounds',
      type: 'integer',
      default: 2,
      min: 1,
      max: 50,
      shown: true,
      summary: 'searches',
    },
    {
      name: 'profile',
      type: 'text',
      default: 'literal',
      choices: ['literal', 'drift'],
      summary: 'literal keeps the question in the query, drift queries with the cues alone',
    },
    {
      name: 'per-round',
      type: 'integer',
      default: 2,
      min: 1,
      max: 1000,
      summary: 'documents taken from a round',
    },
    {
      name: 'cues',
      type: 'integer',
      default: 1,
      min: 1,
      max: 100,
      summary: 'documents of a round that supply cues',
    },
    {
      name: 'terms',
      type: 'integer',
      default: 8,
      min: 0,
      max: 1000,
      summary: 'frequent terms taken from a cue document (profile literal)',
    },
    { name: 'documents', type: 'integer' },
  ]),
  create(limits, name) {
    return {
      name,
      async *hops(question, kit, call) {
        const selection = new Selection(kit.context, call);
        let query: StrategyQuery = { text: question.text };
        for (let round = 0; round < limits.rounds; round++) {
          const searches = await searchAll(kit.retriever, [query], SEARCH_DEPTH, call);
          const hop = new HopDraft(selection, round, searches);
          await merge(hop, selection, limits, round);
          const { kept } = hop;
          yield hop.closed({ reason: query.from && `cues of ${query.from.id}` });
          if (round + 1 === limits.rounds) break;
          const sources = cueSources(kept, limits);
          if (sources.length === 0) return { why: 'exhausted' };
          const documents = await kit.engine.read('document', sources, call);
          const cues = documents
            .map(document =>
              limits.profile === 'drift'
                ? driftCues(document)
                : literalCues(document, limits.terms),
            )
            .join(' ');
          query = {
            text: limits.profile === 'drift' ? cues : `${question.text} ${cues}`,
            from: { hop: round, search: 0, id: kept[0]!.id },
          };
        }
        return { why: 'completed' };
      },
      ranking: hops => evidenceFirst(hops),
      diagnostic: BY_FIRST_SEARCH,
    };
  },
});

/** Returns ids of the best new documents, whose cues the next query carries. */
function cueSources(kept: readonly EvidenceItem[], limits: Limits): string[] {
  return [...new Set(kept.map(item => item.documentId))].slice(0, limits.cues);
}

/**
 * Keeps new hits ("merges non-duplicate results"): later hits do not replace duplicates, except in
 * the drift profile.
 */
async function merge(
  hop: HopDraft,
  selection: Selection,
  limits: Limits,
  round: number,
): Promise<void> {
  const most = limits['per-round'];
  const pool = limits.profile === 'drift' && round > 0 ? Math.max(DRIFT_POOL, most) : most;
  let taken = 0;
  for (const hit of hop.searches[0]!.hits.slice(0, pool)) {
    if (taken === most) break;
    if (selection.has(hit.id)) hop.refuse(hit.id, { why: 'seen' });
    else if (selection.all.length >= limits.documents) hop.refuse(hit.id, { why: 'cap' });
    else if (await hop.keep(hit)) taken++;
  }
}
