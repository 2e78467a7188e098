/** Reads what kept traces show beside scores: first documents, the unit searched first, losses. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Unit } from '../../src/core/ranking/ranking.ts';
import type { Trace } from '../../src/core/trace/trace.ts';
import { recordedTraces } from '../../src/experiments/trace-reader.ts';
import type { Measured } from './report.ts';

/** The keeps of a step whose traces are read. */
export const TRACES = 'traces';

/** First documents, unit and losses of a row. */
export interface Handed {
  /** The first documents by the id of the question. */
  readonly first: ReadonlyMap<string, readonly string[]>;
  /** The unit of the first search of most questions. */
  readonly unit: Unit | undefined;
  /** Losses without a language model, each text once. */
  readonly losses: readonly string[];
}

const known = new Map<string, Promise<Handed>>();

/** Reads the traces of the row at a position of the step, once. */
export function handedOver({ kept }: Pick<Measured, 'kept'>, row = 0, k = 5): Promise<Handed> {
  const key = `${kept} ${row} ${k}`;
  const reading = known.get(key) ?? read(join(kept, TRACES), row, k);
  known.set(key, reading);
  return reading;
}

async function read(folder: string, row: number, k: number): Promise<Handed> {
  const file = existsSync(folder) ? readdirSync(folder).sort()[row] : undefined;
  const traces: Trace[] = [];
  if (file !== undefined)
    for (const recorded of await recordedTraces(join(folder, file)))
      traces.push(await recorded.read());
  return handed(traces, k);
}

/** Returns what the traces show. */
export function handed(traces: readonly Trace[], k: number): Handed {
  const outputs = traces.flatMap(({ hops }) => hops.flatMap(hop => hop.outputs ?? []));
  const losses = outputs.filter(({ role }) => role === 'degraded').map(({ text }) => text);
  const units = traces.flatMap(({ hops: [first] }) => first?.searches[0]?.unit ?? []);
  const counted = [...Map.groupBy(units, unit => unit)];
  return {
    unit: counted.sort(([, a], [, b]) => b.length - a.length)[0]?.[0],
    first: new Map(traces.map(({ question, ranking }) => [question.id, ranking.slice(0, k)])),
    losses: [...new Set(losses)],
  };
}

/**
 * Counts the questions whose first documents are others in one row than in another, in whatever
 * order; undefined unless both have the same questions.
 */
export function changedQuestions(a: Handed, b: Handed): number | undefined {
  const ids = [...a.first.keys()];
  if (ids.length === 0 || ids.length !== b.first.size) return undefined;
  if (!ids.every(id => b.first.has(id))) return undefined;
  const set = (documents: readonly string[] | undefined): string =>
    JSON.stringify([...new Set(documents)].sort());
  return ids.filter(id => set(a.first.get(id)) !== set(b.first.get(id))).length;
}
