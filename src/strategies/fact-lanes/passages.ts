/**
 * Keeps sentences of short passages without links, such as clauses of a law or messages: a second
 * hop searches by content words, and `passage-rank.ts` ranks passages without weights.
 */
import { analysisOf } from '../../core/corpus/analysis-cache.ts';
import type { Passage } from '../../core/corpus/document.ts';
import { contentWords } from '../../language/english/words/content-words.ts';
import type { OpenHop } from '../strategy.ts';
import { BY_SCORE } from './keep.ts';
import { PARTS_DEPTH, SEARCHED } from './lane-searches.ts';
import { rankPassages, scoreDocuments } from './passage-rank.ts';
import { plainSum, type Ranked } from './rank.ts';
import { scoresWithReranker } from './reranking.ts';
import type { LanesRun } from './run.ts';
import type { LanesView } from './view.ts';

/** Characters of 160 word pieces beside a question and a title, which a small reranker reads. */
const READ = 600;

export async function* keepPassages(
  run: LanesRun,
  first: LanesView,
): AsyncGenerator<OpenHop, void, void> {
  const { learning, searches, signals } = run;
  const hopOf = (view: LanesView, ranked: Ranked, reason: readonly string[]): Promise<OpenHop> =>
    run.hop(run.optionsOf(view, ranked), { packing: BY_SCORE }, reason);
  if (signals.words === undefined || first.found.length === 0 || searches.short) {
    learning.onRanked?.(first);
    yield await hopOf(first, await ranked(run, first), run.clauses);
    return;
  }
  yield await hopOf(first, plainSum(first), run.clauses);
  await searchContentWords(run, first);
  const view = await run.view();
  learning.onRanked?.(view);
  yield await hopOf(view, await ranked(run, view), ['content words']);
}

async function ranked(run: LanesRun, view: LanesView): Promise<Ranked> {
  const { kit, searches, parsed } = run;
  const signals = {
    language: parsed.language,
    asked: searches.documents[0]!,
    content: searches.content,
    analysis: analysisOf(kit.engine),
  };
  const scored = scoreDocuments(view, signals);
  // Clauses of a question rank worse than the whole: each lacks what the others say.
  const scores = await scoresWithReranker(run, view.lanes[0]!, scored.scores, at => {
    const { title, text } = scored.documents[at]!;
    return `${title}\n${around(text, view.texts[scored.best[at]!]!)}`;
  });
  return rankPassages(view, { ...scored, scores });
}

/** Returns the part of a text around a sentence that a reranker reads to its end. */
function around(text: string, { start, end }: Passage): string {
  const from = Math.max(0, Math.min((start + end - READ) >> 1, text.length - READ));
  return text.slice(from, from + READ).toWellFormed();
}

/**
 * Searches sentences and documents by the content words of each lane, in a hop of their own:
 * function words favour short ones.
 */
export async function searchContentWords(
  {
    searches,
    signals,
    settings,
    call,
  }: Pick<LanesRun, 'searches' | 'signals' | 'settings' | 'call'>,
  { lanes, found }: Pick<LanesView, 'lanes' | 'found'>,
): Promise<void> {
  // The candidates decide that it is searched.
  const from = { ...found[0]!.search, id: found[0]!.hit.id };
  const queries = lanes.map(lane => ({ text: [...contentWords(lane)].join(' '), from }));
  const { depth } = settings;
  const documents = await searches.ask(signals.words!, queries, depth, call, 'document');
  const deep = Math.max(depth, PARTS_DEPTH);
  const sentences = await searches.ask(signals.words!, queries, deep, call, SEARCHED);
  for (const search of documents) searches.addDocuments(search);
  for (const search of sentences) searches.add(search);
  for (const lane of lanes.keys())
    searches.content.push({
      sentences: sentences[lane]?.hits ?? [],
      documents: documents[lane]?.hits ?? [],
    });
}
