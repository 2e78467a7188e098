/** Turns the runs of traces into rows of an evaluation, and writes their traces as our own. */
import { mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Document } from '../../core/corpus/document.ts';
import type { Heads } from '../../core/trace/audit-chain.ts';
import type { TraceEvent } from '../../core/trace/trace.ts';
import { traceOf } from '../../core/trace/trace.ts';
import { brokenLaw } from '../../core/trace/trace-laws.ts';
import type { Example } from '../../evaluation/example.ts';
import type { TracedRow } from '../replay.ts';
import { rowFileName } from '../rows.ts';
import { TraceFile } from '../trace-file.ts';
import type { AgentRun } from './agent-run.ts';
import { eventsOfRun } from './agent-trace.ts';
import { FoundDocuments } from './found-documents.ts';
import { QuestionFinder, type ReadFile } from './read-runs.ts';
import type { EventRun } from './trace-format.ts';

/** The files of one path on the command line. */
export interface TracePath {
  readonly path: string;
  readonly files: readonly ReadFile[];
}

const isAgentRun = (run: AgentRun | EventRun): run is AgentRun => 'hops' in run;

/** Returns the documents that the runs found, beside those of the corpus. */
export function documentsOf(
  paths: readonly TracePath[],
  corpus: readonly Document[],
): FoundDocuments {
  const runs = paths.flatMap(({ files }) => files.flatMap(file => file.runs.filter(isAgentRun)));
  return new FoundDocuments(corpus, runs);
}

/** Returns the names of the tools that the runs of paths call. */
export const toolsOf = (paths: readonly TracePath[]): ReadonlySet<string> =>
  new Set(
    paths
      .flatMap(({ files }) => files.flatMap(({ runs }) => runs.filter(isAgentRun)))
      .flatMap(({ hops }) => hops.flatMap(({ searches }) => searches.map(({ tool }) => tool))),
  );

/** Keeps the searches of some tools alone. */
export const withTools = (path: TracePath, tools: readonly string[]): TracePath => ({
  ...path,
  files: path.files.map(file => ({
    ...file,
    runs: file.runs.map(run => (isAgentRun(run) ? searchingWith(run, tools) : run)),
  })),
});

const searchingWith = (run: AgentRun, tools: readonly string[]): AgentRun => ({
  ...run,
  hops: run.hops.map(hop => ({
    ...hop,
    searches: hop.searches.filter(({ tool }) => tools.includes(tool)),
  })),
});

/** The rows of traces; `unasked` counts the runs whose question is none of the data set. */
export interface TracedRows {
  readonly rows: readonly TracedRow[];
  readonly events: ReadonlyMap<string, ReadonlyMap<string, readonly TraceEvent[]>>;
  readonly unasked: number;
  readonly unsound: number;
}

/** Makes a row for each agent of each path. The last run of a question counts. */
export function tracedRows(
  paths: readonly TracePath[],
  examples: readonly Example[],
  documents: FoundDocuments,
): TracedRows {
  const finder = new QuestionFinder(examples);
  const rows = new Map<string, Map<string, readonly TraceEvent[]>>();
  let [unasked, unsound] = [0, 0];
  const labels = labelsOf(paths.map(({ path }) => path));
  for (const { path, files } of paths)
    for (const file of files)
      for (const run of file.runs) {
        const example = finder.find(askedIn(run), file.path);
        if (!example) unasked++;
        else {
          const events = eventsOf(run, example, documents);
          if (brokenLaw(events) || !traceOf(events)) unsound++;
          else {
            const id = rowId(events, labels.get(path));
            rows.set(id, (rows.get(id) ?? new Map()).set(example.id, events));
          }
        }
      }
  return { rows: [...rows].map(rowOf), events: rows, unasked, unsound };
}

function askedIn(run: AgentRun | EventRun): { readonly id?: string; readonly text?: string } {
  if (isAgentRun(run)) return { id: run.id, text: run.question } as ReturnType<typeof askedIn>;
  const first = run.events[0];
  return (first?.type === 'question' && first.question) || {};
}

/** Returns the events under the id of the question, which is that of the data set. */
function eventsOf(
  run: AgentRun | EventRun,
  { id, question }: Example,
  documents: FoundDocuments,
): readonly TraceEvent[] {
  if (isAgentRun(run)) return eventsOfRun(run, { id, text: question.text }, documents);
  return run.events.map(event =>
    event.type === 'question' ? { ...event, question: { ...event.question, id } } : event,
  );
}

const rowId = ([first]: readonly TraceEvent[], label: string | undefined): string => {
  const { strategy } = first as Extract<TraceEvent, { type: 'question' }>;
  return label === undefined ? strategy : `${strategy} (${label})`;
};

/** Labels the paths where there are several: by their last name, or whole if two share it. */
function labelsOf(paths: readonly string[]): ReadonlyMap<string, string> {
  const distinct = [...new Set(paths)];
  if (distinct.length === 1) return new Map();
  const areNamed = new Set(distinct.map(path => basename(path))).size === distinct.length;
  return new Map(distinct.map(path => [path, areNamed ? basename(path) : path]));
}

function rowOf([id, traces]: [string, ReadonlyMap<string, readonly TraceEvent[]>]): TracedRow {
  const [first] = traces.values().next().value! as readonly TraceEvent[];
  const { strategy, retriever, context, reader, budget } = first as Extract<
    TraceEvent,
    { type: 'question' }
  >;
  const read = (events: readonly TraceEvent[]) => async () => traceOf(events)!;
  return {
    id,
    strategy,
    retriever,
    context,
    reader,
    budget,
    traces: new Map([...traces].map(([question, events]) => [question, { read: read(events) }])),
  };
}

/** Writes a sealed file for each row, in the order of the questions. */
export function writeTraceFiles(
  out: string,
  { events }: TracedRows,
  examples: readonly Example[],
): Record<string, { readonly file: string; readonly heads: Heads }> {
  return Object.fromEntries(
    [...events].map(([id, byQuestion], index) => {
      const name = `traces/${rowFileName(index + 1, id)}.jsonl`;
      mkdirSync(dirname(join(out, name)), { recursive: true });
      const file = new TraceFile(join(out, name), true);
      for (const example of examples)
        for (const event of byQuestion.get(example.id) ?? []) file.add(event);
      return [id, { file: name, heads: file.close() }];
    }),
  );
}
