/** Tests `multihop learn`: the evidence that a support threshold is fitted on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { argv, demoDataSet, freshFolder, refuses, succeeds } from './running-command.ts';

const files = demoDataSet(freshFolder());

test('support-threshold: uses the evidence that the constant was fitted on, for any defaults of ask', async () => {
  const learn = async (...words: string[]): Promise<Record<string, unknown>> => {
    const result = await succeeds(
      argv`learn support-threshold multihop-rag ${files} ${words} --json`,
    );
    return JSON.parse(result.out) as Record<string, unknown>;
  };
  const { strategy, retriever, context } = await learn();
  assert.deepEqual(
    { strategy, retriever, context },
    {
      strategy: 'budgeted-agent(tokens=620, calls=4)',
      retriever: 'lexical',
      context: 'lead(words=90)',
    },
  );
  const other = await learn('--row', 'strategy=fixed-top-k');
  assert.deepEqual([other['strategy'], other['context']], ['fixed-top-k(k=2)', 'lead(words=90)']);
});

test('an unknown task is refused with the known one', async () => {
  await refuses(['learn', 'fact-reader', 'multihop-rag', ...files], /support-threshold/);
});
