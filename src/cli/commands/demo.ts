/**
 * `multihop demo`: answers a three-hop question over a small corpus, hop by hop, beside one search
 * that cannot.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Document } from '../../core/corpus/document.ts';
import { InputError } from '../../core/errors.ts';
import { freeCall } from '../../core/trace/call.ts';
import type { Trace, TraceEvent } from '../../core/trace/trace.ts';
import { readDocuments } from '../../documents/read-documents.ts';
import { monotonicClock } from '../../platform/clock.ts';
import { thisPackage } from '../../platform/package-root.ts';
import type { AskOptions } from '../../run/ask.ts';
import { ingestEvents } from '../../run/ingest.ts';
import { EmbeddedEngine } from '../../search/embedded-engine.ts';
import type { Engine, SearchEngine } from '../../search/engine.ts';
import { aboutDocument } from '../../session/evidence-view.ts';
import { runResult } from '../../session/run-result.ts';
import { showEvidence, shownBlocks } from '../../session/shown-evidence.ts';
import { timedAsk, watchRun } from '../../session/timed-run.ts';
import { TraceLines } from '../../session/trace-lines.ts';
import { Store } from '../../stores/disk/store.ts';
import { answerLines } from '../answer-text.ts';
import { exitCodeOfStop } from '../ask-exit.ts';
import type { Command, CommandContext } from '../command.ts';
import { blockLines } from '../evidence-blocks.ts';
import type { Output } from '../output.ts';
import { duration } from '../progress.ts';
import { costLine, documentLines, hopLines } from '../run-text.ts';
import { wrapBehind } from '../wrap.ts';

const HOPPING = 'iterative(rounds=3)';
/** A question for two documents, to go on with. */
const NEXT_QUESTION =
  "On what date will the bell of the brig that was found by Orrin Wind's survey boats be shown to the public for the first time?";
/**
 * Context and reader for strategies that keep articles; the defaults of `ask` are fitted to the
 * sentences that fact-lanes keeps.
 */
const READ_BY = { context: 'lead', reader: 'extractive' };
const ONE_SEARCH = 'fixed-top-k(k=10)';

export const command: Command = {
  positionals: [],
  options: [
    {
      name: 'store',
      value: 'DIR',
      access: 'keeps',
      summary: 'store the demo corpus, to ask further questions',
    },
  ],
  examples: [
    { line: 'multihop demo', says: 'nothing is written' },
    {
      line: `multihop demo --store demo.store && multihop ask "${NEXT_QUESTION}" --store demo.store`,
      says: 'store the corpus, to ask further questions',
    },
  ],
  notes: [
    '--json prints { documents, gold, oneSearch: { strategy, found, missing, lastGoldRank }, run }, run being what ask --json prints.',
  ],
  run: demo,
};

interface Demo {
  readonly question: DemoQuestion;
  readonly documents: ReadonlyMap<string, Document>;
  readonly engine: SearchEngine;
  readonly signal: AbortSignal;
  readonly output: Output;
}

async function demo({ options, output, signal }: CommandContext): Promise<number> {
  const began = monotonicClock();
  const { documents, question } = await readDemo(signal);
  const folder = options.text('store');
  const engine: Engine =
    folder === undefined ? new EmbeddedEngine() : await Store.open(folder, { create: true });
  for await (const _ of ingestEvents(documents, { engine, signal }));
  if (engine instanceof Store) await engine.close();
  const byId = new Map(documents.map(document => [document.id, document]));
  await using snapshot = await engine.snapshot();
  const run: Demo = { question, documents: byId, engine: snapshot, signal, output };
  if (!output.json) tellCorpus(run, monotonicClock() - began);

  const single = await watchRun(timedAsk(question.text, runOptions(run, ONE_SEARCH)));
  const ranked = await rankOf(run, question.gold.at(-1)!);
  if (!output.json) tellOneSearch(run, single, ranked);

  const lines = new TraceLines(undefined);
  if (!output.json) output.line(`${output.style.bold('Hop by hop')}     ${HOPPING}\n`);
  const trace = await watchRun(timedAsk(question.text, runOptions(run, HOPPING)), event => {
    lines.add(event);
    if (!output.json) tellHop(run, event);
  });
  const heads = lines.seal();
  if (output.json)
    output.object({
      documents: documents.length,
      gold: question,
      oneSearch: oneSearchResult(run, single, ranked),
      run: runResult(trace, byId, heads, undefined),
    });
  else tellAnswer(run, trace, folder);
  return exitCodeOfStop(trace.stopped);
}

function runOptions({ question, engine, signal }: Demo, strategy: string): AskOptions {
  return {
    engine,
    strategy,
    ...READ_BY,
    signal,
    id: question.id,
    manifest: { multihop: thisPackage().version, corpus: 'demo' },
  };
}

/** Returns the rank of a document in a search for the question; 0 if it is not found. */
async function rankOf({ engine, question, documents }: Demo, id: string): Promise<number> {
  const [ranking] = await engine.search(
    { unit: 'document', k: documents.size, queries: [{ text: question.text }] },
    freeCall(),
  );
  return ranking!.findIndex(({ documentId }) => documentId === id) + 1;
}

