/**
 * Tests runs with a language model: cost, recorded outputs, the reader's share and interruptions.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PortError } from '../core/errors.ts';
import { required } from '../core/port.ts';
import type { Trace, TraceEvent } from '../core/trace/trace.ts';
import type { Budget } from '../core/trace/usage.ts';
import type { Completion, LanguageModel, Prompt } from '../models/language-model.ts';
import { languageModel } from '../models/ports.ts';
import { pricedModel } from '../models/priced-model.ts';
import type { Reader } from '../readers/reader.ts';
import { searchAll } from '../search/retriever.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../testing/fixture-corpus.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import { engineOf } from '../testing/strategy-run.ts';
import { type AskOptions, askEvents } from './ask.ts';

const MODEL = required(languageModel);
const SECRET = 'canary-of-the-prompt';
const question = FIXTURE_QUESTIONS[0]!.text;
const promptOf = (role: string, maxTokens: number): Prompt => ({
  role,
  messages: [{ role: 'user', text: SECRET }],
  maxTokens,
});
/** 20 bytes are 8 tokens, and 8 for each message and the end. */
const PROMPT_TOKENS = 24;

/** Searches once, then says something `rounds` times. */
const talker = (rounds: number, maxTokens = 76): Strategy => ({
  name: 'talker',
  needs: [MODEL],
  modelCalls: [
    { role: 'thought', atMost: rounds, promptTokens: PROMPT_TOKENS, completionTokens: maxTokens },
  ],
  async *hops(asked, kit, call) {
    const searches = await searchAll(kit.retriever, [{ text: asked.text }], 30, call);
    const hit = searches[0]!.hits[0]!;
    const item = {
      id: hit.id,
      documentId: hit.documentId,
      search: { hop: 0, search: 0 },
      score: hit.score,
    };
    call.keep(item, 1);
    yield { searches, kept: [item], rejected: [] };
    for (let round = 0; round < rounds; round++) {
      const { text } = await kit.resource(MODEL).generate(promptOf('thought', maxTokens), call);
      yield {
        searches: [],
        kept: [],
        rejected: [],
        outputs: [{ role: 'thought', text, parsed: true }],
      };
    }
    return { why: 'completed' };
  },
  ranking: () => [],
});

const teller = (schema?: Prompt['schema']): Reader => ({
  name: 'teller',
  needs: [MODEL],
  modelCalls: [{ role: 'answer', atMost: 1, promptTokens: PROMPT_TOKENS, completionTokens: 76 }],
  async read(_question, _context, evidence, kit, call) {
    const { text } = await kit
      .resource(MODEL)
      .generate({ ...promptOf('answer', 76), schema }, call);
    const [{ id, documentId, spans }] = evidence as [(typeof evidence)[number]];
    return {
      kind: 'answered',
      text,
      citations: [{ id, documentId, start: spans[0]![0], end: spans[0]![0] + 1 }],
    };
  },
});

const spending = (input: number, output: number, price = { input: 1, output: 1 }): LanguageModel =>
  pricedModel(
    scriptedModel(() => ({ text: 'words', usage: { input, output }, finish: 'stop' })),
    price,
  );

async function ran(
  options: Partial<AskOptions>,
  over?: AbortSignal,
): Promise<{ trace: Trace; events: TraceEvent[] }> {
  const engine = engineOf(FIXTURE_DOCUMENTS);
  const source = askEvents(
    question,
    { engine, strategy: talker(2), reader: teller(), ...options },
    () => 0,
    { over },
  );
  const events: TraceEvent[] = [];
  for (;;) {
    const step = await source.next();
    if (step.done) return { events, trace: step.value };
    events.push(step.value);
  }
}

describe('the trace of a run with a model', () => {
  test('records outputs and cost of each hop, and no prompt', async () => {
    const { trace, events } = await ran({
      resources: { model: spending(20, 10) },
      budget: { usd: 1 },
    });
    assert.deepEqual(
      trace.hops.map(({ spent }) => spent),
      [
        { retrievals: 1, documents: 1, contextTokens: 1, hops: 1 },
        { modelCalls: 1, modelTokens: 30, usd: 0.00003, hops: 1 },
        { modelCalls: 1, modelTokens: 30, usd: 0.00003, hops: 1 },
      ],
    );
    assert.deepEqual(
      [trace.spent.modelCalls, trace.spent.modelTokens, trace.spent.usd],
      [3, 90, 0.00009],
    );
    assert.ok(!JSON.stringify(events).includes(SECRET));
    assert.equal(trace.stopped, undefined);
  });

  test('names a failing model as the cause', async () => {
    const model: LanguageModel = {
      id: 'm',
      generate: () => Promise.reject(new PortError('model', 'busy', 'Not now')),
    };
    const { trace } = await ran({ resources: { model } });
    assert.deepEqual(trace.stopped, {
      by: 'failure',
      port: 'model',
      code: 'busy',
      message: 'Not now',
    });
    assert.equal(trace.evidence.length, 1);
  });

  test('an interrupted hop keeps its outputs', async () => {
    const double: Strategy = {
      ...talker(1),
      async *hops(_asked, kit, call) {
        await kit.resource(MODEL).generate(promptOf('first', 10), call);
        await kit.resource(MODEL).generate(promptOf('second', 10), call);
        yield { searches: [], kept: [], rejected: [] };
        return { why: 'sufficient' };
      },
    };
    const { trace } = await ran({
      strategy: double,
      resources: { model: spending(1, 1) },
      budget: { modelCalls: 1 },
      reader: 'evidence-only',
    });
    assert.deepEqual(trace.hops[0]!.outputs, [{ role: 'first', text: 'words', parsed: true }]);
    assert.deepEqual(
      [trace.hops[0]!.incomplete, trace.stopped],
      ['modelCalls', { by: 'limit', limit: 'modelCalls' }],
    );
  });
});

