/**
 * `multihop report DIR`: prints the results of an evaluation as text, Markdown or a self-contained
 * HTML page. `multihop report --qrels FILE --run FILE`: scores TREC
 * run files.
 */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { InputError, PortError } from '../../core/errors.ts';
import type { CurvePoint } from '../../evaluation/abstention-curve.ts';
import { RUN_FILE_MEASURES } from '../../evaluation/default-measures.ts';
import type { EvaluationResult } from '../../evaluation/evaluation-result.ts';
import { measure } from '../../evaluation/measures.ts';
import { htmlReport } from '../../evaluation/report/html-report.ts';
import { markdownReport } from '../../evaluation/report/markdown-report.ts';
import { picture } from '../../evaluation/report/picture.ts';
import type { ScoredQuestions } from '../../evaluation/report/scored-questions.ts';
import { textReport } from '../../evaluation/report/text-report.ts';
import { readResults, readTraceFiles } from '../../experiments/results-folder.ts';
import { scoreRuns } from '../../experiments/scored-runs.ts';
import { REPLACE_UNLINKED } from '../../platform/regular-file.ts';
import type { Command, CommandContext } from '../command.ts';
import { Progress } from '../progress.ts';
import { tracePagesFolder, writeTracePages } from '../trace-pages.ts';

const FORMATS: Readonly<Record<string, (reported: Reported) => string>> = {
  text: ({ result, curves }) => textReport(result, curves),
  markdown: ({ result, curves }) => markdownReport(result, curves),
  html: ({ result, curves, questions }) => htmlReport(result, curves, questions),
  svg: ({ result }) => picture(result),
};

export const command: Command = {
  positionals: [
    { name: 'DIR', optional: true, summary: 'a folder written by multihop eval --out' },
  ],
  options: [
    {
      name: 'format',
      value: 'NAME',
      default: 'text',
      summary: 'text, markdown, html, or svg (one picture)',
    },
    {
      name: 'output',
      short: 'o',
      value: 'FILE',
      access: 'writes',
      beside: path => [tracePagesFolder(path)],
      summary: 'write there instead of stdout',
    },
    {
      name: 'no-traces',
      summary: 'write no pages of traces with an HTML report, and no links to them',
    },
    {
      name: 'qrels',
      value: 'FILE',
      access: 'read',
      summary: 'relevance judgements, TREC or the TSV of a BEIR folder; instead of DIR',
    },
    {
      name: 'run',
      value: 'FILE',
      access: 'read',
      repeatable: true,
      summary: 'a TREC run to score against them, of multihop or another tool',
    },
    {
      name: 'measure',
      value: 'NAME',
      repeatable: true,
      summary: `of the run files, instead of ${RUN_FILE_MEASURES.join(', ')}`,
    },
  ],
  notes: [
    'With -o an HTML report links every question to its traces, which are pages of the inspector (see inspect) in a folder beside it, FILE without .html and with .traces.',
    'Run files are read as trec_eval reads them: by score, ties by document id, descending. A question without hits counts 0, also where the run does not name it; one without a relevant document is left out; n is the number of questions that count. With --json also perQuestion: { RUN: { MEASURE: { QUESTION: value } } }.',
  ],
  examples: [
    { line: 'multihop report runs/agent', says: 'tables in the terminal' },
    {
      line: 'multihop report runs/agent --format html -o report.html',
      says: 'one page with plots and every question, and the traces in report.traces/',
    },
    {
      line: 'multihop report --qrels qrels/test.tsv --run bm25.run --run mine.run',
      says: 'run files of any tool, compared',
    },
  ],
  run: runReport,
};

/** Holds the object of `--json`, and the parts of it that reports print. */
interface Reported {
  readonly result: EvaluationResult;
  readonly curves: Readonly<Record<string, readonly CurvePoint[]>>;
  readonly questions?: ScoredQuestions;
  readonly object: object;
}

async function runReport(context: CommandContext): Promise<number> {
  const { options, output } = context;
  const name = options.text('format') ?? 'text';
  if (!Object.hasOwn(FORMATS, name))
    throw new InputError('unknown-format', 'The report format', {
      expected: 'text, markdown, html or svg',
      received: name,
    });
  const reported = await openReported(context);
  if (output.json) {
    output.object(reported.object);
    return 0;
  }
  const file = options.text('output');
  const text = FORMATS[name]!(name === 'html' ? await withTraces(context, reported) : reported);
  if (file === undefined && name === 'text') output.line(text.trimEnd());
  else if (file === undefined) output.verbatim(text.trimEnd());
  else write(file, text, options.isDefault('output'));
  return 0;
}

/** Writes the pages of traces beside the report, if it is a file and its evaluation has traces. */
async function withTraces(context: CommandContext, reported: Reported): Promise<Reported> {
  const { positionals, options, output } = context;
  const [folder, file] = [positionals[0], options.text('output')];
  const { questions } = reported;
  if (folder === undefined || file === undefined || !questions || options.flag('no-traces'))
    return reported;
  const ids = questions.records.questions.map(({ id }) => id);
  const traces = await writeTracePages(file, readTraceFiles(folder), ids);
  if (!traces) return reported;
  const { length } = traces.pages;
  const pages = length === 1 ? 'one page' : `${length} pages`;
  output.note(`Traces of the questions: ${pages} in ${dirname(traces.pages[0]!)}`);
  return { ...reported, questions: { ...questions, traces } };
}

/** Reads a folder of results, or scores run files. Throws `InputError` for both, or neither. */
async function openReported(context: CommandContext): Promise<Reported> {
  const { positionals, options, output, signal } = context;
  const [folder, qrels, runs] = [positionals[0], options.text('qrels'), options.texts('run')];
  const names = options.texts('measure');
  const scoring = qrels !== undefined || runs.length > 0 || names.length > 0;
  if (folder !== undefined && !scoring) {
    const read = readResults(folder);
    return { ...read, object: { ...read.result, curves: read.curves } };
  }
  if (folder !== undefined || qrels === undefined || runs.length === 0)
    throw new InputError('missing-option', 'The report needs results', {
      expected: 'a folder written by multihop eval --out, or --qrels FILE with --run FILE',
      received: folder === undefined ? 'neither' : `${folder} with options of run files`,
    });
  const measures = (names.length > 0 ? names : RUN_FILE_MEASURES).map(measure);
  const progress = new Progress(output, 'rankings');
  const scored = scoreRuns({ qrels, runs }, measures, signal, ({ done, total }) =>
    progress.update({ count: done, done, total }),
  );
  const { result, perQuestion, notes } = await scored.finally(() => progress.end());
  for (const note of notes) output.warn(note);
  return { result, curves: {}, object: { ...result, perQuestion } };
}

function write(file: string, text: string, unlinked: boolean): void {
  try {
    const opened = openSync(file, unlinked ? REPLACE_UNLINKED : 'w');
    try {
      writeFileSync(opened, text);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw new PortError(
      'report',
      'not-writable',
      `Cannot write ${file}: ${(error as Error).message}`,
      { cause: error },
    );
  }
}
