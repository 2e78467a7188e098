/** The compact form of results: rows by name, `[mean, low, high]` a measure. */
import type { EvaluationResult } from '../../src/evaluation/evaluation-result.ts';
import type { Results } from './report.ts';

const FORMAT = 'multihop results 2';

/** Times that a cache shortened say nothing and are left out, except of steps that take times. */
const isTime = (name: string): boolean => name.startsWith('Milliseconds');

/** The bounds of an interval need fewer digits than its middle. */
const rounded = (bound: number): number => Number(bound.toPrecision(3));

/** Returns one evaluation without pairs and groups; `manifest` is a position in `manifests`. */
function compactResult({ questions, rows, costs }: EvaluationResult, manifest: number): object {
  const all = [...new Set(rows.flatMap(row => Object.keys(row.measures)))];
  const measures = all.every(isTime) ? all : all.filter(name => !isTime(name));
  return {
    questions,
    measures,
    rows: rows.map(({ id, measures: known, failed }) => ({
      row: id,
      ...(failed > 0 ? { failed } : {}),
      values: measures.map(name => {
        const estimate = known[name];
        return estimate ? [estimate.mean, rounded(estimate.low), rounded(estimate.high)] : null;
      }),
    })),
    ...(costs ? { costs } : {}),
    manifest,
  };
}

/** Returns all evaluations by name, and each distinct manifest once. */
export function compactResults({ measured }: Results): object {
  const manifests: string[] = [];
  const evaluations = [...measured].map(([name, { result }]) => {
    const { failed: _, groups: __, ...manifest } = result.manifest as Record<string, unknown>;
    const text = JSON.stringify(manifest);
    if (!manifests.includes(text)) manifests.push(text);
    return [name, compactResult(result, manifests.indexOf(text))];
  });
  return {
    format: FORMAT,
    evaluations: Object.fromEntries(evaluations),
    manifests: manifests.map(text => JSON.parse(text) as unknown),
  };
}

/** More digits than four are finer than any interval. */
export const compactJson = (value: unknown): string =>
  `${JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'number' && !Number.isInteger(inner) ? Number(inner.toPrecision(4)) : inner,
  )}\n`;
