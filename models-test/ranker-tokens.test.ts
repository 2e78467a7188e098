/** Compares the word pieces of a real vocabulary with those of Transformers.js. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { pairsWith } from '../src/models/ranker/pairs.ts';
import { vocabularyOf, wordPieces } from '../src/models/ranker/word-piece.ts';

const NAME = 'ms-marco-MiniLM-L-12-v2';
const MODELS = process.env.MULTIHOP_MODELS ?? '';
const skip =
  MODELS === ''
    ? 'MULTIHOP_MODELS is not set'
    : existsSync(join(MODELS, NAME))
      ? false
      : `MULTIHOP_MODELS holds no ${NAME}`;

const TEXTS: readonly string[] = [
  '',
  'How do I set `retries` in uv.lock (v0.5.2)?',
  'Größe naïve Ångström Đà Nẵng İstanbul ﬁne Ⅷ',
  'deps/foo-bar_baz.ts > Usage > --no-cache=1 && echo "$HOME" | tee ~/x^2`',
  '東京は日本の首都です。한국어 ไทย हिन्दी العربية Ελλάδα',
  'zero\u200bwidth soft\u00adhyphen\u2028line\u00a0nbsp 😀👍🏽 \u0000 tab\t',
  `${'supercalifragilistic'.repeat(5)} ${'supercalifragilistic'.repeat(5)}x`,
  'don’t “quote” … — § © ™ €100 ½ ²',
  'pneumonoultramicroscopicsilicovolcanoconiosis HTTP2ServerRequest',
];

describe('word pieces of a real vocabulary', { skip }, async () => {
  const { AutoTokenizer, env } = await import('@huggingface/transformers');
  Object.assign(env, { localModelPath: MODELS, allowRemoteModels: false });
  const theirs = await AutoTokenizer.from_pretrained(NAME);
  const { model } = JSON.parse(readFileSync(join(MODELS, NAME, 'tokenizer.json'), 'utf8')) as {
    model: { vocab: Readonly<Record<string, number>> };
  };
  const tokens = Object.entries(model.vocab).sort(([, a], [, b]) => a - b);
  const vocabulary = vocabularyOf(tokens.map(([token]) => token));
  const pieces = wordPieces(vocabulary);
  const same = (text: string): void =>
    assert.deepEqual(
      pieces(text, 1e6),
      theirs.encode(text, { add_special_tokens: false }).map(Number),
    );

  for (const text of TEXTS) test(JSON.stringify(text.slice(0, 40)), () => same(text));

  test('any text without a token of the vocabulary in brackets', () => {
    // Theirs reads UTF-16 units, so that it sets no CJK character beyond them apart, and writes a
    // sigma at the end of a word otherwise; BertTokenizerFast does as ours.
    const text$ = fc
      .string({
        unit: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(' ', 'a', '.', 'é')),
      })
      .filter(text => text.isWellFormed() && !/Σ|\[[A-Z]+\]|[\u{20000}-\u{2fa1f}]/u.test(text));
    fc.assert(fc.property(text$, same), { numRuns: 300 });
  });

  test('a pair has their tokens and types', () => {
    const [question, passage] = [TEXTS[1]!, TEXTS[2]!];
    const limits = { maxTokens: 512, questionTokens: 64 };
    const { ids, types } = pairsWith(question, pieces, vocabulary, limits)(passage);
    const { input_ids: expected, token_type_ids: segments } = theirs(question, {
      text_pair: passage,
    }) as Record<string, { data: Iterable<bigint> }>;
    assert.deepEqual(ids, Array.from(expected!.data, Number));
    // A network of types for pieces in both parts reads the same parts.
    assert.deepEqual(
      types.map(type => type % 2),
      Array.from(segments!.data, Number),
    );
  });
});
