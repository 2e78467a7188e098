/**
 * Keeps sections of documents with headings, such as manuals, in place of sentences: searches
 * passages for the question, and ranks them by words or, in a run that names one, by a reranker.
 * The sections of two things that the question joins take turns.
 */
import { analysisOf } from '../../core/corpus/analysis-cache.ts';
import { subjectAt } from '../../core/corpus/outline.ts';
import { inTurns } from '../../core/ranking/in-turns.ts';
import { aboutWords } from '../../language/english/question/about-cues.ts';
import { contentWords } from '../../language/english/words/content-words.ts';
import { withoutFunctionWords } from '../../language/plain-words.ts';
import { TextReader } from '../../models/fact-ranker/text-words.ts';
import type { StrategyQuery } from '../../search/retriever.ts';
import type { OpenHop } from '../strategy.ts';
import { askedOfEach } from './compared.ts';
import { PARTS_DEPTH } from './lane-searches.ts';
import { BY_SCORE } from './passages.ts';
import { rerankedScores } from './reranking.ts';
import type { Choice, LanesRun } from './run.ts';
import { readSections, type Section, scoreSections, sectionOptions } from './section-rank.ts';
import type { LanesView } from './view.ts';

/** Refuses no section as a near-duplicate; see the setting `duplicates`. */
const NO_DUPLICATES = 1.01;

export async function* keepSections(
  run: LanesRun,
  view: LanesView,
): AsyncGenerator<OpenHop, void, void> {
  run.learning.onRanked?.(view);
  yield await run.hopOf(view, run.ranking(view)(1), run.clauses);
  if (view.found.length === 0) return;
  const { lanes } = view;
  const question = lanes[0]!;
  // Function words favour short passages, so the question is searched by its content words too.
  const content = contentOf(question);
  const about = aboutWords(question);
  const more = about === '' ? [content] : [content, `${content} ${about}`];
  await search(run, view, [...lanes, ...more], lanes.length);
  const ranked = await rankedSections(run, view, question);
  yield await keep(run, ranked, { packing: BY_SCORE }, ['sections']);
  const each = askedOfEach(
    question,
    ranked.map(({ section }) => section),
  );
  if (!each) return;
  await search(run, view, each.map(contentOf), 0);
  const both = [await rankedSections(run, view, each[0]), await rankedSections(run, view, each[1])];
  const turns = inTurns(both, ({ section }) => section.passage.id);
  // Scores for two texts have no common scale: the order alone counts.
  const placed = turns.map(({ section }, place) => ({ section, score: 1 / (1 + place) }));
  // Two manuals may say the same of their defaults, or the same but for a number.
  const choice = { packing: BY_SCORE, duplicates: NO_DUPLICATES, groupOf: String };
  yield await keep(run, placed, choice, each);
}

interface RankedSection {
  readonly section: Section;
  readonly score: number;
}

const contentOf = (text: string): string => [...contentWords(withoutFunctionWords(text))].join(' ');

/** Searches passages by texts; those from the place `content` on have content words alone. */
async function search(
  { searches, signals, call }: LanesRun,
  { found }: LanesView,
  texts: readonly string[],
  content: number,
): Promise<void> {
  // The best sentence decides that sections are searched.
  const from = { ...found[0]!.search, id: found[0]!.hit.id };
  const queries = texts.map((text): StrategyQuery => ({ text, from }));
  const made = await searches.ask(signals.words!, queries, PARTS_DEPTH, call, 'passage');
  for (const [at, each] of made.entries())
    if (at < content) searches.addPassages(each, at);
    else searches.addPassages(each, 0, 'content');
}

/** Returns all sections found so far, best first for a question, equal ones as they were found. */
async function rankedSections(
  run: LanesRun,
  { vocabulary }: LanesView,
  question: string,
): Promise<RankedSection[]> {
  const { parsed, searches, engine, call } = run;
  const sections = await readSections(searches.passages.all, engine, call);
  const byWords = scoreSections(sections, {
    question,
    language: parsed.language,
    asked: searches.documents[0]!,
    vocabulary,
    analysis: analysisOf(engine),
  });
  const scores = await rerankedScores(run, question, byWords, at => {
    const { document, passage } = sections[at]!;
    return `${subjectAt(document, passage.start)}\n${passage.text}`;
  });
  return sections
    .map((section, at) => ({ section, score: scores[at]! }))
    .sort((a, b) => b.score - a.score);
}

function keep(
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
