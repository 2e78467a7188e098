/**
 * `fact-lanes(tokens=510)`: the best sentences for each thing that the question asks, as many as
 * the tokens hold.
 *
 * Ours. Each clause of the question is a lane with the sources and days that it names (clauses as
 * in query decomposition; sources and days from the engine's catalogue as in Multi-Meta-RAG; one
 * place for each lane first as in slot-agent). Every lane is searched by words and by vectors over
 * sentences, over everything and within its scopes, in one pass. A linear ranker, learnt listwise
 * over features that are independent of the corpus (lane against question, words against vectors,
 * document, names, position), ranks sentences instead of passages. A second stage, without a model,
 * adds names that the best sentences share and the question leaves open (bridge entities, as in
 * HippoRAG, arXiv 2405.14831). The choice maximises score for price, discounted for each sentence
 * that its lane and its source have already (marginal gain, as in MMR: Carbonell and Goldstein,
 * SIGIR 1998). What the candidates are like decides how they are
 * ranked: if their titles are names that the question or other candidates mention, evidence is
 * chained; if their documents have sources or are long, sentences are ranked by separate weights;
 * short passages without links are ranked by members of equal weight and pseudo-relevance feedback
 * (`passage-rank.ts`). Short articles are chained if the question has one clause and cites no
 * report: then its descriptions may be nested, and names link articles (`name-links.ts`). Of
 * documents with headings, such as manuals, sections are kept instead of sentences (`sections.ts`).
 * In a
 * chain each later hop searches, in one pass, the names that the best sentences mention and the
 * question leaves open (the chain of IRCoT and EfficientRAG, without a model), and weights rank the
 * candidates by links between titles, question and best sentences.
 * Each hop chooses anew among all candidates so far and withdraws evidence that is no longer among
 * the best, so that an interrupted run holds the best choice of its last complete hop. Asks no model.
 * Stops when no candidate fits.
 */

import { type Member, member } from '../core/naming/family.ts';
import { METADATA_FILTERS } from '../planning/metadata/metadata-filter.ts';
import { VECTORS } from '../search/vectors-port.ts';
import { rankingOfLanes } from './fact-lanes/ranking.ts';
import { type LanesLearning, LanesRun } from './fact-lanes/run.ts';
import { SEARCHED, signalsOf } from './fact-lanes/search.ts';
import { FACT_LANES_PARAMETERS, type FactLanesSettings } from './fact-lanes/settings.ts';
import type { Strategy } from './strategy.ts';

export const factLanes: Member<Strategy> = member({
  name: 'fact-lanes',
  summary:
    'The best sentences for each clause, source and day that the question names, by a learnt ranker, as many as the tokens hold',
  paper: 'ours; with parts of Multi-Meta-RAG, query decomposition, slot-agent, HippoRAG and MMR',
  cost: 'about twenty searches by words, and ten by vectors if there are any, in three passes; up to 16 by words in each of two later rounds if titles link documents or a question nests descriptions (32 with unit=document); two more for short passages without links; one more a lane, and one, for documents with headings; 0 model calls; 510 context tokens',
  parameters: FACT_LANES_PARAMETERS,
  create: (settings, name) => factLanesWith(settings, name),
});

/** Creates the strategy; `learning` serves the fit of weights. */
export function factLanesWith(
  settings: FactLanesSettings,
  name: string,
  learning: LanesLearning = {},
): Strategy {
  return {
    name,
    units: [SEARCHED, 'document'],
    requires: retriever => ({
      units: [SEARCHED, 'document'],
      filters: METADATA_FILTERS,
      ...(signalsOf(retriever, settings.vectors).vectors ? { ports: [VECTORS] } : {}),
    }),
    hops: (question, kit, call) =>
      new LanesRun(question, kit, call, { settings, ...learning }).hops(),
    ranking: rankingOfLanes,
  };
}
