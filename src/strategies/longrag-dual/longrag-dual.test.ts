/**
 * Tests longrag-dual by hand-worked runs: its five modes, its calls, the evidence that each mode
 * leaves, the fallbacks without a model or a reranker, failures and any reply.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chunkers } from '../../core/corpus/chunk.ts';
import type { Document } from '../../core/corpus/document.ts';
import { PortError } from '../../core/errors.ts';
import type { Trace } from '../../core/trace/trace.ts';
import type { LanguageModel, Prompt } from '../../models/language-model.ts';
import type { AskOptions } from '../../run/ask.ts';
import { EmbeddedEngine } from '../../search/embedded-engine.ts';
import { overlapReranker } from '../../testing/overlap-reranker.ts';
import {
  rolesOf as roles,
  type ScriptedModel,
  scriptedModel,
} from '../../testing/scripted-model.ts';
import { documentOf as doc, outputsOf as outputs, traceOf } from '../../testing/strategy-run.ts';

const WORLD: readonly Document[] = [
  doc(
    'works',
    'Quill Works',
    'The Quill Works was founded by Ines Quill. It makes glass. Its furnace is old. It stands in Tarn.',
  ),
  doc('ines', 'Ines Quill', 'Ines Quill founded a glass works. She was born in Vell.'),
  doc('tram', 'Tram', 'The tram of the Quill Works was founded in May. It is green.'),
  doc('ferry', 'Ferry', 'The ferry does not run on Sunday.'),
];
const QUESTION = 'Who founded the Quill Works?';
const TEXTS = new Map(WORLD.map(({ id, text }) => [id, text]));

async function ask(strategy: string, more: Partial<AskOptions> = {}): Promise<Trace> {
  const engine = new EmbeddedEngine({
    documents: WORLD,
    chunker: chunkers.create('sentences(per=2)'),
  });
  const options = { engine, strategy, reader: 'evidence-only', retriever: 'lexical', ...more };
  return traceOf(QUESTION, { context: 'whole', ...options });
}

/** Keeps chunks that name Ines Quill, says where the works stands, and answers. */
const model = (replies: Readonly<Record<string, string>> = {}): ScriptedModel =>
  scriptedModel(({ role, messages }) => {
    if (replies[role] !== undefined) return replies[role];
    if (role === 'cotThink') return '{"thought": "Find the founder."}';
    if (role === 'chunkFilter')
      return JSON.stringify({ status: /^Ines|by Ines/m.test(messages[1]!.text) });
    if (role === 'extract') return '{"info": "The works stands in Tarn."}';
    return '{"answer": "Ines Quill", "passages": [1]}';
  });

const shown = ({ messages }: Prompt): string => messages[1]!.text;
const passagesIn = (prompt: Prompt): number =>
  shown(prompt).match(/^<<passage \d+>>/gm)?.length ?? 0;
/** The evidence as texts, by the id of its item. */
const texts = ({ evidence }: Trace): [string, string[]][] =>
  evidence.map(({ id, documentId, spans }) => [
    id,
    spans.map(([start, end]) => TEXTS.get(documentId)!.slice(start, end).trim()),
  ]);
const first = ({ hops }: Trace, k: number): string[] =>
  hops[0]!.searches[0]!.hits.slice(0, k).map(({ id }) => id);

