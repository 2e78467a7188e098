/** Lays out the answer of a chat: its text, its support, and the evidence. */
import { showSides } from '../../session/evidence-view.ts';
import { showEvidence, shownBlocks } from '../../session/shown-evidence.ts';
import { stateOf } from '../../session/streamed-answer.ts';
import { answerLines, sideLines } from '../answer-text.ts';
import { blockLines } from '../evidence-blocks.ts';
import { spentLine } from '../model-cost.ts';
import { costLine, cutLines, degradedLines, fallbackLines, type Page } from '../run-text.ts';
import type { FinishedRun } from './chat-run.ts';

interface ChatAnswerView {
  /** Text that was shown while a model wrote it. */
  readonly streamed?: string;
  /** The parameter of that name of `evidenceLines`. */
  readonly fold?: string | undefined;
}

export function chatAnswerLines(
  run: FinishedRun,
  page: Page,
  { streamed = '', fold }: ChatAnswerView = {},
): string[] {
  const { trace, documents, paths, model } = run;
  const { style } = page;
  const documentIds = [...new Set(trace.evidence.map(({ documentId }) => documentId))];
  const { support } = trace.answer;
  return [
    ...answerLines(trace.answer, page, { documentIds, streamed: stateOf(streamed, trace) }),
    ...(support === undefined ? [] : [style.faint(`Support ${support.toFixed(2)}`)]),
    ...fallbackLines(trace, page),
    ...cutLines(trace, page),
    ...degradedLines(trace.hops, page),
    ...sideLines(showSides(trace, documents, paths), page),
    ...foundLines(run, page, fold),
    style.faint(costLine(trace)),
    ...(model === undefined ? [] : [style.faint(spentLine(model))]),
  ];
}

/** Lists the evidence; `fold` as in `evidenceLines`. */
function foundLines({ trace, documents, paths }: FinishedRun, page: Page, fold?: string): string[] {
  if (trace.evidence.length === 0) return [];
  const blocks = shownBlocks(showEvidence(trace, documents, paths));
  return [page.style.bold('Evidence'), ...blockLines(blocks, page, fold)];
}

/** Lists the evidence of a run with whole texts. */
export function sourceLines(run: FinishedRun, page: Page): string[] {
  const lines = foundLines(run, page);
  return lines.length === 0 ? ['The last run found nothing.'] : lines;
}
