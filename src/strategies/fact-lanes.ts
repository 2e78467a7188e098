/**
 * `fact-lanes(tokens=510)`: the best sentences for each thing that the question asks, as many as the tokens hold.
 *
 * Ours. Each clause of the question is a lane with the sources and days that it names (clauses: query decomposition; sources and days from the
 * engine's own catalogue: Multi-Meta-RAG; a place for each before any gets a second: slot-agent). Every lane is searched by words and by vectors over
 * sentences, everywhere and within what it names, in one pass. What is new: sentences, not passages, are ranked, by a small linear ranker learnt listwise
 * over features that know no corpus (lane against question, words against vectors, document, names, place); names that the best sentences share and the
 * question leaves open speak in a second stage (bridge entities: bridge-claims, HippoRAG), without a model; and what is kept is what is best for its price,
 * less for each sentence that its lane and its source have already (marginal gain: Carbonell and Goldstein, MMR, SIGIR 1998).
 * Model calls: 0; with lanes=model one (and one repair), by which a language model cuts the question (query decomposition). One hop; stops when nothing that fits is left.
 */
import { Selection } from '../context/selection.ts';
import { bridgesOf } from '../models/fact-ranker/bridge-features.ts';
import { type RankerWeights, scoresOf } from '../models/fact-ranker/fact-ranker.ts';
import { firstFeatures } from '../models/fact-ranker/features.ts';
import { laneFit } from '../models/fact-ranker/question-view.ts';
import { shippedRanker } from '../models/fact-ranker/shipped.ts';
import type { Member } from '../naming/family.ts';
import { printName } from '../naming/name.ts';
import { ModelInUse } from '../planning/model-in-use.ts';
import { searchAll } from '../retrieval/retriever.ts';
import type { Hop } from '../trace/trace.ts';
import { LanePacking } from './fact-lanes/keep.ts';
import { modelLaneCalls } from './fact-lanes/model-lanes.ts';
import { optionsOf } from './fact-lanes/options.ts';
import { readLanes } from './fact-lanes/question.ts';
import { bridgeSearch, type Found, kindOf, SEARCHED, searchLanes, signalsOf } from './fact-lanes/search.ts';
import { FACT_LANES_PARAMETERS, type FactLanesSettings, NO_RERANKER } from './fact-lanes/settings.ts';
import { type LanesView, viewOf } from './fact-lanes/view.ts';
import { rankingOfConsidered, type Strategy } from './strategy.ts';

export const factLanes: Member<Strategy> = {
  name: 'fact-lanes',
  summary: 'The best sentences for each clause, source and day that the question names, by a learnt ranker, as many as the tokens hold',
  paper: 'ours; parts after Multi-Meta-RAG, query decomposition, slot-agent, bridge claims and MMR',
  cost: 'some twenty searches by words and ten by vectors where there are some, in three passes; 0 model calls, 1 with lanes=model; 510 context tokens',
  needs: ['engine', 'retriever', 'context'],
  parameters: FACT_LANES_PARAMETERS,
  create: (given, name) => factLanesWith(given as unknown as FactLanesSettings, name),
};

/** `weights`: instead of those that ship, as while they are learnt. `told` hears what was ranked, and is for learning alone. */
export function factLanesWith(
  settings: FactLanesSettings,
  name: string,
  weights?: RankerWeights,
  told?: (view: LanesView) => void,
): Strategy {
  return {
    name,
    needs: ['engine', 'retriever', 'context'],
    units: [SEARCHED, 'document'],
    ...(settings.lanes === 'model' ? { uses: ['model'], modelCalls: modelLaneCalls() } : {}),
    ...(printName(settings.reranker) !== NO_RERANKER ? { reranker: printName(settings.reranker) } : {}),
    async *hops(question, kit, call) {
      const model = new ModelInUse(kit.model);
      const asked = await readLanes(question.text, kit.engine, model, call, settings);
      const signals = signalsOf(kit.retriever, settings.vectors);
      const space = signals.vectors?.space;
      const searches = await searchLanes(asked, signals, kit.engine, settings, call);
      const documents = settings.unit === 'document' ? searches : undefined;
      let view = await viewOf(asked, searches, kit.engine, space, call);
      told?.(view);
      const ranker = weights ?? shippedRanker(kindOf(space));
      const selection = new Selection(kit.context, call);
      const packing = new LanePacking(selection, settings, ranker.packing);
      let ranked = rank(view, ranker, settings);
      // Of whole documents so few have room that a lane which asks nothing would cost a quarter of them.
      if (settings.fill && settings.unit === 'sentence') await packing.fillLanes(optionsOf(view, ranked, documents));
      if (settings.bridge === 'search' && signals.words) {
        const speakerOf = (names: readonly string[]): Found | undefined => bestSpeaker(view, ranked, names);
        await bridgeSearch(asked, searches, { bridges: ranked.bridges, speakerOf }, signals.words, settings.depth, call);
        view = await viewOf(asked, searches, kit.engine, space, call);
        ranked = rank(view, ranker, settings);
        packing.rescored();
      }
      await packing.fill(optionsOf(view, ranked, documents));
      const reason = asked.lanes.slice(1).map(({ text }) => text);
      yield {
        ...(reason.length > 0 ? { reason: reason.join('; ') } : {}),
        ...{ searches: searches.searches, kept: [...selection.all], rejected: packing.rejected },
        ...(asked.said.length > 0 ? { said: asked.said } : {}),
      };
      // A limit that left searches unmade is met here, when what was found is kept: nothing catches it but `ask`.
      if (searches.unasked) await searchAll(searches.unasked.retriever, searches.unasked.queries, settings.depth, call);
      model.end();
      return { why: packing.enough ? 'enough' : 'own-limit' };
    },
    ranking: (hops: readonly Hop[]) => rankingOfConsidered(hops),
  };
}

export interface Ranked {
  readonly scores: Float64Array;
  readonly lanes: Int32Array;
  /** Words that the question leaves open, with their weights. */
  readonly bridges: ReadonlyMap<string, number>;
}

function rank(view: LanesView, ranker: RankerWeights, settings: FactLanesSettings): Ranked {
  const size = view.candidates.length;
  const { features, lanes } = firstFeatures(view);
  if (settings.ranker === 'sum') {
    const fit = laneFit(view);
    return { scores: Float64Array.from(lanes, (lane, at) => fit[lane]![at]!), lanes, bridges: new Map() };
  }
  const first = scoresOf(features, ranker.first, size);
  if (settings.bridge === 'off' || size === 0) return { scores: first, lanes, bridges: new Map() };
  const { weights, features: more } = bridgesOf(view, first, lanes);
  return { scores: scoresOf({ ...features, ...more }, ranker.second, size), lanes, bridges: weights };
}

/** The best candidate that says one of the names, in its text or its title. */
function bestSpeaker({ candidates, found }: LanesView, { scores }: Ranked, names: readonly string[]): Found | undefined {
  let best = -1;
  for (const [at, { text, title }] of candidates.entries())
    if (names.some(name => text.capitals.has(name) || title.capitals.has(name)) && (best < 0 || scores[at]! > scores[best]!)) best = at;
  return found[best];
}
