/**
 * `fact-lanes`: keeps the best sentences for each clause of the question, as many as the tokens
 * allow. Each clause is a lane with the sources and days that it names. The first hop searches all
 * lanes; its candidates decide which of four ways (articles, linked, passages, sections) continues.
 * Each hop chooses again among all candidates, so an interrupted run keeps the choice of its last
 * complete hop. Model calls: 0, with a plan up to 3. Sources of its parts:
 * docs/papers/fact-lanes.md.
 */

import { type Member, member } from '../../core/naming/family.ts';
import { inTurns } from '../../core/ranking/in-turns.ts';
import type { Call } from '../../core/trace/call.ts';
import { keptInOrder } from '../../core/trace/evidence-order.ts';
import type { End, Hop, Question } from '../../core/trace/trace.ts';
import { METADATA_FILTERS } from '../../planning/metadata/metadata-filter.ts';
import type { RecordedSubQuestions } from '../../planning/sub-questions/recorded-sub-questions.ts';
import { VECTORS } from '../../search/ports/vectors-port.ts';
import { type Kit, type OpenHop, rankingOfFirstSearch, type Strategy } from '../strategy.ts';
import { completed, rerankerNeed } from '../usual-settings.ts';
import { keepArticles } from './articles.ts';
import { SEARCHED } from './lane-searches.ts';
import { keepLinked } from './linked.ts';
import { keepPassages } from './passages.ts';
import { planCalls, planNeed } from './plan.ts';
import { type LanesLearning, LanesRun } from './run.ts';
import { signalsOf } from './search.ts';
import { keepSections } from './sections.ts';
import { FACT_LANES_PARAMETERS, type FactLanesSettings } from './settings.ts';
import type { LanesView } from './view.ts';

/** Creates the strategy over recorded plans; see `strategiesWith(extractors, recorded)`. */
export const factLanesMember = (recorded?: RecordedSubQuestions): Member<Strategy> =>
  member({
    name: 'fact-lanes',
    summary:
      'The best sentences for each clause, source and day that the question names, by a learnt ranker, as many as the tokens hold',
    paper: 'ours; with parts of Multi-Meta-RAG, query decomposition, slot-agent, HippoRAG and MMR',
    cost: 'about twenty searches by words, and ten by vectors if there are any, in three passes; up to 16 by words in each of two later rounds if titles link documents or a question nests descriptions (32 with unit=document); two more for short passages without links; one more a lane, and one, for documents with headings, and up to 200 pairs with a reranker; with a plan three more a line, and 1 call for it and up to 2 for answers that its lines need (if titles link documents 1 call, and all searches once more), else 0 model calls; 510 context tokens',
    parameters: completed(FACT_LANES_PARAMETERS),
    create: (settings, name) => factLanesWith(settings, name, { recorded }),
  });

/** Creates the strategy; `learning` serves the fit of weights. */
export function factLanesWith(
  settings: FactLanesSettings,
  name: string,
  learning: LanesLearning = {},
): Strategy {
  const needs = [rerankerNeed(settings.reranker), planNeed(settings)];
  return {
    name,
    needs: needs.filter(need => need !== undefined),
    get modelCalls() {
      return planCalls(settings);
    },
    units: [SEARCHED, 'document'],
    requires: retriever => ({
      units: [SEARCHED, 'document'],
      filters: METADATA_FILTERS,
      ports: signalsOf(retriever, settings.vectors).vectors ? [VECTORS] : [],
    }),
    hops: (question, kit, call) => route(question, kit, call, settings, learning),
    ranking: rankingOfLanes,
  };
}

async function* route(
  question: Question,
  kit: Kit,
  call: Call,
  settings: FactLanesSettings,
  learning: LanesLearning,
): AsyncGenerator<OpenHop, End, void> {
  const run = await LanesRun.begin(question.text, { kit, call, settings, learning });
  const view = await run.view();
  for await (const hop of wayOf(run, view)(run, view)) {
    yield { ...hop, corpusKind: view.kind };
    if (run.searches.short) call.refuse(run.searches.short);
  }
  return { why: 'completed' };
}

type Way = (run: LanesRun, first: LanesView) => AsyncGenerator<OpenHop, void, void>;

/** Returns the way for a kind of corpus; with other weights or units, most go that of articles. */
function wayOf(run: LanesRun, { kind }: LanesView): Way {
  if (kind === 'linked') return keepLinked;
  if (kind === 'sections' && run.keepsSections) return keepSections;
  if (kind === 'passages' && run.ranksUnlearnt) return keepPassages;
  return keepArticles;
}

/**
 * Returns the documents of the evidence, then by turns the next of the candidates that the last hop
 * refused, in the order in which it tried them, and of the other hits of the first search. A
 * document that shares a sentence with the evidence gains no place by it: greetings stand in every
 * chat.
 */
function rankingOfLanes(hops: readonly Hop[]): string[] {
  const last = hops.at(-1);
  const evidence = new Set(keptInOrder(hops).map(({ documentId }) => documentId));
  const refused = (last?.rejected ?? []).flatMap(({ id, search: at }) => {
    const hit = hops[at.hop]?.searches[at.search]?.hits.find(other => other.id === id);
    return hit && !evidence.has(hit.documentId) ? [hit.documentId] : [];
  });
  const others = rankingOfFirstSearch(hops).filter(id => !evidence.has(id));
  return [...evidence, ...inTurns([[...new Set(refused)], others], String)];
}
