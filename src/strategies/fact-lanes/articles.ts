/**
 * Keeps sentences of articles, ranked by weights learned on news, in one hop. If the question may
 * nest descriptions ("the ship from which the winner of the prize listens"), later hops follow
 * names, and candidates gain by names that link them to the best sentences.
 */
import { rankDiscount } from '../../models/fact-ranker/features.ts';
import type { OpenHop } from '../strategy.ts';
import { mostAreLong } from './corpus-kind.ts';
import type { NameHits } from './lane-searches.ts';
import { followNames, NAME_HOPS } from './names.ts';
import { LaneRanking, type Ranked } from './rank.ts';
import type { LanesRun } from './run.ts';
import type { LanesView } from './view.ts';

export function keepArticles(run: LanesRun, first: LanesView): AsyncGenerator<OpenHop, void, void> {
  const nests = isNested(run, first);
  // Weights for articles are learnt on one pass.
  const steps = { hops: run.learning.hops ?? (nests ? NAME_HOPS : 0), passes: 1 };
  return followNames(run, first, nests ? byNameLinks(run) : view => run.ranking(view), steps);
}

/**
 * Returns true if names are followed. A long article mentions many names that it is not about, so
 * there searches for names rank worse.
 */
function isNested({ parsed, settings }: LanesRun, { kind, documentsOf }: LanesView): boolean {
  const follows = settings.bridge === 'auto' && settings.ranker === 'learned';
  const may = parsed.nested && follows && kind === 'articles';
  return may && !mostAreLong([...new Set(documentsOf)]);
}

const byNameLinks = (run: LanesRun) => (view: LanesView) => {
  const ranked = withNameLinks(
    new LaneRanking(view, run.weights).after(1),
    view,
    run.searches.links,
  );
  return () => ranked;
};

/**
 * Log-odds that the best link adds, once for the sentence and once for its document. Chosen among
 * 3, 4 and 5 on train questions of MuSiQue, HotpotQA and 2WikiMultiHopQA, whose paragraphs were
 * given headlines and sources.
 */
const WEIGHT = 4;

/** Share of a link if the sentence has part of the name: "Ferrow" for "Ines Ferrow". */
const PART = 0.5;

/**
 * Adds links to the scores. A link is the score in the name's search, divided by the geometric mean
 * of the best of that search and the best of all such searches, so that rare names count more. It
 * is discounted by the rank of the sentence that introduces the name, whose document gains nothing
 * and sets no best: a name that no other document has leads nowhere, however rare.
 */
export function withNameLinks(ranked: Ranked, view: LanesView, links: readonly NameHits[]): Ranked {
  const [sentences, documents] = [new Map<string, number>(), new Map<string, number>()];
  const raise = (known: Map<string, number>, id: string, link: number): unknown =>
    known.set(id, Math.max(link, known.get(id) ?? 0));
  const led = links.map(({ hits, documentId, ...link }) => ({
    ...link,
    hits: hits.filter(hit => hit.documentId !== documentId),
  }));
  const best = led.reduce((most, { hits }) => Math.max(most, hits[0]?.score ?? 0), 0);
  // Only scores of searches by words, which are positive, can be compared.
  if (best <= 0) return ranked;
  const candidates = new Map(view.found.map(({ hit }, at) => [hit.id, view.candidates[at]!]));
  for (const { words, hits, rank } of led) {
    const strength = hits[0]?.score ?? 0;
    if (strength <= 0) continue;
    for (const { id, documentId, score } of hits) {
      const { text, title } = candidates.get(id)!;
      const whole = text.padded.includes(words) || title.padded.includes(words);
      const link = (score / Math.sqrt(best * strength)) * rankDiscount(rank) * (whole ? 1 : PART);
      raise(sentences, id, link);
      raise(documents, documentId, link);
    }
  }
  const scores = ranked.scores.map((score, at) => {
    const { id, documentId } = view.found[at]!.hit;
    return score + WEIGHT * ((sentences.get(id) ?? 0) + (documents.get(documentId) ?? 0));
  });
  return { ...ranked, scores };
}
