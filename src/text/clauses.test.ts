/** Clauses: where questions are cut, and what stays whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clausesOf } from './clauses.ts';

test('a question is cut at commas, conjunctions and sentence ends', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    [
      'Which ferry company bought the old harbour, and is accused by its crews of cutting wages while its rivals raise them?',
      [
        'Which ferry company bought the old harbour',
        'is accused by its crews of cutting wages',
        'its rivals raise them?',
      ],
    ],
    [
      'Did the Courier report a strike? Did the Gazette report a settlement?',
      ['Did the Courier report a strike?', 'Did the Gazette report a settlement?'],
    ],
    [
      'Did $1,000,000 go to the keeper of the light, or did 2,500 crowns in 1911, as the Ledger says?',
      [
        'Did $1,000,000 go to the keeper of the light',
        'or did 2,500 crowns in 1911',
        'as the Ledger says?',
      ],
    ],
    [
      'Was the bridge older compared to the chapel on the hill there?',
      ['Was the bridge older', 'the chapel on the hill there?'],
    ],
  ];
  for (const [question, parts] of cases) assert.deepEqual(clausesOf(question), parts);
});

test('what holds fewer than two clauses of four words stays whole', () => {
  for (const question of [
    'Who sold salt, tea and rope?',
    'Who built the lighthouse of Harrow Point in 1911?',
    '',
    '  ',
    'a, b, c, d',
  ])
    assert.deepEqual(clausesOf(question), [question]);
});

test('the same clause twice is one', () => {
  assert.deepEqual(
    clausesOf('who wrote the book, who wrote the book, who printed the book there'),
    ['who wrote the book', 'who printed the book there'],
  );
});

test('words inside other words are no boundaries', () => {
  assert.deepEqual(
    clausesOf('Which Netherlands butler handled the sandstone buttress meanwhile?').length,
    1,
  );
});

test('clauses stand in the text, in its order, at least one, whatever the text', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc
          .array(fc.constantFrom('while', 'and', ',', 'a', 'word', ';', '.', '?', '\n', 'but'), {
            maxLength: 40,
          })
          .map(parts => parts.join(' ')),
      ),
      text => {
        const clauses = clausesOf(text);
        assert.ok(clauses.length >= 1);
        if (clauses.length === 1) assert.equal(clauses[0], text);
        else
          for (const clause of clauses)
            assert.ok(text.includes(clause) && clause.split(/\s+/).length >= 4);
        assert.equal(new Set(clauses).size, clauses.length);
      },
    ),
  );
});
