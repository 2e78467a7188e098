/** Searches sections of documents with headings for a text, ranks them, and keeps the best. */
import { analysisOf } from '../../core/corpus/analysis-cache.ts';
import { subjectAt } from '../../core/corpus/outline.ts';
import { inTurns } from '../../core/ranking/in-turns.ts';
import { contentWords } from '../../language/english/words/content-words.ts';
import { withoutFunctionWords } from '../../language/plain-words.ts';
import { TextReader } from '../../models/fact-ranker/text-words.ts';
import type { StrategyQuery } from '../../search/retriever.ts';
import type { OpenHop } from '../strategy.ts';
import type { FoundPassages } from './found-passages.ts';
import { BY_SCORE } from './keep.ts';
import { PARTS_DEPTH } from './lane-searches.ts';
import { rerankedScores } from './reranking.ts';
import type { Choice, LanesRun } from './run.ts';
import { readSections, type Section, scoreSections, sectionOptions } from './section-rank.ts';
import type { LanesView } from './view.ts';

/** Refuses no section as a near-duplicate; see the setting `duplicates`. */
const NO_DUPLICATES = 1.01;

/** Chooses sections by their scores for the question. */
export const BY_QUESTION: Choice = { packing: BY_SCORE };

export interface RankedSection {
  readonly section: Section;
  readonly score: number;
}

/** A text with what its searches found. */
export interface SearchedText {
  readonly text: string;
  readonly found: FoundPassages;
  /** Scores of documents by the words of the text. */
  readonly asked: ReadonlyMap<string, number>;
  /** The texts, this one included, that share the pairs that a reranker may still read. */
  readonly shares?: number;
}

/** Returns the words of a text with content: function words favour short passages. */
export const contentOf = (text: string): string =>
  [...contentWords(withoutFunctionWords(text))].join(' ');

/** Searches passages by queries; those from the place `content` on have content words alone. */
export async function searchSections(
  { searches, signals, call }: LanesRun,
  queries: readonly StrategyQuery[],
  content: number,
  found: FoundPassages,
): Promise<void> {
  const made = await searches.ask(signals.words!, queries, PARTS_DEPTH, call, 'passage');
  for (const [at, each] of made.entries())
    if (at < content) searches.addPassages(each, at, 'words', found);
    else searches.addPassages(each, 0, 'content', found);
}

/** Returns the sections found for a text, best first for it, equal ones as they were found. */
export async function rankedSections(
  run: LanesRun,
  { vocabulary }: LanesView,
  { text, asked, found, shares }: SearchedText,
): Promise<RankedSection[]> {
  const { parsed, engine, call } = run;
  const sections = await readSections(found.all, engine, call);
  const byWords = scoreSections(sections, {
    question: text,
    language: parsed.language,
    asked,
    vocabulary,
    analysis: analysisOf(engine),
  });
  const textOf = (at: number): string => {
    const { document, passage } = sections[at]!;
    return `${subjectAt(document, passage.start)}\n${passage.text}`;
  };
  const scores = await rerankedScores(run, text, byWords, textOf, shares);
  return sections
    .map((section, at) => ({ section, score: scores[at]! }))
    .sort((a, b) => b.score - a.score);
}

export function keepRanked(
  run: LanesRun,
  ranked: readonly RankedSection[],
  choice: Choice,
  reason: readonly string[],
): Promise<OpenHop> {
  const options = sectionOptions(
    ranked.map(({ section }) => section),
    ranked.map(({ score }) => score),
    new TextReader(analysisOf(run.engine)),
  );
  return run.hop(options, choice, reason);
}

/** Keeps the sections of several texts in turns. */
export function keepInTurns(
  run: LanesRun,
  lists: readonly (readonly RankedSection[])[],
  reason: readonly string[],
): Promise<OpenHop> {
  const turns = inTurns(lists, ({ section }) => section.passage.id);
  // Scores for two texts have no common scale: the order alone counts.
  const placed = turns.map(({ section }, place) => ({ section, score: 1 / (1 + place) }));
  // Two manuals may say the same of their defaults, or the same but for a number.
  const choice = { packing: BY_SCORE, duplicates: NO_DUPLICATES, groupOf: String };
  return keepRanked(run, placed, choice, reason);
}