describe('with a model', () => {
  test('makes k + 3 calls: a thought, a judgement a chunk, an extraction and an answer', async () => {
    const asked = model();
    const trace = await ask('longrag-dual(k=3)', { resources: { model: asked } });
    assert.deepEqual(roles(asked), [
      'cotThink',
      ...['chunkFilter', 'chunkFilter', 'chunkFilter'],
      ...['extract', 'finalAnswer'],
    ]);
    assert.deepEqual([trace.spent.modelCalls, trace.spent.retrievals, trace.spent.hops], [6, 1, 2]);
    assert.equal(passagesIn(asked.prompts[0]!), 3);
    // One chunk and the thought.
    assert.equal(passagesIn(asked.prompts[1]!), 2);
    assert.ok(shown(asked.prompts[1]!).includes('Find the founder.'));
    // Whole documents reach the extractor, each once.
    for (const id of ['works', 'ines', 'tram'])
      assert.equal(shown(asked.prompts[4]!).split(TEXTS.get(id)!).length, 2, id);
  });

  test('answers from kept chunks and the information; evidence holds what it rests on', async () => {
    const asked = model();
    const trace = await ask('longrag-dual(k=3)', { resources: { model: asked } });
    const last = shown(asked.prompts.at(-1)!);
    assert.equal(passagesIn(asked.prompts.at(-1)!), 3);
    assert.ok(last.includes('Extracted information\nThe works stands in Tarn.'));
    assert.ok(!last.includes('tram'));
    const works = texts(trace).find(([id]) => id.startsWith('works'))!;
    assert.deepEqual(works[1], [
      'The Quill Works was founded by Ines Quill. It makes glass.',
      'It stands in Tarn.',
    ]);
    assert.equal(texts(trace).length, 2);
    const { rejected, withdrawn = [] } = trace.hops[1]!;
    assert.deepEqual(
      rejected.map(({ id, why }) => [id.split('#')[0], why]),
      [['tram', 'filtered']],
    );
    assert.deepEqual(withdrawn.map(({ id }) => id).sort(), first(trace, 3).sort());
    assert.ok(trace.answer.kind === 'answered' && trace.answer.text === 'Ines Quill');
  });

  test('each mode asks for what it reads', async () => {
    const judged = ['chunkFilter', 'chunkFilter'];
    for (const [mode, expected] of [
      ['base', ['finalAnswer']],
      ['long', ['finalAnswer']],
      ['extractor', ['extract', 'finalAnswer']],
      ['filter', ['cotThink', ...judged, 'finalAnswer']],
    ] as const) {
      const asked = model();
      const trace = await ask(`longrag-dual(mode=${mode}, k=2)`, { resources: { model: asked } });
      assert.deepEqual(roles(asked), expected, mode);
      assert.equal(trace.hops.length, mode === 'base' ? 1 : 2, mode);
    }
  });

  test('long keeps whole documents, and chunks of documents longer than the prompt', async () => {
    const asked = model();
    const trace = await ask('longrag-dual(mode=long, k=2)', { resources: { model: asked } });
    for (const [id, spans] of texts(trace)) assert.deepEqual(spans, [TEXTS.get(id.split('#')[0]!)]);
    assert.ok(shown(asked.prompts[0]!).includes(TEXTS.get('works')!));
    const tight = await ask('longrag-dual(mode=long, k=3, prompt=50)', {
      resources: { model: model() },
    });
    const base = await ask('longrag-dual(mode=base, k=3)', { resources: { model: model() } });
    const long = ([id]: [string, string[]]): boolean => id.startsWith('works');
    assert.deepEqual(texts(tight).filter(long), texts(base).filter(long));
  });

  test('keeps all chunks if the model keeps none, and rejects those without a judgement', async () => {
    const none = await ask('longrag-dual(mode=filter, k=3)', {
      resources: { model: model({ chunkFilter: '{"status": false}' }) },
    });
    assert.equal(none.evidence.length, 3);
    let judged = 0;
    const unread = scriptedModel(({ role }) =>
      role === 'chunkFilter' ? (judged++ === 0 ? 'true' : 'Sorry.') : '{"answer": "Ines Quill"}',
    );
    const trace = await ask('longrag-dual(mode=filter, k=3)', { resources: { model: unread } });
    assert.deepEqual(
      trace.evidence.map(({ id }) => id),
      first(trace, 1),
    );
    const parsed = trace.hops[1]!.outputs!.filter(({ role }) => role === 'chunkFilter');
    assert.deepEqual(
      parsed.map(each => each.parsed),
      [true, false, false],
    );
  });

  test('a failure keeps chunks that were not judged, extracts nothing, and is reported', async () => {
    for (const [at, kept] of [
      [0, 3],
      [2, 3],
    ] as const) {
      let calls = 0;
      const inner = model({ chunkFilter: '{"status": false}' });
      const broken: LanguageModel = {
        id: 'broken',
        generate: (prompt, call) =>
          calls++ < at
            ? inner.generate(prompt, call)
            : Promise.reject(new PortError('model', 'down', 'The model is down')),
      };
      const trace = await ask('longrag-dual(k=3)', { resources: { model: broken } });
      assert.equal(calls, at + 1);
      // One chunk was judged and rejected before the second failure.
      assert.equal(trace.evidence.length, at === 0 ? kept : 2);
      assert.ok(trace.stopped?.by === 'failure' && trace.stopped.code === 'down');
      assert.equal(outputs(trace, 'degraded').length, 2);
    }
  });
});

describe('without a model', () => {
  test('filters and extracts by rules, and says so', async () => {
    const trace = await ask('longrag-dual(k=3)');
    assert.deepEqual(outputs(trace, 'degraded'), [
      'No language model: chunks are filtered by words and scores, sentences are extracted by words, the reader answers',
      'No reranker: the first chunks of the search are read',
    ]);
    assert.deepEqual(outputs(trace, 'extracted'), ['Quill Works; found']);
    assert.equal(trace.spent.modelCalls, undefined);
    assert.equal(trace.answer.kind, 'evidence');
    const extracted = await ask('longrag-dual(k=3, thoughts=extracted)', {
      resources: { model: model() },
    });
    assert.deepEqual(texts(extracted), texts(trace));
  });

  test('a reranker chooses among the candidates, and every pair is counted', async () => {
    const reranker = overlapReranker();
    const trace = await ask('longrag-dual(mode=base, k=2, candidates=5, reranker=overlap)', {
      resources: { reranker: [reranker] },
    });
    const pairs = Math.min(5, trace.hops[0]!.searches[0]!.hits.length);
    assert.equal(trace.spent.rerankedPairs, pairs);
    assert.equal(trace.evidence.length, 2);
    assert.ok(outputs(trace, 'degraded').every(text => !text.includes('reranker')));
  });
});
