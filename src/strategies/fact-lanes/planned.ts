/**
 * Follows a plan of `fact-lanes`: each line is searched and ranked alone, in the projects that it
 * names. The sections of the lines take turns with those of the question: a plan may be wrong.
 */
import { referencesIn } from '../../planning/sub-questions/references.ts';
import type { StrategyQuery } from '../../search/retriever.ts';
import type { OpenHop } from '../strategy.ts';
import { FoundPassages } from './found-passages.ts';
import type { Planned } from './plan.ts';
import {
  BY_QUESTION,
  contentOf,
  keepInTurns,
  keepRanked,
  type RankedSection,
  rankedSections,
  searchSections,
} from './ranked-sections.ts';
import type { LanesRun } from './run.ts';
import { ofNamedProjects } from './section-rank.ts';
import type { LanesView } from './view.ts';

/** Keeps sections by a plan, and returns true if there is one. */
export async function* keepPlanned(
  run: LanesRun,
  view: LanesView,
  ranked: readonly RankedSection[],
  planned: Planned,
): AsyncGenerator<OpenHop, boolean, void> {
  if (run.settings.plan === 'none') return false;
  await planned.make(view.lanes[0]!);
  const { lines } = planned;
  const lists: (readonly RankedSection[])[] = [];
  let reason: string[] = [];
  const closed = (hop: OpenHop): OpenHop => {
    reason = [];
    return { ...hop, outputs: planned.takeOutputs() };
  };
  for (const [at, line] of lines.entries()) {
    const query = planned.query(line, view);
    // A search that needs an answer belongs to a later hop than the sections that have it.
    if (referencesIn(line).length > 0 && reason.length > 0)
      yield closed(await keepInTurns(run, [...lists, ranked], reason));
    const list = await searchedLine(run, view, query, lines.length - at);
    await planned.answer(
      query.text,
      list.map(({ section }) => section),
    );
    lists.push(list);
    reason.push(query.text);
  }
  if (lines.length === 0) yield closed(await keepRanked(run, ranked, BY_QUESTION, []));
  else yield closed(await keepInTurns(run, [...lists, ranked], reason));
  return lines.length > 0;
}

/** Searches passages and documents for one line, and ranks what is found for it alone. */
async function searchedLine(
  run: LanesRun,
  view: LanesView,
  line: StrategyQuery,
  shares: number,
): Promise<readonly RankedSection[]> {
  const { searches, signals, settings, call } = run;
  const { text = '' } = line;
  const found = new FoundPassages();
  await searchSections(run, [line, { ...line, text: contentOf(text) }], 1, found);
  const asked = new Map<string, number>();
  const words = signals.words!;
  for (const search of await searches.ask(words, [line], settings.depth, call, 'document')) {
    searches.addDocuments(search);
    for (const { id, score } of search.hits) asked.set(id, score);
  }
  const list = await rankedSections(run, view, { text, found, asked, shares });
  const named = ofNamedProjects(
    list.map(({ section }) => section),
    text,
  );
  const within = list.filter((_, at) => named[at] === 1);
  return [...within, ...list.filter((_, at) => named[at] !== 1)];
}
