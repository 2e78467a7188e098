/**
 * `hipporag1`: ranks passages by personalised PageRank over entities, which starts at the names of
 * the question and of each thought. Paper: Gutiérrez et al., HippoRAG, NeurIPS 2024 (arXiv
 * 2405.14831), with the thoughts of IR-CoT; docs/papers/hipporag.md says what follows it. Model
 * calls: a list of names for each ranking, a thought between two rankings, an answer. Without a
 * model, names come from spelling. Stops after its steps, or when no sentence names anything new.
 */
import { type Member, member } from '../../core/naming/family.ts';
import type { Call } from '../../core/trace/call.ts';
import type { End, ModelOutput, Question } from '../../core/trace/trace.ts';
import { findNames } from '../../language/english/names/names.ts';
import { extractSentence } from '../../planning/extracted-sentence.ts';
import { degraded, ModelInUse } from '../../planning/model-in-use.ts';
import { type Paragraph, readParagraphs } from '../../planning/paragraphs.ts';
import { answerFromHits } from '../../planning/passages-answer.ts';
import { sameThought } from '../../planning/reasoning-sentence.ts';
import { EXTRACTED } from '../../planning/thoughts.ts';
import { ENTITY_WALKS } from '../../search/ports/entity-walks-port.ts';
import { searchAll } from '../../search/retriever.ts';
import {
  chooseAgain,
  chooseByWalk,
  NO_PASSAGE,
  type Placed,
  type PlacedHit,
  placed,
} from '../chosen-again.ts';
import { EntityWalker, type StartEntity, WALK_DEPTH } from '../entity-walk.ts';
import { QuestionRun } from '../question-run.ts';
import {
  BY_FIRST_SEARCH,
  evidenceFirst,
  FIRST_SEARCH,
  type Kit,
  type OpenHop,
  type Strategy,
} from '../strategy.ts';
import { completed, modelNeed } from '../usual-settings.ts';
import { RankingPool, type Walked } from './pool.ts';
import { askEntities, COT_STEP, readThought, thoughtPrompt } from './prompts.ts';
import {
  HIPPORAG1_PARAMETERS,
  type Hipporag1Limits,
  type Hipporag1Settings,
  hipporag1Calls,
  limitsOf,
} from './settings.ts';

export const hipporag1: Member<Strategy> = member({
  name: 'hipporag1',
  summary:
    'PageRank over entities, started at the names of the question and of the thoughts that follow it',
  paper: 'Gutiérrez et al., HippoRAG, NeurIPS 2024, with IR-CoT as ChainRAG measures it',
  cost: '1 search and 1 walk over a graph a step; with a model 2 calls a step, without one none',
  parameters: completed(HIPPORAG1_PARAMETERS),
  create(settings, name) {
    const need = modelNeed(settings.thoughts);
    return {
      name,
      needs: need && [need],
      get modelCalls() {
        return hipporag1Calls(settings);
      },
      requires: () => ({ ports: [ENTITY_WALKS] }),
      hops: (question, kit, call) => new Run(question, kit, call, settings).hops(),
      ranking: hops => evidenceFirst(hops),
      diagnostic: BY_FIRST_SEARCH,
    };
  },
});

/** Said where no walk starts. */
const NO_NAME = 'No name of an entity of the collection: the search alone ranks';

/** The next query, or why none follows. */
type Next = { readonly text: string } | { readonly text?: undefined; readonly why: End['why'] };

/** Runs the strategy on one question. */
class Run extends QuestionRun<Hipporag1Settings> {
  private readonly limits: Hipporag1Limits;
  private readonly model: ModelInUse;
  private readonly hasModel: boolean;
  private readonly pool: RankingPool;
  private readonly walker: EntityWalker;
  private readonly thoughts: string[] = [];
  /** Outputs of the next hop. */
  private outputs: ModelOutput[] = [];
  private hop = 0;

  constructor(question: Question, kit: Kit, call: Call, settings: Hipporag1Settings) {
    super(question, kit, call, settings);
    this.model = new ModelInUse(kit.resource(modelNeed(settings.thoughts)));
    this.hasModel = this.model.present;
    this.limits = limitsOf(settings, this.hasModel);
    this.pool = new RankingPool(this.limits.fromZero);
    this.walker = new EntityWalker(kit, call, 'hipporag1');
  }

  async *hops(): AsyncGenerator<OpenHop, End, void> {
    const { limits, model, question } = this;
    this.outputs.push(this.opening());
    let text = question.text;
    for (let step = 1; ; step++) {
      yield* this.rank(text);
      const next: Next = step < limits.steps ? await this.think() : { why: 'completed' };
      if (next.text !== undefined) {
        text = next.text;
        continue;
      }
      const kept = this.pool.best().flatMap(({ hit }) => (this.selection.has(hit.id) ? [hit] : []));
      const { kit, call, settings } = this;
      const answered = await answerFromHits(model, question.text, kept, settings, kit.engine, call);
      this.outputs.push(...answered.outputs);
      const noted = this.noted();
      if (noted.outputs) yield { searches: [], kept: [], rejected: [], ...noted };
      model.end();
      return { ...answered.end, why: next.why };
    }
  }

