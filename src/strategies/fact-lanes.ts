/**
 * `fact-lanes(tokens=510)`: the best sentences for each thing that the question asks, as many as
 * the tokens hold.
 *
 * Ours. Each clause of the question is a lane with the sources and days that it names (clauses:
 * query decomposition; sources and days from the engine's own catalogue: Multi-Meta-RAG; a place
 * for each before any gets a second: slot-agent). Every lane is searched by words and by vectors
 * over sentences, everywhere and within what it names, in one pass. What is new: sentences, not
 * passages, are ranked, by a small linear ranker learnt listwise over features that know no corpus
 * (lane against question, words against vectors, document, names, place); names that the best
 * sentences share and the question leaves open speak in a second stage (bridge entities:
 * bridge-claims, HippoRAG), without a model; and what is kept is what is best for its price, less
 * for each sentence that its lane and its source have already (marginal gain: Carbonell and
 * Goldstein, MMR, SIGIR 1998). A question that names no source, known or not, says nothing of where
 * its facts are: it is open, and chained. Each later hop searches, in one pass, for the names that
 * the best sentences say and the question leaves open (the chain of IRCoT and EfficientRAG, without
 * a model), and weights of their own rank what is found: which titles the question asks for, which
 * the best sentences say, which say them.
 * Each hop chooses anew among all that was found so far: it withdraws what is no longer among the
 * best, so that a run that is cut has the best choice of its last complete hop.
 * Model calls: 0; with lanes=model one (and one repair), by which a language model cuts the
 * question (query decomposition); with reranker=MODEL a cross-encoder reads the best of each lane,
 * asked with the lane, in the last hop alone. Stops when nothing that fits is left.
 */
import type { RankerWeights } from '../models/fact-ranker/fact-ranker.ts';
import { type Member, member } from '../naming/family.ts';
import { METADATA_FILTERS } from '../planning/metadata/metadata-filter.ts';
import { VECTORS } from '../retrieval/vectors-port.ts';
import { modelLaneCalls } from './fact-lanes/model-lanes.ts';
import { LanesRun } from './fact-lanes/run.ts';
import { SEARCHED, signalsOf } from './fact-lanes/search.ts';
import {
  FACT_LANES_PARAMETERS,
  type FactLanesSettings,
  modelNeed,
  rerankerNeed,
} from './fact-lanes/settings.ts';
import type { LanesView } from './fact-lanes/view.ts';
import { evidenceFirst, type Strategy } from './strategy.ts';

export const factLanes: Member<Strategy> = member({
  name: 'fact-lanes',
  summary:
    'The best sentences for each clause, source and day that the question names, by a learnt ranker, as many as the tokens hold',
  paper: 'ours; parts after Multi-Meta-RAG, query decomposition, slot-agent, bridge claims and MMR',
  cost: 'some twenty searches by words and ten by vectors where there are some, in three passes; up to 16 by words in each of two later rounds where no source is named (32 with unit=document); 0 model calls, 1 with lanes=model; 12 pairs a lane with a reranker; 510 context tokens',
  parameters: FACT_LANES_PARAMETERS,
  create: (settings, name) => factLanesWith(settings, name),
});

/**
 * Makes the strategy. `weights` replace those that ship; `told` is given what the last round ranks.
 * Both are for learning.
 */
export function factLanesWith(
  settings: FactLanesSettings,
  name: string,
  weights?: RankerWeights,
  told?: (view: LanesView) => void,
): Strategy {
  return {
    name,
    needs: [modelNeed(settings), rerankerNeed(settings)].filter(need => need !== undefined),
    units: [SEARCHED, 'document'],
    requires: retriever => ({
      units: [SEARCHED, 'document'],
      filters: METADATA_FILTERS,
      ...(signalsOf(retriever, settings.vectors).vectors ? { ports: [VECTORS] } : {}),
    }),
    ...(settings.lanes === 'model' ? { modelCalls: modelLaneCalls() } : {}),
    hops: (question, kit, call) =>
      new LanesRun(question, kit, call, { settings, weights, told }).hops(),
    ranking: hops => evidenceFirst(hops),
  };
}
