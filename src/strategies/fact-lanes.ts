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
 * its facts are: it is open, and chained. In later hops, all of one pass, the names that the best
 * sentences say and the question leaves open are asked for (the chain of IRCoT and EfficientRAG,
 * without a model), and weights of their own rank what is found: which titles the question asks
 * for, which the best sentences say, which say them.
 * Model calls: 0; with lanes=model one (and one repair), by which a language model cuts the
 * question (query decomposition); with reranker=MODEL a cross-encoder reads the best of each lane,
 * asked with the lane. Stops when nothing that fits is left.
 */
import { Selection } from '../context/selection.ts';
import type { RankerWeights, Weights } from '../models/fact-ranker/fact-ranker.ts';
import { shippedRanker } from '../models/fact-ranker/shipped.ts';
import { type Member, member } from '../naming/family.ts';
import { printName } from '../naming/name.ts';
import { METADATA_FILTERS } from '../planning/metadata/metadata-filter.ts';
import { ModelInUse } from '../planning/model-in-use.ts';
import { type Retriever, searchAll } from '../retrieval/retriever.ts';
import { VECTORS } from '../retrieval/vectors-port.ts';
import type { Call } from '../trace/call.ts';
import { askForNames } from './fact-lanes/chain.ts';
import { LanePacking } from './fact-lanes/keep.ts';
import { modelLaneCalls } from './fact-lanes/model-lanes.ts';
import { optionsOf } from './fact-lanes/options.ts';
import { readLanes } from './fact-lanes/question.ts';
import { plainSum, type Ranked, rank } from './fact-lanes/rank.ts';
import { reread, type UnreadPairs } from './fact-lanes/reread.ts';
import {
  kindOf,
  type LaneSearches,
  SEARCHED,
  searchLanes,
  signalsOf,
} from './fact-lanes/search.ts';
import {
  FACT_LANES_PARAMETERS,
  type FactLanesSettings,
  NO_RERANKER,
} from './fact-lanes/settings.ts';
import { type LanesView, viewOf } from './fact-lanes/view.ts';
import { evidenceFirst, type Strategy } from './strategy.ts';

export const factLanes: Member<Strategy> = member({
  name: 'fact-lanes',
  summary:
    'The best sentences for each clause, source and day that the question names, by a learnt ranker, as many as the tokens hold',
  paper: 'ours; parts after Multi-Meta-RAG, query decomposition, slot-agent, bridge claims and MMR',
  cost: 'some twenty searches by words and ten by vectors where there are some, in three passes; up to 16 by words in each of two later rounds where no source is named (32 with unit=document); 0 model calls, 1 with lanes=model; 12 pairs a lane with a reranker; 510 context tokens',
  needs: ['engine', 'retriever', 'context'],
  parameters: FACT_LANES_PARAMETERS,
  create: (settings, name) => factLanesWith(settings, name),
});

/**
 * `weights`: instead of those that ship, as while they are learnt. `told` hears what was ranked,
 * and is for learning alone.
 */
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
    requires: retriever => ({
      units: [SEARCHED, 'document'],
      filters: METADATA_FILTERS,
      ...(signalsOf(retriever, settings.vectors).vectors ? { ports: [VECTORS] } : {}),
    }),
    ...(settings.lanes === 'model' ? { uses: ['model'], modelCalls: modelLaneCalls() } : {}),
    ...(printName(settings.reranker) !== NO_RERANKER
      ? { reranker: printName(settings.reranker) }
      : {}),
    async *hops(question, kit, call) {
      const model = new ModelInUse(kit.model);
      const asked = await readLanes(question.text, kit.engine, model, call, settings);
      const signals = signalsOf(kit.retriever, settings.vectors);
      const space = signals.vectors?.space;
      const searches = await searchLanes(asked, signals, kit.engine, settings, call);
      const ranker = weights ?? shippedRanker(kindOf(space, asked.open));
      const look = (): Promise<LanesView> => viewOf(asked, searches, kit.engine, space, call);
      const { view, ranked: known } = await chained(
        look,
        { settings, ranker, searches, words: signals.words },
        call,
      );
      told?.(view);
      const ranked: Ranked & { readonly unread?: UnreadPairs } = kit.reranker
        ? await reread(
            view,
            known,
            {
              reranker: kit.reranker,
              pairs: settings.pairs,
              weights: rereadWeights(settings, ranker),
            },
            call,
          )
        : known;
      const documents = settings.unit === 'document' ? searches : undefined;
      const options = optionsOf(view, ranked, documents);
      const selection = new Selection(kit.context, call);
      const packing = new LanePacking(selection, settings, ranker.packing);
      // Of whole documents so few have room that a lane which asks nothing would cost a quarter of
      // them.
      if (settings.fill && settings.unit === 'sentence') await packing.fillLanes(options);
      await packing.fill(options);
      const reason = asked.lanes.slice(1).map(({ text }) => text);
      yield {
        ...(reason.length > 0 ? { reason: reason.join('; ') } : {}),
        ...{ searches: searches.searches, kept: [...selection.all], rejected: packing.rejected },
        ...(asked.said.length > 0 ? { said: asked.said } : {}),
      };
      // A limit that left searches unmade is met here, when what was found is kept: nothing catches
      // it but `ask`.
      if (searches.unasked)
        await searchAll(searches.unasked.retriever, searches.unasked.queries, settings.depth, call);
      if (ranked.unread) await kit.reranker!.score(ranked.unread.query, ranked.unread.texts, call);
      model.end();
      return { why: packing.enough ? 'sufficient' : 'completed' };
    },
    ranking: hops => evidenceFirst(hops),
  };
}

/** Weights are learnt on log-odds: they say nothing of plain sums. */
const rereadWeights = (
  { ranker: by }: FactLanesSettings,
  ranker: RankerWeights,
): Weights | undefined => (by === 'sum' ? undefined : ranker.reread);

interface Chaining {
  readonly settings: FactLanesSettings;
  readonly ranker: RankerWeights;
  readonly searches: LaneSearches;
  readonly words: Retriever | undefined;
}

/**
 * Names are asked for as often as is wanted, each time those of what is best by then; what is found
 * is ranked.
 */
async function chained(
  look: () => Promise<LanesView>,
  { settings, ranker, searches, words }: Chaining,
  call: Call,
): Promise<{ readonly view: LanesView; readonly ranked: Ranked }> {
  let view = await look();
  const { bridge } = settings;
  const order = (passes: number): Ranked =>
    settings.ranker === 'sum' ? plainSum(view) : rank(view, ranker, bridge === 'off' ? 0 : passes);
  const rounds = bridge === 'search' || (bridge === 'auto' && view.open) ? settings.rounds : 0;
  const asked = new Set<string>();
  for (let round = 0; round < rounds && words; round++) {
    if (
      !(await askForNames(
        view,
        order(round),
        searches,
        asked,
        { words, unit: settings.unit },
        call,
      ))
    )
      break;
    view = await look();
  }
  // Weights of questions that name a source are learnt on one pass.
  return { view, ranked: order(view.open ? Math.max(1, rounds) : 1) };
}
