/**
 * Tests the limits of `ask`: refused options, the trace after each limit, failure, abort and bug,
 * and the drafts that become answers.
 */
import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../core/defined.ts';
import type { Answer, Citation, End, Trace, TraceEvent } from '../core/trace/trace.ts';
import type { Budget, LimitName } from '../core/trace/usage.ts';
import type { Reader } from '../readers/reader.ts';
import type { Retriever, UnboundRetriever } from '../search/retriever.ts';
import { retrievers } from '../search/retrievers.ts';
import type { OpenHop, Strategy } from '../strategies/strategy.ts';
import { FIXTURE_DOCUMENTS } from '../testing/fixture-corpus.ts';
import { engineOf } from '../testing/strategy-run.ts';
import { type AskOptions, askEvents } from './ask.ts';

const engine = engineOf(FIXTURE_DOCUMENTS);
const QUESTION = 'Who bought the lighthouse at Harrow Point?';
const clock = (): number => performance.now();

async function ask(
  options: Partial<AskOptions> = {},
  text = QUESTION,
  over?: AbortSignal,
): Promise<Trace & { events: TraceEvent[] }> {
  const source = askEvents(
    text,
    { engine, strategy: 'fixed-top-k', reader: 'evidence-only', ...options },
    clock,
    { over },
  );
  const events: TraceEvent[] = [];
  for (;;) {
    const step = await source.next();
    if (step.done) return { ...step.value, events };
    events.push(step.value);
  }
}

/** A retriever whose n-th call does something else. */
function retriever(at: number, work: Retriever['retrieve']): UnboundRetriever {
  const lexical = retrievers.create('lexical');
  return {
    name: 'lexical',
    bind(to) {
      const bound = lexical.bind(to);
      let calls = 0;
      return {
        ...bound,
        retrieve: (...args) => (++calls === at ? work(...args) : bound.retrieve(...args)),
      };
    },
  };
}

/** A strategy from its generator alone. */
function strategy(hops: Strategy['hops']): Strategy {
  return { name: 'mine', hops, ranking: () => [] };
}

/** One hop that keeps the first hit, then the given end. */
function oneHop(end: (hop: OpenHop) => End | Promise<End>): Strategy {
  return strategy(async function* (question, kit, call) {
    const [hits] = await kit.retriever.retrieve([{ text: question.text }], 30, call);
    const kept = hits!.slice(0, 1).map(({ id, documentId, score }) => ({
      id,
      documentId,
      search: { hop: 0, search: 0 },
      score,
    }));
    for (const item of kept) call.keep(item, await kit.context.cost(item, []));
    const hop: OpenHop = {
      searches: [{ text: question.text, retriever: 'lexical', unit: 'document', hits: hits! }],
      kept,
      rejected: [],
    };
    yield hop;
    return end(hop);
  });
}

describe('validation', () => {
  const cases: [what: string, options: Partial<AskOptions>, text: string, code: string][] = [
    ['an empty question', {}, '', 'empty-question'],
    ['a blank question', {}, ' \n\t ', 'empty-question'],
    ['a question that is no text', {}, 42 as unknown as string, 'empty-question'],
    ['a question of 10,001 characters', {}, `Who? ${'x'.repeat(9996)}`, 'long-question'],
    ['an unknown limit', { budget: { minutes: 3 } as Budget }, QUESTION, 'unknown-limit'],
    ['a negative limit', { budget: { hops: -1 } }, QUESTION, 'bad-limit'],
    ['a limit that is no number', { budget: { ms: Number.NaN } }, QUESTION, 'bad-limit'],
    ['a limit in words', { budget: { ms: '5' as unknown as number } }, QUESTION, 'bad-limit'],
    ['an unknown strategy', { strategy: 'budget-agent' }, QUESTION, 'unknown-strategy'],
    ['an unknown retriever', { retriever: 'lexcal' }, QUESTION, 'unknown-retriever'],
    ['an unknown context', { context: 'leed' }, QUESTION, 'unknown-context'],
    ['an unknown reader', { reader: 'evidence' }, QUESTION, 'unknown-reader'],
    ['a bad parameter', { strategy: 'fixed-top-k(k=0)' }, QUESTION, 'bad-parameter'],
  ];
  for (const [what, options, text, code] of cases) {
    test(`${what} is refused before any event`, async () => {
      const source = askEvents(text, { engine, ...options }, clock);
      await assert.rejects(source.next(), { name: 'InputError', code });
    });
  }
});

