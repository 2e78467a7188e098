/**
 * Later hops of `fact-lanes`: names that the best sentences mention and the question leaves open
 * (bridge entities) are searched by words, alone and together with the question.
 */

import { countWords } from '../../core/text/words.ts';
import type { Call } from '../../core/trace/call.ts';
import { findNames } from '../../language/english/names/names.ts';
import { bestPlaces } from '../../models/fact-ranker/features.ts';
import { titleName } from '../../models/fact-ranker/link-features.ts';
import { padded } from '../../models/fact-ranker/text-words.ts';
import type { Retriever, StrategyQuery } from '../../search/retriever.ts';
import { NAME_WORDS } from './corpus-kind.ts';
import type { Ranked } from './rank.ts';
import { type LaneSearches, SEARCHED } from './search.ts';
import type { FactLanesSettings } from './settings.ts';
import type { LanesView } from './view.ts';

/** Number of best sentences that are read for names, and of names that are searched. */
const NAMING_SENTENCES = 15;
const NAMES = 8;
/** Suffices because a name's own document and those that mention it rank high. */
const DEPTH = 15;

/** A name to search for, and the search and hit that it comes from. */
export interface OpenName {
  readonly name: string;
  /** The best sentence that mentions it, or of the document that it titles. */
  readonly from: NonNullable<StrategyQuery['from']>;
  /** Rank of that sentence, from 0, and its document. */
  readonly rank: number;
  readonly documentId: string;
}

/** Searches for names by words, in a hop of their own, and adds the hits to `searches`. */
export async function searchNames(
  names: readonly OpenName[],
  question: string,
  searches: LaneSearches,
  { words, unit }: { readonly words: Retriever; readonly unit: FactLanesSettings['unit'] },
  call: Call,
): Promise<void> {
  const queries = names.flatMap(({ name, from }): StrategyQuery[] => [
    { text: name, from },
    { text: `${name} ${question}`, from },
  ]);
  const found = await searches.ask(words, queries, DEPTH, call, SEARCHED);
  for (const [index, search] of found.entries()) {
    searches.addNamed(search);
    const { name, rank, documentId } = names[index >> 1]!;
    if (index % 2 === 0)
      searches.links.push({ words: wordKey(name), hits: search.hits, rank, documentId });
  }
  // A kept document must be a hit of a search for documents.
  if (unit === 'document')
    for (const search of await searches.ask(words, queries, DEPTH, call, unit))
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
export function openNames(view: LanesView, { scores }: Ranked, searched: Set<string>): OpenName[] {
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
