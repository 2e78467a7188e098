/** Tests the spans of runs by the SDK of OpenTelemetry. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { serveShips } from './served-store.ts';

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
);

const QUESTION = 'Who leads the owner of the bay where the Linnet lost its engines?';
const idOf = (span: ReadableSpan): string => span.spanContext().spanId;
const seconds = ([whole, nanos]: readonly [number, number]): number => whole + nanos / 1e9;

test('a run is a span, with one a hop and one a search inside, and no text of the question', async () => {
  const { server, send } = await serveShips();
  await using _ = server;
  exporter.reset();
  const response = await send('/v1/ask', { body: { question: QUESTION } });
  const record = (await response.json()) as { hops: { searches: unknown[] }[] };
  const spans = exporter.getFinishedSpans();
  const [run] = spans.filter(({ name }) => name === 'invoke_agent multihop');
  assert.ok(run);
  const hops = spans.filter(({ name }) => name.startsWith('hop '));
  assert.equal(hops.length, record.hops.length);
  for (const [index, { searches }] of record.hops.entries()) {
    const hop = hops.find(({ attributes }) => attributes['multihop.hop.index'] === index)!;
    assert.equal(hop.parentSpanContext?.spanId, idOf(run));
    const inside = spans.filter(({ parentSpanContext: up }) => up?.spanId === idOf(hop));
    assert.equal(inside.length, searches.length);
    assert.ok(inside.every(({ attributes: a }) => a['gen_ai.operation.name'] === 'retrieval'));
    assert.ok(seconds(hop.startTime) >= seconds(run.startTime));
    assert.ok(seconds(hop.endTime) <= seconds(run.endTime) + 0.001);
  }
  assert.equal(run.attributes['multihop.strategy'], 'fact-lanes(tokens=510)');
  const written = JSON.stringify(spans.map(({ name, attributes }) => [name, attributes]));
  assert.ok(!/Linnet|engines/.test(written), written);
});

test('a refused question ends without a span that stays open', async () => {
  const { server, send } = await serveShips();
  await using _ = server;
  exporter.reset();
  await send('/v1/ask', { body: { question: QUESTION, strategy: 'nothing' } });
  assert.equal(exporter.getFinishedSpans().length, 0);
});
