/** Prints the run of `multihop ask`: its hops, its answer, its evidence. */

import type { Heads } from '../core/trace/audit-chain.ts';
import type { Trace, TraceEvent } from '../core/trace/trace.ts';
import type { ModelSpending } from '../models/metered-model.ts';
import type { SearchEngine } from '../search/engine.ts';
import {
  aboutDocument,
  documentsOf,
  type Paths,
  shownIds,
  showSides,
} from '../session/evidence-view.ts';
import { runResult } from '../session/run-result.ts';
import { showEvidence, shownBlocks } from '../session/shown-evidence.ts';
import { stateOf } from '../session/streamed-answer.ts';
import { answerLines, sideLines } from './answer-text.ts';
import { blockLines } from './evidence-blocks.ts';
import { languageLine } from './language-line.ts';
import { spentLine, withModel } from './model-cost.ts';
import type { Output } from './output.ts';
import {
  costLine,
  cutLines,
  degradedLines,
  fallbackLines,
  hopLines,
  stoppedWords,
} from './run-text.ts';

type HopEvent = Extract<TraceEvent, { type: 'hop' }>;

/** Prints a hop on stderr, for `--explain` and `--verbose`. */
export async function printHop(
  { index, hop }: HopEvent,
  question: string,
  engine: SearchEngine,
  output: Output,
): Promise<void> {
  const documents = await documentsOf(
    hop.kept.map(({ documentId }) => documentId),
    engine,
  );
  const about = (id: string) => aboutDocument(documents.get(id)!);
  const page = { style: output.noteStyle, width: output.width };
  for (const line of hopLines(index, hop, about, page, question)) output.note(line);
}

export interface PrintedRun {
  readonly engine: SearchEngine;
  /** Files of the documents. */
  readonly paths?: Paths;
  /** Missing if the trace is not chained; `--json` prints them. */
  readonly heads: Heads | undefined;
  /** File of the trace. */
  readonly file: string | undefined;
  /** Text that was shown while a model wrote it. */
  readonly streamed: string;
  /** Names what shows the lines that long texts leave out; they leave out none if missing. */
  readonly fold?: string | undefined;
  /** Counts what the language model took; missing if it was not asked. */
  readonly model?: ModelSpending | undefined;
}

/** Prints a finished run: the object of `--json`, or answer, evidence and cost. */
export async function printRun(
  trace: Trace,
  { engine, heads, file, paths, ...more }: PrintedRun,
  output: Output,
): Promise<void> {
  const documents = await documentsOf(shownIds(trace), engine);
  const { model } = more;
  if (output.json && heads)
    output.object(withModel(runResult(trace, documents, heads, file, paths), model));
  else printAnswer(trace, documents, { output, paths, ...more });
}

function printAnswer(
  trace: Trace,
  documents: Awaited<ReturnType<typeof documentsOf>>,
  {
    output,
    streamed,
    paths,
    fold,
    model,
  }: Pick<PrintedRun, 'streamed' | 'paths' | 'fold' | 'model'> & { readonly output: Output },
): void {
  const { style } = output;
  const documentIds = [...new Set(trace.evidence.map(({ documentId }) => documentId))];
  const answer = answerLines(trace.answer, output, {
    documentIds,
    streamed: stateOf(streamed, trace),
  });
  const faults = [
    ...fallbackLines(trace, output),
    ...cutLines(trace, output),
    ...degradedLines(trace.hops, output),
  ];
  for (const line of [...answer, ...faults]) output.line(line);
  for (const line of sideLines(showSides(trace, documents, paths), output)) output.line(line);
  if (trace.evidence.length > 0) {
    output.line();
    output.line(`${style.bold('Evidence')}  ${style.faint(`found by ${trace.strategy}`)}`);
    const blocks = shownBlocks(showEvidence(trace, documents, paths));
    for (const line of blockLines(blocks, output, fold)) output.line(line);
  }
  output.line();
  if (trace.stopped?.by === 'limit') output.line(style.yellow(stoppedWords(trace.stopped)));
  const read = languageLine(trace);
  if (read !== undefined) output.line(style.faint(read));
  output.line(style.faint(costLine(trace)));
  if (model !== undefined) output.line(style.faint(spentLine(model)));
}
