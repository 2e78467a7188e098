/**
 * `hipporag2`: ranks passages by one personalised PageRank over entities and passages, which starts
 * at the entities of the facts that a model picks for the question and, weakly, at the passages of
 * its search. Paper: Gutiérrez et al., HippoRAG 2, ICML 2025 (arXiv 2502.14802), section 3. Model
 * calls: a filter and an answer. Without a model or facts the walk starts at the names of the
 * question; without names the search ranks. Stops after one walk.
 */

import { type Member, member } from '../../core/naming/family.ts';
import { scaled } from '../../core/ranking/fusion.ts';
import { distinctDocuments, type Ranking } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { End, ModelOutput, Question, Search } from '../../core/trace/trace.ts';
import { findNames } from '../../language/english/names/names.ts';
import { degraded, ModelInUse } from '../../planning/model-in-use.ts';
import { answerFromHits } from '../../planning/passages-answer.ts';
import { ENTITY_FACTS } from '../../search/ports/entity-facts-port.ts';
import { ENTITY_WALKS } from '../../search/ports/entity-walks-port.ts';
import { searchAll } from '../../search/retriever.ts';
import { chooseAgain, chooseByWalk, NO_PASSAGE, placed } from '../chosen-again.ts';
import { EntityWalker, type StartEntity, WALK_DEPTH } from '../entity-walk.ts';
import { QuestionRun } from '../question-run.ts';
import {
  BY_FIRST_SEARCH,
  evidenceFirst,
  FIRST_SEARCH,
  type Kit,
  type OpenHop,
  rankingOfFirstSearch,
  type Strategy,
} from '../strategy.ts';
import { completed } from '../usual-settings.ts';
import { entityWeights, factOf, filterFacts } from './filter.ts';
import { HIPPORAG2_PARAMETERS, type Hipporag2Settings, hipporag2Calls, MODEL } from './settings.ts';

export const hipporag2: Member<Strategy> = member({
  name: 'hipporag2',
  summary:
    'One PageRank over entities and passages, started at the entities of the question and at the passages of its search',
  paper: 'Gutiérrez et al., HippoRAG 2, ICML 2025',
  cost: '1 search and 1 walk over a graph; with a model 1 search of its facts and 2 calls, without one none',
  parameters: completed(HIPPORAG2_PARAMETERS),
  create: (settings, name) => ({
    name,
    needs: [MODEL],
    get modelCalls() {
      return hipporag2Calls(settings);
    },
    requires: () => ({ ports: [ENTITY_WALKS] }),
    hops: (question, kit, call) => new Run(question, kit, call, settings).hops(),
    ranking: hops =>
      evidenceFirst(hops, [
        ...distinctDocuments(hops[1]?.searches[0]?.hits ?? []),
        ...rankingOfFirstSearch(hops),
      ]),
    diagnostic: BY_FIRST_SEARCH,
  }),
});

/** Entities where a walk starts, each with its weight; none if the search alone ranks. */
interface Starts {
  readonly entities: readonly StartEntity[];
  readonly outputs: readonly ModelOutput[];
}

/** Runs the strategy on one question. */
class Run extends QuestionRun<Hipporag2Settings> {
  private readonly model: ModelInUse;
  private readonly walker: EntityWalker;

  constructor(question: Question, kit: Kit, call: Call, settings: Hipporag2Settings) {
    super(question, kit, call, settings);
    this.model = new ModelInUse(kit.resource(MODEL));
    this.walker = new EntityWalker(kit, call, 'hipporag2');
  }

  async *hops(): AsyncGenerator<OpenHop, End, void> {
    const { kit, call, settings, model } = this;
    const { k } = settings;
    const { selection } = this;
    const text = this.question.text;
    const searches = await searchAll(kit.retriever, [{ text }], Math.max(WALK_DEPTH, k), call);
    const found = searches[0]!;
    let candidates = placed({ search: found, ref: FIRST_SEARCH });
    yield { searches, ...(await chooseAgain(selection, candidates, k)) };
    const { entities, outputs } = await this.starts(found);
    const walked = entities.length > 0 ? await this.walk(found, entities) : undefined;
    const said = [...outputs];
    if (walked?.hits.length === 0) said.push(degraded(NO_PASSAGE));
    else if (walked) candidates = placed({ search: walked, ref: { hop: 1, search: 0 } });
    if (walked) yield* chooseByWalk(selection, walked, candidates, k, { outputs: said.splice(0) });
    const kept = candidates.flatMap(({ hit }) => (selection.has(hit.id) ? [hit] : []));
    const answered = await answerFromHits(model, text, kept, settings, kit.engine, call);
    said.push(...answered.outputs);
    if (said.length > 0) yield { searches: [], kept: [], rejected: [], outputs: said };
    model.end();
    return answered.end;
  }

  /** Returns the entities of the facts that the model picks, or those that the question names. */
  private async starts({ unit }: Search): Promise<Starts> {
    const { kit, call, model, question, settings } = this;
    if (!model.present) return this.names(unit, 'No language model: no facts are recognised');
    const candidates =
      (await kit.engine
        .port(ENTITY_FACTS)
        ?.facts({ unit, text: question.text, k: settings.facts }, call)) ?? [];
    if (candidates.length === 0) return this.names(unit, 'The graph states no such facts');
    const opening: ModelOutput[] = [
      { role: 'facts', text: JSON.stringify({ fact: candidates.map(factOf) }), parsed: true },
      degraded('Facts are ranked by the words of the question: no embedder compares them'),
    ];
    const filtered = await model.ask(language =>
      filterFacts(language, question.text, candidates, settings, call),
    );
    const outputs = [...opening, ...(filtered?.outputs ?? []), ...model.takeNotes()];
    const { kept } = filtered ?? {};
    const entities = kept && entityWeights(kept, candidates[0]!.score, settings.entities);
    if (entities) return { entities, outputs };
    const spelled = await this.names(unit, 'No facts are recognised');
    return { entities: spelled.entities, outputs: [...outputs, ...spelled.outputs] };
  }

  /** Returns the entities that the question names, by their specificity. `lost`: says why. */
  private async names(unit: Search['unit'], lost: string): Promise<Starts> {
    const { question, settings, model } = this;
    const spelled = findNames(question.text).map(({ text }) => text);
    const entities = await this.walker.entities(unit, spelled);
    const instead =
      entities.length > 0
        ? 'the walk starts at the names of the question'
        : 'the question names no entity of the collection, and the search alone ranks';
    const reader = !model.present && settings.answer === 'own' ? ', the reader answers' : '';
    return { entities, outputs: [degraded(`${lost}; ${instead}${reader}`)] };
  }

  private walk(found: Search, entities: readonly StartEntity[]): Promise<Search> {
    const { passages, damping, synonyms, hubs, k } = this.settings;
    const request = { unit: found.unit, entities, damping, synonyms, hubs, k };
    const items = weighed(found.hits, passages);
    const { text } = this.question;
    return this.walker.walk(text, FIRST_SEARCH, { ...request, through: 'items', items });
  }
}

/** Weighs hits by their scores between the least and the greatest. */
const weighed = (hits: Ranking, weight: number): [id: string, weight: number][] =>
  scaled(hits).map((score, at) => [hits[at]!.id, weight * score]);
