/**
 * Keeps sections of documents with headings, such as manuals, in place of sentences: searches
 * passages for the question, and ranks them by words or, in a run that names one, by a reranker.
 * The sections of the lines of a plan, or of two things that the question joins, take turns.
 */
import type { OpenHop } from '../strategy.ts';
import { askedOfEach } from './compared.ts';
import { Planned } from './plan.ts';
import { keepPlanned } from './planned.ts';
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
import type { LanesView } from './view.ts';

export async function* keepSections(
  run: LanesRun,
  view: LanesView,
): AsyncGenerator<OpenHop, void, void> {
  run.learning.onRanked?.(view);
  yield await run.hopOf(view, run.ranking(view)(1), run.clauses);
  if (view.found.length === 0) return;
  const { lanes } = view;
  const question = lanes[0]!;
  await searchTexts(run, view, [...lanes, contentOf(question)], lanes.length);
  const ranked = await rankedFor(run, view, question);
  yield await keepRanked(run, ranked, BY_QUESTION, ['sections']);
  const planned = new Planned(run);
  if (!(yield* keepPlanned(run, view, ranked, planned))) yield* keepCompared(run, view, ranked);
  planned.end();
}

async function* keepCompared(
  run: LanesRun,
  view: LanesView,
  ranked: readonly RankedSection[],
): AsyncGenerator<OpenHop, void, void> {
  const each = askedOfEach(
    view.lanes[0]!,
    ranked.map(({ section }) => section),
  );
  if (!each) return;
  await searchTexts(run, view, each.map(contentOf), 0);
  const both = [await rankedFor(run, view, each[0], 2), await rankedFor(run, view, each[1])];
  yield await keepInTurns(run, both, each);
}

/** Searches texts; those from the place `content` on have content words alone. */
function searchTexts(
  run: LanesRun,
  { found }: LanesView,
  texts: readonly string[],
  content: number,
): Promise<void> {
  // The best sentence decides that sections are searched.
  const from = { ...found[0]!.search, id: found[0]!.hit.id };
  const queries = texts.map(text => ({ text, from }));
  return searchSections(run, queries, content, run.searches.passages);
}

/** Ranks all sections found by the words of the question, for a text. */
const rankedFor = (
  run: LanesRun,
  view: LanesView,
  text: string,
  shares = 1,
): Promise<RankedSection[]> =>
  rankedSections(run, view, {
    text,
    shares,
    found: run.searches.passages,
    asked: run.searches.documents[0]!,
  });
