/** Turns ranked sentences into candidates for evidence: sentences, or their documents. */

import { reciprocalRankFusion } from '../../core/ranking/fusion.ts';
import type { Hit } from '../../core/ranking/ranking.ts';
import type { SearchRef } from '../../core/trace/trace.ts';
import { TextWords, Vocabulary } from '../../models/fact-ranker/text-words.ts';
import type { Option } from './keep.ts';
import type { LaneSearches } from './lane-searches.ts';
import type { Ranked } from './rank.ts';
import type { LanesView } from './view.ts';

/** Returns sentences; with `searches`, the documents that searches for documents found. */
export function optionsOf(view: LanesView, scored: Ranked, searches?: LaneSearches): Option[] {
  const { scores } = scored;
  const order = scores.map((_, at) => at).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const sentences = Array.from(order, at => sentenceOption(view, scored, at));
  return searches ? documentOptions(sentences, searches) : sentences;
}

function sentenceOption(view: LanesView, { scores, lanes }: Ranked, at: number): Option {
  const { hit, search } = view.found[at]!;
  const { header, text } = view.candidates[at]!;
  const score = scores[at]!;
  const item = {
    id: hit.id,
    documentId: hit.documentId,
    search,
    score,
    spans: [[hit.start, hit.end] as const],
  };
  return { item, lane: lanes[at]!, source: view.sourceOf[at]!, text, header, score };
}

/** Ranks each document by its best sentence. */
function documentOptions(sentences: readonly Option[], { documentSearch }: LaneSearches): Option[] {
  const best = new Map<string, Option>();
  for (const option of sentences) {
    const { documentId: id } = option.item;
    const search = documentSearch.get(id);
    if (search === undefined || best.has(id)) continue;
    best.set(id, {
      ...option,
      item: { id, documentId: id, search, score: option.score },
    });
  }
  const least = [...best.values()].at(-1)?.score ?? 0;
  const rest = [...documentSearch].filter(([id]) => !best.has(id));
  return [
    ...best.values(),
    ...rest.map(([id, search], behind) => bareDocument(id, search, least - 1 - behind)),
  ];
}

const NO_WORDS = new TextWords('', new Vocabulary());

/**
 * Returns a document none of whose sentences was found; it ranks behind all others, in the order of
 * the searches.
 */
const bareDocument = (id: string, search: SearchRef, score: number): Option => ({
  item: { id, documentId: id, search, score },
  lane: 0,
  source: '',
  text: NO_WORDS,
  header: NO_WORDS,
  score,
});

/**
 * Constant of reciprocal ranks of few documents, of which the first decide. Chosen among 2, 5, 20
 * and 60 on train questions of MuSiQue and on 40 questions each of the other two sets.
 */
const RANKS = 5;

/**
 * Orders the documents of options by the reciprocal ranks that `orders` give them, and returns each
 * option once. Its document has the score of the best at that place, from which the option keeps
 * its distance.
 */
export function inFusedOrder(
  options: readonly Option[],
  orders: readonly (readonly string[])[],
): Option[] {
  const distinct = [...new Map(options.toReversed().map(each => [each.item.id, each])).values()];
  const best = new Map<string, number>();
  for (const { item, score } of distinct)
    best.set(item.documentId, Math.max(score, best.get(item.documentId) ?? score));
  const scores = [...best.values()].sort((a, b) => b - a);
  const order = reciprocalRankFusion(
    orders.map(ids => ids.map(bareHit)),
    RANKS,
  )
    .map(({ id }) => id)
    .filter(id => best.has(id));
  const gains = new Map(order.map((id, rank) => [id, scores[rank]! - best.get(id)!]));
  // The lanes of one text are not those of another.
  return distinct.map(option => {
    const score = option.score + gains.get(option.item.documentId)!;
    return { ...option, lane: 0, score };
  });
}

const bareHit = (id: string): Hit => ({ id, documentId: id, start: 0, end: 0, score: 0 });
