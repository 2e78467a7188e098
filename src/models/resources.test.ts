/** Tests which resource a need gets, what plans reserve, and that results of ports are checked. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Metering } from '../core/port.ts';
import { freeCall } from '../core/trace/call.ts';
import type { TokenClassifiers } from './efficient-rag/token-classifiers.ts';
import { ports, tokenClassifiers } from './ports.ts';
import { firstTokens, promptTokens } from './prompt-tokens.ts';
import { repairable } from './repairable-calls.ts';
import { checkResources, resourceOf } from './resources.ts';
import { REPAIR_TOKENS } from './structured.ts';

const MEMBER = { kind: 'strategy', name: 'hop' };
const resource = (id: string): { readonly id: string } => ({ id });
const port = ports.languageModel;

describe('a need', () => {
  test('with an id gets that of several, and one without an id must be alone', () => {
    const resources = { model: [resource('a'), resource('b')] } as never;
    assert.equal(resourceOf(MEMBER, { port, id: 'b' }, resources)?.id, 'b');
    assert.throws(() => resourceOf(MEMBER, { port }, resources), {
      code: 'several-resources',
      expected: `one ${port.noun}`,
      received: 'a, b',
    });
    assert.equal(resourceOf(MEMBER, { port }, { model: resource('a') } as never)?.id, 'a');
  });

  test('that nothing meets is refused', () => {
    assert.throws(() => resourceOf(MEMBER, { port }, {}), {
      code: 'missing-resource',
      received: `no ${port.noun}`,
    });
  });
});

describe('resources', () => {
  test('of unknown ports are refused', () => {
    assert.throws(() => checkResources({ modle: resource('a') }, []), { code: 'unknown-port' });
    checkResources({ model: resource('a') } as never, []);
  });

  test('of one port have distinct ids', () => {
    assert.throws(
      () => checkResources({ model: [resource('a'), resource('b'), resource('b')] } as never, []),
      {
        code: 'duplicate-resource',
        received: 'b',
      },
    );
  });
});

describe('tokens', () => {
  test('are 2.5 bytes of UTF-8 each', () => {
    assert.equal(firstTokens('a'.repeat(30), 4), 'a'.repeat(10));
    const tokens = (text: string): number => promptTokens({ messages: [{ role: 'user', text }] });
    // 16 for the message and the reply; U+007F, U+07FF and U+0800 end and begin lengths of UTF-8.
    assert.deepEqual(
      ['\u007f', '\u0080', '\u07ff', '\u0800'].map(unit => tokens(unit.repeat(10))),
      [20, 24, 24, 28],
    );
  });

  test('of a plan with repairs are those of the prompt, or of its bound if that is less', () => {
    const messages = [{ role: 'user', text: 'a'.repeat(25) }] as const;
    const prompt = { role: 'sub-questions', maxTokens: 5, messages } as const;
    assert.deepEqual(repairable(prompt, 3), {
      role: 'sub-questions',
      atMost: 6,
      completionTokens: 5,
      promptTokens: 26 + 5 + REPAIR_TOKENS,
      expected: { calls: 3, promptTokens: 26 },
    });
    assert.equal(repairable(prompt, 3, 20).expected!.promptTokens, 20);
    assert.equal(repairable(prompt, 3, 90).expected!.promptTokens, 26);
  });
});

describe('token classifiers', () => {
  const metering = {
    signal: new AbortController().signal,
    call: async (call: { check?(value: unknown): unknown }, work: (call: unknown) => unknown) => {
      const value = await work(freeCall());
      return call.check ? call.check(value) : value;
    },
    output: () => undefined,
  } as unknown as Metering;
  const labelled = (labels: unknown): Promise<unknown> => {
    const resources = { id: 'x', labeler: { label: async () => labels }, filter: {} };
    const metered = tokenClassifiers.meter(resources as unknown as TokenClassifiers, metering);
    return metered.labeler.label('q', [{ title: 't', text: 'u' }], freeCall());
  };

  test('give each chunk a label', async () => {
    const label = [{ tag: 'CONTINUE', info: '' }];
    assert.deepEqual(await labelled(label), label);
    await assert.rejects(labelled([]), { code: 'wrong-count' });
  });

  test('give known tags and texts', async () => {
    await assert.rejects(labelled([{ tag: 'GO', info: '' }]), {
      code: 'unknown-tag',
      message: /one of CONTINUE, TERMINATE, FINISH/,
    });
    await assert.rejects(labelled([{ tag: 'FINISH', info: 1 }]), { code: 'no-text' });
  });
});
