/** Tests that candidates of one question share one probability. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withProbability } from './draft.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });

test('probabilities of an answer and its alternatives sum to at most 1', async () => {
  const form = fc.constantFrom('choice', 'verdict', 'span', 'value');
  await fc.assert(
    fc.asyncProperty(form, share, fc.array(share, { maxLength: 5 }), async (of, best, shares) => {
      const others = shares.map((each, at) => ({ text: `text ${at}`, share: each }));
      const answer = { kind: 'answered', text: 'best', citations: [] } as const;
      const found = await withProbability(answer, { form: of, share: best, others });
      const stated = (found.alternatives ?? []).map(({ probability }) => probability);
      const sum = stated.reduce((a, b) => a + b, found.probability!);
      assert.ok(sum <= 1 + 1e-9, `${sum}`);
      assert.ok(stated.every(each => each >= 0));
      assert.equal(stated.length, Math.min(3, others.length));
    }),
  );
});
