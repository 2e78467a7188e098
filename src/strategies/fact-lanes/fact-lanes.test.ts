/**
 * `fact-lanes` end to end: what it asks and keeps over the fixture, with every retriever and
 * without every idea, and what it never loses.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { printFilter } from '../../core/corpus/filter-expression.ts';
import { keptInOrder } from '../../core/trace/evidence-order.ts';
import type { Hop, Trace } from '../../core/trace/trace.ts';
import type { SearchEngine } from '../../search/engine.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../../testing/fixture-corpus.ts';
import { hashedEmbedder } from '../../testing/hashed-embedder.ts';
import { engineOf, type Ran, runOf } from '../../testing/strategy-run.ts';
import { checkTrace } from '../../testing/trace-checks.ts';
import { strategies } from '../strategies.ts';

const fixture = engineOf(FIXTURE_DOCUMENTS, [hashedEmbedder()]);

interface Given {
  readonly strategy?: string;
  readonly retriever?: string;
  readonly engine?: SearchEngine;
}

/** Also keeps every law of traces. */
async function run(
  text: string,
  { strategy = 'fact-lanes', retriever = 'lexical', engine = fixture }: Given = {},
): Promise<Trace> {
  const ran: Ran = await runOf(strategies.create(strategy), {
    question: { id: 'q', text },
    engine,
    retriever,
    context: 'whole',
  });
  await checkTrace(ran, engine, text);
  return ran.trace;
}

const SMOKE = 'The council of Tarn has measured the smoke of its furnaces.';
const [, TWO_SOURCES] = FIXTURE_QUESTIONS;
/** Shares no word with the corpus. */
const NONSENSE = 'Zyxt qwrp vlmno?';
/** All hops of a run as one: every search, and the evidence that is left. */
const hopOf = ({ hops }: Trace): Hop => ({
  ...hops[0]!,
  searches: hops.flatMap(({ searches }) => searches),
  kept: keptInOrder(hops),
  rejected: hops.flatMap(({ rejected }) => rejected),
});
const filters = (trace: Trace): Set<string> =>
  new Set(hopOf(trace).searches.map(({ filter }) => (filter ? printFilter(filter) : 'none')));
const kept = (trace: Trace): string[] =>
  hopOf(trace).kept.map(({ documentId, spans }) => {
    const [start, end] = spans![0]!;
    return FIXTURE_DOCUMENTS.find(({ id }) => id === documentId)!.text.slice(start, end);
  });

describe('searches', () => {
  test('cover every clause, also within the sources and days that the question names', async () => {
    const trace = await run(TWO_SOURCES!.text);
    const { searches, reason } = hopOf(trace);
    assert.equal(
      reason,
      'Did the Coast Courier report that the lighthouse was sold; the Tarn Gazette report published on March 5, 2024 found no change in the smoke of the furnaces?',
    );
    assert.deepEqual(
      [...new Set(searches.map(({ text }) => text))],
      [TWO_SOURCES!.text, ...reason!.split('; ')],
    );
    assert.deepEqual(new Set(searches.map(({ unit }) => unit)), new Set(['sentence', 'document']));
    const all = [...filters(trace)];
    assert.ok(all.includes('none'));
    assert.ok(
      all.includes('source in ("Coast Courier")') && all.includes('source in ("Tarn Gazette")'),
      all.join('\n'),
    );
    assert.ok(
      all.some(filter => filter.includes('2024-03-05')),
      all.join('\n'),
    );
    assert.deepEqual(
      [searches[0]!.text, searches[0]!.filter, searches[0]!.unit],
      [TWO_SOURCES!.text, undefined, 'sentence'],
    );
    // A clause whose source another clause names is searched all the same.
    const both = 'source in ("Coast Courier", "Tarn Gazette")';
    for (const clause of reason!.split('; '))
      assert.ok(
        searches.some(
          ({ text, filter }) => text === clause && filter && printFilter(filter) === both,
        ),
      );
    // Nothing is asked twice.
    const asked = searches.map(({ text, unit, filter, retriever }) =>
      JSON.stringify([text, unit, filter, retriever]),
    );
    assert.equal(new Set(asked).size, asked.length);
  });

  test('cover the question alone if it has one clause', async () => {
    const { searches, reason } = hopOf(await run('Who bought the old ropewalk?'));
    const texts = searches.filter(({ from }) => !from).map(({ text }) => text);
    assert.deepEqual([reason, [...new Set(texts)]], [undefined, ['Who bought the old ropewalk?']]);
  });

  test('omit clauses and sources if switched off', async () => {
    assert.equal(
      hopOf(await run(TWO_SOURCES!.text, { strategy: 'fact-lanes(clauses=false)' })).reason,
      undefined,
    );
    assert.deepEqual(
      [...filters(await run(TWO_SOURCES!.text, { strategy: 'fact-lanes(sources=false)' }))],
      ['none'],
    );
  });
});

