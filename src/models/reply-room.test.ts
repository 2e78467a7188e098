import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PortError } from '../core/errors.ts';
import { type Call, freeCall } from '../core/trace/call.ts';
import type { Budget } from '../core/trace/usage.ts';
import { checkedCompletion } from './checked-completion.ts';
import type { Completion, LanguageModel, Prompt } from './language-model.ts';
import { THINKING_TOKENS, withReplyRoom } from './reply-room.ts';

const PROMPT: Prompt = { role: 'answer', messages: [{ role: 'user', text: 'x' }], maxTokens: 100 };

/** Thinks for so many tokens before it answers, and notes the limits that it was asked with. */
function thinker(thoughts: number, how: 'apart' | 'in the text' | 'unseen' = 'apart') {
  const limits: number[] = [];
  const model: LanguageModel = {
    id: 'm',
    async generate(prompt, _call, onText): Promise<Completion> {
      const { maxTokens } = prompt;
      limits.push(maxTokens);
      const done = thoughts + 5 <= maxTokens;
      const answer = done ? 'Ada [1].' : '';
      const thought = how === 'in the text' ? `<think>well${done ? '</think>' : ''}` : '';
      const text = `${thought}${answer}`;
      for (const piece of text) onText?.(piece);
      const output = Math.min(thoughts + 5, maxTokens);
      const told = how === 'apart' ? { thoughts: Math.min(thoughts, maxTokens) } : {};
      const received = { text, usage: { input: 10, output, ...told } };
      return checkedCompletion({ id: 'm' }, prompt, {
        ...received,
        finish: done ? 'stop' : 'length',
      });
    },
  };
  return { model, limits };
}

const leaving = (left: Budget): Call => ({ ...freeCall(), left: () => left });

describe('withReplyRoom', () => {
  for (const how of ['apart', 'in the text', 'unseen'] as const)
    test(`asks once more where a reply was cut in its thoughts, which are ${how}, and remembers it`, async () => {
      const { model, limits } = thinker(500, how);
      const notes: string[] = [];
      const roomy = withReplyRoom(model, {}, note => notes.push(note));
      assert.equal(roomy.replyTokens!(100), 100);
      const pieces: string[] = [];
      const first = await roomy.generate(PROMPT, freeCall(), piece => pieces.push(piece));
      assert.equal(first.finish, 'stop');
      assert.equal(pieces.join(''), first.text, 'the cut thought is not passed on');
      assert.deepEqual([first.usage.input, first.usage.output], [20, 605]);
      assert.equal(roomy.replyTokens!(100), 100 + THINKING_TOKENS);
      await roomy.generate(PROMPT, freeCall());
      assert.deepEqual(limits, [100, 100 + THINKING_TOKENS, 100 + THINKING_TOKENS]);
      assert.deepEqual(notes, [
        'The model "m" thinks: requests leave it 8192 more tokens from now on',
      ]);
      assert.equal(roomy.id, 'm');
    });

  test('learns from replies if they begin inside a thought', async () => {
    const schema = { name: 's', schema: {} };
    const replies = ['{}', 'Ada [1].', '`</think>`', 'well</think>Ada [1].', 'Ada.'];
    const known: unknown[] = [];
    const said = replies.values();
    const roomy = withReplyRoom(
      {
        id: 'm',
        generate: async () => ({
          text: said.next().value!,
          usage: { input: 1, output: 1 },
          finish: 'stop',
        }),
      },
      {},
    );
    for (const [at] of replies.entries()) {
      await roomy.generate(at === 0 ? { ...PROMPT, schema } : PROMPT, freeCall());
      known.push(roomy.startsInThought!());
    }
    assert.deepEqual(known, [undefined, false, false, true, true]);
  });

  test('says that a reply was cut, where even the room does not do', async () => {
    const { model, limits } = thinker(90_000);
    const { cut, finish } = await withReplyRoom(model, {}).generate(PROMPT, freeCall());
    assert.deepEqual([cut, finish], [{ tokens: 100 + THINKING_TOKENS, thinking: true }, 'length']);
    assert.equal(limits.length, 2);
  });

  test('asks once alone where budget or context have no room, or the user wants none', async () => {
    const wide = 110 + THINKING_TOKENS;
    for (const [left, context, asked] of [
      [{}, undefined, 2],
      [{ modelTokens: wide + 100 }, undefined, 2],
      [{ modelTokens: THINKING_TOKENS }, undefined, 1],
      [{ modelCalls: 0 }, undefined, 2],
      [{}, 2 * THINKING_TOKENS, 2],
      [{}, 200, 1],
    ] as const) {
      const { model, limits } = thinker(500);
      const roomy = withReplyRoom({ ...model, contextTokens: context } as LanguageModel, {});
      await roomy.generate(PROMPT, leaving(left));
      assert.equal(limits.length, asked, JSON.stringify([left, context]));
    }
    const { model, limits } = thinker(500);
    await withReplyRoom(model, { thinkingTokens: 0 }).generate(PROMPT, freeCall());
    assert.deepEqual(limits, [100]);
  });

  test('leaves half of a context for the prompt', async () => {
    const { model, limits } = thinker(0, 'unseen');
    const roomy = withReplyRoom({ ...model, contextTokens: 120 }, {});
    await roomy.generate(PROMPT, freeCall());
    assert.deepEqual([limits, roomy.replyTokens!(100)], [[60], 60]);
  });

  test('keeps the first reply where the context has no room after all', async () => {
    const { model } = thinker(500);
    const full: LanguageModel = {
      ...model,
      async generate(prompt, ...more) {
        if (prompt.maxTokens > 100) throw new PortError('model', 'context-full', 'No room');
        return model.generate(prompt, ...more);
      },
    };
    const { cut } = await withReplyRoom(full, {}).generate(PROMPT, freeCall());
    assert.deepEqual(cut, { tokens: 100, thinking: true });
  });

  test('raises the limit of answers, and marks the settings that change texts', async () => {
    for (const [room, limit, id] of [
      [{ outputTokens: 50 }, 100, 'm(output=50)'],
      [{ outputTokens: 700 }, 700, 'm(output=700)'],
      [{ outputTokens: 700, thinkingTokens: 40 }, 740, 'm(output=700, thinking=40)'],
      [{ thinkingTokens: 0 }, 100, 'm(thinking=0)'],
    ] as const) {
      const { model, limits } = thinker(0, 'unseen');
      const roomy = withReplyRoom(model, room);
      await roomy.generate(PROMPT, freeCall());
      assert.deepEqual([limits, roomy.replyTokens!(100), roomy.id], [[limit], limit, id]);
    }
  });
});