function missing({ question }: Demo, { evidence }: Trace): string[] {
  const found = new Set(evidence.map(({ documentId }) => documentId));
  return question.gold.filter(id => !found.has(id));
}

function oneSearchResult(demo: Demo, trace: Trace, ranked: number): unknown {
  return {
    strategy: trace.strategy,
    found: demo.question.gold.length - missing(demo, trace).length,
    missing: missing(demo, trace),
    lastGoldRank: ranked,
  };
}

function tellCorpus({ question, documents, output }: Demo, ms: number): void {
  const { style, width } = output;
  const sources = new Set([...documents.values()].map(({ metadata }) => metadata['source'])).size;
  output.line();
  output.line(
    `${style.bold('The corpus')}     ${documents.size} short news articles of our own fiction from ${sources} outlets`,
  );
  output.line(style.faint(`               read, cut and indexed in ${duration(ms)}`));
  output.line();
  for (const line of wrapBehind(`${style.bold('The question')}   `, question.text, width, 15))
    output.line(line);
  output.line();
}

function tellOneSearch(demo: Demo, trace: Trace, ranked: number): void {
  const { output, question, documents } = demo;
  const { style, width } = output;
  const lost = missing(demo, trace);
  output.line(`${style.bold('One search')}     ${trace.strategy}`);
  output.line(
    `               ${style.yellow(`finds ${question.gold.length - lost.length} of the ${question.gold.length} articles that hold the answer, and misses`)}`,
  );
  for (const id of lost)
    for (const line of documentLines(' '.repeat(15), aboutDocument(documents.get(id)!), output))
      output.line(line);
  const where =
    ranked === 0
      ? 'it shares no word with the question'
      : `it stands at rank ${ranked} of ${documents.size}`;
  for (const line of wrapBehind(
    ' '.repeat(15),
    `For the words of the question ${where}: only what the other articles say leads there.`,
    width,
  ))
    output.line(style.faint(line));
  output.line();
}

function tellHop({ documents, output, question }: Demo, event: TraceEvent): void {
  if (event.type !== 'hop') return;
  for (const line of hopLines(
    event.index,
    event.hop,
    id => aboutDocument(documents.get(id)!),
    output,
    question.text,
  ))
    output.line(line);
  output.line();
}

function tellAnswer(
  { documents, output, question }: Demo,
  trace: Trace,
  folder: string | undefined,
): void {
  const { style } = output;
  output.line(
    `${style.bold('The answer')}     ${style.faint(`by the reader ${trace.reader}, without a model`)}`,
  );
  for (const line of answerLines(trace.answer, output)) output.line(`  ${line}`);
  const right =
    trace.answer.kind !== 'abstained' &&
    trace.answer.text.toLowerCase().includes(question.answer.toLowerCase());
  output.line(
    style.faint(
      right
        ? '  which is the answer of the question’s authors'
        : `  the answer of the question’s authors: ${question.answer}`,
    ),
  );
  output.line();
  output.line(`${style.bold('The evidence')}   ${style.faint('* cited by the answer')}`);
  for (const line of blockLines(shownBlocks(showEvidence(trace, documents)), output))
    output.line(line);
  output.line();
  output.line(style.faint(costLine(trace)));
  output.note(
    folder === undefined
      ? `\nNext: multihop ingest YOUR-FOLDER --store my.store, then multihop ask "..." --store my.store`
      : `\nNext: multihop ask "${NEXT_QUESTION}" --store ${folder}`,
  );
}

interface DemoQuestion {
  readonly id: string;
  readonly text: string;
  readonly answer: string;
  /**
   * Ids of the documents that hold the evidence, in the order in which a reader would find them.
   */
  readonly gold: readonly string[];
}

interface StoredQuestion {
  readonly id: string;
  readonly query: string;
  readonly answer: string;
  readonly evidence_list: readonly { readonly url: string }[];
}

const DEMO_QUESTION = 'demo';

/** Works from a checkout and from an installed package. */
async function readDemo(
  signal: AbortSignal,
): Promise<{ documents: Document[]; question: DemoQuestion }> {
  const folder = join(thisPackage().folder, 'demo');
  const documents: Document[] = [];
  for await (const event of readDocuments([join(folder, 'corpus.jsonl')], { signal }))
    if (event.type === 'document') documents.push(event.document);
  const questions = JSON.parse(
    await readFile(join(folder, 'questions.json'), 'utf8'),
  ) as StoredQuestion[];
  const found = questions.find(({ id }) => id === DEMO_QUESTION);
  if (!found)
    throw new InputError('bad-demo', 'The demo has no question', {
      expected: `one with the id "${DEMO_QUESTION}"`,
    });
  const byUrl = new Map(documents.map(({ id, metadata }) => [metadata['url'], id]));
  const gold = [...new Set(found.evidence_list.map(({ url }) => byUrl.get(url)!))];
  return { documents, question: { id: found.id, text: found.query, answer: found.answer, gold } };
}