describe('limits', () => {
  const nothing: [limit: LimitName, strategy?: Strategy][] = [
    ['hops'],
    ['retrievals'],
    ['documents'],
    ['contextTokens'],
    ['ms'],
  ];
  for (const limit of ['modelCalls', 'modelTokens', 'usd'] as const) {
    nothing.push([
      limit,
      strategy(async function* (_question, _kit, call) {
        call.begin('model', 'think', { [limit]: 1 })({ [limit]: 1 });
        yield { searches: [], kept: [], rejected: [] };
        return { why: 'sufficient' };
      }),
    ]);
  }
  for (const [limit, mine] of nothing) {
    test(`${limit} = 0 ends in an abstention that names it`, async () => {
      const trace = await ask(defined({ budget: { [limit]: 0 }, strategy: mine }));
      assert.deepEqual(trace.stopped, { by: 'limit', limit });
      assert.ok(
        trace.answer.kind === 'abstained' && trace.answer.reason.includes(limit),
        JSON.stringify(trace.answer),
      );
      assert.deepEqual(trace.evidence, []);
      assert.ok(
        Object.values(trace.spent).every(
          amount => amount === 0 || limit === 'documents' || limit === 'contextTokens',
        ),
      );
    });
  }

  test('restores the evidence of the last complete hop if the interrupted hop withdrew some', async () => {
    const rechooses = strategy(async function* (_question, kit, call) {
      const [hits] = await kit.retriever.retrieve([{ text: 'lighthouse furnace' }], 5, call);
      const search = { hop: 0, search: 0 };
      const [first, second, third] = hits!.map(({ id, documentId, score }) => ({
        id,
        documentId,
        search,
        score,
      }));
      call.keep(first!, await kit.context.cost(first!, []));
      call.keep(second!, await kit.context.cost(second!, [first!]));
      const made = { text: 'lighthouse furnace', retriever: 'lexical', unit: 'document' } as const;
      yield { searches: [{ ...made, hits: hits! }], kept: [first!, second!], rejected: [] };
      call.withdraw(first!.id);
      call.withdraw(second!.id);
      call.keep(third!, await kit.context.cost(third!, []));
      await kit.retriever.retrieve([{ text: 'furnace' }], 5, call);
      return assert.fail('the limit is met before');
    });
    const trace = await ask({ strategy: rechooses, budget: { retrievals: 1 } });
    const [whole, cut] = trace.hops;
    assert.deepEqual(
      [cut!.incomplete, cut!.kept, cut!.withdrawn, cut!.searches],
      ['retrievals', [], undefined, []],
    );
    assert.deepEqual(
      trace.evidence.map(({ id }) => id),
      whole!.kept.map(({ id }) => id),
    );
    assert.deepEqual([trace.spent.documents, trace.spent.contextTokens], [2, trace.context.tokens]);
    assert.deepEqual(whole!.spent.contextTokens, trace.context.tokens);
    assert.deepEqual(cut!.spent, { hops: 1 });
  });
});

describe('failing ports', () => {
  test('a retriever that throws anything is recorded as a failure of that port', async () => {
    for (const thrown of [new Error('no route'), 'no route', undefined]) {
      const trace = await ask({ retriever: retriever(1, () => Promise.reject(thrown)) });
      assert.ok(
        trace.stopped?.by === 'failure' &&
          trace.stopped.port === 'retriever' &&
          trace.stopped.code === 'failed',
      );
      assert.ok(trace.answer.kind === 'abstained' && trace.answer.reason.includes('retriever'));
      assert.equal(trace.spent.retrievals, 1, 'a call that fails has been made');
    }
  });

  test('a failing reader ends in an abstention that names it', async () => {
    const reader: Reader = {
      name: 'broken',
      read: () => Promise.reject(new Error('x')),
    };
    const trace = await ask({ reader });
    assert.ok(trace.stopped?.by === 'failure' && trace.stopped.port === 'reader');
    assert.ok(trace.answer.kind === 'abstained' && trace.answer.reason.includes('reader'));
    assert.equal(trace.evidence.length, 2);
  });
});

