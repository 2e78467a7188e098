/**
 * Checks local question answerers over a tiny model with random weights that is created here, and
 * over the model of `packages/span-minilm`; no downloaded model is needed.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { freeCall } from '../src/core/trace/call.ts';
import { ask, ingest } from '../src/index.ts';
import { resolveModel } from '../src/providers/resolve-model.ts';
import {
  type LocalQuestionAnswerer,
  transformersQuestionAnswerer,
} from '../src/providers/transformers-question-answerer.ts';
import { questionAnswererLaws } from '../src/testing/question-answerer-laws.ts';
import { idOf, tinyScores, writeTinyAnswerer } from './tiny-answerer.ts';

const load = (): Promise<unknown> => import('@huggingface/transformers');

describe('a tiny question answerer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'multihop-tiny-answerer-'));
  const open: LocalQuestionAnswerer[] = [];
  after(async () => {
    for (const model of open) await model.close();
    rmSync(folder, { recursive: true });
  });
  const tiny = async (seed: number, options: object = {}): Promise<LocalQuestionAnswerer> => {
    writeTinyAnswerer(join(folder, `${seed}`), seed);
    const model = await transformersQuestionAnswerer({
      ...{ model: 'tiny', folder: join(folder, `${seed}`), dtype: 'fp32', load },
      ...options,
    });
    open.push(model);
    return model;
  };

  test('returns the spans that its weights imply, computed independently', async () => {
    const text = 'ab c, de';
    // Words of one letter are one token; others are their letters, the later ones with ##.
    const tokens: readonly (readonly [token: string, start: number, end: number])[] = [
      ['a', 0, 2],
      ['##b', 0, 2],
      ['c', 3, 4],
      [',', 4, 5],
      ['d', 6, 8],
      ['##e', 6, 8],
    ];
    for (const seed of [1, 2, 3]) {
      const scores = tinyScores(seed);
      const best = new Map<string, number>();
      for (const [at, [first, start]] of tokens.entries())
        for (const [last, , end] of tokens.slice(at)) {
          const score = scores(idOf(first))[0] + scores(idOf(last))[1];
          const key = `${start} ${end}`;
          best.set(key, Math.max(score, best.get(key) ?? Number.NEGATIVE_INFINITY));
        }
      const expected = [...best].sort((a, b) => b[1] - a[1]);
      const { spans, none } = await (await tiny(seed)).answer('a b?', text, freeCall());
      assert.deepEqual(
        spans.map(({ start, end }) => `${start} ${end}`),
        expected.map(([key]) => key),
      );
      for (const [at, { score }] of spans.entries())
        assert.ok(Math.abs(score - expected[at]![1]) < 1e-5, `${score}, ${expected[at]![1]}`);
      const [start, end] = scores(idOf('[CLS]'));
      assert.ok(Math.abs(none - start - end) < 1e-5, `${none}`);
    }
  });

  test('finds in windows what it finds in one', async () => {
    const text = 'the quick brown fox jumps over the lazy dog (in 1815). '.repeat(3);
    const best = async (options: object): Promise<unknown> =>
      (await (await tiny(5, options)).answer('who?', text, freeCall())).spans[0];
    // The scores of this model do not depend on neighbours; words are their letters.
    assert.deepEqual(await best({ window: 60, overlap: 40 }), await best({ window: 500 }));
  });

  describe('obeys the laws', () => {
    let model: LocalQuestionAnswerer;
    before(async () => {
      model = await tiny(1);
    });
    for (const { name } of questionAnswererLaws({ id: '', answer: () => assert.fail() }))
      test(name, () =>
        questionAnswererLaws(model)
          .find(law => law.name === name)!
          .run(),
      );
  });
});

describe('span-minilm, the model of packages/span-minilm', () => {
  let model: LocalQuestionAnswerer;
  before(async () => {
    model = (await resolveModel('question-answerer', 'span-minilm', {
      ...{ env: {}, load },
    })) as LocalQuestionAnswerer;
  });
  after(() => model.close());

  test('its id names the weights', () => {
    assert.match(model.id, /^span-minilm@q8-[0-9a-f]{12}$/);
  });

  test('reads a day and a place, and cites the sentence', async () => {
    const engine = await ingest([
      {
        id: 'film',
        title: 'The Quiet Harbour',
        text: 'The Quiet Harbour is a 1951 drama film directed by Osk Maren and produced by Ines Quill.',
      },
      {
        id: 'maren',
        title: 'Osk Maren',
        text: 'Osk Maren (born 3 May 1909) was a Norwegian film director. He was born in Bergen.',
      },
    ]);
    const resources = { 'question-answerer': { ...model, id: 'span-minilm' } };
    for (const [question, expected] of [
      ['What is the date of birth of Osk Maren?', '3 May 1909'],
      ['What is the place of birth of Osk Maren?', 'Bergen'],
    ] as const) {
      const { answer } = await ask(question, {
        ...{ engine, reader: 'span(support=0)', context: 'whole', resources },
      });
      assert.ok(answer?.kind === 'answered', question);
      assert.equal(answer.text, expected, question);
      assert.ok(answer.citations.length > 0, question);
    }
  });

  for (const { name } of questionAnswererLaws({ id: '', answer: () => assert.fail() }))
    test(name, () =>
      questionAnswererLaws(model)
        .find(law => law.name === name)!
        .run(),
    );
});
