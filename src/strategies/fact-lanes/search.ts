/**
 * Searches every lane of `fact-lanes` in every scope, by words and by vectors, in one pass each.
 */

import { mostAreHeaded } from '../../core/corpus/corpus-kind.ts';
import { defined } from '../../core/defined.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Search } from '../../core/trace/trace.ts';
import type { RankerKind } from '../../models/fact-ranker/fact-ranker.ts';
import { requirePort } from '../../search/capabilities.ts';
import type { SearchEngine } from '../../search/engine.ts';
import { VECTORS } from '../../search/ports/vectors-port.ts';
import type { Retriever, StrategyQuery } from '../../search/retriever.ts';
import { type LaneSearches, SEARCHED } from './lane-searches.ts';
import { narrowScopes, type ParsedQuestion, scopesOf } from './question.ts';
import type { FactLanesSettings } from './settings.ts';

/**
 * The parts of a retriever that are searched separately: the first that searches by words, and the
 * first that searches a vector space.
 */
export interface Signals {
  readonly words: Retriever | undefined;
  readonly vectors: Retriever | undefined;
}

export function signalsOf(retriever: Retriever, useVectors: boolean): Signals {
  const parts = retriever.parts ?? [retriever];
  const words = parts.find(({ space }) => space === undefined);
  const vectors = parts.find(({ space }) => space !== undefined);
  // A retriever without words keeps its vectors, whatever the setting: nothing else can search.
  return { words, vectors: useVectors || !words ? vectors : undefined };
}

/**
 * Returns the kind of weights: learnt separately for words alone and with vectors, each for
 * articles and for linked documents.
 */
export function kindOf(space: string | undefined, linked: boolean): RankerKind {
  const signal = space === undefined ? 'words' : 'vectors';
  return linked ? `open-${signal}` : signal;
}

interface LaneQuery {
  readonly lane: number;
  readonly query: StrategyQuery;
}

const laneQueries = (
  { parsed, from }: Pick<LaneSearching, 'parsed' | 'from'>,
  scopes: typeof scopesOf,
): LaneQuery[] =>
  parsed.lanes.flatMap((lane, index) =>
    scopes(lane, parsed).map(filter => ({
      lane: index,
      query: defined({ text: lane.text, filter, from }),
    })),
  );

/** The inputs of the first search of a run. */
export interface LaneSearching {
  readonly engine: SearchEngine;
  readonly call: Call;
  readonly settings: FactLanesSettings;
  readonly parsed: ParsedQuestion;
  readonly signals: Signals;
  readonly searches: LaneSearches;
  /** True if sections are kept where most documents have headings. */
  readonly keepsSections: boolean;
  /** The hit that the text of the lanes was written from, if it is not the question's own. */
  readonly from?: NonNullable<StrategyQuery['from']> | undefined;
}

/**
 * Searches all lanes in all scopes, the whole question over everything first. Returns true if it
 * found that most documents have headings: there sections are ranked, by words (`keepsSections`),
 * and every sentence would be embedded for nothing.
 */
export async function searchLanes(run: LaneSearching): Promise<boolean> {
  const { call, searches: result, keepsSections } = run;
  const { depth, unit } = run.settings;
  const { words, vectors } = run.signals;
  const inLanes = laneQueries(run, scopesOf);
  const queries = inLanes.map(({ query }) => query);
  const askWords = async (): Promise<readonly Search[]> => {
    const sentences = words ? await result.ask(words, queries, depth, call, SEARCHED) : [];
    for (const [index, search] of sentences.entries())
      result.addWords(inLanes[index]!.lane, search);
    return sentences;
  };
  // Searches are recorded in the order of their calls: a limit cuts the last ones.
  const wordsFirst = keepsSections && vectors !== undefined;
  const headed = wordsFirst && (await areHeaded(await askWords(), run));
  // Every item has a vector, so this search has full depth, as a trace's first should.
  if (vectors && !headed) await searchVectors(vectors, run);
  if (!wordsFirst) await askWords();
  if (words) {
    const documents = await result.ask(words, queries, depth, call, 'document');
    for (const [index, search] of documents.entries())
      result.addDocuments(search, inLanes[index]!.lane);
  } else if (vectors && unit === 'document') {
    // A kept document must be a hit of a search for documents. Documents have other vectors than
    // sentences, so the engine embeds the lanes again.
    for (const search of await result.ask(vectors, queries, depth, call, 'document'))
      result.addDocuments(search);
  }
  return headed;
}

/** Returns true if most documents that the searches found have headings. */
async function areHeaded(
  searches: readonly Search[],
  { engine, call }: LaneSearching,
): Promise<boolean> {
  const ids = new Set(searches.flatMap(({ hits }) => hits.map(({ documentId }) => documentId)));
  return mostAreHeaded(await engine.read('document', [...ids], call));
}

async function searchVectors(
  retriever: Retriever,
  { engine, call, settings, parsed, searches: result, from }: LaneSearching,
): Promise<void> {
  const texts = parsed.lanes.map(({ text }) => text);
  const port = requirePort(engine, VECTORS, 'The strategy "fact-lanes"');
  // Each lane is embedded once for all its scopes.
  const vectors = await port.queryVectors(SEARCHED, texts, retriever.space!, call);
  for (const [lane, vector] of vectors.entries()) result.queries[lane] = vector;
  // A lane without a vector finds nothing; the whole question is recorded all the same.
  const possible = laneQueries({ parsed, from }, narrowScopes).filter(
    ({ lane }, index) => index === 0 || result.queries[lane] !== undefined,
  );
  const queries = possible.map(({ lane, query }) => {
    const vector = result.queries[lane];
    return vector ? { ...query, vector } : query;
  });
  const found = await result.ask(retriever, queries, settings.depth, call, SEARCHED);
  for (const [index, search] of found.entries()) {
    result.add(search);
    const { lane, query } = possible[index]!;
    if (query.filter === undefined) result.floors[lane] = search.hits.at(-1)?.score ?? 0;
  }
}
