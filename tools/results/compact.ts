/**
 * The compact form of results. Names of rows, lists of measures and manifests stand once in lists
 * of their own, to which evaluations refer by position; a value is `[mean, low, high]`, or the mean
 * alone of what a row costs. Shares and reciprocal ranks are in hundredths of a percent, as precise
 * as reports print them: 6901 is 69.01 %.
 */
import type { EvaluationResult, RowResult } from '../../src/evaluation/evaluation-result.ts';
import { unitOf } from '../../src/evaluation/report/format-value.ts';
import type { Results } from './report.ts';

export const FORMAT = 'multihop results 4';

/** Times that a cache shortened say nothing and are left out, except of steps that take times. */
const isTime = (name: string): boolean => name.startsWith('Milliseconds');

/** Says what a row costs: its interval is narrow and decides nothing. */
const isCost = (name: string): boolean =>
  /^(?:ContextTokens|Documents|Retrievals|RerankedPairs|Hops|ModelCalls|ModelTokens)$/.test(name);

/** Returns a figure in the unit of its measure. */
const figure = (name: string, value: number): number =>
  ['share', 'coefficient'].includes(unitOf(name)) ? Math.round(10_000 * value) : value;

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
  const { failed: _, groups: __, ...kept } = manifest as Record<string, unknown>;
  return {
    questions,
    measures: to.measures.at(measures),
    rows: rows.map(row => ({
      row: partsOf(row).map(name => to.names.at(name)),
      ...(row.failed > 0 ? { failed: row.failed } : {}),
      values: measures.map(name => {
        const estimate = row.measures[name];
        if (!estimate) return null;
        const [mean, ...bounds] = [estimate.mean, estimate.low, estimate.high].map(value =>
          figure(name, value),
        );
        return isCost(name) ? mean : [mean, ...bounds];
      }),
    })),
    ...(costs ? { costs } : {}),
    manifest: to.manifests.at(kept),
  };
}

interface CompactRow {
  readonly row: readonly number[];
}

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
  readonly manifests: readonly unknown[];
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
    rows: evaluation.rows.map(row => ({
      ...row,
      row: row.row.map(at => to.names.at(from.names[at])),
    })),
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
    manifests: lists.manifests.values,
  };
}

/** More digits than four are finer than any interval. */
export const compactJson = (value: unknown): string =>
  `${JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'number' && !Number.isInteger(inner) ? Number(inner.toPrecision(4)) : inner,
  )}\n`;
