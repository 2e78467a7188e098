/** Keeps what the report `seeds` is printed from: replies of the model, and rows of TreeHop. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { measure } from '../../../src/evaluation/measures.ts';
import type { Evaluation, Given, MeasuredRow, Results } from '../report.ts';
import { ROOT } from '../steps.ts';

/** A run of the report. */
export interface Run extends Evaluation {
  /** Asks a language model: replies are recorded, and answered from the record here. */
  readonly asks?: boolean;
}

const SEEDS = join(ROOT, 'lab', 'results', 'seeds');
/** Reads a list of claims or tables. */
export const linesOf = <T>(name: string): T[] =>
  readFileSync(join(SEEDS, name), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as T);
/** Returns the name by which scores are kept. */
export const canonical = (name: string): string => measure(name).name;

const REPLIES = join(SEEDS, 'replies');
/** The recorded replies of a step, compressed. */
export const repliesOf = (step: string): string => join(REPLIES, `${step}.br`);

/** Writes the replies of a step where `eval` reads them, and returns the words that name them. */
export function unpacked(step: string, { work }: Given): string[] {
  const cassette = join(work, `${step}.replayed`);
  mkdirSync(work, { recursive: true });
  writeFileSync(cassette, brotliDecompressSync(readFileSync(repliesOf(step))));
  return ['--cassette', cassette];
}

export const isRecorded = (step: string): boolean => existsSync(repliesOf(step));

/** Tells whether a run can be measured here: without a model, or by recorded replies. */
export const runnable = ({ asks, name }: Pick<Run, 'asks' | 'name'>): boolean =>
  !asks || isRecorded(name);

/** A finished row. */
export interface Found {
  readonly row: MeasuredRow;
  readonly asks: boolean;
}

export const TREE_HOP: string = join(SEEDS, 'tree-hop.br');

/** Rows of the report `tree-hop` by step: weights that it trained are not in the checkout. */
export type Kept = Readonly<Record<string, Pick<MeasuredRow, 'label' | 'scores' | 'result'>[]>>;

let treeHop: Kept | undefined;
function keptTreeHop(set: string): MeasuredRow[] {
  treeHop ??= JSON.parse(brotliDecompressSync(readFileSync(TREE_HOP)).toString()) as Kept;
  return Object.entries(treeHop).flatMap(([name, rows]) =>
    name.startsWith(`${set}.`) ? (rows as MeasuredRow[]) : [],
  );
}

/** Labels of rows that equal another without a model, as the reader answers in both. */
export const ALIKE: Readonly<Record<string, string>> = {
  'chain-contexts': 'chain-answers',
  'chain-unwritten': 'chain-answers-unwritten',
};

/** Finds the rows of a label, with the model first. */
export function rowsOf({ measured }: Results, set: string, label: string): Found[] {
  const rows = [true, false].flatMap(asks => {
    const name = asks ? `${label}-model` : (ALIKE[label] ?? label);
    const row = measured.get(`${set}.${name}`)?.rows[0];
    return row ? [{ row, asks }] : [];
  });
  const kept = keptTreeHop(set).filter(row => row.label === label);
  return [...rows, ...kept.slice(0, 1).map(row => ({ row, asks: false }))];
}

export const found = (results: Results, set: string, label: string): Found | undefined =>
  rowsOf(results, set, label)[0];
