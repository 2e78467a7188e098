/**
 * Later hops of `fact-lanes`: the names that the best sentences say and the question leaves open
 * (bridge entities) are asked for, alone and together with the question, by words.
 */
import { titleName } from '../../models/fact-ranker/link-features.ts';
import { padded } from '../../models/fact-ranker/text-words.ts';
import type { Retriever, StrategyQuery } from '../../retrieval/retriever.ts';
import { findNames } from '../../text/names.ts';
import type { Call } from '../../trace/call.ts';
import type { Ranked } from './rank.ts';
import { type LaneSearches, SEARCHED } from './search.ts';
import type { FactLanesSettings } from './settings.ts';
import type { LanesView } from './view.ts';

/** How many of the best sentences are read for names, and how many names are searched for. */
const SPEAKING = 15;
const NAMES = 8;
/** A name's own document and those that speak of it stand high. */
const DEPTH = 15;

/** A name to search for, and the search and hit that it comes from. */
export interface OpenName {
  readonly name: string;
  /** The best sentence that says it, or of the document that it is the title of. */
  readonly from: NonNullable<StrategyQuery['from']>;
}

/** Searches for names, by words, in a hop of their own, and adds what is found. */
export async function askForNames(
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
  for (const search of await searches.ask(words, queries, DEPTH, call, SEARCHED))
    searches.addNamed(search);
  // What is kept must have been found as such.
  if (unit === 'document')
    for (const search of await searches.ask(words, queries, DEPTH, call, unit))
      searches.addDocuments(search);
}

/** Returns a key that is equal for equal names, to be found among the words of a text. */
const spelt = (name: string): string => padded(name.toLowerCase());

/**
 * Returns the first names that the best sentences say, or that title their documents, in their
 * order: none of the question's own, and none of `asked`, to which they are added.
 */
export function namesToAsk(view: LanesView, { scores }: Ranked, asked: Set<string>): OpenName[] {
  const question = spelt(view.lanes[0]!);
  const order = Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const names = new Map<string, OpenName>();
  for (const at of order.slice(0, SPEAKING)) {
    const { hit, search } = view.found[at]!;
    const from = { ...search, id: hit.id };
    const said = [
      ...findNames(view.texts[at]!.text).map(({ text }) => text),
      titleName(view.documentsOf[at]!.title),
    ];
    for (const name of said) {
      const words = spelt(name);
      if (
        words.trim() !== '' &&
        !question.includes(words) &&
        !asked.has(words) &&
        !names.has(words)
      )
        names.set(words, { name, from });
    }
  }
  const chosen = [...names].slice(0, NAMES);
  for (const [words] of chosen) asked.add(words);
  return chosen.map(([, name]) => name);
}
