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

/**
 * How many of the best sentences are asked for names, and how many names of theirs are searched
 * for.
 */
const SPEAKING = 15;
const NAMES = 8;
/** A name's own document and those that speak of it stand high. */
const DEPTH = 15;

/** Asks for the names that were not asked for before, and adds them; false where there are none. */
export async function askForNames(
  view: LanesView,
  ranked: Ranked,
  searches: LaneSearches,
  asked: Set<string>,
  { words, unit }: { readonly words: Retriever; readonly unit: FactLanesSettings['unit'] },
  call: Call,
): Promise<boolean> {
  const names = openNames(view, ranked, asked).slice(0, NAMES);
  for (const { name } of names) asked.add(spelt(name));
  const question = view.lanes[0]!;
  const queries = names.flatMap(({ name, from }): StrategyQuery[] => [
    { text: name, from },
    { text: `${name} ${question}`, from },
  ]);
  if (names.length === 0) return false;
  for (const search of await searches.ask(words, queries, DEPTH, call, SEARCHED))
    searches.addNamed(search);
  // What is kept must have been found as such.
  if (unit === 'document')
    for (const search of await searches.ask(words, queries, DEPTH, call, unit))
      searches.addDocuments(search);
  return true;
}

/** What is the same name, and is said as whole words. */
const spelt = (name: string): string => padded(name.toLowerCase());

interface OpenName {
  readonly name: string;
  /** The best sentence that says it, or of the document that it is the title of. */
  readonly from: NonNullable<StrategyQuery['from']>;
}

function openNames(view: LanesView, { scores }: Ranked, asked: ReadonlySet<string>): OpenName[] {
  const question = spelt(view.lanes[0]!);
  const order = Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const names = new Map<string, OpenName>();
  for (const at of order.slice(0, SPEAKING)) {
    const { hit, search } = view.found[at]!;
    const from = { hop: 0, search, id: hit.id };
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
  return [...names.values()];
}
