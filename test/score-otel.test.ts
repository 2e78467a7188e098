/**
 * Tests that `score` over spans of our strategies gives what an evaluation in the process gives,
 * measure by measure and question by question.
 */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { Trace } from '../src/core/trace/trace.ts';
import { readDataSet } from '../src/documents/data-sets.ts';
import type { DataSet, Score } from '../src/evaluation/example.ts';
import { measure, measureMembers } from '../src/evaluation/measures.ts';
import { readTraces } from '../src/experiments/agent-runs/read-runs.ts';
import { documentsOf, tracedRows } from '../src/experiments/agent-runs/scored-traces.ts';
import { findData } from '../src/experiments/find-data.ts';
import { recordsOf } from '../src/experiments/stored-records.ts';
import { ask } from '../src/index.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { otlpJson } from './otlp-json.ts';
import { demoDataSet, freshFolder, succeeds } from './running-command.ts';

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
);

const NAMES = measureMembers.map(({ name }) => name.replace(/@[a-z]$/, '@5'));

/** Asks every question, writes the spans to a file, and returns the traces in the process. */
async function recorded(dataSet: DataSet, strategies: readonly string[], file: string) {
  const engine = new EmbeddedEngine({ documents: dataSet.documents });
  const traces = new Map<string, Trace>();
  for (const strategy of strategies)
    for (const { id, question } of dataSet.examples) {
      exporter.reset();
      const options = { engine, strategy: strategy as 'chain', id, telemetry: 'content' } as const;
      traces.set(`${strategy} ${id}`, await ask(question.text, options));
      appendFileSync(file, `${JSON.stringify(otlpJson(exporter.getFinishedSpans()))}\n`);
    }
  return traces;
}

async function agrees(dataSet: DataSet, strategies: readonly string[]): Promise<number> {
  const file = join(freshFolder(), 'spans.jsonl');
  const traces = await recorded(dataSet, strategies, file);
  const paths = [{ path: file, files: readTraces(file) }];
  const { rows, unasked, unsound } = tracedRows(
    paths,
    dataSet.examples,
    documentsOf(paths, dataSet.documents),
  );
  assert.deepEqual([unasked, unsound, rows.length], [0, 0, strategies.length]);
  const records = recordsOf(dataSet);
  let compared = 0;
  for (const [index, strategy] of strategies.entries())
    for (const example of dataSet.examples) {
      const read = await rows[index]!.traces.get(example.id)!.read();
      const own = traces.get(`${strategy} ${example.id}`)!;
      for (const name of NAMES) {
        // A span has whole microseconds.
        if (name === 'Milliseconds') continue;
        const score = (one: Trace): Score | undefined =>
          measure(name as 'Hops').score(example, one, records);
        assert.deepEqual(score(read), score(own), `${name}, ${strategy}, ${example.id}`);
        compared++;
      }
    }
  return compared;
}

test('spans of five strategies over the demo give every measure of every question', async () => {
  const [, corpus, , questions] = demoDataSet(freshFolder()) as [string, string, string, string];
  const dataSet = await readDataSet('multihop-rag', { corpus, questions });
  const strategies = ['fact-lanes', 'fixed-top-k', 'iterative', 'slot-agent', 'chain'];
  const compared = await agrees(dataSet, strategies);
  assert.equal(compared, (NAMES.length - 1) * 5 * dataSet.examples.length);
});

const DATA = process.env['MULTIHOP_DATA'];

test('200 questions of MultiHop-RAG agree', {
  skip: !existsSync(DATA ?? '') && 'needs MULTIHOP_DATA',
}, async () => {
  const whole = await readDataSet('multihop-rag', findData('multihop-rag', {}, DATA));
  await agrees({ ...whole, examples: whole.examples.slice(0, 200) }, ['fixed-top-k', 'slot-agent']);
});

test('the command scores spans, writes results, and its traces verify', async () => {
  const files = demoDataSet(freshFolder());
  const [, corpus, , questions] = files as [string, string, string, string];
  const whole = await readDataSet('multihop-rag', { corpus, questions });
  const dataSet = { ...whole, examples: whole.examples.slice(0, 3) };
  const spans = join(freshFolder(), 'spans.jsonl');
  await recorded(dataSet, ['fact-lanes'], spans);
  const out = join(freshFolder(), 'out');
  const words = ['score', spans, '--dataset', 'multihop-rag', ...files, '--out', out];
  const { out: text } = await succeeds(words);
  assert.match(text, /pieces reached the answer/);
  await succeeds(['replay', out]);
  await succeeds(['report', out, '--format', 'html', '-o', join(out, 'report.html')]);
  await succeeds([...words, '--not-below', out]);
});
