/** Tests the pool of documents and the order of the evidence by hand. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Hit } from '../../core/ranking/ranking.ts';
import type { Search } from '../../core/trace/trace.ts';
import { DocumentPool, evidenceOrder } from './document-order.ts';

const hitsOf = (documents: string, unit = ''): Hit[] =>
  [...documents].map((documentId, at) => ({
    id: `${documentId}${unit}`,
    documentId,
    start: 0,
    end: 9,
    score: 9 - at,
  }));
const searchOf = (documents: string, unit: Search['unit']): Search => ({
  text: '',
  retriever: 'r',
  unit,
  hits: hitsOf(documents, unit === 'document' ? '' : '#s0'),
});

describe('the pool', () => {
  const pool = (questionFirst = false): DocumentPool => {
    const made = new DocumentPool();
    made.questionFirst = questionFirst;
    made.note(0, [searchOf('qr', 'document'), searchOf('axy', 'sentence')]);
    made.note(1, [searchOf('b', 'document'), searchOf('z', 'sentence')]);
    made.addQuestion(hitsOf('qr'));
    made.add(hitsOf('ac'));
    made.add(hitsOf('bd'));
    made.link(
      new Map([
        ['x', 2],
        ['y', 3],
        ['never found', 9],
      ]),
    );
    made.link(new Map([['x', 1]]));
    return made;
  };

  test('puts linked documents behind all that was searched if the question is not split', () => {
    const made = pool();
    made.linkedLast = true;
    assert.deepEqual(made.order(), ['a', 'c', 'b', 'd', 'q', 'r', 'y', 'x']);
  });

  test('knows a hit of each document: of the document if there is one, else of a sentence', () => {
    const made = pool();
    assert.equal(made.hitOf('a')?.hit.id, 'a#s0');
    assert.deepEqual(made.hitOf('b')?.ref, { hop: 1, search: 0 });
    made.note(2, [searchOf('a', 'document'), searchOf('b', 'sentence')]);
    assert.deepEqual(made.hitOf('a')?.ref, { hop: 2, search: 0 });
    assert.deepEqual(made.hitOf('b')?.ref, { hop: 1, search: 0 });
    assert.equal(made.hitOf('nobody'), undefined);
  });
});

test('orders evidence by documents, unknown ones as they were kept, and within them by place', () => {
  const item = (id: string, documentId: string, start: number) => ({
    id,
    documentId,
    score: 1,
    search: { hop: 0, search: 0 },
    spans: [[start, start + 5] as const],
  });
  const evidence = [
    ...[item('u2', 'u', 20), item('b9', 'b', 90), item('v1', 'v', 0), item('a1', 'a', 10)],
    ...[item('b1', 'b', 10), item('u1', 'u', 0)],
  ];
  assert.deepEqual(evidenceOrder(evidence, ['a', 'b']), ['a1', 'b1', 'b9', 'u1', 'u2', 'v1']);
});
