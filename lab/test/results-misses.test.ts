/** Tests the cause of a missed fact against values worked by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Span } from '../../src/core/corpus/document.ts';
import type { Trace } from '../../src/core/trace/trace.ts';
import { emptyTrace } from '../../src/evaluation/empty-trace.ts';
import type { Example, Gold } from '../../src/evaluation/example.ts';
import { causeOf, missesBy } from '../results/misses.ts';

/** A text of four sentences with 10 characters each. */
const TEXT = 'Aa bb cc. Dd ee ff. Gg hh ii. Jj kk ll.';
const sentence = (index: number): Span => [10 * index, 10 * index + 9];
const gold = (span: Span): Gold => ({
  documentId: 'd',
  title: '',
  fact: TEXT.slice(...span),
  span,
});
const hit = (index: number) => ({
  id: `d#${index}`,
  documentId: 'd',
  start: sentence(index)[0],
  end: sentence(index)[1],
  score: 1,
});

interface Told {
  readonly found?: readonly number[];
  readonly shown?: readonly number[];
  readonly refused?: readonly (readonly [index: number, why: string])[];
}

function traceOf({ found = [], shown = [], refused = [] }: Told): Trace {
  const row = { strategy: '', retriever: '', context: '', reader: '', budget: {} };
  const text = shown.map(index => TEXT.slice(...sentence(index))).join('\n');
  const parts =
    shown.length === 0
      ? []
      : [{ id: 'd', documentId: 'd', start: 0, end: text.length, spans: shown.map(sentence) }];
  const search = { text: 'q', retriever: '', unit: 'sentence' as const, hits: found.map(hit) };
  const rejected = refused.map(([index, why]) => ({
    id: `d#${index}`,
    search: { hop: 0, search: 0 },
    why,
  }));
  return {
    ...emptyTrace({ id: 'q', text: 'q' }, row),
    hops: [{ searches: [search], kept: [], rejected, spent: {} }],
    context: { name: '', text, tokens: 0, parts },
  };
}

test('names the cause of a missed fact', () => {
  const cause = (span: Span, told: Told): string => causeOf(gold(span), traceOf(told), TEXT);
  assert.equal(cause(sentence(1), {}), 'unfound');
  assert.equal(cause([10, 29], { found: [1, 2], shown: [1] }), 'part');
  assert.equal(
    cause(sentence(1), { found: [0, 1], shown: [0], refused: [[1, 'near-duplicate']] }),
    'duplicate',
  );
  assert.equal(
    cause(sentence(1), { found: [0, 1], shown: [0], refused: [[1, 'budget']] }),
    'below',
  );
  const many = Array.from({ length: 10 }, (): [number, string] => [3, 'budget']);
  assert.equal(
    cause(sentence(1), { found: [0, 1], shown: [0], refused: [...many, [1, 'budget']] }),
    'other',
  );
  assert.equal(cause(sentence(1), { found: [1] }), 'ranked');
  assert.equal(cause(sentence(1), { found: [0] }), 'sentence');
});

test('counts each missed fact once, also by question type; a shown fact is no miss', () => {
  const example: Example = {
    id: 'q',
    question: { id: 'q', text: 'q' },
    answers: [],
    type: 'temporal',
    gold: [gold(sentence(0)), gold(sentence(1)), gold(sentence(2))],
  };
  const misses = missesBy(
    [example],
    [traceOf({ found: [0, 1], shown: [0], refused: [[1, 'budget']] })],
    () => TEXT,
  );
  assert.deepEqual(Object.keys(misses), ['all', 'temporal']);
  const { questions, facts, causes } = misses['all']!;
  assert.deepEqual([questions, facts, causes.below, causes.other], [1, 3, 1, 1]);
  assert.equal(
    Object.values(causes).reduce((sum, count) => sum + count, 0),
    2,
  );
});
