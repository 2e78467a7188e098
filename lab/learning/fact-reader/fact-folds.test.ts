/** Tests that folds group the same documents, the same entity and nearly the same words. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Example } from '../../../src/evaluation/example.ts';
import { factFolds } from '../../../src/evaluation/fitting/folds.ts';

describe('folds', () => {
  const example = (
    id: number,
    text: string,
    gold: readonly string[],
    answer = 'Yes',
    type = 'comparison',
  ): Example => ({
    id: String(id),
    question: { id: String(id), text },
    answers: [answer],
    type,
    gold: gold.map(documentId => ({ documentId, title: '' })),
  });

  test('group the same documents, the same entity and nearly the same words', () => {
    const examples = [
      example(0, 'Did the kelp beds of Brightwater grow?', ['a', 'b']),
      example(1, 'Has the mayor opened a drying shed?', ['b', 'a']),
      example(2, 'Who runs the ferries?', ['c'], 'Mara Quist', 'inference'),
      example(3, 'Which woman raised all fares in January?', ['d'], 'Mara Quist', 'inference'),
      example(
        4,
        'Which comet did the astronomer of Mount Ilvane discover in spring?',
        [],
        '',
        'null',
      ),
      example(
        5,
        'Which comet did the astronomer of Mount Ilvane discover in autumn?',
        [],
        '',
        'null',
      ),
      ...Array.from({ length: 20 }, (_, index) =>
        example(6 + index, `Topic${index} of shape${index}?`, [`x${index}`]),
      ),
    ];
    const fold = factFolds(examples, 5);
    assert.equal(fold[0], fold[1]);
    assert.equal(fold[2], fold[3]);
    assert.equal(fold[4], fold[5]);
    assert.equal(new Set(fold).size, 5);
  });
});
