/**
 * Follows names that the best sentences mention and the question does not (bridge entities): each
 * later hop searches them by words, alone and together with the question.
 */

import { countWords } from '../../core/text/words.ts';
import { findNames } from '../../language/english/names/names.ts';
import { bestPlaces } from '../../models/fact-ranker/features.ts';
import { titleName } from '../../models/fact-ranker/link-features.ts';
import { padded } from '../../models/fact-ranker/text-words.ts';
import type { StrategyQuery } from '../../search/retriever.ts';
import type { OpenHop } from '../strategy.ts';
import { NAME_WORDS } from './corpus-kind.ts';
import { SEARCHED } from './lane-searches.ts';
import type { Ranked } from './rank.ts';
import type { LanesRun } from './run.ts';
import type { LanesView } from './view.ts';

/** Hops after the first where names are followed. */
export const NAME_HOPS = 2;
/** Number of best sentences that are read for names, and of names that are searched. */
const NAMING_SENTENCES = 15;
const NAMES = 8;
/** Suffices because a name's own document and those that mention it rank high. */
const DEPTH = 15;

/** A name to search for, and the search and hit that it comes from. */
interface OpenName {
  readonly name: string;
  /** The best sentence that mentions it, or of the document that it titles. */
  readonly from: NonNullable<StrategyQuery['from']>;
  /** Rank of that sentence, from 0, and its document. */
  readonly rank: number;
  readonly documentId: string;
}

/** Ranks candidates; `passes` of a second stage use the best of the pass before. */
export type RankView = (view: LanesView) => (passes: number) => Ranked;

/**
 * Yields the hop of the first search, and at most `hops` more while the best sentences introduce
 * names. Evidence is ranked by `passes`, names by as many as hops are over.
 */
export async function* followNames(
  run: LanesRun,
  first: LanesView,
  rankView: RankView,
  { hops, passes }: { readonly hops: number; readonly passes: number },
): AsyncGenerator<OpenHop, void, void> {
  const searched = new Set<string>();
  let [view, reason] = [first, run.clauses];
  for (let hop = 0; ; hop++) {
    const ranked = rankView(view);
    const follows = hop < hops && run.signals.words !== undefined;
    const names = follows ? openNames(view, ranked(hop), searched) : [];
    if (names.length === 0) run.learning.onRanked?.(view);
    yield await run.hopOf(view, ranked(passes), reason);
    if (names.length === 0) return;
    await searchNames(names, view.lanes[0]!, run);
    reason = names.map(({ name }) => name);
    view = await run.view();
  }
}

/** Searches for names by words, in a hop of their own. */
async function searchNames(
  names: readonly OpenName[],
  question: string,
  { searches, signals, settings, call }: LanesRun,
): Promise<void> {
  const queries = names.flatMap(({ name, from }): StrategyQuery[] => [
    { text: name, from },
    { text: `${name} ${question}`, from },
  ]);
  const found = await searches.ask(signals.words!, queries, DEPTH, call, SEARCHED);
  for (const [index, search] of found.entries()) {
    searches.addNamed(search);
    const { name, rank, documentId } = names[index >> 1]!;
    if (index % 2 === 0)
      searches.links.push({ words: wordKey(name), hits: search.hits, rank, documentId });
  }
  // A kept document must be a hit of a search for documents.
  if (settings.unit === 'document')
    for (const search of await searches.ask(signals.words!, queries, DEPTH, call, 'document'))
      searches.addDocuments(search);
}

/** Returns the title of a candidate's document as a name; headlines of articles are none. */
function ownName({ kind, documentsOf }: LanesView, at: number): string[] {
  const name = titleName(documentsOf[at]!.title);
  if (kind !== 'articles') return [name];
  const isName =
    countWords(name) <= NAME_WORDS && findNames(name).some(({ text }) => text === name);
  return isName ? [name] : [];
}

/** Returns a key that is equal for equal names and occurs in the padded words of a text. */
const wordKey = (name: string): string => padded(name.toLowerCase());

/**
 * Returns the first names that the best sentences mention, or that title their documents, in order.
 * Excludes names of the question and those in `searched`, to which it adds the result.
 */
function openNames(view: LanesView, { scores }: Ranked, searched: Set<string>): OpenName[] {
  const question = wordKey(view.lanes[0]!);
  const open = new Map<string, OpenName>();
  for (const [rank, at] of bestPlaces(scores, NAMING_SENTENCES).entries()) {
    const { hit, search } = view.found[at]!;
    const { documentId } = hit;
    const from = { ...search, id: hit.id };
    const names = [
      ...findNames(view.texts[at]!.text).map(({ text }) => text),
      ...ownName(view, at),
    ];
    for (const name of names) {
      const words = wordKey(name);
      if (
        words.trim() !== '' &&
        !question.includes(words) &&
        !searched.has(words) &&
        !open.has(words)
      )
        open.set(words, { name, from, rank, documentId });
    }
  }
  const chosen = [...open].slice(0, NAMES);
  for (const [words] of chosen) searched.add(words);
  return chosen.map(([, name]) => name);
}
