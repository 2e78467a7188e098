/**
 * `hipporag1(k=5)`: personalised PageRank over entities alone, started at the names of the question
 * and of each thought that follows it; passages have the sum of the entities that they mention.
 *
 * Paper: Gutiérrez et al., HippoRAG, NeurIPS 2024 (arXiv 2405.14831), with the thoughts of IR-CoT
 * as ChainRAG measures it, without its language model: the walk starts at named entities, each by
 * its specificity, and a thought is a sentence copied from the passages. Model calls: 0. Rankings
 * of the question and of thoughts are merged by the greatest score. Stops after its steps, or where
 * no sentence names anything new.
 */
import { Selection } from '../context/selection.ts';
import { nameRecogniser } from '../models/name-recogniser.ts';
import { type Member, member, type SettingsOf } from '../naming/family.ts';
import { EXTRACTED_STEPS, extractSentence } from '../planning/extracted-sentence.ts';
import { degraded } from '../planning/model-in-use.ts';
import { readParagraphs } from '../planning/paragraphs.ts';
import { EXTRACTED } from '../planning/thoughts.ts';
import { compareHits, type Hit, type Ranking } from '../ranking/ranking.ts';
import { requirePort } from '../retrieval/capabilities.ts';
import { ENTITY_WALKS } from '../retrieval/entity-walks-port.ts';
import { keptFrom, searchAll } from '../retrieval/retriever.ts';
import type { Call } from '../trace/call.ts';
import type { End, ModelOutput, Question, Rejection, Search, SearchRef } from '../trace/trace.ts';
import {
  BY_FIRST_SEARCH,
  evidenceFirst,
  FIRST_SEARCH,
  type Kit,
  type OpenHop,
  type Strategy,
} from './strategy.ts';

