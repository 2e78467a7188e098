/**
 * The compact form of results. Names of rows, lists of measures and manifests stand once in
 * separate lists, to which evaluations refer by position; a manifest after the first states what
 * differs from it, and `null` for what it lacks. A row is `[names, values]`, its values a
 * text in the order of the measures: `6901-12+13` is 69.01 % with an interval from 1.2 points below
 * to 1.3 above, `5.003` the mean alone of what a row costs, `–` no value. Shares and coefficients
 * are in hundredths of a percent, as precise as reports print them; ends of their intervals in
 * tenths: the draw of the resamples moves them by a few hundredths.
 */

import { defined } from '../../src/core/defined.ts';
import type {
  Estimate,
  EvaluationResult,
  RowResult,
} from '../../src/evaluation/evaluation-result.ts';
import { unitOf } from '../../src/evaluation/report/format-value.ts';
import type { Results } from './report.ts';

export const FORMAT = 'multihop results 6';

/** Times that a cache shortened say nothing and are left out, except of steps that take times. */
const isTime = (name: string): boolean => name.startsWith('Milliseconds');

/** Says what a row costs: its interval is narrow and decides nothing. */
const isCost = (name: string): boolean =>
  /^(?:ContextTokens|Documents|Retrievals|RerankedPairs|Hops|ModelCalls|ModelTokens)$/.test(name);

/** The text of no value. */
const NONE = '–';

/** More digits than four are finer than any interval. */
const precise = (value: number, digits = 4): number =>
  Number.isInteger(value) ? value : Number(value.toPrecision(digits));

/** Returns the text of a value, in the unit of its measure. */
export function valueText(name: string, estimate: Estimate | undefined): string {
  if (!estimate) return NONE;
  const { mean, low, high } = estimate;
  const inHundredths = ['share', 'coefficient'].includes(unitOf(name));
  const figure = inHundredths ? Math.round(10_000 * mean) : precise(mean);
  if (isCost(name)) return String(figure);
  const distance = (to: number): number =>
    inHundredths ? Math.round(1000 * to) : precise(to, DISTANCE_DIGITS);
  return `${figure}-${distance(mean - low)}+${distance(high - mean)}`;
}

/** Digits of the distance from a mean to the ends of its interval, where it has no unit. */
const DISTANCE_DIGITS = 2;

/** A list of distinct values; equal ones share a position. */
class Distinct {
  readonly values: unknown[] = [];
  private readonly positions = new Map<string, number>();

  at(value: unknown): number {
    const text = JSON.stringify(value);
    const known = this.positions.get(text) ?? this.values.push(value) - 1;
    this.positions.set(text, known);
    return known;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** In the order of names, so that equal manifests are equal texts. */
const sorted = (entries: readonly (readonly [string, unknown])[]): Fields =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Leaves out `null`, which says nothing, as the compact form writes it for what is missing. */
const stated = (manifest: Fields): Fields =>
  sorted(Object.entries(manifest).filter(([, value]) => value !== null));

/** Returns the first manifest, and what differs from it in the others. */
function differing([first, ...others]: readonly Fields[]): Fields[] {
  if (!first) return [];
  const text = (value: unknown): string => JSON.stringify(value ?? null);
  const differences = others.map(other =>
    sorted(
      Object.keys({ ...first, ...other })
        .filter(name => text(other[name]) !== text(first[name]))
        .map(name => [name, other[name] ?? null]),
    ),
  );
  return [first, ...differences];
}

/** Reads `result.json`, each manifest whole. */
export function readCompact(text: string): Compacted {
  const read = JSON.parse(text) as Compacted;
  const [first] = read.manifests;
  return { ...read, manifests: read.manifests.map(each => stated({ ...first, ...each })) };
}

interface Lists {
  readonly names: Distinct;
  readonly measures: Distinct;
  readonly manifests: Distinct;
}

/** Returns the parts of a row by name. */
function partsOf({ strategy, retriever, context, reader, budget }: RowResult): string[] {
  const limits = Object.entries(budget).map(([limit, value]) => `budget ${limit}=${value}`);
  return [strategy, retriever, context, reader, ...limits];
}

/** Returns one evaluation without pairs and groups. */
function compactResult({ questions, rows, costs, manifest }: EvaluationResult, to: Lists): object {
  const all = [...new Set(rows.flatMap(row => Object.keys(row.measures)))];
  const measures = all.every(isTime) ? all : all.filter(name => !isTime(name));
  const { failed: _, groups: __, ...kept } = manifest as Fields;
  return defined({
    questions,
    measures: to.measures.at(measures),
    rows: rows.map((row): CompactRow => {
      const names = partsOf(row).map(name => to.names.at(name));
      const values = measures.map(name => valueText(name, row.measures[name])).join(' ');
      return row.failed > 0 ? [names, values, row.failed] : [names, values];
    }),
    costs,
    manifest: to.manifests.at(stated(kept)),
  });
}

/** Positions of names, values, and the number of failed questions, if any failed. */
type CompactRow = readonly [names: readonly number[], values: string, failed?: number];

interface CompactEvaluation {
  readonly measures: number;
  readonly rows: readonly CompactRow[];
  readonly manifest: number;
}

/** The content of `result.json`. */
export interface Compacted {
  readonly format: string;
  readonly evaluations: Readonly<Record<string, CompactEvaluation>>;
  readonly names: readonly unknown[];
  readonly measures: readonly unknown[];
  readonly manifests: readonly Fields[];
  readonly figures?: object;
}

/** Earlier results to keep: `names` of steps, each with its name there; `order` is of all steps. */
export interface KeptResults {
  readonly result: Compacted;
  readonly names: ReadonlyMap<string, string>;
  readonly order: readonly string[];
}

/** Returns an evaluation of an earlier result, referring to other lists. */
function kept(evaluation: CompactEvaluation, from: Compacted, to: Lists): object {
  return {
    ...evaluation,
    measures: to.measures.at(from.measures[evaluation.measures]),
    rows: evaluation.rows.map(([names, ...values]) => [
      names.map(at => to.names.at(from.names[at])),
      ...values,
    ]),
    manifest: to.manifests.at(from.manifests[evaluation.manifest]),
  };
}

/** Returns all evaluations by name, and the lists that they refer to. */
export function compactResults({ measured }: Results, before?: KeptResults): object {
  const lists = { names: new Distinct(), measures: new Distinct(), manifests: new Distinct() };
  const evaluations = (before?.order ?? [...measured.keys()]).flatMap(
    (name): [string, object][] => {
      const found = measured.get(name);
      if (found) return [[name, compactResult(found.result, lists)]];
      const known = before?.names.get(name);
      if (before === undefined || known === undefined) return [];
      return [[known, kept(before.result.evaluations[known]!, before.result, lists)]];
    },
  );
  return {
    format: FORMAT,
    evaluations: Object.fromEntries(evaluations),
    names: lists.names.values,
    measures: lists.measures.values,
    manifests: differing(lists.manifests.values as readonly Fields[]),
  };
}

export const compactJson = (value: unknown): string =>
  `${JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'number' ? precise(inner) : inner,
  )}\n`;
