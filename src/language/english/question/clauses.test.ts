/** Tests that questions are split at clause boundaries, and that short ones are not split. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clausesOf } from './clauses.ts';

test('splits a question at commas, conjunctions and sentence ends', () => {
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

test('does not split a text with fewer than two clauses of four words', () => {
  for (const question of [
    'Who sold salt, tea and rope?',
    'Who built the lighthouse of Harrow Point in 1911?',
    '',
    '  ',
    'a, b, c, d',
  ])
    assert.deepEqual(clausesOf(question), [question]);
});

test('returns a repeated clause once', () => {
  assert.deepEqual(
    clausesOf('who wrote the book, who wrote the book, who printed the book there'),
    ['who wrote the book', 'who printed the book there'],
  );
});

test('a conjunction inside a longer word is not a boundary', () => {
  assert.deepEqual(
    clausesOf('Which Netherlands butler handled the sandstone buttress meanwhile?').length,
    1,
  );
});

test('for any text: returns at least one clause, each a substring of it, without repetition', () => {
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