describe('abort', () => {
  for (const [what, retrieve] of [
    ['ignores its signal for ever', () => new Promise(() => {})],
    ['ignores its signal for seconds', () => sleep(3000, [[]], { ref: false })],
    [
      'throws an error of its own when aborted',
      (_q, _k, call) =>
        new Promise((_, reject) =>
          call.signal.addEventListener('abort', () => reject(new Error('mine'))),
        ),
    ],
  ] as [string, Retriever['retrieve']][]) {
    test(`mid-search it ends the trace without its port, which ${what}`, async () => {
      const controller = new AbortController();
      const started = performance.now();
      const timer = setTimeout(() => controller.abort(), 30);
      const trace = await ask({
        strategy: 'iterative',
        retriever: retriever(2, retrieve),
        signal: controller.signal,
      });
      clearTimeout(timer);
      // Far below the three seconds of the slow port, far above what a busy machine adds.
      assert.ok(performance.now() - started < 2000, `${performance.now() - started} ms`);
      assert.deepEqual(trace.stopped, { by: 'abort' });
      assert.deepEqual(
        trace.events.map(({ type }) => type),
        ['question', 'hop', 'context', 'answer', 'end'],
      );
      assert.ok(
        trace.evidence.length === 2 && trace.evidence[0]!.title !== '' && trace.context.tokens > 0,
        'what was found is shown',
      );
      assert.equal(trace.answer.kind, 'abstained');
    });
  }
});

describe('bugs surface', () => {
  test('throws if a strategy keeps a document that does not exist', async () => {
    const liar = strategy(async function* () {
      yield {
        searches: [],
        kept: [{ id: 'x', documentId: 'x', search: { hop: 0, search: 0 }, score: 1 }],
        rejected: [],
      };
      return { why: 'sufficient' };
    });
    await assert.rejects(ask({ strategy: liar }), { code: 'unknown-id' });
  });

  test('closes the strategy if the caller leaves the events', async () => {
    let closed = false;
    const watched = strategy(async function* () {
      try {
        for (;;) yield { searches: [], kept: [], rejected: [] };
      } finally {
        closed = true;
      }
    });
    let hops = 0;
    for await (const event of askEvents(
      QUESTION,
      { engine, strategy: watched, reader: 'evidence-only' },
      clock,
    ))
      if (event.type === 'hop' && ++hops === 3) break;
    assert.ok(closed);
  });
});

describe('drafts and citations', () => {
  const good: Citation = {
    id: 'lighthouse-sold',
    documentId: 'lighthouse-sold',
    start: 0,
    end: 10,
  };
  const bad: readonly [what: string, citation: Citation][] = [
    ['of a document that was not kept', { ...good, id: 'quill-works', documentId: 'quill-works' }],
    ['of another document under a kept id', { ...good, documentId: 'quill-works' }],
    ['beyond the end', { ...good, end: 100_000 }],
    ['that begins before the text', { ...good, start: -1 }],
    ['of no characters', { ...good, end: 0 }],
    ['that ends before it begins', { ...good, start: 9, end: 3 }],
    ['without a place', { ...good, start: Number.NaN }],
  ];
  const draft = (citations: readonly Citation[], text = 'Ines Quill') =>
    oneHop(() => ({ why: 'sufficient', draft: { text, citations } }));

  test('marks a draft that its citations do not support', async () => {
    assert.deepEqual((await ask({ strategy: draft([good], 'Osk Maren') })).answer, {
      kind: 'answered',
      text: 'Osk Maren',
      citations: [good],
      unsupported: ['Osk Maren'],
    });
  });

  for (const [what, citation] of bad) {
    test(`drops a draft’s citation ${what}`, async () => {
      assert.deepEqual((await ask({ strategy: draft([citation, good]) })).answer, {
        kind: 'answered',
        text: 'Ines Quill',
        citations: [good],
      });
      assert.equal(
        (await ask({ strategy: draft([citation]) })).answer.kind,
        'evidence',
        'the reader answers instead',
      );
    });

    test(`drops a reader’s citation ${what}`, async () => {
      const reads = (answer: Answer): Reader => ({
        name: 'mine',
        read: async () => answer,
      });
      const strategy = oneHop(() => ({ why: 'sufficient' }));
      const answered = { kind: 'answered', text: 'Ines Quill', support: 0.5 } as const;
      const { answer } = await ask({
        strategy,
        reader: reads({ ...answered, citations: [citation, good] }),
      });
      assert.deepEqual(answer, { ...answered, citations: [good] });
      const refused = await ask({
        strategy,
        reader: reads({ ...answered, citations: [citation] }),
      });
      assert.equal(refused.answer.kind, 'abstained');
      assert.ok(
        refused.answer.kind === 'abstained' &&
          refused.answer.withheld?.text === 'Ines Quill' &&
          refused.answer.support === 0.5,
      );
    });
  }
});

