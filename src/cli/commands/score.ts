/**
 * `multihop score TRACES`: scores the recorded runs of agents of other libraries on questions with
 * gold, and says which hop found or lost which gold evidence.
 */
import { InputError } from '../../core/errors.ts';
import type { TraceEvent } from '../../core/trace/trace.ts';
import { readCorpusQueries } from '../../documents/data-sets/corpus-queries.ts';
import { dataSets } from '../../documents/data-sets.ts';
import { defaultMeasureNames } from '../../evaluation/default-measures.ts';
import type { DataSet } from '../../evaluation/example.ts';
import { accountOf, type QuestionAccount } from '../../evaluation/hop-account.ts';
import { measure } from '../../evaluation/measures.ts';
import { QuestionRecorder } from '../../evaluation/question-records.ts';
import { textReport } from '../../evaluation/report/text-report.ts';
import { readTraces } from '../../experiments/agent-runs/read-runs.ts';
import {
  documentsOf,
  type TracedRows,
  type TracePath,
  toolsOf,
  tracedRows,
  withTools,
  writeTraceFiles,
} from '../../experiments/agent-runs/scored-traces.ts';
import { traceFormats } from '../../experiments/agent-runs/trace-formats.ts';
import { scoreRows } from '../../experiments/replay.ts';
import { beginResults, makeFolder, writeResults } from '../../experiments/results-folder.ts';
import { recordsOf } from '../../experiments/stored-records.ts';
import { printAccounts } from '../account-text.ts';
import type { Command, CommandContext } from '../command.ts';
import { DATA_NOTE, DATA_OPTIONS, openDataSet, warnOf } from '../data-options.ts';
import {
  failuresOf,
  GATE_NOTE,
  GATE_OPTIONS,
  gatedMeasures,
  gateOf,
  printFailures,
} from '../gate.ts';
import { Progress } from '../progress.ts';

const FORMATS = traceFormats.map(({ name }) => name).join(', ');

export const command: Command = {
  positionals: [
    {
      name: 'TRACES',
      repeatable: true,
      summary: 'a file of traces, or a folder of such files; each is a system to compare',
    },
  ],
  options: [
    {
      name: 'dataset',
      value: 'NAME',
      default: 'jsonl',
      summary: `the data set of the questions: ${dataSets.map(({ name }) => name).join(', ')}`,
    },
    ...DATA_OPTIONS,
    {
      name: 'format',
      value: 'NAME',
      summary: `format of the traces, if the content should not decide: ${FORMATS}`,
    },
    {
      name: 'tool',
      value: 'NAME',
      repeatable: true,
      summary: 'count calls of this tool alone as searches; all tools if missing',
    },
    {
      name: 'measure',
      value: 'NAME',
      repeatable: true,
      summary: 'measure to score, instead of the default ones',
    },
    {
      name: 'out',
      value: 'DIR',
      access: 'writes',
      summary: 'write results and sealed traces there, for report, inspect, replay and --not-below',
    },
    ...GATE_OPTIONS,
  ],
  notes: [
    `Formats: ${traceFormats.map(({ name, summary }) => `${name} (${summary})`).join('; ')}.`,
    'A run belongs to the question whose text its agent was asked, or whose id it states; a trace without a question to that whose id is the name of its file. Gold is a document by its id, or a text that stands in a hit. Without --corpus and --store the documents are those that the searches returned, so that gold which nothing found counts as missed.',
    'Hits without a text have that of their document in --corpus or --store. An answer rests on the hits that hold its words.',
    DATA_NOTE,
    GATE_NOTE,
    '--json prints the object of eval with accounts: { ROW: [{ question, text, gold: [{ documentId, fact, fate, found: { hop, rank, query }, withdrawn }], answer, answerText, restsOn: [{ documentId, hop }], hops: [{ searches, gold, spent, ms }], spent, ms }] }; hops and ranks count from 1.',
  ],
  examples: [
    {
      line: 'multihop score spans.json --questions questions.jsonl',
      says: 'an agent that OpenTelemetry recorded with its messages',
    },
    {
      line: 'multihop score before/ after/ --questions questions.jsonl --tool search --out runs/agents',
      says: 'two versions of an agent, compared; see multihop report runs/agents',
    },
  ],
  run: runScore,
};

