/** Checks which conversation a call continues, against a slow obvious choice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LlamaSequence, Token } from './llama-library.ts';
import { SequencePool } from './sequence-pool.ts';

const STEP = 4;

class Conversation implements LlamaSequence {
  contextTokens: Token[] = [];
  get nextTokenIndex(): number {
    return this.contextTokens.length;
  }
  async eraseContextTokenRanges(ranges: readonly { start: number; end: number }[]): Promise<void> {
    for (const { start, end } of ranges) this.contextTokens.splice(start, end - start);
  }
  async *evaluate(): AsyncGenerator<Token, void, void> {}
  async evaluateWithoutGeneratingNewTokens(tokens: readonly Token[]): Promise<void> {
    this.contextTokens.push(...tokens);
  }
}

const shared = (a: readonly Token[], b: readonly Token[]): number => {
  const at = a.findIndex((token, index) => token !== b[index]);
  return at < 0 ? a.length : at;
};

test('a call reuses the whole steps of the longest common beginning, and never all of its prompt', async () => {
  const prompts = fc.array(fc.array(fc.constantFrom(1, 2), { minLength: 1, maxLength: 18 }), {
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(prompts, fc.integer({ min: 1, max: 3 }), async (asked, count) => {
      const conversations = Array.from({ length: count }, () => new Conversation());
      const computed = new Map<LlamaSequence, readonly Token[]>();
      const pool = new SequencePool(conversations, STEP);
      for (const tokens of asked) {
        const reusable = conversations.map(conversation =>
          Math.min(shared(computed.get(conversation) ?? [], tokens), tokens.length - 1),
        );
        const most = Math.max(...reusable.map(common => common - (common % STEP)));
        await pool.run(tokens, async ({ sequence, reused, computed: note }) => {
          assert.equal(reused, most);
          assert.deepEqual(sequence.contextTokens, tokens.slice(0, reused));
          const steps = tokens.length - 1 - ((tokens.length - 1) % STEP);
          await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(reused));
          note(steps);
          computed.set(sequence, tokens.slice(0, steps));
        });
      }
    }),
  );
});

test('calls run one after another; one that fails leaves what it had computed unused', async () => {
  const pool = new SequencePool([new Conversation()], STEP);
  const tokens = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const order: string[] = [];
  const failing = pool.run(tokens, async ({ sequence }) => {
    order.push('first');
    await sequence.evaluateWithoutGeneratingNewTokens(tokens);
    throw new Error('down');
  });
  const next = pool.run(tokens, async ({ reused, sequence }) => {
    order.push('second');
    assert.deepEqual([reused, sequence.contextTokens], [0, []]);
  });
  await assert.rejects(failing, /down/);
  await next;
  assert.deepEqual(order, ['first', 'second']);
});
