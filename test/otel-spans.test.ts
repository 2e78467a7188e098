/** Tests the spans of `ask` in a library, by the SDK of OpenTelemetry and the published names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import * as registry from '@opentelemetry/semantic-conventions/incubating';
import { ask, InputError, ingest, type LanguageModel } from '../src/index.ts';
import { GEN_AI } from '../src/session/otel/attributes.ts';

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
);

const QUESTION = 'Who built the engine?';
const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
const model: LanguageModel = {
  id: 'scripted:one',
  generate: async () => ({
    text: 'Charles [1]',
    usage: { input: 100, output: 5, reused: 40 },
    finish: 'stop',
  }),
};

const ASKING = { engine, strategy: 'fixed-top-k', reader: 'generative' } as const;

async function spansOf(work: () => PromiseLike<unknown>): Promise<readonly ReadableSpan[]> {
  exporter.reset();
  await work();
  return exporter.getFinishedSpans();
}

const named = (spans: readonly ReadableSpan[], name: string): ReadableSpan => {
  const found = spans.find(span => span.name === name);
  assert.ok(found, `${name}: ${spans.map(span => span.name).join(', ')}`);
  return found;
};

test('every name of the conventions that a span may have is in the registry', () => {
  const published = new Set<unknown>(Object.values(registry));
  for (const name of [...Object.values(GEN_AI), 'error.type']) assert.ok(published.has(name), name);
  for (const operation of ['invoke_agent', 'retrieval', 'chat'])
    assert.ok(published.has(operation), operation);
});

test('spans of searches and calls of the model stand inside their hop or the reading', async () => {
  const asking = { ...ASKING, model, telemetry: true } as const;
  const spans = await spansOf(() => ask(QUESTION, asking));
  const [run, hop, read] = ['invoke_agent multihop', 'hop 1', 'read'].map(name =>
    named(spans, name),
  );
  const parent = (span: ReadableSpan): string | undefined => span.parentSpanContext?.spanId;
  assert.equal(parent(hop!), run!.spanContext().spanId);
  assert.equal(parent(named(spans, 'retrieval document')), hop!.spanContext().spanId);
  const chat = named(spans, 'chat scripted:one');
  assert.equal(parent(chat), read!.spanContext().spanId);
  assert.equal(chat.attributes['gen_ai.provider.name'], 'scripted');
  assert.equal(chat.attributes['gen_ai.usage.input_tokens'], 100);
  assert.equal(chat.attributes['gen_ai.usage.cache_read.input_tokens'], 40);
  assert.equal(run!.attributes['gen_ai.usage.output_tokens'], 5);
  assert.ok(!/engine|Charles|London/.test(JSON.stringify(spans.map(span => span.attributes))));
});

test('with content the question, queries, hits, prompts and answer stand in the spans', async () => {
  const asking = { ...ASKING, model, telemetry: 'content' } as const;
  const spans = await spansOf(() => ask(QUESTION, asking));
  const json = (span: ReadableSpan, name: string) => JSON.parse(String(span.attributes[name]));
  const run = named(spans, 'invoke_agent multihop');
  assert.deepEqual(json(run, 'gen_ai.input.messages'), [
    { role: 'user', parts: [{ type: 'text', content: QUESTION }] },
  ]);
  assert.match(String(run.attributes['gen_ai.output.messages']), /Charles/);
  const search = named(spans, 'retrieval document');
  assert.equal(search.attributes['gen_ai.retrieval.query.text'], QUESTION);
  const [first] = json(search, 'gen_ai.retrieval.documents');
  assert.deepEqual(Object.keys(first), ['id', 'score', 'passage', 'start', 'end']);
  assert.match(
    String(named(spans, 'chat scripted:one').attributes['gen_ai.input.messages']),
    /London/,
  );
});

test('a failure and an early end close every span, and a failing model is named by its code', async () => {
  const failing = { ...model, generate: async () => Promise.reject(new Error('/secret/path')) };
  const asking = { ...ASKING, model: failing, telemetry: true } as const;
  const spans = await spansOf(() => ask(QUESTION, asking));
  assert.equal(named(spans, 'chat scripted:one').status.message, 'error');
  assert.equal(named(spans, 'invoke_agent multihop').attributes['error.type'], 'failed');
  assert.ok(!JSON.stringify(spans.map(span => [span.attributes, span.status])).includes('secret'));
  const left = await spansOf(async () => {
    for await (const event of ask(QUESTION, { engine, telemetry: true }))
      if (event.type === 'hop') break;
  });
  assert.ok(named(left, 'invoke_agent multihop').ended);
  const refused = await spansOf(() =>
    assert.rejects(
      async () => ask(QUESTION, { engine, reader: 'none' as never, telemetry: true }),
      InputError,
    ),
  );
  assert.ok(named(refused, 'invoke_agent multihop').attributes['error.type']);
});

test('without the option there are no spans, and with it the trace is the same', async () => {
  let plain: object | undefined;
  assert.equal((await spansOf(async () => (plain = await ask(QUESTION, { engine })))).length, 0);
  const { ms: _, ...before } = plain as { readonly ms: number };
  await assert.rejects(async () => ask(QUESTION, { engine, telemetry: 'all' as never }), {
    code: 'bad-telemetry',
    message: /'content' for spans with them.*received all/,
  });
  const { ms: __, ...reported } = await ask(QUESTION, { engine, telemetry: 'content' });
  assert.deepEqual(reported, before);
});