async function runScore(context: CommandContext): Promise<number> {
  const { positionals, options, output, signal } = context;
  const gate = gateOf(options);
  const named = options.texts('measure').map(measure);
  const tools = options.texts('tool');
  const read = positionals.map(path => ({ path, files: readTraces(path, options.text('format')) }));
  checkTools(tools, toolsOf(read));
  const paths = tools.length === 0 ? read : read.map(path => withTools(path, tools));
  warnOfLines(paths, output);
  const { dataSet, rows } = await openQuestions(context, paths);
  warnOfRuns(rows, output);
  const reported =
    named.length > 0 ? named : defaultMeasureNames(dataSet.examples).map(name => measure(name));
  const measures = gatedMeasures(reported, gate);
  const out = options.text('out');
  if (out !== undefined) makeFolder(out);
  const stored = recordsOf(dataSet);
  // Nobody knows what a corpus lacks of which searches alone are known.
  const records = hasCorpus(options) ? stored : { ...stored, metadata: () => ({}) };
  const accounts: Record<string, QuestionAccount[]> = {};
  const progress = new Progress(output, 'traces');
  const { evaluation, examples } = await scoreRows(rows.rows, dataSet, measures, {
    signal,
    onStep: ({ done, total }) => progress.update({ count: done, done, total }),
    onScored(row, example, trace) {
      const ends = endsOf(rows.events.get(row.id)!.get(example.id)!);
      (accounts[row.id] ??= []).push(accountOf(example, trace, records, ends));
    },
  }).finally(() => progress.end());
  const left = dataSet.examples.length - examples.length;
  if (left > 0)
    output.warn(`${left} of ${dataSet.examples.length} questions have no run in every row`);
  const failures = gate && failuresOf(gate, evaluation, examples, measures);
  if (out !== undefined) {
    beginResults(out);
    const traces = writeTraceFiles(out, rows, examples);
    const questions = new QuestionRecorder(examples, records);
    for (const row of rows.rows)
      for (const example of examples)
        questions.note(row, example, await row.traces.get(example.id)!.read());
    writeResults(out, { ...evaluation, traces }, { ...dataSet, examples }, questions);
  }
  if (output.json) output.object({ ...evaluation.result, accounts, gate: failures });
  else {
    output.line(textReport(evaluation.result).trimEnd());
    for (const [row, all] of Object.entries(accounts)) printAccounts(row, all, output);
  }
  printFailures(failures ?? [], output);
  if (out !== undefined)
    output.note(`Results and traces are in ${out}; see: multihop report ${out}`);
  return failures?.length ? 1 : 0;
}

function checkTools(tools: readonly string[], called: ReadonlySet<string>): void {
  const unknown = tools.find(tool => !called.has(tool));
  if (unknown !== undefined)
    throw new InputError('bad-value', 'The option --tool', {
      expected: `a tool that the traces call: ${[...called].join(', ') || 'there is none'}`,
      received: unknown,
    });
}

/** A data set of its own has a corpus; that of questions alone has what searches found. */
const hasCorpus = (options: CommandContext['options']): boolean =>
  (options.text('dataset') ?? 'jsonl') !== 'jsonl' ||
  ['corpus', 'store'].some(option => options.flag(option));

interface Questions {
  readonly dataSet: DataSet;
  readonly rows: TracedRows;
}

/** Reads the questions, and joins the traces with them. */
async function openQuestions(
  context: CommandContext,
  paths: readonly TracePath[],
): Promise<Questions> {
  const { options, output } = context;
  const name = options.text('dataset') ?? 'jsonl';
  const questions = options.text('questions');
  if (!hasCorpus(options)) {
    if (questions === undefined)
      throw new InputError('missing-option', 'Traces are scored on questions with gold', {
        expected: '--questions FILE, or --dataset NAME',
      });
    const found = documentsOf(paths, []);
    const dataSet = await readCorpusQueries(found.documents, questions, {
      checkFields: true,
      isWhole: false,
    });
    warnOf(dataSet.problems, output);
    return { dataSet, rows: tracedRows(paths, dataSet.examples, found) };
  }
  const { dataSet } = await openDataSet({ ...context, positionals: [name] });
  const found = documentsOf(paths, dataSet.documents);
  const rows = tracedRows(paths, dataSet.examples, found);
  return { dataSet: { ...dataSet, documents: found.documents }, rows };
}

/** Returns the time at which each hop ended; none if the trace has no times. */
function endsOf(events: readonly TraceEvent[]): number[] {
  return events.flatMap(event => (event.type === 'hop' ? [event.ms] : []));
}

function warnOfLines(paths: readonly TracePath[], output: CommandContext['output']): void {
  for (const { path, skipped } of paths.flatMap(({ files }) => files))
    if (skipped.length > 0)
      output.warn(`${path}: ${skipped.length} lines are no JSON, the first is line ${skipped[0]}`);
}

function warnOfRuns(
  { rows, unasked, unsound }: TracedRows,
  output: CommandContext['output'],
): void {
  if (rows.length === 0 && unsound > 0)
    throw new InputError('no-traces', 'The runs on questions of the data set are no sound traces', {
      expected: 'runs with all their events, from the question to the end',
    });
  if (rows.length === 0)
    throw new InputError(
      'no-questions',
      'No run of the traces answers a question of the data set',
      {
        hint: 'A run needs the text or the id of its question; --questions names the file.',
      },
    );
  if (unasked > 0) output.warn(`${unasked} runs answer no question of the data set`);
  if (unsound > 0) output.warn(`${unsound} runs are no sound traces, and were left out`);
}
