/** Checks decisions over candidates with models whose scores are plain to work out. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { normHotpot } from '../../core/text/normalise.ts';
import { Asked } from '../../language/asked.ts';
import { type AnswerModel, candidatesOf, decideOpen, decideScored } from './decide.ts';
import { readOpen } from './passages.ts';

/** Each score is the value of the feature `x`. */
const linear = { outputs: [''], bias: [0], weights: new Map([['x', [1]]]) };
const MODEL: AnswerModel = {
  choice: linear,
  verdict: linear,
  span: { weights: new Map([['x', { sum: 1, units: [] }]]), biases: [], outputs: [] },
};
const x = (value: number): Map<string, number> => new Map([['x', value]]);
const NONE = { choice: undefined, verdict: undefined, spans: [] };

describe('yes or no', () => {
  const decided = (value: number | undefined, stated?: boolean, sentences = [3]) =>
    decideScored(
      {
        ...NONE,
        verdict: { features: value === undefined ? new Map() : x(value), sentences, stated },
      },
      MODEL,
      [],
    );
  test('is the likelier, with its probability', () => {
    const yes = 1 / (1 + Math.exp(-1));
    assert.deepEqual(decided(1), {
      form: 'verdict',
      text: 'yes',
      sentences: [3],
      share: yes,
      match: 0,
      others: [],
    });
    assert.deepEqual([decided(-1)?.text, decided(-1)?.share], ['no', 1 - (1 - yes)]);
    assert.equal(decided(0)?.text, 'yes');
  });
  test('is what values state, whatever the features are', () => {
    assert.deepEqual([decided(-9, true)?.text, decided(-9, true)?.share], ['yes', 1]);
    assert.deepEqual([decided(9, false)?.text, decided(9, false)?.share], ['no', 1]);
    assert.equal(decided(undefined, false)?.text, 'no');
  });
  test('is none without features', () => assert.equal(decided(undefined), undefined));
  test('cites four sentences at most', () =>
    assert.deepEqual(decided(1, true, [5, 4, 3, 2, 1])?.sentences, [5, 4, 3, 2]));
});

describe('one of several things', () => {
  const decided = (values: readonly number[], total: readonly number[] = [], sentences = [7]) =>
    decideScored(
      {
        ...NONE,
        choice: {
          options: values.map((value, at) => ({
            text: `option ${at}`,
            sentences: total,
            features: Number.isNaN(value) ? new Map() : x(value),
          })),
          sentences,
        },
      },
      MODEL,
      [],
    );
  test('is the one with the greatest share', () => {
    const share = Math.exp(1) / (Math.exp(1) + Math.exp(-1) + 1);
    const { share: support, others, ...rest } = decided([-1, 1, 0])!;
    assert.deepEqual(
      others.map(each => each.text),
      ['option 2', 'option 0'],
    );
    assert.ok(Math.abs(support + others[0]!.share + others[1]!.share - 1) < 1e-12);
    assert.deepEqual(rest, { form: 'choice', text: 'option 1', sentences: [7], match: 0 });
    assert.ok(Math.abs(support - share) < 1e-12);
  });
  test('is the first of equals', () => assert.equal(decided([1, 1])?.text, 'option 0'));
  test('is none if no option has a feature', () => {
    assert.equal(decided([Number.NaN, Number.NaN]), undefined);
    assert.equal(decided([Number.NaN, -1])?.text, 'option 0');
  });
  test('cites its own sentences first, each once, four at most', () => {
    assert.deepEqual(decided([1], [2, 7], [7, 5])?.sentences, [2, 7, 5]);
    assert.deepEqual(decided([1], [1, 2, 3], [4, 5])?.sentences, [1, 2, 3, 4]);
  });
});

