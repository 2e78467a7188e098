/** Checks that no spelling of a key in JSON passes, whole or streamed in any pieces. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { freeCall } from '../core/trace/call.ts';
import type { LanguageModel } from '../models/language-model.ts';
import { Secret, Secrets } from '../platform/secret.ts';
import { redactedModel } from './redacted-model.ts';

const unicode = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
const printable = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map(code => String.fromCharCode(code)),
  minLength: 12,
  maxLength: 40,
});

/** Returns the text and the streamed text of a model that says these pieces. */
async function said(key: string, pieces: readonly string[]): Promise<readonly string[]> {
  const model = {
    id: 'echo',
    async generate(_: unknown, __: unknown, onText?: (piece: string) => void) {
      for (const piece of pieces) onText?.(piece);
      return { text: pieces.join('') };
    },
  } as unknown as LanguageModel;
  let streamed = '';
  const { text } = await redactedModel(
    model,
    new Secrets([new Secret('another-key-of-it'), new Secret(key)]),
  ).generate({ parts: [] } as never, freeCall(), piece => {
    streamed += piece;
  });
  return [text, streamed];
}

function cutAt(text: string, cuts: readonly number[]): string[] {
  const at = [...new Set(cuts.map(cut => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [...at, text.length].map((end, index) => text.slice(at[index - 1] ?? 0, end));
}

describe('the key of a server', () => {
  test('is redacted in any spelling of JSON, in any pieces', async () => {
    const cuts = fc.array(fc.nat(400), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(printable, fc.array(fc.boolean()), cuts, async (key, escaped, where) => {
        const spelt = [...key].map((one, at) =>
          escaped[at] ? unicode(one) : JSON.stringify(one).slice(1, -1),
        );
        const text = `{"answer":"before ${spelt.join('')} after"}`;
        for (const shown of await said(key, cutAt(text, where))) {
          assert.equal(shown, '{"answer":"before [redacted] after"}');
          assert.ok(!JSON.stringify(JSON.parse(shown)).includes(key));
        }
      }),
      { examples: [['!!!!!!!!!!!\\', [], []]] },
    );
  });

  test('is redacted whatever its letters, and as it is', async () => {
    for (const key of ['only-letters-here', 'back\\slash\\u0041-key'])
      for (const shown of await said(key, cutAt(`a ${key} b`, [3, 9])))
        assert.equal(shown, 'a [redacted] b');
  });

  test('that is a short placeholder is not redacted', async () => {
    for (const shown of await said('ollama', ['ollama runs'])) assert.equal(shown, 'ollama runs');
  });

  test('leaves every other text as it is', async () => {
    const unit = fc.constantFrom('\\', 'u', '0', '0', '7', '3', 's', 'k', '-', 'a', '"', 'é', '😀');
    const key = 'sk-a7a7a7a7a7sk-';
    const cuts = fc.array(fc.nat(80), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 80 }), cuts, async (text, where) => {
        for (const shown of await said(key, cutAt(text, where))) assert.equal(shown, text);
      }),
      { numRuns: 300 },
    );
  });
});