/** Passages of a search and of a walk. */
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
    name: 'steps',
    type: 'integer',
    default: 1,
    min: 1,
    max: EXTRACTED_STEPS + 1,
    summary: 'rankings that are merged: of the question, and of thoughts after it (paper: 4 or 2)',
  },
  {
    name: 'read',
    type: 'integer',
    default: 10,
    min: 1,
    max: 1000,
    summary: 'passages that a thought is copied from',
  },
  {
    name: 'blend',
    type: 'text',
    default: 'specific',
    choices: ['specific', 'half', 'walk'],
    summary:
      'weight of the walk beside its search: half by the specificity of the most specific name; a half; all',
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

export const hipporag1: Member<Strategy> = member({
  name: 'hipporag1',
  summary:
    'PageRank over entities, started at the names of the question and of thoughts copied from passages',
  paper: 'Gutiérrez et al., HippoRAG, NeurIPS 2024, without its language model',
  cost: '1 search and 1 walk over a graph a step, 0 model calls',
  parameters: PARAMETERS,
  create: (settings, name) => ({
    name,
    requires: () => ({ ports: [ENTITY_WALKS] }),
    hops: (question, kit, call) => interleave(question, kit, call, settings),
    ranking: hops => evidenceFirst(hops),
    diagnostic: BY_FIRST_SEARCH,
  }),
});

/** A passage with its best score, and the search that it is kept from. */
interface Pooled {
  readonly hit: Hit;
  readonly score: number;
  readonly search: Search;
  readonly ref: SearchRef;
}

async function* interleave(
  question: Question,
  kit: Kit,
  call: Call,
  settings: Settings,
): AsyncGenerator<OpenHop, End, void> {
  const pool = new Map<string, Pooled>();
  const thoughts: string[] = [];
  let outputs: ModelOutput[] = [missing(settings)];
  let text = question.text;
  let hop = 0;
  for (let step = 1; ; step++) {
    const from = step === 1 ? {} : { from: FIRST_SEARCH };
    const searches = await searchAll(kit.retriever, [{ text, ...from }], DEPTH, call);
    const ref = { hop: hop++, search: 0 };
    yield { searches, kept: [], rejected: [], outputs };
    outputs = [];
    const walked = await walkFrom(text, { search: searches[0]!, ref }, kit, call, settings);
    if (walked) yield { searches: [walked.search], kept: [], rejected: [] };
    else outputs.push(degraded('No name of an entity of the collection: the search alone ranks'));
    const walkRef = walked ? { hop: hop++, search: 0 } : ref;
    pooled(pool, { search: searches[0]!, ref }, walked && { ...walked, ref: walkRef });
    if (step === settings.steps) break;
    const best = bestOf(pool, settings.read).map(({ hit }) => hit);
    const read = await readParagraphs(best, kit.engine, call);
    const found = extractSentence(question.text, read, thoughts);
    if (!found) break;
    thoughts.push((text = found.text));
    outputs.push({ role: EXTRACTED, text, parsed: true });
  }
  const selection = new Selection(kit.context, call);
  const rejected: Rejection[] = [];
  for (const { hit, search, ref } of bestOf(pool, settings.k))
    if (!(await selection.keep(keptFrom(search, ref, hit))))
      rejected.push({ id: hit.id, search: ref, why: 'budget' });
  yield {
    ...{ searches: [], kept: [...selection.all], rejected },
    ...(outputs.length > 0 ? { outputs } : {}),
  };
  return { why: 'completed' };
}

const missing = ({ steps }: Settings): ModelOutput =>
  degraded(
    `No language model: the walk starts at names by their spelling${
      steps > 1 ? ', each thought is a sentence copied from passages' : ', no thought follows'
    }, the reader answers`,
  );

interface Placed {
  readonly search: Search;
  readonly ref: SearchRef;
}

interface Walked {
  readonly search: Search;
  /** Weight of the walk beside its search. */
  readonly weight: number;
}

/** Returns undefined where the text names no entity of the collection. */
async function walkFrom(
  text: string,
  { search: { unit }, ref }: Placed,
  kit: Kit,
  call: Call,
  { damping, synonyms, hubs, k, blend }: Settings,
): Promise<Walked | undefined> {
  const walks = requirePort(kit.engine, ENTITY_WALKS, 'hipporag1');
  const [read] = await nameRecogniser.recognise([{ title: '', sentences: [text] }], call);
  const named = await walks.entities(unit, read!.sentences.flat(), call);
  const entities = named.flatMap(one => (one ? [[one.name, 1 / one.items] as const] : []));
  if (entities.length === 0) return undefined;
  const hits = await walks.walk(
    {
      ...{ unit, entities, through: 'entities', damping, synonyms, hubs },
      k: Math.max(DEPTH, k),
    },
    call,
  );
  const specificity = Math.max(...entities.map(([, weight]) => weight));
  const weight = { specific: specificity / 2, half: 0.5, walk: 1 }[blend];
  const search = { text, retriever: `entity-walks(damping=${damping})`, unit, hits, from: ref };
  return { search, weight };
}

/** Adds both rankings of one text, blended; a passage keeps the greatest of its scores. */
function pooled(
  pool: Map<string, Pooled>,
  found: Placed,
  walked: (Walked & Placed) | undefined,
): void {
  const scores = new Map<string, number>();
  const weight = walked?.weight ?? 0;
  const add = ({ hits }: Search, share: number): void => {
    for (const [at, scaled] of scaledOf(hits).entries())
      scores.set(hits[at]!.id, (scores.get(hits[at]!.id) ?? 0) + share * scaled);
  };
  add(found.search, 1 - weight);
  if (walked) add(walked.search, weight);
  for (const { search, ref } of walked ? [found, walked] : [found])
    for (const hit of search.hits) {
      const score = scores.get(hit.id)!;
      if (score > (pool.get(hit.id)?.score ?? Number.NEGATIVE_INFINITY))
        pool.set(hit.id, { hit, score, search, ref });
    }
}

/** Scales scores to 0 to 1; equal ones to 1. */
function scaledOf(hits: Ranking): number[] {
  const scores = hits.map(({ score }) => score);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  return scores.map(score => (high === low ? 1 : (score - low) / (high - low)));
}

const bestOf = (pool: ReadonlyMap<string, Pooled>, k: number): Pooled[] =>
  [...pool.values()]
    .sort((a, b) => compareHits({ id: a.hit.id, score: a.score }, { id: b.hit.id, score: b.score }))
    .slice(0, k);
