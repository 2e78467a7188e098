/** Lays out the answer of a chat: its text, its support, and the numbered places that it cites. */
import {
  articlesOf,
  quote,
  type ShownArticle,
  showEvidence,
  showSides,
} from '../../serving/evidence-view.ts';
import { answerLines, sideLines } from '../answer-text.ts';
import { costLine, degradedLines, documentLines, type Page, placeLines } from '../run-text.ts';
import { printable, shorten, wrapBehind } from '../wrap.ts';
import type { FinishedRun } from './chat-run.ts';

/** Articles that are shown where the answer cites none. */
const UNCITED_SHOWN = 3;

/** `streamed`: the text was shown while it was written. */
export function chatAnswerLines(run: FinishedRun, page: Page, streamed = false): string[] {
  const { trace, documents, paths } = run;
  const { style } = page;
  const documentIds = [...new Set(trace.evidence.map(({ documentId }) => documentId))];
  const { support } = trace.answer;
  return [
    ...answerLines(trace.answer, page, { documentIds, streamed }),
    ...(support === undefined ? [] : [style.faint(`Support ${support.toFixed(2)}`)]),
    ...degradedLines(trace.hops, page),
    ...sideLines(showSides(trace, documents, paths), page),
    ...citedLines(run, page),
    style.faint(costLine(trace)),
  ];
}

/** Lists the cited articles with their quotes, by their numbers in the evidence. */
function citedLines({ trace, documents, paths }: FinishedRun, page: Page): string[] {
  const articles = articlesOf(showEvidence(trace, documents, paths)).map(numbered);
  const cited = articles.filter(({ article }) => article.cited);
  const shown = cited.length > 0 ? cited : articles.slice(0, UNCITED_SHOWN);
  if (shown.length === 0) return [];
  const head = cited.length > 0 ? 'Sources' : 'Nothing is cited; the first of what was found';
  return [
    page.style.bold(head),
    ...shown.flatMap(({ article, first }) => [
      ...documentLines(first, article, page, { columns: 6 }),
      ...article.quotes
        .filter(each => each.cited === article.cited)
        .flatMap(each => [
          ...placeLines(article, each, page),
          ...wrapBehind('      ', `“${shorten(printable(each.text), 4 * page.width)}”`, page.width),
        ]),
    ]),
  ];
}

const numbered = (
  article: ShownArticle,
  index: number,
): { readonly article: ShownArticle; readonly first: string } => ({
  article,
  first: `[${index + 1}] `.padStart(6),
});

/** Lists every passage of the evidence in full, under its article. */
export function sourceLines({ trace, documents, paths }: FinishedRun, page: Page): string[] {
  const evidence = showEvidence(trace, documents, paths);
  if (evidence.length === 0) return ['The last run found nothing.'];
  return articlesOf(evidence)
    .map(numbered)
    .flatMap(({ article, first }) => [
      ...documentLines(first, article, page, { columns: 6 }),
      ...evidence
        .filter(({ documentId }) => documentId === article.documentId)
        .flatMap(({ spans, documentId }) =>
          spans.map(span => quote(documents.get(documentId)!, ...span)),
        )
        .flatMap(passage => [
          ...placeLines(article, passage, page),
          ...wrapBehind('      ', printable(passage.text), page.width),
        ]),
    ]);
}
