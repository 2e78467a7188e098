/** Tests SubQuestionRecall@k by hand-worked probes: places, gold by steps, gold by matching. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defined } from '../core/defined.ts';
import type { Search, Trace } from '../core/trace/trace.ts';
import { emptyTrace } from './empty-trace.ts';
import type { Example, Score } from './example.ts';
import { measure } from './measures.ts';

const TEXTS: Readonly<Record<string, string>> = {
  film: 'The Lamp is a film directed by Ines Quill.',
  ines: 'Ines Quill was born in Vell.',
  vell: 'Vell is a town on the Orr.',
};
const records = { text: (id: string): string => TEXTS[id] ?? '' };
const question = { id: 'q', text: 'Where was the director of The Lamp born?' };
const example = (chain?: unknown, gold = ['film', 'ines']): Example =>
  defined({
    id: 'q',
    question,
    answers: ['Vell'],
    gold: gold.map(documentId => ({ documentId, title: documentId })),
    chain,
  });
const searchOf = (...documents: readonly string[]): Search => ({
  text: '',
  retriever: 'lexical',
  unit: 'passage',
  hits: documents.map((documentId, at) => ({
    id: `${documentId}#p${at}`,
    documentId,
    start: 0,
    end: 5,
    score: 9 - at,
  })),
});

interface Asked {
  readonly written: string;
  readonly original?: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}
/** One hop a sub-question, its probe behind another search. */
const traceOf = (...asked: readonly Asked[]): Trace => ({
  ...emptyTrace(question, { strategy: 's', retriever: 'r', context: 'c', reader: 'x', budget: {} }),
  hops: asked.map(({ written, original = written, before, after }, at) => ({
    searches: [searchOf('vell'), searchOf(...before), searchOf(...after)],
    kept: [],
    rejected: [],
    spent: {},
    outputs: [
      {
        role: 'probe',
        text: JSON.stringify({
          number: at + 1,
          written,
          original,
          rewritten: 'x',
          searches: { original: 1, rewritten: 2 },
        }),
        parsed: true,
      },
    ],
  })),
});
const score = (name: string, example: Example, trace: Trace): Score | undefined =>
  measure(name).score(example, trace, records);

const FIRST = { written: 'the director of The Lamp', before: ['film'], after: ['film'] };
const SECOND = {
  written: 'Where was #1 born?',
  original: 'Where was this director born?',
  before: ['vell', 'film', 'ines'],
  after: ['vell', 'ines'],
};

describe('before and after', () => {
  const trace = traceOf(FIRST, SECOND);
  test('reads the two searches that the probe names, up to the cut-off', () => {
    assert.equal(score('SubQuestionRecall@2(1)', example(), trace), 1);
    assert.equal(score('SubQuestionRecall@2(2)', example(), trace), 0);
    assert.equal(score('SubQuestionRecall@3(2)', example(), trace), 1);
    assert.equal(score('SubQuestionRecall@2(2, rewritten=true)', example(), trace), 1);
    assert.equal(score('SubQuestionRecall@1(2, rewritten=true)', example(), trace), 0);
  });

  test('has no value without a probe of that number, or without gold for it', () => {
    assert.equal(score('SubQuestionRecall@2(3)', example(), trace), undefined);
    assert.equal(score('SubQuestionRecall@2(1)', example(), traceOf()), undefined);
    assert.equal(score('SubQuestionRecall@2(2)', example(undefined, ['film']), trace), undefined);
    assert.equal(score('SubQuestionRecall@2(1)', example(undefined, []), trace), undefined);
  });

  test('an output that is no probe is not read', () => {
    const [hop] = traceOf(FIRST).hops;
    for (const text of ['', '{', 'null', '[]', '{"number": "1"}', '{"number": 1}']) {
      const broken = {
        ...traceOf(),
        hops: [{ ...hop!, outputs: [{ role: 'probe', text, parsed: true }] }],
      };
      assert.equal(score('SubQuestionRecall@2(1)', example(), broken), undefined, text);
    }
  });
});

describe('gold', () => {
  const chain = [
    { question: 'The  Lamp >> director', paragraph_support_idx: 7 },
    { question: 'Where was #1 born?', paragraph_support_idx: 3 },
  ];
  test('matched: in order, each the document left with most of its words as it was written', () => {
    // "film" has "director" too, but it is taken by the first.
    const only = traceOf(FIRST, { ...SECOND, before: ['film'], after: ['ines'] });
    assert.equal(score('SubQuestionRecall@2(2)', example(), only), 0);
    assert.equal(score('SubQuestionRecall@2(2, rewritten=true)', example(), only), 1);
    const turned = example(undefined, ['ines', 'film']);
    assert.equal(score('SubQuestionRecall@2(1)', turned, only), 1);
  });

  test('steps: the gold of the step of that text, whatever its words', () => {
    const steps = traceOf(
      { written: 'the lamp >> director', before: ['film'], after: [] },
      { written: 'Where was #1 born?', before: ['ines'], after: [] },
    );
    for (const source of ['any', 'steps'])
      for (const number of [1, 2])
        assert.equal(
          score(`SubQuestionRecall@2(${number}, gold=${source})`, example(chain), steps),
          1,
          `${source} ${number}`,
        );
    const swapped = traceOf({ written: 'where was #1 BORN?', before: ['film'], after: ['ines'] });
    assert.equal(score('SubQuestionRecall@2(1)', example(chain), swapped), 0);
    assert.equal(score('SubQuestionRecall@2(1, rewritten=true)', example(chain), swapped), 1);
  });

  test('two steps of one paragraph share its document', () => {
    const shared = [
      { question: 'a', paragraph_support_idx: 7 },
      { question: 'b', paragraph_support_idx: 7 },
      { question: 'c', paragraph_support_idx: 3 },
    ];
    const asked = ['a', 'b', 'c'].map(written => ({ written, before: ['film'], after: ['ines'] }));
    const trace = traceOf(...asked);
    const values = [1, 2, 3].map(number =>
      score(`SubQuestionRecall@2(${number}, gold=steps)`, example(shared), trace),
    );
    assert.deepEqual(values, [1, 1, 0]);
  });

  test('sub-questions of a system count by matching alone, and not under gold=steps', () => {
    const trace = traceOf(FIRST);
    assert.equal(score('SubQuestionRecall@2(1)', example(chain), trace), 1);
    assert.equal(score('SubQuestionRecall@2(1, gold=steps)', example(chain), trace), undefined);
    const triples = example([['The Lamp', 'director', 'Ines Quill']]);
    assert.equal(score('SubQuestionRecall@2(1, gold=steps)', triples, trace), undefined);
  });
});
