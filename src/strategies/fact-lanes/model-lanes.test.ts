/** Tests `fact-lanes(lanes=model)`: lanes of a model's sub-questions, or of clauses with a note. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Trace } from '../../core/trace/trace.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../../testing/fixture-corpus.ts';
import { type ScriptedModel, scriptedModel } from '../../testing/scripted-model.ts';
import { engineOf, runOf } from '../../testing/strategy-run.ts';
import { strategies } from '../strategies.ts';

const { text: QUESTION } = FIXTURE_QUESTIONS[1]!;

async function run(strategy: string, model?: ScriptedModel): Promise<Trace> {
  const { trace } = await runOf(strategies.create(strategy), {
    ...{ question: { id: 'q', text: QUESTION }, engine: engineOf(FIXTURE_DOCUMENTS) },
    ...{ retriever: 'lexical', context: 'whole' },
    ...(model ? { resources: { model } } : {}),
  });
  return trace;
}
const notes = ({ hops }: Trace): string[] =>
  hops.flatMap(({ outputs = [] }) =>
    outputs.filter(({ role }) => role === 'degraded').map(({ text }) => text),
  );

describe('lanes of a model', () => {
  test('are its sub-questions, without a note', async () => {
    const model = scriptedModel([
      '{"subqueries": ["Was the lighthouse sold?", "Has the smoke changed?"]}',
    ]);
    const trace = await run('fact-lanes(lanes=model)', model);
    assert.equal(trace.hops[0]!.reason, 'Was the lighthouse sold?; Has the smoke changed?');
    assert.deepEqual([notes(trace), trace.spent.modelCalls], [[], 1]);
  });

  test('are the clauses if the reply holds none, or without a model, with a note once', async () => {
    const plain = await run('fact-lanes');
    const unread = await run('fact-lanes(lanes=model)', scriptedModel(['{"subqueries": []}']));
    const without = await run('fact-lanes(lanes=model)');
    for (const trace of [unread, without])
      assert.equal(trace.hops[0]!.reason, plain.hops[0]!.reason);
    assert.deepEqual(
      [plain, unread, without].map(trace => notes(trace).length),
      [0, 1, 1],
    );
    assert.match(notes(unread)[0]!, /reply of the model holds no sub-questions/);
    assert.match(notes(without)[0]!, /^No language model/);
  });

  test('need a model only if they are asked for', () => {
    const needs = (name: string) => strategies.create(name).needs!.map(({ port }) => port.name);
    assert.deepEqual(needs('fact-lanes'), []);
    assert.equal(needs('fact-lanes(lanes=model)').length, 1);
    assert.deepEqual(strategies.create('fact-lanes').modelCalls ?? [], []);
  });
});
