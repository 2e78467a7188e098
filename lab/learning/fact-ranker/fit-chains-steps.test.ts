/** Tests which parts of the work `learnChains` reports, on sets of few questions. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Example } from '../../../src/evaluation/example.ts';
import { engineOf } from '../../../src/testing/strategy-run.ts';
import { type ChainedSet, chainSteps, learnChains } from './fit-chains.ts';
import { rankedQuestions } from './ranked-question.ts';

const engine = engineOf([
  { id: 'a', title: 'Quill Works', text: 'Ida runs the Quill Works.', metadata: {} },
  { id: 'b', title: 'Ida', text: 'Ida was born in Dunmar. Cats sleep there.', metadata: {} },
]);
const example = (at: number): Example => ({
  id: `${at}`,
  question: { id: `${at}`, text: 'Where was the head of the Quill Works born?' },
  answers: ['Dunmar'],
  gold: [{ documentId: 'a', title: '', fact: 'Ida runs the Quill Works.', span: [0, 25] }],
});

async function listed<T>(things: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const thing of things) found.push(thing);
  return found;
}

const setOf = (name: string, count: number): ChainedSet => ({
  name,
  engine,
  ranked: (settings, weights) =>
    listed(
      rankedQuestions(
        { examples: Array.from({ length: count }, (_, at) => example(at)) },
        {
          ...{ engine, retriever: 'lexical', clock: () => 0, settings, weights },
          signal: new AbortController().signal,
        },
      ),
    ),
});

const learnt = async (sets: readonly ChainedSet[]) => {
  let steps = 0;
  return { ...(await learnChains(sets, async () => void steps++)), steps };
};

describe('steps', () => {
  for (const [sets, steps] of [
    [1, 7],
    [2, 16],
    [3, 21],
  ] as const)
    test(`of ${sets} sets: ${steps}`, async () => {
      assert.equal(chainSteps(sets), steps);
      const names = ['x', 'y', 'z'].slice(0, sets);
      const found = await learnt(names.map(name => setOf(name, 0)));
      assert.equal(found.steps, steps);
      assert.deepEqual(
        [found.heldOut, found.elsewhere].map(some => some.map(({ name }) => name)),
        [names, sets > 1 ? names : []],
      );
    });
});

test('every fifth question is held out', async () => {
  const { heldOut } = await learnt([setOf('x', 11)]);
  assert.deepEqual(
    heldOut.map(({ questions }) => questions),
    [2],
  );
});

test('a run that was stopped yields no questions', async () => {
  const stopped = rankedQuestions(
    { examples: [example(0)] },
    { ...{ engine, retriever: 'lexical', clock: () => 0 }, signal: AbortSignal.abort() },
  );
  await assert.rejects(listed(stopped), { name: 'AbortError' });
});