describe('evidence', () => {
  test('holds sentences for both clauses within the tokens', async () => {
    for (const tokens of [40, 80, 160]) {
      const trace = await run(TWO_SOURCES!.text, { strategy: `fact-lanes(tokens=${tokens})` });
      assert.ok(trace.context.tokens <= tokens && trace.context.tokens > 0);
      for (const { spans, id } of hopOf(trace).kept) assert.ok(spans?.length === 1, id);
    }
    const sentences = kept(await run(TWO_SOURCES!.text, { strategy: 'fact-lanes(tokens=80)' }));
    assert.ok(
      sentences.some(text => text.includes('was sold on Friday')),
      sentences.join('\n'),
    );
    assert.ok(
      sentences.includes('It found no change since the second furnace was lit.') ||
        sentences.includes(SMOKE),
      sentences.join('\n'),
    );
  });

  test('holds a duplicate once, whether or not duplicates exceeds 1', async () => {
    const trace = await run('Does the ferry run on Sunday?');
    assert.equal(
      hopOf(trace).kept.filter(({ documentId }) => documentId.startsWith('twin')).length,
      1,
    );
    assert.ok(
      hopOf(trace).rejected.some(({ id, why }) => id.startsWith('twin') && why === 'duplicate'),
    );
    const all = await run('Does the ferry run on Sunday?', {
      strategy: 'fact-lanes(duplicates=1.01)',
    });
    assert.equal(
      hopOf(all).kept.filter(({ documentId }) => documentId.startsWith('twin')).length,
      1,
    );
    assert.ok(hopOf(all).rejected.some(({ why }) => why === 'duplicate'));
  });

  test('holds whole documents with unit=document, for any retriever', async () => {
    for (const retriever of ['lexical', 'fused(lexical, dense(hashed))', 'dense(hashed)']) {
      const trace = await run(TWO_SOURCES!.text, {
        strategy: 'fact-lanes(unit=document)',
        retriever,
      });
      assert.ok(hopOf(trace).kept.length > 0, `nothing kept with ${retriever}`);
      for (const { id, documentId, spans } of hopOf(trace).kept)
        assert.deepEqual([id, spans], [documentId, undefined]);
    }
  });

  test('is disjoint from the rejections of a hop, each listed once', async () => {
    for (const { text } of FIXTURE_QUESTIONS)
      for (const strategy of ['fact-lanes(tokens=60)', 'fact-lanes(unit=document)']) {
        const { hops } = await run(text, { strategy });
        for (const [at, { rejected }] of hops.entries()) {
          const ids = [...keptInOrder(hops.slice(0, at + 1)), ...rejected].map(({ id }) => id);
          assert.equal(new Set(ids).size, ids.length, `${strategy}: ${text}, hop ${at}`);
        }
      }
  });
});

describe('with any retriever', () => {
  const RETRIEVERS = [
    'lexical',
    'dense(hashed)',
    'fused(lexical, dense(hashed))',
    'fused(dense(hashed), lexical)',
    'hybrid(hashed)',
    'hybrid(none)',
    'clauses(lexical)',
    'max-p(lexical, unit=document)',
    'fused(lexical(s1), lexical)',
    'fused(max-p(lexical, unit=document), dense(hashed))',
    'fused(fused(lexical, dense(hashed)), dense(hashed))',
  ];
  for (const retriever of RETRIEVERS)
    test(`${retriever}: finds the sentence that is the question`, async () => {
      assert.ok(kept(await run(SMOKE, { retriever })).includes(SMOKE));
      await run(NONSENSE, { retriever });
      await run('?', { retriever });
    });

  test('the parts are searched apart, by words and by vectors', async () => {
    for (const [retriever, parts] of [
      ['fused(lexical, dense(hashed))', ['dense(hashed)', 'lexical']],
      ['lexical', ['lexical']],
      ['dense(hashed)', ['dense(hashed)']],
    ] as const) {
      const { searches } = hopOf(await run(SMOKE, { retriever }));
      assert.deepEqual([...new Set(searches.map(search => search.retriever))].sort(), parts);
    }
    const { searches } = hopOf(
      await run(SMOKE, {
        retriever: 'fused(lexical, dense(hashed))',
        strategy: 'fact-lanes(vectors=false)',
      }),
    );
    assert.deepEqual([...new Set(searches.map(search => search.retriever))], ['lexical']);
    // Vectors alone stay, whatever is said.
    assert.ok(
      kept(
        await run(SMOKE, { retriever: 'dense(hashed)', strategy: 'fact-lanes(vectors=false)' }),
      ).includes(SMOKE),
    );
  });
});

describe('odd stores', () => {
  test('one document, one sentence, no text', async () => {
    for (const documents of [
      FIXTURE_DOCUMENTS.slice(0, 1),
      FIXTURE_DOCUMENTS.slice(8, 9),
      [{ id: 'x', title: '', text: '', metadata: {} }],
    ])
      for (const retriever of ['lexical', 'dense(hashed)', 'hybrid(hashed)']) {
        const engine = engineOf(documents, [hashedEmbedder()]);
        for (const { text } of FIXTURE_QUESTIONS) await run(text, { engine, retriever });
      }
    const trace = await run('Was the lighthouse at Harrow Point sold?', {
      engine: engineOf(FIXTURE_DOCUMENTS.slice(0, 1), [hashedEmbedder()]),
      retriever: 'hybrid(hashed)',
    });
    assert.ok(kept(trace)[0]!.startsWith('The lighthouse at Harrow Point was sold'));
  });
});
