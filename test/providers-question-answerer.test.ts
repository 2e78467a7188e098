/**
 * Checks local question answerers without real weights: places of tokens, windows, and spans by
 * scores that a fake model gives.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { InputError, PortError } from '../src/core/errors.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { answerWindows } from '../src/providers/answer-windows.ts';
import { bestSpans } from '../src/providers/best-spans.ts';
import { placedTokens } from '../src/providers/placed-tokens.ts';
import { resolveModel } from '../src/providers/resolve-model.ts';
import type { Tokenizer } from '../src/providers/transformers-library.ts';
import { transformersQuestionAnswerer } from '../src/providers/transformers-question-answerer.ts';
import { questionAnswererLaws } from '../src/testing/question-answerer-laws.ts';
import {
  libraryOf as fakeLibrary,
  floats,
  idsOf,
  type Outputs,
  type Tensor,
} from './fake-transformers.ts';
import { runLaws } from './laws/run-laws.ts';

const [CLS, SEP] = [101, 102];

/** Words, Chinese characters and marks are tokens; ids are sums of code points. */
const TOKEN = /\p{Script=Han}|[[\p{L}\p{N}\p{M}]--\p{Script=Han}]+|[^\s\p{L}\p{N}\p{M}]/gv;
const encode = (text: string): number[] =>
  (text.match(TOKEN) ?? []).map(
    word => 1000 + [...word].reduce((sum, letter) => sum + letter.codePointAt(0)!, 0),
  );

const tokenizer: Tokenizer = Object.assign(
  (
    text: string,
    {
      text_pair,
      add_special_tokens = true,
    }: { text_pair?: string | null; add_special_tokens?: boolean },
  ) => {
    const first = encode(text);
    if (!add_special_tokens) return { input_ids: first, attention_mask: first.map(() => 1) };
    const second = text_pair == null ? [] : [...encode(text_pair), SEP];
    const input_ids = [CLS, ...first, SEP, ...second];
    return {
      input_ids,
      attention_mask: input_ids.map(() => 1),
      token_type_ids: input_ids.map((_, at) => Number(at >= first.length + 2)),
    };
  },
  { pad_token_id: 0, model_max_length: 512 },
);

const row = (values: readonly number[]): Tensor => floats(values, [1, values.length]);
const libraryOf = (answer: (ids: readonly number[]) => Outputs) =>
  fakeLibrary(tokenizer, inputs => answer(idsOf(inputs)));

/** Likes numbers: a token's score is its id if it stands for a number, 0 otherwise; none has 1. */
const likesNumbers = (ids: readonly number[]): Outputs => {
  const digits = new Set(encode('1815 1843'));
  const scores = row(ids.map((id, at) => (at === 0 ? 0.5 : digits.has(id) ? id / 1000 : 0)));
  return { start_logits: scores, end_logits: scores };
};

test('placed tokens: give each token the words that it is part of', () => {
  const text = ' Ada’s  engine (1815), 東京.';
  const { ids, starts, ends } = placedTokens(tokenizer, text);
  assert.deepEqual(
    ids.map((_, at) => text.slice(starts[at], ends[at])),
    ['Ada', '’', 's', 'engine', '(', '1815', ')', ',', '東', '京', '.'],
  );
});

test('placed tokens: are the tokens of the whole text, and in order', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), text => {
      const { ids, starts, ends } = placedTokens(tokenizer, text);
      assert.deepEqual(ids, encode(text.toWellFormed()));
      for (let at = 0; at < ids.length; at++) {
        assert.ok(starts[at]! < ends[at]! && ends[at]! <= text.length);
        if (at > 0) assert.ok(starts[at]! >= starts[at - 1]!);
      }
    }),
  );
});

test('windows: cover the text, overlap, and hold question and special tokens', () => {
  const size = fc.record({
    words: fc.integer({ min: 0, max: 90 }),
    most: fc.integer({ min: 16, max: 60 }),
    overlap: fc.integer({ min: 0, max: 30 }),
    asked: fc.integer({ min: 0, max: 30 }),
  });
  fc.assert(
    fc.property(size, ({ words, most, overlap, asked }) => {
      const text = placedTokens(tokenizer, 'x y z '.repeat(words));
      const question = 'who '.repeat(asked);
      const windows = answerWindows(tokenizer, question, text, { most, overlap });
      assert.equal(windows.length === 0, words === 0);
      let covered = 0;
      for (const { ids, types, offset, from, to } of windows) {
        assert.ok(ids.length <= most, `${ids.length} tokens`);
        assert.ok(from <= covered && to > covered);
        covered = to;
        const own = encode(question).slice(0, Math.min(asked, Math.floor(most / 4)));
        assert.deepEqual(ids, [CLS, ...own, SEP, ...text.ids.slice(from, to), SEP]);
        assert.equal(offset, own.length + 2);
        assert.deepEqual(
          types,
          ids.map((_, at) => Number(at >= offset)),
        );
      }
      assert.equal(covered, text.ids.length);
    }),
  );
});

