/**
 * Spans a second that `multihop score` reads and scores: runs of agents as OTLP in JSON, with their
 * messages, results of tools and gold.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultMeasureNames } from '../src/evaluation/default-measures.ts';
import type { Example } from '../src/evaluation/example.ts';
import { measure } from '../src/evaluation/measures.ts';
import { readTraces } from '../src/experiments/agent-runs/read-runs.ts';
import { documentsOf, tracedRows } from '../src/experiments/agent-runs/scored-traces.ts';
import { scoreRows } from '../src/experiments/replay.ts';
import { cpuTime, machine, median, type Task } from './measure.ts';

const RUNS = 500;
/** Steps of a run: a call of the model and one of a tool each. */
const STEPS = 10;
const SPANS = RUNS * (1 + 2 * STEPS);
const FLOOR = 10_000;

const text = (run: number, step: number): string =>
  `Harbour ${run} lies ${step} miles north of the light, and its keeper sells rope and tar. `.repeat(
    4,
  );

function spansOf(run: number): object[] {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  const traceId = hex(run + 1, 32);
  const span = (at: number, name: string, pairs: Readonly<Record<string, unknown>>): object => ({
    traceId,
    spanId: hex(at + 1, 16),
    parentSpanId: at === 0 ? '' : hex(1, 16),
    name,
    startTimeUnixNano: `${(run * 100 + at) * 1_000_000}`,
    endTimeUnixNano: `${(run * 100 + (at === 0 ? 99 : at + 1)) * 1_000_000}`,
    attributes: Object.entries(pairs).map(([key, value]) => ({
      key,
      value: typeof value === 'number' ? { intValue: value } : { stringValue: value },
    })),
  });
  const said = (role: string, content: string): string =>
    JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
  const steps = Array.from({ length: STEPS }, (_, step) => [
    span(2 * step + 1, 'chat model', {
      'gen_ai.operation.name': 'chat',
      'gen_ai.usage.input_tokens': 900,
      'gen_ai.usage.output_tokens': 20,
    }),
    span(2 * step + 2, 'execute_tool search', {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'search',
      'gen_ai.tool.call.arguments': JSON.stringify({ query: `harbour ${step}` }),
      'gen_ai.tool.call.result': JSON.stringify(
        [0, 1, 2].map(hit => ({ id: `d${run}-${step}-${hit}`, text: text(run, step * 3 + hit) })),
      ),
    }),
  ]).flat();
  const root = span(0, 'invoke_agent harbour', {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.input.messages': said('user', `Where is harbour ${run}?`),
    'gen_ai.output.messages': said('assistant', `${run} miles north`),
  });
  return [root, ...steps];
}

const examples: Example[] = Array.from({ length: RUNS }, (_, run) => ({
  id: `q${run}`,
  question: { id: `q${run}`, text: `Where is harbour ${run}?` },
  answers: [`${run} miles north`],
  gold: [2, 5].map(step => ({
    documentId: `d${run}-${step}-1`,
    title: '',
    fact: text(run, step * 3 + 1),
  })),
}));

async function score(path: string): Promise<number> {
  const paths = [{ path, files: readTraces(path) }];
  const found = documentsOf(paths, []);
  const { rows } = tracedRows(paths, examples, found);
  const dataSet = { name: 'spans', documents: found.documents, examples, problems: [] };
  const measures = defaultMeasureNames(examples).map(name => measure(name as 'Hops'));
  const { signal } = new AbortController();
  const { evaluation } = await scoreRows(rows, dataSet, measures, { signal });
  return evaluation.result.rows[0]!.measures['FactRecall']!.mean;
}

export const scoreSpans: Task = async ({ runs }) => {
  const folder = mkdtempSync(join(tmpdir(), 'multihop-spans-'));
  const path = join(folder, 'spans.jsonl');
  const lines = Array.from({ length: RUNS }, (_, run) =>
    JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: spansOf(run) }] }] }),
  );
  writeFileSync(path, lines.join('\n'));
  try {
    const recall = await score(path);
    const times: number[] = [];
    for (let round = 0; round < runs; round++) times.push(await cpuTime(() => score(path)));
    const ours = Math.round(SPANS / (median(times) / 1000));
    return [
      {
        task: 'score-spans',
        n: SPANS,
        unit: 'spans a second of CPU',
        ours,
        peers: [{ name: 'floor', version: '', value: FLOOR, ratio: ours / FLOOR }],
        note: `${RUNS} runs, ${STEPS} searches each; FactRecall ${recall}`,
        machine: machine(),
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
};
