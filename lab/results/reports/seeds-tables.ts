/** The result tables of the five documents, each cell with ours beside it. */
import type { Score, Sums } from '../../../src/evaluation/example.ts';
import { measure } from '../../../src/evaluation/measures.ts';
import { valueOfScores } from '../../../src/evaluation/value-of-scores.ts';
import type { MeasuredRow, Results, Section } from '../report.ts';
import { table } from '../tables.ts';
import { found, linesOf } from './seeds-kept.ts';

interface Column {
  readonly head: string;
  /** `{row}` stands for the head of the row; the row's own where it is missing. */
  readonly measure?: string;
  readonly set?: string;
  /** 100 where the paper prints percent. */
  readonly factor?: number;
  readonly why?: string;
}

interface PublishedRow {
  readonly head: string;
  /** The label of our row, without which `why` says the reason. */
  readonly label?: string;
  readonly measure?: string;
  /** A type of question, or a number of gold documents. */
  readonly group?: string;
  readonly why?: string;
  /** Values of the paper to the letter; `--` where it has none. */
  readonly cells: readonly string[];
}

export interface PublishedTable {
  readonly paper: string;
  readonly name: string;
  readonly says: string;
  readonly set?: string;
  readonly columns: readonly Column[];
  readonly rows: readonly PublishedRow[];
}

export const TABLES: readonly PublishedTable[] = linesOf('tables.jsonl');

const NOT_RUN = 'not run yet';

/** Ours beside a cell, or the reason of a dash. */
type Cell = { readonly text: string } | { readonly why: string };

function ours(results: Results, of: PublishedTable, row: PublishedRow, at: number): Cell {
  const column = of.columns[at]!;
  const why = column.why ?? row.why;
  if (why !== undefined) return { why };
  const name = (column.measure ?? row.measure!).replace('{row}', row.head);
  if (name === 'questions') return questionsOf(results, row.group!);
  const known = found(results, column.set ?? of.set!, row.label!);
  if (!known) return { why: NOT_RUN };
  const printed = row.cells[at]!;
  const mark = known.row.result.rules ? 'ʳ' : '';
  if (printed.startsWith('[')) {
    const { low, high } = known.row.result.measures[name]!;
    return { text: `[${[low, high].map(end => (100 * end).toFixed(2)).join(', ')}]` };
  }
  const value = valueIn(known.row, name, row.group);
  if (value === undefined) return { why: 'not defined' };
  const decimals = /\.(\d+)/.exec(printed)?.[1]?.length ?? (name === 'Documents' ? 1 : 0);
  return { text: `${(value * (column.factor ?? 1)).toFixed(decimals)}${mark}` };
}

/** Questions of a type, from a run over all of them. */
function questionsOf({ measured }: Results, type: string): Cell {
  const step = measured.get('multihop-rag.fixed-top-k');
  if (!step) return { why: NOT_RUN };
  const { questions, groups, manifest } = step.result;
  const sizes = (groups ?? (manifest as unknown as typeof step.result).groups).byType;
  return { text: String(type === 'all' ? questions : sizes[type]) };
}

/** The value of a row over all its questions or those of a group. */
function valueIn(row: MeasuredRow, name: string, group = ''): number | undefined {
  const { byType, byEvidence, measures } = row.result;
  const types = row.scores[measure('TypeF1(weighted)').name] as readonly (Sums | null)[];
  if (name === 'TypeF1')
    return group === 'all' ? measures['TypeF1(weighted)']?.mean : f1(types, group);
  if (group !== '') return (byType[group] ?? byEvidence[group])?.[name];
  return measures[measure(name).name]?.mean;
}

/** F1 of one type, from the counts of the measure over all types. */
function f1(scores: readonly (Sums | null)[], type: string): number | undefined {
  const only = scores.map(score =>
    Object.fromEntries(Object.entries(score ?? {}).filter(([key]) => key.endsWith(` ${type}`))),
  );
  return valueOfScores(measure('TypeF1(macro)'), only as readonly Score[])?.value;
}

/** One paper: its tables, `published / ours` a cell. */
export const paperSection = (paper: string): Section => ({
  heading: `Tables of the ${paper}`,
  blocks: TABLES.filter(each => each.paper === paper).map(each => results => {
    const reasons: string[] = [];
    const lines = each.rows.map(row => [
      row.head,
      ...row.cells.map((printed, at) => {
        if (printed === '--') return '';
        const cell = ours(results, each, row, at);
        if ('text' in cell) return `${printed} / ${cell.text}`;
        if (!reasons.includes(cell.why)) reasons.push(cell.why);
        return `${printed} / –${SUPERSCRIPTS[reasons.indexOf(cell.why)]}`;
      }),
    ]);
    const notes = reasons.map((why, at) => `${SUPERSCRIPTS[at]} ${why}`).join('; ');
    const heads = ['published / ours', ...each.columns.map(({ head }) => head)];
    return [`**${each.name}.** ${each.says}.`, table(heads, lines), ...(notes ? [notes] : [])].join(
      '\n\n',
    );
  }),
});

const SUPERSCRIPTS = '¹²³⁴';

/** Counts cells, and those that have ours beside them. */
export function counted(results: Results): { readonly all: number; readonly filled: number } {
  const cells = TABLES.flatMap(of =>
    of.rows.flatMap(row =>
      row.cells.flatMap((printed, at) => (printed === '--' ? [] : [ours(results, of, row, at)])),
    ),
  );
  return { all: cells.length, filled: cells.filter(cell => 'text' in cell).length };
}