test('best spans: pairs of start and end, best first; the least score of no answer', () => {
  const text = placedTokens(tokenizer, 'a b c');
  const windows = answerWindows(tokenizer, 'q', text, { most: 6, overlap: 1 });
  // [CLS] q [SEP] a b [SEP], then [CLS] q [SEP] b c [SEP].
  assert.deepEqual(
    windows.map(({ from, to }) => [from, to]),
    [
      [0, 2],
      [1, 3],
    ],
  );
  const { spans, none } = bestSpans(
    [
      {
        window: windows[0]!,
        starts: Float32Array.of(1, 9, 9, 2, 0, 9),
        ends: Float32Array.of(1, 9, 9, 1, 3, 9),
      },
      {
        window: windows[1]!,
        starts: Float32Array.of(0, 9, 9, 4, 0, 9),
        ends: Float32Array.of(0.5, 9, 9, 0, 2, 9),
      },
    ],
    text,
  );
  assert.equal(none, 0.5);
  assert.deepEqual(
    spans.map(({ start, end, score }) => [' a b c'.slice(start + 1, end + 1), score]),
    // "b" has 0 + 3 in the first window and 4 + 0 in the second.
    [
      ['b c', 6],
      ['a b', 5],
      ['b', 4],
      ['a', 3],
      ['c', 2],
    ],
  );
});

test('a question answerer: finds spans over all windows of a long text', async () => {
  const { seen, load } = libraryOf(likesNumbers);
  const answerer = await transformersQuestionAnswerer({ model: 'toy', load, window: 40 });
  const text = `${'Ada wrote a program. '.repeat(30)}She was born in 1815.`;
  const used: unknown[] = [];
  const call = { ...freeCall(), begin: () => (usage: unknown) => void used.push(usage) };
  const { spans, none } = await answerer.answer('When was Ada born?', text, call);
  assert.equal(text.slice(spans[0]!.start, spans[0]!.end), '1815');
  assert.equal(none, 1);
  assert.ok(seen.length > 3);
  const tokens = seen.reduce((sum, inputs) => sum + idsOf(inputs).length, 0);
  assert.deepEqual(used, [{ modelCalls: 1, modelTokens: tokens }]);
  await answerer.close();
});

test('a question answerer: its id names the weights and its windows', async () => {
  const { load } = libraryOf(likesNumbers);
  const id = async (options: object): Promise<string> =>
    (await transformersQuestionAnswerer({ model: 'org/toy', load, ...options })).id;
  assert.match(await id({}), /^toy@q8-[0-9a-f]{12}$/);
  assert.equal(await id({}), await id({ window: 384, overlap: 128 }));
  assert.notEqual(await id({}), await id({ window: 256 }));
  assert.notEqual(await id({}), await id({ overlap: 64 }));
  for (const options of [{ window: 15 }, { window: 20.5 }, { overlap: -1 }])
    await assert.rejects(id(options), { code: 'bad-max-tokens' });
});

test('a question answerer: malformed scores are errors of its port', async () => {
  const cases: readonly [(ids: readonly number[]) => Outputs, string][] = [
    [() => ({}), 'malformed'],
    [ids => ({ start_logits: row(ids.slice(1)), end_logits: row(ids) }), 'malformed'],
    [ids => ({ start_logits: row(ids), end_logits: row(ids.map(() => Number.NaN)) }), 'not-finite'],
  ];
  for (const [answer, code] of cases) {
    const { load } = libraryOf(answer);
    const answerer = await transformersQuestionAnswerer({ model: 'toy', load });
    await assert.rejects(answerer.answer('Who?', 'Ada.', freeCall()), (error: PortError) => {
      assert.deepEqual([error.port, error.code], ['question-answerer', code]);
      return true;
    });
  }
});

test('a question answerer: a missing library says what to install', async () => {
  const missing = Object.assign(new Error("Cannot find package '@huggingface/transformers'"), {
    code: 'ERR_MODULE_NOT_FOUND',
  });
  await assert.rejects(
    resolveModel('question-answerer', 'hub:org/toy', {
      env: {},
      load: () => Promise.reject(missing),
    }),
    (error: PortError) => {
      assert.equal(error.code, 'missing-package');
      assert.match(error.hint!, /npm install @huggingface\/transformers/);
      return true;
    },
  );
});

test('a question answerer: an unknown name lists the known forms', async () => {
  await assert.rejects(
    resolveModel('question-answerer', 'nothing', { env: {} }),
    (error: InputError) => {
      assert.equal(error.code, 'unknown-question-answerer');
      assert.match(error.message, /span-minilm, hub:ORG\/NAME, a folder in MULTIHOP_MODELS/);
      return true;
    },
  );
});

const { load } = libraryOf(likesNumbers);
runLaws(
  'a local question answerer',
  questionAnswererLaws(await transformersQuestionAnswerer({ model: 'toy', load, window: 64 })),
);