describe('a span', () => {
  const decided = (
    spans: readonly (readonly [text: string, sentence: number, score: number, match?: number])[],
  ) =>
    decideScored(
      { ...NONE, spans: spans.map(([text, sentence, , match = 0]) => ({ text, sentence, match })) },
      MODEL,
      spans.map(([, , score]) => score),
    );
  test('is the one with the greatest share', () => {
    const {
      share: support,
      others,
      ...rest
    } = decided([
      ['Holm', 1, 0],
      ['Vall', 2, Math.log(3), 1],
    ])!;
    assert.deepEqual(rest, { form: 'span', text: 'Vall', sentences: [2], match: 1 });
    assert.ok(Math.abs(support - 0.75) < 1e-12);
    assert.deepEqual(
      others.map(({ text, share }) => [text, share.toFixed(6)]),
      [['Holm', '0.250000']],
    );
  });
  test('counts with equal texts, is written as the best of them, and cites the best first', () => {
    const found = decided([
      ['The Holm', 1, 0, -1],
      ['Vall', 2, Math.log(3)],
      ['holm', 4, Math.log(4), 1],
      ['Holm', 3, 0],
      ['Holm', 4, 0],
    ])!;
    assert.deepEqual(
      [found.text, found.sentences, found.match, Math.round(found.share * 10)],
      ['holm', [4, 1], 1, 7],
    );
    assert.deepEqual(
      decided([
        ['Holm', 1, 1],
        ['Holm', 1, 2],
        ['Holm', 2, 3],
      ])?.sentences,
      [2, 1],
    );
  });
  test('is the first of equals', () => {
    assert.equal(
      decided([
        ['Vall', 1, 0],
        ['Holm', 2, 0],
      ])?.text,
      'Vall',
    );
    assert.equal(
      decided([
        ['Vall', 1, 0],
        ['Holm', 2, 0],
        ['Holm', 1, -9],
        ['Vall', 1, -9],
      ])?.text,
      'Vall',
    );
  });
  test('cites two sentences, each once, the best first', () => {
    const cited = (...scored: (readonly [number, number])[]) =>
      decided(scored.map(([sentence, score]) => ['Holm', sentence, score]))?.sentences;
    assert.deepEqual(cited([1, 2], [1, 1], [2, 0]), [1, 2]);
    assert.deepEqual(cited([1, 1], [1, 2], [2, 0]), [1, 2]);
    assert.deepEqual(cited([1, 0], [2, 0], [3, 0]), [1, 2]);
    assert.deepEqual(cited([1, 0], [2, 1], [3, 0]), [2, 1]);
    assert.equal(
      decided([
        ['Holm', 1, 0],
        ['holm', 2, 0],
      ])?.text,
      'Holm',
    );
  });
  test('has a share whatever the size of scores', () =>
    assert.ok(
      Math.abs(
        decided([
          ['Holm', 1, 1000],
          ['Vall', 2, 1000],
        ])!.share - 0.5,
      ) < 1e-9,
    ));
  test('is none without candidates, or if they are articles', () => {
    assert.equal(decided([]), undefined);
    assert.equal(decided([['the', 1, 0]]), undefined);
    assert.equal(
      decided([
        ['the', 1, 9],
        ['Holm', 1, 0],
      ])?.text,
      'Holm',
    );
  });
  test('has the greatest sum of shares over equal texts, for any candidates', () => {
    const span = fc.tuple(
      fc.constantFrom('Holm', 'the Holm', 'Vall', 'Moe', 'an'),
      fc.nat(3),
      fc.integer({ min: -3, max: 3 }),
    );
    fc.assert(
      fc.property(fc.array(span, { minLength: 1 }), spans => {
        const all = spans.reduce((sum, [, , score]) => sum + Math.exp(score), 0);
        const shares = Map.groupBy(spans, ([text]) => normHotpot(text))
          .entries()
          .filter(([key]) => key !== '')
          .map(([, total]) => total.reduce((sum, [, , score]) => sum + Math.exp(score), 0) / all)
          .toArray();
        const found = decided(spans);
        assert.equal(found === undefined, shares.length === 0);
        if (found) assert.ok(Math.abs(found.share - Math.max(...shares)) < 1e-9);
        if (found) assert.ok(found.share <= 1);
      }),
    );
  });
  test('is scored by the network', () => {
    const mention = { kind: 'name', start: 0, end: 4, text: 'Holm' } as const;
    const spans = [
      { text: 'Holm', sentence: 0, mention, match: 0, features: x(1) },
      { text: 'Vall', sentence: 1, mention, match: 0, features: x(2) },
    ];
    assert.equal(decideOpen({ ...NONE, spans }, MODEL)?.text, 'Vall');
  });
});

test('a question has candidates of one form', () => {
  const forms = (question: string): string[] => {
    const read = [{ part: 0, text: 'Orla Venn met Tam Quillor.' }];
    const { choice, verdict, spans } = candidatesOf(
      readOpen(new Asked(question), ['Orla Venn'], read),
    );
    return [
      ...(choice ? ['choice'] : []),
      ...(verdict ? ['verdict'] : []),
      ...(spans.length > 0 ? ['spans'] : []),
    ];
  };
  assert.deepEqual(forms('Is it Orla Venn or Tam Quillor?'), ['choice']);
  assert.deepEqual(forms('Did Orla Venn meet Tam Quillor?'), ['verdict']);
  assert.deepEqual(forms('Who met Orla Venn?'), ['spans']);
});
