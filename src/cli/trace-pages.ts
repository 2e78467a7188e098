/** Writes the traces of an evaluation as pages of the inspector, to which its report links. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type TracePages, traceKey } from '../evaluation/report/trace-pages.ts';
import { type TracedRun, tracedRuns } from '../experiments/traced-runs.ts';
import { type CarriedRun, inspectorFile } from '../inspector/page.ts';
import { replaceFile } from '../platform/replace-file.ts';

/** Characters of traces from which on a page ends with its question: it opens at once. */
const PAGE_CHARACTERS = 4_000_000;

/** A row of the evaluation and the file of its traces. */
export interface RowTraces {
  readonly id: string;
  readonly file: string;
}

/**
 * Writes pages into `REPORT.traces/` beside the report. `questions`: ids in the order of the
 * report. Undefined if no row has traces. Throws `PortError`.
 */
export async function writeTracePages(
  report: string,
  rows: readonly RowTraces[],
  questions: readonly string[],
): Promise<TracePages | undefined> {
  const there = rows.filter(({ file }) => existsSync(file));
  if (there.length === 0) return undefined;
  const folder = tracePagesFolder(report);
  removePages(folder);
  const sources = there.map(row => ({ ...row, runs: new RunsById(row.file) }));
  const pages: string[] = [];
  const pageOf: number[] = [];
  let runs: CarriedRun[] = [];
  let characters = 0;
  const flush = (): void => {
    if (runs.length === 0) return;
    const name = `${String(pages.length + 1).padStart(4, '0')}.html`;
    replaceFile(join(folder, name), inspectorFile({ runs }));
    pages.push(`${encodeURIComponent(basename(folder))}/${name}`);
    [runs, characters] = [[], 0];
  };
  for (const [index, id] of questions.entries()) {
    pageOf.push(pages.length);
    for (const [row, source] of sources.entries()) {
      const run = await source.runs.take(id);
      if (!run) continue;
      runs.push(carried(run, source, traceKey(row, index)));
      characters += run.lines.reduce((sum, line) => sum + line.length, 0);
    }
    if (characters > PAGE_CHARACTERS) flush();
  }
  flush();
  return { pages, pageOf, rows: there.map(({ id }) => id) };
}

/** Returns the folder of the pages beside a report. */
export const tracePagesFolder = (report: string): string =>
  `${report.replace(/\.html?$/i, '')}.traces`;

function carried(run: TracedRun, { id, file }: RowTraces, key: string): CarriedRun {
  const place = join(basename(dirname(file)), basename(file));
  const note = `From ${place}: multihop verify-trace checks it.`;
  return { key, name: id, question: run.question, note, lines: run.lines };
}

/** Removes pages that an earlier report wrote, and nothing else. */
function removePages(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder))
    if (/^\d{4,}\.html$/.test(name)) rmSync(join(folder, name));
}

/** Takes the runs of a file by the ids of their questions, cheaply where both have one order. */
class RunsById {
  private readonly runs: AsyncGenerator<TracedRun, void, void>;
  /** Runs that were passed on the way to others. */
  private readonly passed = new Map<string, TracedRun>();

  constructor(file: string) {
    this.runs = tracedRuns(file);
  }

  async take(id: string): Promise<TracedRun | undefined> {
    const known = this.passed.get(id);
    if (known) {
      this.passed.delete(id);
      return known;
    }
    for (;;) {
      const { value, done } = await this.runs.next();
      if (done) return undefined;
      if (value.id === id) return value;
      this.passed.set(value.id, value);
    }
  }
}