  /** Notes what this run lacks. */
  private opening(): ModelOutput {
    const { hasModel, limits, settings } = this;
    if (hasModel)
      return degraded('Names are linked to entities by their words: no embedder compares them');
    const thoughts =
      limits.steps > 1 ? 'each thought is a sentence copied from passages' : 'no thought follows';
    const reader = settings.answer === 'own' ? ', the reader answers' : '';
    return degraded(
      `No language model: the walk starts at names by their spelling, ${thoughts}${reader}`,
    );
  }

  /** Returns and clears the outputs of the next hop. */
  private noted(): Pick<OpenHop, 'outputs'> {
    const outputs = this.outputs;
    this.outputs = [];
    return outputs.length > 0 ? { outputs } : {};
  }

  /** Searches and walks, merges both rankings into the pool, and keeps its best passages. */
  private async *rank(text: string): AsyncGenerator<OpenHop, void, void> {
    const { kit, call, pool, selection, settings, thoughts } = this;
    const from = thoughts.length === 0 ? undefined : FIRST_SEARCH;
    const searches = await searchAll(kit.retriever, [{ text, from }], WALK_DEPTH, call);
    const found = { search: searches[0]!, ref: { hop: this.hop++, search: 0 } };
    const first =
      thoughts.length === 0
        ? await chooseAgain(selection, placed(found), settings.k)
        : { kept: [], rejected: [] };
    yield { searches, ...first, ...this.noted() };
    const entities = await this.entitiesOf(text, found);
    const walked = entities.length > 0 ? await this.walk(text, found, entities) : undefined;
    if (!walked) this.outputs.push(degraded(NO_NAME));
    else if (walked.search.hits.length === 0) this.outputs.push(degraded(NO_PASSAGE));
    pool.add(found, walked?.search.hits.length ? walked : undefined);
    const candidates = pool.best();
    for await (const hop of walked
      ? chooseByWalk(selection, walked.search, candidates, settings.k, this.noted())
      : this.chooseWithoutWalk(candidates)) {
      this.hop += 1;
      yield hop;
    }
  }

  /** Yields the choice after a search alone, if it changes anything. */
  private async *chooseWithoutWalk(
    candidates: readonly PlacedHit[],
  ): AsyncGenerator<OpenHop, void, void> {
    const choice = await chooseAgain(this.selection, candidates, this.settings.k);
    if (choice.kept.length + choice.rejected.length > 0)
      yield { searches: [], ...choice, ...this.noted() };
  }

  /** Returns the entities that a text names, each with its specificity. */
  private async entitiesOf(text: string, { search: { unit } }: Placed): Promise<StartEntity[]> {
    const { call, model } = this;
    const asked = await model.ask(language => askEntities(language, text, call));
    if (asked) this.outputs.push(asked.output);
    this.outputs.push(...model.takeNotes());
    if (asked && !asked.names)
      this.outputs.push(
        degraded('The reply lists no names: the walk starts at names by their spelling'),
      );
    const names = asked?.names ?? findNames(text).map(({ text: name }) => name);
    const entities = await this.walker.entities(unit, names);
    if (asked && entities.length > 0) {
      // Two names may be linked to one entity, which has its weight once.
      const linked = JSON.stringify({ entities: [...new Map(entities)] });
      this.outputs.push({ role: 'entities', text: linked, parsed: true });
    }
    return entities;
  }

  private async walk(
    text: string,
    { search: { unit }, ref }: Placed,
    entities: readonly StartEntity[],
  ): Promise<Walked> {
    const { limits, walker } = this;
    const { damping, synonyms, k } = this.settings;
    const request = { unit, entities, damping, synonyms, hubs: limits.hubs, k };
    const search = await walker.walk(text, ref, { ...request, through: 'entities' });
    const specificity = Math.max(...entities.map(([, weight]) => weight));
    const weight = { specific: specificity / 2, half: 0.5, walk: 1 }[limits.blend];
    return { search, weight, ref: { hop: this.hop, search: 0 } };
  }

  /** Takes the next thought from the best passages. */
  private async think(): Promise<Next> {
    const { kit, call, pool, question, settings, thoughts } = this;
    const best = pool.best(settings.read).map(({ hit }) => hit);
    const read = await readParagraphs(best, kit.engine, call);
    const written = await this.write(read);
    if (written) return written;
    const found = extractSentence(question.text, read, thoughts);
    if (!found) return { why: this.hasModel ? 'exhausted' : 'completed' };
    thoughts.push(found.text);
    this.outputs.push({ role: EXTRACTED, text: found.text, parsed: true });
    return found;
  }

  /** Asks the model for a thought; undefined if there is none, or if it fails. */
  private async write(paragraphs: readonly Paragraph[]): Promise<Next | undefined> {
    const { call, model, question, settings, thoughts } = this;
    const prompt = thoughtPrompt({ question: question.text, paragraphs, thoughts }, settings);
    const reply = await model.ask(language => language.generate(prompt, call));
    this.outputs.push(...model.takeNotes());
    if (!reply) return undefined;
    const thought = readThought(reply);
    const text = thought?.text ?? reply.text;
    this.outputs.push({ role: COT_STEP, text, parsed: thought !== undefined });
    if (!thought || thoughts.some(earlier => sameThought(earlier, text)))
      return { why: 'exhausted' };
    thoughts.push(text);
    return thought.answers ? { why: 'sufficient' } : { text };
  }
}
