/**
 * Tests naive by hand-worked runs: the passages kept, the prompts, the answer and its citations,
 * the fallbacks without a model, and any reply.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chunkers } from '../../core/corpus/chunk.ts';
import type { Document } from '../../core/corpus/document.ts';
import type { Trace } from '../../core/trace/trace.ts';
import type { AskOptions } from '../../run/ask.ts';
import { EmbeddedEngine } from '../../search/embedded-engine.ts';
import { byRole, rolesOf as roles } from '../../testing/scripted-model.ts';
import { documentOf as doc, outputsOf as outputs, traceOf } from '../../testing/strategy-run.ts';
import { strategies } from '../strategies.ts';

const WORLD: readonly Document[] = [
  doc('works', 'Quill Works', 'The Quill Works of Tarn was founded by Ines Quill. It makes glass.'),
  doc('ines', 'Ines Quill', 'Ines Quill studied under the lens grinder Osk Maren.'),
  doc('maren', 'Osk Maren', 'Osk Maren was born in Vell. Osk Maren ground lenses.'),
  doc('vell', 'Vell', 'Vell is a town on the river Orr.'),
  doc('ferry', 'Ferry', 'The ferry does not run on Sunday.'),
];
const QUESTION = 'Who founded the Quill Works of Tarn?';

async function ask(
  strategy: string,
  more: Partial<AskOptions> = {},
  question = QUESTION,
): Promise<Trace> {
  const engine = new EmbeddedEngine({
    documents: WORLD,
    chunker: chunkers.create('sentences(per=1)'),
  });
  const options = { engine, strategy, reader: 'evidence-only', retriever: 'lexical', ...more };
  return traceOf(question, options);
}

const ANSWER = '{"answer": "Ines Quill", "passages": [1]}';
const queries = ({ hops }: Trace): (string | undefined)[] =>
  hops.flatMap(({ searches }) => searches.map(({ text }) => text));
const keptIds = ({ evidence }: Trace): string[] => evidence.map(({ id }) => id);

describe('one search', () => {
  test('keeps the first k passages, as fixed-top-k does over passages', async () => {
    for (const k of [1, 3]) {
      const trace = await ask(`naive(k=${k})`);
      const plain = await ask(`fixed-top-k(k=${k})`, { retriever: 'lexical(unit=passage)' });
      assert.deepEqual([keptIds(trace), trace.ranking], [keptIds(plain), plain.ranking]);
      assert.deepEqual([trace.spent.retrievals, trace.spent.modelCalls], [1, undefined]);
    }
  });

  test('cites the passages that the model names for a yes, and none that does not exist', async () => {
    const model = byRole({ finalAnswer: '{"answer": "Yes", "passages": [9, 1, 1, "2"]}' });
    const trace = await ask('naive(k=2)', { resources: { model } });
    assert.ok(trace.answer.kind === 'answered' && trace.answer.text === 'Yes');
    assert.deepEqual(
      trace.answer.citations.map(({ id }) => id),
      [trace.evidence[0]!.id],
    );
  });

  test('leaves an unsupported or unreadable answer to the reader, and believes "insufficient"', async () => {
    for (const reply of ['{"answer": "Zed", "passages": []}', 'Sorry.']) {
      const trace = await ask('naive', { resources: { model: byRole({ finalAnswer: reply }) } });
      assert.equal(trace.answer.kind, 'evidence', reply);
    }
    const none = byRole({ finalAnswer: '{"answer": "Insufficient information.", "passages": []}' });
    const trace = await ask('naive', { resources: { model: none } });
    assert.deepEqual(trace.answer, { kind: 'abstained', reason: 'Insufficient information.' });
    const bracketed = byRole({ finalAnswer: 'It is <Ines Quill>.' });
    const read = await ask('naive', { resources: { model: bracketed } });
    assert.ok(read.answer.kind === 'answered' && read.answer.text === 'Ines Quill');
  });

  test('asks no model if the reader answers', async () => {
    const model = byRole({ finalAnswer: ANSWER });
    const trace = await ask('naive(answer=reader)', { resources: { model } });
    assert.deepEqual([model.prompts.length, outputs(trace, 'degraded')], [0, []]);
  });

  test('says what is missing without a model', async () => {
    assert.deepEqual(outputs(await ask('naive'), 'degraded'), [
      'No language model: the reader answers',
    ]);
    assert.deepEqual(outputs(await ask('naive(decomposition=true)'), 'degraded'), [
      'No language model: the sub-questions are the clauses of the question, the reader answers',
    ]);
  });
});

describe('decomposition', () => {
  const SPLIT = '{"subqueries": ["Who founded the Quill Works?", "Where was this founder born?"]}';

  test('searches the sub-questions as they are written, in one hop, and pools by rank', async () => {
    const model = byRole({ decompose: SPLIT, finalAnswer: ANSWER });
    const trace = await ask('naive(k=2, decomposition=true)', { resources: { model } });
    assert.deepEqual(roles(model), ['decompose', 'finalAnswer']);
    assert.deepEqual(queries(trace), [
      'Who founded the Quill Works?',
      'Where was this founder born?',
    ]);
    assert.equal(trace.hops.length, 1);
    const lists = trace.hops[0]!.searches.map(({ hits }) => hits.slice(0, 2).map(({ id }) => id));
    const pool = [...new Set([0, 1].flatMap(rank => lists.flatMap(list => list[rank] ?? [])))];
    assert.deepEqual(keptIds(trace), pool);
    assert.ok(lists[1]!.length > 0 && pool.length > 2);
    assert.ok(trace.ranking.length >= new Set(trace.evidence.map(e => e.documentId)).size);
  });

  test('asks for the fewest sub-questions, with the three kinds of progression', async () => {
    const model = byRole({ decompose: SPLIT, finalAnswer: ANSWER });
    await ask('naive(decomposition=true, parts=4)', { resources: { model } });
    const [system] = model.prompts[0]!.messages;
    assert.match(system!.text, /fewest sub-questions.*at most 4/);
    const examples = model.prompts[0]!.messages.slice(1, -1);
    assert.deepEqual(
      examples.map(({ role }) => role),
      Array.from({ length: 4 }, () => ['user', 'assistant']).flat(),
    );
    for (const kind of ['wrote and who filmed', 'was the writer of', 'older than', 'Who wrote S'])
      assert.ok(
        examples.some(({ text }) => text.includes(kind)),
        kind,
      );
  });

  test('searches the clauses if the reply holds no sub-question', async () => {
    const model = byRole({ decompose: 'no', finalAnswer: ANSWER });
    const question = 'Who founded the Quill Works of Tarn, and where was Osk Maren born?';
    const trace = await ask('naive(decomposition=true)', { resources: { model } }, question);
    const without = await ask('naive(decomposition=true)', {}, question);
    assert.deepEqual(queries(trace), queries(without));
    assert.equal(JSON.parse(outputs(trace, 'plan')[0]!).by, 'clauses');
    assert.ok(outputs(trace, 'degraded')[0]!.includes('holds no sub-questions'));
    assert.ok(queries(without).length > 2);
  });

  test('by clauses keeps the first of the question, and what clauses and question agree on', async () => {
    const question = 'Who founded the Quill Works of Tarn, and where was Osk Maren born?';
    for (const k of [1, 2]) {
      const trace = await ask(`naive(k=${k}, decomposition=true)`, {}, question);
      const [whole, ...clauses] = trace.hops[0]!.searches;
      assert.equal(whole!.text, question);
      const votes = clauses.flatMap(({ hits }) => hits.slice(0, k).map(({ id }) => id));
      const ids = whole!.hits.map(({ id }) => id);
      const agreed = ids.slice(k, k * (1 + clauses.length)).filter(id => votes.includes(id));
      assert.deepEqual(keptIds(trace), [...ids.slice(0, k), ...agreed]);
      assert.ok(agreed.length > 0);
      const documents = [...trace.evidence, ...whole!.hits].map(({ documentId }) => documentId);
      const order = [...new Set(documents)];
      assert.deepEqual(trace.ranking.slice(0, order.length), order);
    }
  });
});

test('no prompt is longer than planned, whatever its passages', () => {
  for (const name of ['naive(k=40, prompt=600)', 'naive(k=40, decomposition=true, prompt=900)']) {
    const [plan] = (strategies.create(name).modelCalls ?? []).filter(
      ({ role }) => role === 'finalAnswer',
    );
    assert.equal(plan!.atMost, 2);
    assert.ok(plan!.expected!.promptTokens! <= (name.includes('600') ? 600 : 900), name);
  }
});
