/** Multi-Meta-RAG by hand-worked traces: what is filtered, relaxed, kept and said. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Document } from '../core/corpus/document.ts';
import { printFilter } from '../core/corpus/filter-expression.ts';
import { PortError } from '../core/errors.ts';
import type { Trace } from '../core/trace/trace.ts';
import { extractorsWith } from '../planning/metadata/extractors.ts';
import { readRecordedFilters } from '../planning/metadata/replayed.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import { traceOf } from '../testing/strategy-run.ts';
import { strategiesWith } from './strategies.ts';
import type { Strategy } from './strategy.ts';

/** Every document has the word glass; fewer pads rank it higher. */
const document = (id: string, source: string, day: string, pads: number): Document => ({
  id,
  title: '',
  text: `glass ${'pad '.repeat(pads)}`,
  metadata: { source, published_at: `${day}T08:00:00Z` },
});
const documents = [
  document('a1', 'Alpha', '2024-01-01', 1),
  document('b1', 'Beta', '2024-01-02', 2),
  document('a2', 'Alpha', '2024-01-03', 3),
  document('b2', 'Beta', '2024-02-04', 4),
  document('g1', 'Gamma', '2024-02-05', 5),
];
const engine = new EmbeddedEngine({ documents });

async function run(strategy: string | Strategy, question: string, of = engine): Promise<Trace> {
  return traceOf(question, {
    engine: of,
    strategy,
    context: 'whole',
    reader: 'evidence-only',
    retriever: 'lexical',
  });
}
const kept = (trace: Trace): string => trace.evidence.map(({ id }) => id).join(' ');
const outputs = (trace: Trace): { by: string; filter: unknown; unknown: string[] } =>
  JSON.parse(trace.hops[0]!.outputs![0]!.text);
const filters = (trace: Trace): string[] =>
  trace.hops
    .flatMap(({ searches }) => searches)
    .map(
      ({ filter, relaxed }) =>
        `${filter ? printFilter(filter) : 'none'}${relaxed ? ` (${relaxed})` : ''}`,
    );

test('keeps hits of the named sources, in the order of the retriever', async () => {
  const trace = await run('multi-meta-rag', 'What glass do Beta and Gamma like?');
  // The header is searched too: the rarer name lifts its only document.
  assert.equal(kept(trace), 'g1 b1 b2');
  assert.deepEqual(trace.ranking, ['g1', 'b1', 'b2']);
  assert.equal(trace.hops[0]!.searches.length, 1);
  assert.deepEqual(outputs(trace), {
    by: 'rules',
    filter: { op: 'in', field: 'source', values: ['Beta', 'Gamma'] },
    unknown: [],
  });
  assert.equal(trace.strategy, 'multi-meta-rag(first=20, keep=10)');
});

test('keeps the first k and rejects the rest', async () => {
  const trace = await run('multi-meta-rag(first=3, keep=2)', 'glass');
  assert.equal(kept(trace), 'a1 b1');
  assert.deepEqual(trace.hops[0]!.rejected, [
    { id: 'a2', search: { hop: 0, search: 0 }, why: 'cap' },
  ]);
});

test('applies days to one source, or a range to all', async () => {
  const single = await run(
    'multi-meta-rag',
    'Does the glass of the Alpha report of January 3, 2024 please Beta?',
  );
  assert.equal(kept(single), 'b1 a2 b2');
  assert.equal(kept(await run('multi-meta-rag', 'Which glass was praised in February?')), 'b2 g1');
  assert.equal(
    kept(await run('multi-meta-rag(dates=false)', 'Which glass was praised in February?')),
    'a1 b1 a2 b2 g1',
  );
});

