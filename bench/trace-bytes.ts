/**
 * Bytes of the sealed trace of a question that is asked by words with the default members, as
 * `eval` writes it, over every data set at hand.
 */

import { defined } from '../src/core/defined.ts';
import { sealEvents } from '../src/core/trace/audit.ts';
import type { TraceEvent } from '../src/core/trace/trace.ts';
import { readDataSet } from '../src/documents/data-sets.ts';
import { manifestOf, traceManifest } from '../src/experiments/evaluation-manifest.ts';
import { findData } from '../src/experiments/find-data.ts';
import { monotonicClock } from '../src/platform/clock.ts';
import { sha256 } from '../src/platform/sha256.ts';
import { type AskOptions, askEvents } from '../src/run/ask.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { machine, type Result, type Task } from './measure.ts';

const DATA_SETS = ['multihop-rag', '2wikimultihopqa-open', 'hotpotqa-pooled', '2wikimultihopqa'];
const STRATEGY = 'fact-lanes(tokens=510)';
/** Questions of a data set, evenly over all. */
const ASKED = 150;

async function bytesOf(name: string, data: string): Promise<Result> {
  const files = findData(name, {}, data);
  const dataSet = await readDataSet(name, files);
  const { documents, examples } = dataSet;
  const options = { dataSet, files, chunker: 'sentences', version: '0.1.0', controls: false };
  const manifest = traceManifest(manifestOf(options));
  const engine = new EmbeddedEngine({ documents }).current;
  const sizes: number[] = [];
  const count = Math.min(ASKED, examples.length);
  for (let at = 0; at < count; at++) {
    const { id, question, within } = examples[Math.floor((at * examples.length) / count)]!;
    const filter = within && ({ op: 'in', field: 'id', values: within } as const);
    const asked = defined<AskOptions>({ engine, strategy: STRATEGY, id, manifest, filter });
    const events: TraceEvent[] = [];
    for await (const event of askEvents(question.text, asked, monotonicClock)) events.push(event);
    sizes.push(Buffer.byteLength(sealEvents(events, sha256)));
  }
  sizes.sort((a, b) => a - b);
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  return {
    task: `trace-bytes: ${name}`,
    n: sizes.length,
    unit: 'bytes a question, p95',
    ours: sizes[Math.min(sizes.length - 1, Math.floor(0.95 * sizes.length))]!,
    peers: [],
    note: `mean ${Math.round(mean)}`,
    machine: machine(),
  };
}

export const traceBytes: Task = async ({ data, say }) => {
  const results: Result[] = [];
  for (const name of DATA_SETS) {
    say(`trace-bytes: ${name}`);
    results.push(await bytesOf(name, data));
  }
  return results;
};
