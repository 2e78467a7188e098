/**
 * `hipporag2(k=5)`: one personalised PageRank over entities and passages, started at the entities
 * that the question names and, weakly, at the passages of its search.
 *
 * Paper: Gutiérrez et al., From RAG to Memory (HippoRAG 2), ICML 2025 (arXiv 2502.14802), without
 * its language model: instead of facts that a model recognises as relevant, the walk starts at the
 * named entities of the question, each by its specificity. Model calls: 0. Stops after one walk; a
 * question that names no entity of the collection has the ranking of its search.
 */
import { Selection } from '../context/selection.ts';
import { nameRecogniser } from '../models/name-recogniser.ts';
import { type Member, member, type SettingsOf } from '../naming/family.ts';
import { degraded } from '../planning/model-in-use.ts';
import { distinctDocuments, type Ranking } from '../ranking/ranking.ts';
import { requirePort } from '../retrieval/capabilities.ts';
import { ENTITY_WALKS } from '../retrieval/entity-walks-port.ts';
import { keptFrom, searchAll } from '../retrieval/retriever.ts';
import type { Call } from '../trace/call.ts';
import type { End, Question, Rejection, Search } from '../trace/trace.ts';
import {
  BY_FIRST_SEARCH,
  evidenceFirst,
  FIRST_SEARCH,
  type Kit,
  type OpenHop,
  rankingOfFirstSearch,
  type Strategy,
} from './strategy.ts';

/** Passages of the search where a walk starts besides; those that it does not reach come last. */
const DEPTH = 100;

const PARAMETERS = [
  {
    name: 'k',
    type: 'integer',
    default: 5,
    min: 1,
    max: 1000,
    shown: true,
    summary: 'passages kept',
  },
  {
    name: 'passages',
    type: 'number',
    default: 0.05,
    min: 0,
    max: 1,
    summary:
      'weight of the best passage of the search as a start of the walk; an entity of one passage has 1',
  },
  {
    name: 'damping',
    type: 'number',
    default: 0.5,
    min: 0,
    max: 0.99,
    summary: 'probability that the walk follows an edge',
  },
  {
    name: 'synonyms',
    type: 'flag',
    default: true,
    summary: 'joins names that may mean one entity',
  },
  {
    name: 'hubs',
    type: 'number',
    default: 0.1,
    min: 0.001,
    max: 1,
    summary: 'leaves out entities in a greater share of passages, and in more than 50',
  },
] as const;

type Settings = SettingsOf<typeof PARAMETERS>;

export const hipporag2: Member<Strategy> = member({
  name: 'hipporag2',
  summary:
    'One PageRank over entities and passages, started at the entities of the question and at the passages of its search',
  paper: 'Gutiérrez et al., HippoRAG 2, ICML 2025, without its language model',
  cost: '1 search, 1 walk over a graph, 0 model calls',
  parameters: PARAMETERS,
  create: (settings, name) => ({
    name,
    requires: () => ({ ports: [ENTITY_WALKS] }),
    hops: (question, kit, call) => oneWalk(question, kit, call, settings),
    ranking: hops =>
      evidenceFirst(hops, [
        ...distinctDocuments(hops[1]?.searches[0]?.hits ?? []),
        ...rankingOfFirstSearch(hops),
      ]),
    diagnostic: BY_FIRST_SEARCH,
  }),
});

async function* oneWalk(
  question: Question,
  kit: Kit,
  call: Call,
  settings: Settings,
): AsyncGenerator<OpenHop, End, void> {
  const depth = Math.max(DEPTH, settings.k);
  const found = await searchAll(kit.retriever, [{ text: question.text }], depth, call);
  yield { searches: found, kept: [], rejected: [] };
  const walked = await walkFrom(question, found[0]!, kit, call, settings);
  const outputs = [notes(walked !== undefined)];
  // Evidence may come from the walk, which a hop must have before anything is kept of it.
  if (walked) yield { searches: [walked], kept: [], rejected: [], outputs };
  const ref = walked ? { hop: 1, search: 0 } : FIRST_SEARCH;
  const search = walked ?? found[0]!;
  const selection = new Selection(kit.context, call);
  const rejected: Rejection[] = [];
  for (const hit of search.hits.slice(0, settings.k))
    if (!(await selection.keep(keptFrom(search, ref, hit))))
      rejected.push({ id: hit.id, search: ref, why: 'budget' });
  yield { searches: [], kept: [...selection.all], rejected, ...(walked ? {} : { outputs }) };
  return { why: 'completed' };
}

const notes = (hasWalked: boolean) =>
  degraded(
    `No language model: no facts are recognised; ${
      hasWalked
        ? 'the walk starts at the names of the question'
        : 'the question names no entity of the collection, and the search alone ranks'
    }`,
  );

/** Returns the walk as a search; undefined where the question names no entity of the collection. */
async function walkFrom(
  question: Question,
  { hits, unit }: Search,
  kit: Kit,
  call: Call,
  { passages, damping, synonyms, hubs, k }: Settings,
): Promise<Search | undefined> {
  const walks = requirePort(kit.engine, ENTITY_WALKS, 'hipporag2');
  const [read] = await nameRecogniser.recognise([{ title: '', sentences: [question.text] }], call);
  const named = await walks.entities(unit, read!.sentences.flat(), call);
  const entities = named.flatMap(one => (one ? [[one.name, 1 / one.items] as const] : []));
  if (entities.length === 0) return undefined;
  const ranking = await walks.walk(
    {
      ...{ unit, entities, through: 'items', damping, synonyms, hubs },
      items: weighed(hits, passages),
      k: Math.max(DEPTH, k),
    },
    call,
  );
  return {
    ...{ text: question.text, retriever: `entity-walks(damping=${damping})`, unit },
    hits: ranking,
    from: FIRST_SEARCH,
  };
}

/** Weighs hits by their scores between the least and the greatest. */
function weighed(hits: Ranking, weight: number): [id: string, weight: number][] {
  const scores = hits.map(({ score }) => score);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  return hits.map(({ id, score }) => [
    id,
    weight * (high === low ? 1 : (score - low) / (high - low)),
  ]);
}