test('abstains on unknown sources if strict, drops them with a note if relaxed', async () => {
  const question = 'Which glass does a Rolling Boat piece praise?';
  const strict = await run('multi-meta-rag', question);
  assert.equal(strict.answer.kind, 'abstained');
  assert.deepEqual([kept(strict), filters(strict)], ['', ['source in ("Rolling Boat")']]);
  const relaxed = await run('multi-meta-rag(policy=relax)', question);
  assert.equal(kept(relaxed), 'a1 b1 a2 b2 g1');
  assert.deepEqual(filters(relaxed), [
    'source in ("Rolling Boat")',
    'none (unknown sources dropped: Rolling Boat)',
  ]);
  const [strictly, without] = relaxed.hops;
  assert.equal(strictly!.searches[0]!.from, undefined);
  // A later hop says why it was made; the first is made for the question itself.
  assert.deepEqual(
    relaxed.hops.map(({ reason }) => reason),
    [undefined, 'unknown sources dropped: Rolling Boat'],
  );
  assert.deepEqual(
    [
      strictly!.kept,
      without!.kept[0]!.search,
      without!.searches[0]!.from,
      relaxed.spent.retrievals,
    ],
    [[], { hop: 1, search: 0 }, { hop: 0, search: 0 }, 2],
  );
});

test('relax drops a day without documents and keeps the source', async () => {
  const question = 'Which glass does the Gamma report of January 1, 2024 praise?';
  assert.equal((await run('multi-meta-rag', question)).answer.kind, 'abstained');
  const relaxed = await run('multi-meta-rag(policy=relax)', question);
  assert.equal(kept(relaxed), 'g1');
  assert.match(
    filters(relaxed)[1]!,
    /^source in \(.?Gamma.?\) \(dates dropped: nothing passed them\)$/,
  );
});

/**
 * The strategy over one recorded filter for the question "glass?", whose words say nothing about a
 * source.
 */
const recorded = readRecordedFilters([{ query: 'glass?', filter: { source: { $in: ['Gamma'] } } }]);
const overRecorded = strategiesWith(extractorsWith(recorded));

test('soft ranks matching hits first and keeps all others', async () => {
  const softly = (soft: string): Promise<Trace> =>
    run(overRecorded.create(`multi-meta-rag(soft=${soft}, extractor=replayed)`), 'glass?');
  assert.equal(kept(await softly('2')), 'g1 a1 b1 a2 b2');
  const little = await softly('0.000001');
  assert.equal(kept(little), 'a1 b1 a2 b2 g1');
  assert.match(little.hops[0]!.searches[0]!.relaxed!, /^soft: 0.000001 /);
  assert.equal(little.hops[0]!.reason, undefined);
  // Scores run from 0 (g1, the worst) to 1 (a1, the best), so that 1 makes a tie: in the order of
  // ids.
  assert.equal(kept(await softly('1')), 'a1 g1 b1 a2 b2');
});

test('records the filter of a model and its interpretation; uses rules without a model', async () => {
  const ask = async (...texts: (string | Error)[]): Promise<Trace> => {
    const script = (_: unknown, index: number): string => {
      const text = texts[Math.min(index, texts.length - 1)]!;
      if (typeof text === 'string') return text;
      throw text;
    };
    const model = texts.length > 0 ? { resources: { model: scriptedModel(script) } } : {};
    const strategy = 'multi-meta-rag(extractor=model)';
    const options = { engine, strategy, context: 'whole', ...model };
    return traceOf('What glass does Beta like?', options);
  };
  const understood = (trace: Trace) =>
    JSON.parse(trace.hops[0]!.outputs!.at(-1)!.text) as { by: string; filter: unknown };
  const read = await ask('{"source": {"$in": ["GAMMA", "Delta"]}}');
  assert.deepEqual([kept(read), read.spent.modelCalls], ['g1', 1]);
  assert.deepEqual(
    read.hops[0]!.outputs!.map(({ role, parsed }) => [role, parsed]),
    [
      ['metadata-reply', true],
      ['metadata', true],
    ],
  );
  assert.equal(understood(read).by, 'model');
  const unread = await ask('Gamma, I think.');
  assert.deepEqual(
    [unread.evidence.length, unread.spent.modelCalls, understood(unread)],
    [5, 2, { by: 'none', filter: null, unknown: [] }],
  );
  const failed = await ask(new PortError('model', 'overloaded', 'too many requests'));
  assert.deepEqual(
    [kept(failed), understood(failed).by, failed.stopped?.by, failed.hops.length],
    ['b1 b2', 'rules', 'failure', 1],
  );
  const without = await ask();
  assert.deepEqual(
    [kept(without), understood(without).by, without.spent.modelCalls],
    ['b1 b2', 'rules', undefined],
  );
});