describe('a budget', () => {
  test('is never exceeded, and leaves one call for the reader', async () => {
    for (let calls = 1; calls <= 9; calls++) {
      const budgets: Budget[] = [
        { modelCalls: calls },
        { modelTokens: calls * 100 },
        { usd: calls * 0.0001 },
      ];
      for (const budget of budgets) {
        const { trace } = await ran({
          strategy: talker(8),
          resources: { model: spending(PROMPT_TOKENS, 76) },
          budget,
        });
        for (const [key, limit] of Object.entries(budget))
          assert.ok((trace.spent as Record<string, number>)[key]! <= limit);
        assert.equal(trace.answer.kind, 'answered', JSON.stringify(budget));
        assert.equal(trace.spent.modelCalls, calls, 'all of it is used');
        assert.deepEqual(
          trace.stopped,
          calls < 9 ? { by: 'limit', limit: Object.keys(budget)[0] } : undefined,
        );
      }
    }
  });

  test('without room for the reader goes to the hops, and the abstention gives the reason', async () => {
    const { trace } = await ran({
      strategy: talker(3, 20),
      resources: { model: spending(PROMPT_TOKENS, 20) },
      budget: { modelTokens: 99 },
    });
    assert.equal(trace.hops.filter(({ outputs }) => outputs).length, 2);
    assert.deepEqual(trace.answer, {
      kind: 'abstained',
      reason: 'No answer was read: the limit on modelTokens was reached',
    });
    assert.equal(trace.evidence.length, 1);
  });

  test('that a provider exceeds ends the hops, records the use and keeps the evidence', async () => {
    const { trace } = await ran({
      strategy: talker(8),
      resources: { model: spending(PROMPT_TOKENS, 500) },
      budget: { modelTokens: 400 },
      reader: 'evidence-only',
    });
    assert.deepEqual([trace.spent.modelCalls, trace.spent.modelTokens], [1, 524]);
    assert.deepEqual(trace.stopped, { by: 'limit', limit: 'modelTokens' });
    assert.equal(trace.answer.kind, 'evidence');
  });

  test('in US dollars requires a price', async () => {
    await assert.rejects(ran({ resources: { model: scriptedModel(['x']) }, budget: { usd: 1 } }), {
      code: 'unknown-price',
    });
    await ran({ resources: { model: scriptedModel(['x']) }, budget: { modelCalls: 9 } });
  });
});

describe('onText', () => {
  const pieces = (text: string, size: number): LanguageModel => ({
    id: 'm',
    async generate(prompt, _call, onText): Promise<Completion> {
      const outputs = prompt.role === 'answer' ? text : 'a thought';
      for (let at = 0; at < outputs.length; at += size) onText?.(outputs.slice(at, at + size));
      return { text: outputs, usage: { input: 1, output: 1 }, finish: 'stop' };
    },
  });

  test('receives the answer of JSON replies, for any division into pieces', async () => {
    const answer = 'Käthe "K." \\ Voß\n– 東京 😀';
    for (const text of [
      JSON.stringify({ answer, citations: [1] }),
      `{ "citations": [1],\n "answer" : ${JSON.stringify(answer)} }`,
    ])
      for (const size of [1, 2, 3, 7, 1000]) {
        let heard = '';
        await ran({
          resources: { model: pieces(text, size) },
          reader: teller({ name: 'a', schema: {} }),
          onText: piece => (heard += piece),
        });
        assert.equal(heard, answer);
      }
    let heard = '';
    for (const text of [
      '{"answer": "cut',
      '{"answer": 7}',
      'none',
      '',
      '{"answer": "\\u12',
      '{"answer": "\\q\\u00zz"}',
    ])
      await ran({
        resources: { model: pieces(text, 2) },
        reader: teller({ name: 'a', schema: {} }),
        onText: piece => (heard += piece),
      });
    assert.equal(heard, 'cutq');
  });
});

describe('an abort', () => {
  test('by the time limit before the reading prevents the reader’s call', async () => {
    let asked = 0;
    const controller = new AbortController();
    const model: LanguageModel = {
      id: 'm',
      async generate() {
        asked++;
        return { text: 'x', usage: { input: 1, output: 1 }, finish: 'stop' };
      },
    };
    const late: Reader = {
      ...teller(),
      async read(...args) {
        controller.abort(new DOMException('late', 'TimeoutError'));
        return teller().read(...args);
      },
    };
    const { trace } = await ran({ resources: { model }, reader: late }, controller.signal);
    assert.deepEqual([trace.stopped, asked], [{ by: 'limit', limit: 'ms' }, 2]);
  });
});
