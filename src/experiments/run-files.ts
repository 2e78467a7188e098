/** Writes the rankings of an evaluation as TREC runs, one file a row, and its gold as qrels. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InputError } from '../core/errors.ts';
import type { Trace } from '../core/trace/trace.ts';
import { printQrels } from '../documents/data-sets/qrels.ts';
import { checkTrecIds, printTrecRun } from '../documents/data-sets/trec-run.ts';
import type { Row } from '../evaluation/evaluation-result.ts';
import type { DataSet, Example } from '../evaluation/example.ts';
import { replaceFile } from '../platform/replace-file.ts';
import { makeFolder } from './results-folder.ts';
import { rowFileName } from './rows.ts';

export const RUN_FILES_NOTE =
  '--run-out writes ranking(), evidence first; a question without hits has one line with the document multihop:no-hits. --qrels-out leaves out questions without relevant documents. White space in ids is percent-encoded. multihop report --qrels FILE --run FILE scores them, as trec_eval does.';

interface Outputs {
  readonly runOut?: string | undefined;
  readonly qrelsOut?: string | undefined;
}

/** Collects the document ranking of every scored trace, and writes all files at the end. */
export class RunFiles {
  private readonly rankings = new Map<string, Map<string, readonly string[]>>();
  /** Files and tags by row. */
  private readonly runs = new Map<string, { readonly path: string; readonly tag: string }>();
  private readonly qrels: string | undefined;
  private readonly examples: readonly Example[];

  /**
   * Makes the folders. `runOut` is a file if there is one row and no such folder, else a folder.
   * Throws `InputError` for a file in the place of a folder and for ids that no run can hold,
   * `PortError` if a folder cannot be made.
   */
  constructor({ runOut, qrelsOut }: Outputs, rows: readonly Pick<Row, 'id'>[], dataSet: DataSet) {
    this.examples = dataSet.examples;
    this.qrels = qrelsOut;
    if (qrelsOut !== undefined) makeFolder(dirname(qrelsOut));
    if (runOut === undefined) return;
    checkTrecIds(dataSet);
    const isFolder = existsSync(runOut) && statSync(runOut).isDirectory();
    const several = rows.length > 1 || runOut.endsWith('/');
    if (several && existsSync(runOut) && !isFolder)
      throw new InputError('bad-option', `${runOut} is a file`, {
        expected: 'a folder in --run-out where there are several rows: one file a row',
        received: `${rows.length} rows`,
      });
    makeFolder(several || isFolder ? runOut : dirname(runOut));
    for (const [index, { id }] of rows.entries()) {
      const tag = rowFileName(index + 1, id);
      this.runs.set(id, { path: several || isFolder ? join(runOut, `${tag}.run`) : runOut, tag });
    }
  }

  add({ id: row }: Pick<Row, 'id'>, { id }: Example, { ranking }: Trace): void {
    if (!this.runs.has(row)) return;
    const rankings = this.rankings.get(row) ?? new Map<string, readonly string[]>();
    this.rankings.set(row, rankings.set(id, ranking));
  }

  /** Writes a file for each row, in the order of the questions. Returns the paths. */
  write(): string[] {
    for (const [id, { path, tag }] of this.runs) {
      const rankings = this.rankings.get(id);
      const asked = this.examples.map(one => [one.id, rankings?.get(one.id) ?? []] as const);
      replaceFile(path, printTrecRun(asked, tag));
    }
    const paths = [...this.runs.values()].map(({ path }) => path);
    if (this.qrels === undefined) return paths;
    replaceFile(this.qrels, printQrels(this.examples));
    return [...paths, this.qrels];
  }
}