describe('the question event', () => {
  test('records names, budget, id, manifest and predicted type', async () => {
    const trace = await ask({
      id: 'q7',
      budget: { hops: 3 },
      manifest: { seed: 1 },
      retriever: 'lexical(bm25)',
      context: 'lead( words=90 )',
    });
    assert.deepEqual(
      [trace.question, trace.strategy, trace.retriever, trace.context.name, trace.reader],
      [
        { id: 'q7', text: QUESTION },
        'fixed-top-k(k=2)',
        'lexical',
        'lead(words=90)',
        'evidence-only',
      ],
    );
    assert.deepEqual(
      [trace.budget, trace.manifest, trace.predictedType],
      [{ hops: 3 }, { seed: 1 }, 'inference'],
    );
    assert.equal((await ask()).question.id, 'question');
  });

  test('ignores undefined and infinite limits', async () => {
    const { budget, stopped } = await ask({
      budget: { hops: undefined, ms: Number.POSITIVE_INFINITY, documents: 2 } as unknown as Budget,
    });
    assert.deepEqual([budget, stopped], [{ documents: 2 }, undefined]);
  });

  test('applies the filter to every search, with the strategy’s own', async () => {
    const question = 'Did the Coast Courier and the Tarn Gazette write about Harrow Point?';
    const trace = await ask(
      {
        strategy: 'slot-agent(multi=9)',
        filter: { op: 'eq', field: 'category', value: 'property' },
      },
      question,
    );
    assert.deepEqual(trace.filter, { op: 'eq', field: 'category', value: 'property' });
    const found = trace.hops.flatMap(hop =>
      hop.searches.map(search => search.hits.map(hit => hit.documentId).sort()),
    );
    assert.deepEqual(found, [
      ['boat-builder', 'lighthouse-sold'],
      ['boat-builder', 'lighthouse-sold'],
      [],
    ]);
  });
});

test('reads the evidence so far when its time is up', async () => {
  const limit = new AbortController();
  // The second search never ends, whatever its signal says.
  const hanging = retriever(2, () => {
    setTimeout(() => limit.abort(new DOMException('time is up', 'TimeoutError')), 5);
    return new Promise(() => {});
  });
  const options = { strategy: 'iterative(rounds=2)', retriever: hanging };
  const trace = await ask(options, QUESTION, limit.signal);
  assert.deepEqual(trace.stopped, { by: 'limit', limit: 'ms' });
  assert.equal(trace.answer.kind, 'evidence');
  assert.notEqual(trace.context.text, '');
});

describe('a strategy that yields hops for ever and searches nothing', () => {
  const talker = strategy(async function* () {
    for (;;) {
      await sleep(1);
      yield { reason: 'hm', searches: [], kept: [], rejected: [] };
    }
  });

  test('ends at the limit on hops', async () => {
    const trace = await ask({ strategy: talker, budget: { hops: 3 } });
    assert.deepEqual(
      [trace.hops.length, trace.spent, trace.stopped],
      [3, { hops: 3 }, { by: 'limit', limit: 'hops' }],
    );
  });

  test('ends with an abort', async () => {
    assert.deepEqual((await ask({ strategy: talker, signal: AbortSignal.timeout(20) })).stopped, {
      by: 'limit',
      limit: 'ms',
    });
    const user = new AbortController();
    setTimeout(() => user.abort(), 20);
    assert.deepEqual((await ask({ strategy: talker, signal: user.signal })).stopped, {
      by: 'abort',
    });
  });
});
