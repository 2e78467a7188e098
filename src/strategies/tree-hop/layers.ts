import { InputError } from '../../core/errors.ts';
import { type LayerPruning, survivors } from '../../core/ranking/layer-pruning.ts';
import type { Hit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Question, Search } from '../../core/trace/trace.ts';
import { vectorHash } from '../../core/trace/vector-hash.ts';
import type { QueryUpdater } from '../../models/query-updater.ts';
import { requirePort } from '../../search/capabilities.ts';
import { VECTORS } from '../../search/ports/vectors-port.ts';
import type { StrategyQuery } from '../../search/retriever.ts';
import type { HopDraft } from '../hop-draft.ts';
import type { Kit } from '../strategy.ts';

const STRATEGY = 'The strategy "tree-hop"';

export const MEAN_RAW = 'mean-raw';
export type QueryPooling = 'normalised' | typeof MEAN_RAW;

/** Settings that decide which hits of a layer are expanded. */
export interface LayerSettings {
  /** Hits of each search that are considered. */
  readonly k: number;
  readonly pruning: LayerPruning;
  /** 0: as many as `k`. */
  readonly layer: number;
  readonly redundancy: boolean;
}

/** A query of a layer: its vector, not normalised, and its parent hit. */
export interface Branch {
  /** Missing for a question without a vector in the space. */
  readonly state?: Float32Array;
  /** Id of the embedder or model that computed it. */
  readonly source: string;
  /** The sum of the scores on its path; 0 for the question. */
  readonly path: number;
  /** Missing for the question. */
  readonly from?: NonNullable<Search['from']>;
}

/** One of the first k hits of one of a layer's searches. */
export interface Candidate {
  readonly hit: Hit;
  readonly search: number;
  /** The sum of the scores on its path, its own included. */
  readonly path: number;
  readonly duplicate: boolean;
  readonly expanded: boolean;
}

/**
 * Returns the root: the question as the engine embeds it, of length 1 as in training, or as the
 * released evaluation embeds it.
 */
export async function rootBranch(
  { text }: Question,
  { engine, retriever }: Kit,
  model: QueryUpdater,
  pooling: QueryPooling,
  call: Call,
): Promise<Branch> {
  if (pooling === MEAN_RAW) {
    if (model.publishedQuery)
      return { state: await model.publishedQuery(text, call), source: model.id, path: 0 };
    throw new InputError(
      'no-mean-raw',
      `The query updater "${model.id}" cannot embed questions itself`,
      { expected: 'query-pooling=normalised, or a model made with publishedQuery' },
    );
  }
  const port = requirePort(engine, VECTORS, STRATEGY);
  const [state] = await port.queryVectors(retriever.unit, [text], retriever.space!, call);
  if (state === undefined) return { source: model.space, path: 0 };
  if (state.length !== model.dimensions)
    throw new InputError(
      'wrong-dimensions',
      `The query updater "${model.id}" was trained in another space than "${retriever.space}"`,
      {
        expected: `${model.dimensions} dimensions, as in "${model.space}"`,
        received: `${state.length} dimensions`,
      },
    );
  return { state, source: model.space, path: 0 };
}

/** Returns the query of a branch. Later layers search a copy of length 1 of the state. */
export function queryOf({ state, source, from }: Branch, { text }: Question): StrategyQuery {
  if (state === undefined) return { text };
  if (from === undefined)
    return { text, vector: state, traced: { hash: vectorHash(state), from: source } };
  const length = Math.max(Math.hypot(...state), 1e-12);
  const vector = state.map(value => value / length);
  return { text: '', vector, from, traced: { hash: vectorHash(vector), from: source } };
}

/** Is greater than any difference of two cosines along a path. */
const BEFORE_ALL = 1000;

/**
 * Returns the candidates search by search, each by rank. `seen`: ids kept by earlier layers;
 * `bound`: for each search the ids of hits that come before all others.
 */
export function candidatesOf(
  branches: readonly Branch[],
  searches: readonly Search[],
  seen: ReadonlySet<string>,
  settings: LayerSettings,
  bound: readonly ReadonlySet<string>[] = [],
): Candidate[] {
  const found = searches.flatMap(({ hits }, search) => {
    const first = hits.filter(({ id }) => bound[search]?.has(id));
    const others = first.length === 0 ? hits : hits.filter(({ id }) => !bound[search]!.has(id));
    return [...first, ...others].slice(0, settings.k).map((hit, place) => ({
      hit,
      search,
      ahead: place < first.length ? BEFORE_ALL : 0,
      path: branches[search]!.path + hit.score,
      duplicate: settings.redundancy && seen.has(hit.id),
    }));
  });
  const plain = found.map(({ hit: { id, score }, path, duplicate, ahead }) => ({
    id,
    duplicate,
    score: score + ahead,
    path: path + ahead,
  }));
  const expanded = survivors(plain, settings.pruning, settings.layer || settings.k);
  return found.map(({ ahead: _, ...candidate }, place) => ({
    ...candidate,
    expanded: expanded[place]!,
  }));
}

/**
 * Keeps expanded hits that are new. A hit that the budget refuses counts as seen, so that the tree
 * does not depend on the budget.
 */
export async function keepNew(
  candidates: readonly Candidate[],
  draft: HopDraft,
  seen: Set<string>,
): Promise<void> {
  for (const { hit, search, duplicate, expanded } of candidates) {
    const refuse = (why: string): void => draft.refuse(hit.id, { why }, search);
    if (!expanded) refuse(duplicate ? 'duplicate' : 'below-top-k');
    else if (seen.has(hit.id)) refuse('repeated');
    else {
      seen.add(hit.id);
      await draft.keep(hit, search);
    }
  }
}

/** Computes the branches of the layer after `hop`, in one call of the model. */
export async function nextLayer(
  branches: readonly Branch[],
  expanded: readonly Candidate[],
  hop: number,
  { engine, retriever }: Kit,
  model: QueryUpdater,
  call: Call,
): Promise<Branch[]> {
  if (expanded.length === 0) return [];
  const ids = expanded.map(({ hit }) => hit.id);
  const port = requirePort(engine, VECTORS, STRATEGY);
  const passages = await port.vectors(retriever.unit, ids, retriever.space!, call);
  const states = await model.update(
    expanded.map(({ search }) => branches[search]!.state!),
    passages,
    call,
  );
  return expanded.map(({ hit, search, path }, index) => ({
    state: states[index]!,
    source: model.id,
    path,
    from: { hop, search, id: hit.id },
  }));
}
