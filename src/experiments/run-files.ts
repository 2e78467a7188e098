/** Writes the rankings of an evaluation as TREC runs, one file a row, and its gold as qrels. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InputError, PortError } from '../core/errors.ts';
import type { Trace } from '../core/trace/trace.ts';
import { printQrels } from '../documents/qrels.ts';
import { checkTrecIds, printTrecRun } from '../documents/trec-run.ts';
import type { Row } from '../evaluation/evaluation-result.ts';
import type { DataSet, Example } from '../evaluation/example.ts';
import { replaceFile } from '../platform/replace-file.ts';
import { rowFileName } from './row-file-name.ts';

export const RUN_FILES_NOTE =
  '--run-out writes ranking(), evidence first; a question without hits has one line with the document multihop:no-hits. --qrels-out leaves out questions without relevant documents. White space in ids is percent-encoded. multihop report --qrels FILE --run FILE scores them, as trec_eval does.';

/** Collects the document ranking of every scored trace, and writes them at the end. */
class RunFiles {
  private readonly rankings = new Map<string, Map<string, readonly string[]>>();
  private readonly paths: ReadonlyMap<string, { readonly path: string; readonly tag: string }>;

  /**
   * `out` is a file if there is one row and no such folder, else a folder. Throws `InputError` for
   * a file in the place of a folder and for ids that no run can hold, `PortError` if a folder
   * cannot be made.
   */
  constructor(out: string, rows: readonly Pick<Row, 'id'>[], dataSet: DataSet) {
    checkTrecIds(dataSet);
    const folder = rows.length > 1 || out.endsWith('/') || isFolder(out);
    if (folder && existsSync(out) && !isFolder(out))
      throw new InputError('bad-option', `${out} is a file`, {
        expected: 'a folder in --run-out where there are several rows: one file a row',
        received: `${rows.length} rows`,
      });
    makeFolder(folder ? out : dirname(out));
    this.paths = new Map(
      rows.map(({ id }, index) => {
        const tag = rowFileName(index + 1, id);
        return [id, { path: folder ? join(out, `${tag}.run`) : out, tag }];
      }),
    );
  }

  add(row: Pick<Row, 'id'>, { id }: Example, { ranking }: Trace): void {
    const rankings = this.rankings.get(row.id) ?? new Map<string, readonly string[]>();
    this.rankings.set(row.id, rankings.set(id, ranking));
  }

  /** Writes a file for each row, in the order of the questions. Returns the paths. */
  write(examples: readonly Example[]): string[] {
    return [...this.paths].map(([id, { path, tag }]) => {
      const rankings = this.rankings.get(id);
      const asked = examples.map(one => [one.id, rankings?.get(one.id) ?? []] as const);
      replaceFile(path, printTrecRun(asked, tag));
      return path;
    });
  }
}

/**
 * Opens the run files of an evaluation, and writes them and the gold of its questions at the end.
 * Throws `InputError` and `PortError`, see `RunFiles`.
 */
export function openRunFiles(
  {
    runOut,
    qrelsOut,
  }: { readonly runOut?: string | undefined; readonly qrelsOut?: string | undefined },
  rows: readonly Pick<Row, 'id'>[],
  dataSet: DataSet,
): {
  readonly onScored: (row: Row, example: Example, trace: Trace) => void;
  /** Returns the paths that were written. */
  readonly write: () => string[];
} {
  const files = runOut === undefined ? undefined : new RunFiles(runOut, rows, dataSet);
  if (qrelsOut !== undefined) makeFolder(dirname(qrelsOut));
  return {
    onScored: (row, example, trace) => files?.add(row, example, trace),
    write() {
      const paths = files?.write(dataSet.examples) ?? [];
      if (qrelsOut === undefined) return paths;
      replaceFile(qrelsOut, printQrels(dataSet.examples));
      return [...paths, qrelsOut];
    },
  };
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw notWritable(folder, error);
  }
}

function notWritable(path: string, error: unknown): PortError {
  const { code, message } = error as NodeJS.ErrnoException;
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  return new PortError(
    'store',
    full ? 'store-full' : 'store-not-writable',
    `Cannot write ${path}: ${message}`,
    { cause: error },
  );
}
