/**
 * Tests question types from text alone: examples, and agreement with the gold types of
 * MultiHop-RAG.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { asksYesOrNo, type PredictedType, predictQuestionType } from './question-type.ts';

const cases: [question: string, type: PredictedType, yesOrNo: boolean][] = [
  ['Who founded the works that bought the lighthouse?', 'inference', false],
  ['  "Which prize did Osk Maren win after the report of March 5, 2024?', 'inference', false],
  ['Considering the Gazette, whose furnace smoked?', 'inference', false],
  [
    'Did the Courier article praise the fair, while the Gazette article blamed it?',
    'comparison',
    true,
  ],
  ['Is the old tower higher than the new one?', 'comparison', true],
  [
    'Was there no change in the figures between the Courier report and the Gazette report?',
    'temporal',
    true,
  ],
  ['Has the reporting remained consistent?', 'temporal', true],
  [
    'After the Courier article on the fair was published, did the Gazette change its view?',
    'temporal',
    true,
  ],
  ['Does the report of 2024-03-05 agree with the other?', 'temporal', true],
  ['Name the founder of the works.', 'inference', false],
  ['', 'inference', false],
];
for (const [question, type, yesOrNo] of cases) {
  test(`"${question}" is ${type}${yesOrNo ? ', yes or no' : ''}`, () => {
    assert.equal(predictQuestionType(question), type);
    assert.equal(asksYesOrNo(question), yesOrNo);
  });
}

test('every text has one of the three types, deterministically', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), text => {
      assert.ok(['comparison', 'inference', 'temporal'].includes(predictQuestionType(text)));
      assert.equal(predictQuestionType(text), predictQuestionType(text));
      asksYesOrNo(text);
    }),
  );
});

const data = process.env['MULTIHOP_DATA'];

test('separates inference from yes-or-no questions on MultiHop-RAG', {
  skip: data ? false : 'MULTIHOP_DATA is not set',
}, t => {
  const questions = JSON.parse(
    readFileSync(`${data}/multihop-rag/MultiHopRAG.dev.json`, 'utf8'),
  ) as {
    query: string;
    question_type: string;
  }[];
  const table = new Map<string, number>();
  let [told, answerable, agreed] = [0, 0, 0];
  for (const { query, question_type } of questions) {
    const gold = question_type.replace('_query', '');
    const predicted = predictQuestionType(query);
    table.set(`${gold} as ${predicted}`, (table.get(`${gold} as ${predicted}`) ?? 0) + 1);
    if (gold === 'null') continue;
    answerable++;
    if (gold === predicted) agreed++;
    if ((gold === 'inference') === !asksYesOrNo(query)) told++;
  }
  for (const [key, count] of [...table].sort()) t.diagnostic(`${key}: ${count}`);
  t.diagnostic(
    `type agrees on ${agreed} of ${answerable} answerable (${(agreed / answerable).toFixed(3)}); inference against yes-or-no on ${told} (${(told / answerable).toFixed(3)})`,
  );
  assert.ok(told / answerable >= 0.95, `${told} of ${answerable}`);
});
