/** The list of questions of the HTML report: its records, its data, its filters and its order. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Trace } from '../src/core/trace/trace.ts';
import { emptyTrace } from '../src/evaluation/empty-trace.ts';
import type { Row } from '../src/evaluation/evaluation-result.ts';
import type { Example, Gold } from '../src/evaluation/example.ts';
import { QuestionRecorder, SHOWN_CHARACTERS } from '../src/evaluation/question-records.ts';
import { type PageAnswer, type PageData, scriptJson } from '../src/evaluation/report/page-data.ts';
import { groupIntervals, verdictOf } from '../src/evaluation/report/scored-questions.ts';
import {
  type Choices,
  fateWords,
  folded,
  listed,
  QuestionSearch,
  reachedOf,
} from '../tools/report-page/question-list.ts';

const row: Row = {
  id: 'a',
  strategy: 'fixed-top-k',
  retriever: 'lexical',
  context: 'lead',
  reader: 'extractive',
  budget: {},
};
const gold = (documentId: string, fact?: string): Gold => ({
  documentId,
  title: documentId.toUpperCase(),
  fact,
});
const example: Example = {
  id: 'q',
  question: { id: 'q', text: 'Who?' },
  answers: ['Ada'],
  gold: [
    gold('shown', 'Ada wrote it.'),
    gold('cut', 'Charles built it.'),
    gold('weak'),
    gold('far'),
    gold('gone'),
  ],
};
const hit = (documentId: string) => ({
  id: `${documentId}#0`,
  documentId,
  start: 0,
  end: 9,
  score: 1,
});
const text = 'He said: Ada   wrote it. And more.';

function traced(given: Trace): Trace {
  const hits = ['shown', 'cut', 'weak'].map(hit);
  const search = { retriever: 'lexical', unit: 'passage', hits } as const;
  const rejected = [{ id: 'weak#0', search: { hop: 0, search: 0 }, why: 'below-top-k' }];
  const evidence = ['shown', 'cut'].map(documentId => ({
    id: `${documentId}#0`,
    documentId,
    title: 'T',
    metadata: {},
    score: 1,
    spans: [],
  }));
  const part = { id: 'shown#0', documentId: 'shown', start: 0, end: text.length, spans: [] };
  return {
    ...given,
    hops: [{ searches: [search], kept: [], rejected, spent: {} }],
    evidence,
    context: { name: 'lead', text, tokens: 7, parts: [part] },
    answer: { kind: 'answered', text: 'Ada', citations: [], probability: 0.8 },
  };
}

const records = {
  text: () => '',
  metadata: (id: string) => (id === 'gone' ? undefined : {}),
};

describe('records of questions', () => {
  test('say what became of each piece of gold', () => {
    const recorder = new QuestionRecorder([example], records);
    recorder.note(row, example, traced(emptyTrace(example.question, row)));
    const { rows, passages, questions } = recorder.finished({});
    assert.deepEqual(rows['a']![0]!.gold, [
      { is: 'reached' },
      { is: 'cut' },
      { is: 'dropped', rank: 3, hop: 1, why: 'below-top-k' },
      { is: 'unfound' },
      { is: 'absent' },
    ]);
    assert.deepEqual(rows['a']![0]!.gold.map(fateWords), [
      'reached the reader',
      'missed: its document is evidence, the words shown leave it out',
      'missed: found at rank 3 in hop 1, not kept (below-top-k)',
      'missed: no search found its document',
      'missed: the corpus does not hold its document',
    ]);
    assert.deepEqual(
      rows['a']![0]!.evidence.map(at => passages[at]),
      [
        { documentId: 'shown', title: 'T', text },
        { documentId: 'cut', title: 'T', text: '' },
      ],
    );
    assert.equal(rows['a']![0]!.probability, 0.8);
    assert.equal(questions[0]!.gold.length, 5);
  });

  test('keep a passage once, and no half of a surrogate pair', () => {
    const long = `${'x'.repeat(SHOWN_CHARACTERS - 1)}😀 tail`;
    const trace = traced(emptyTrace(example.question, row));
    const part = { ...trace.context.parts[0]!, end: long.length };
    const shown = { ...trace, context: { ...trace.context, text: long, parts: [part] } };
    const recorder = new QuestionRecorder([example], records);
    for (const id of ['a', 'b']) recorder.note({ ...row, id }, example, shown);
    const { passages, rows } = recorder.finished({});
    assert.equal(passages.length, 2);
    assert.deepEqual(rows['a'], rows['b']);
    assert.equal(passages[0]!.text, `${'x'.repeat(SHOWN_CHARACTERS - 1)}…`);
  });

  test('leave controls out, and mark failed runs', () => {
    const recorder = new QuestionRecorder([example], records);
    const trace = emptyTrace(example.question, row);
    recorder.note(row, example, trace);
    recorder.note({ ...row, id: 'c', strategy: 'none' }, example, trace);
    const { rows } = recorder.finished({ a: [{ answer: trace.answer, failed: true }] });
    assert.deepEqual(Object.keys(rows), ['a']);
    assert.equal(rows['a']![0]!.kind, 'failed');
    assert.equal(verdictOf(rows['a']![0]!, 0), 'failed');
  });
});

test('intervals of a group need twenty scored questions, and hold their mean', () => {
  const questions = Array.from({ length: 60 }, (_, index) => ({
    id: `${index}`,
    text: '',
    answers: [],
    gold: [],
    type: index < 40 ? 'many' : 'few',
  }));
  const scores = { a: { AllFacts: questions.map((_, index) => (index < 50 ? index % 2 : null)) } };
  const scored = {
    records: { questions, passages: [], rows: {} },
    scores: scores as unknown as Record<string, Record<string, number[]>>,
  };
  const of = (type: string) => groupIntervals(scored, 'AllFacts', one => one.type === type);
  const { low, high } = of('many').get('a')!;
  assert.ok(low > 0.3 && low < 0.5 && high > 0.5 && high < 0.7, `${low} ${high}`);
  assert.equal(of('few').size, 0);
});

const word = fc.constantFrom('ada', 'Ferry', 'İstanbul', 'ﬁsh', 'أين', '😀', '</script>');
const answer: fc.Arbitrary<PageAnswer> = fc.record({
  kind: fc.constantFrom('answered' as const, 'abstained' as const),
  answer: word,
  verdict: fc.constantFrom('right', 'wrong', 'refused', 'failed', 'ungraded'),
  evidence: fc.array(fc.nat({ max: 3 }), { maxLength: 3 }),
  gold: fc.array(fc.constantFrom({ is: 'reached' as const }, { is: 'cut' as const }), {
    maxLength: 3,
  }),
});
const data: fc.Arbitrary<PageData> = fc.record({
  systems: fc.constant(['a', 'b']),
  passages: fc.array(fc.record({ documentId: word, title: word, text: word }), {
    minLength: 4,
    maxLength: 4,
  }),
  questions: fc.array(
    fc.record({
      id: word,
      text: word,
      type: fc.constantFrom('x', 'y'),
      answers: fc.array(word, { maxLength: 2 }),
      gold: fc.constant([]),
      by: fc.tuple(answer, answer),
    }),
    { maxLength: 12 },
  ),
});
const choices: fc.Arbitrary<Choices> = fc.record({
  search: fc.constantFrom('', 'ADA', 'fish', 'ferry ada', '</'),
  first: fc.constantFrom(0, 1),
  second: fc.constantFrom(undefined, 0, 1),
  verdict: fc.constantFrom('', 'right', 'not-right', 'wrong'),
  evidence: fc.constantFrom('', 'all', 'some', 'nothing', 'missed', 'ungiven'),
  type: fc.constantFrom('', 'x'),
  difference: fc.constantFrom('', 'first', 'second', 'verdict', 'answer', 'evidence'),
  sort: fc.constantFrom('order', 'question', 'answer', 'evidence'),
  descending: fc.boolean(),
});

/** One question alone: the same decision, written out. */
function isWanted(page: PageData, index: number, wanted: Choices): boolean {
  const question = page.questions[index]!;
  const shown = [wanted.first, wanted.second].filter(at => at !== undefined);
  const all = JSON.stringify([
    [question.id, question.text, question.answers],
    shown.map(at => [
      question.by[at]!.answer,
      question.by[at]!.evidence.map(e => page.passages[e]),
    ]),
  ]);
  const [a, b] = shown.map(at => question.by[at]!) as [PageAnswer, PageAnswer?];
  const { reached, of } = reachedOf(a);
  const share = (one: PageAnswer): number => {
    const counted = reachedOf(one);
    return counted.of === 0 ? 1 : counted.reached / counted.of;
  };
  const evidence: Record<string, boolean> = {
    '': true,
    all: of > 0 && reached === of,
    some: reached > 0 && reached < of,
    nothing: of > 0 && reached === 0,
    missed: reached < of,
    ungiven: of === 0,
  };
  const difference: Record<string, boolean> = b
    ? {
        '': true,
        first: a.verdict === 'right' && b.verdict !== 'right',
        second: a.verdict !== 'right' && b.verdict === 'right',
        verdict: a.verdict !== b.verdict,
        answer: folded(a.answer) !== folded(b.answer),
        evidence: share(a) !== share(b),
      }
    : {};
  return (
    wanted.search.split(' ').every(one => folded(all).includes(folded(one))) &&
    (wanted.verdict === '' ||
      (wanted.verdict === 'not-right' ? a.verdict !== 'right' : a.verdict === wanted.verdict)) &&
    evidence[wanted.evidence]! &&
    (wanted.type === '' || question.type === wanted.type) &&
    (difference[wanted.difference] ?? true)
  );
}

describe('the list of questions', () => {
  test('holds exactly those that fit, each decided alone', () => {
    fc.assert(
      fc.property(data, choices, (page, wanted) => {
        const found = listed(page, wanted, new QuestionSearch(page));
        const expected = [...page.questions.keys()].filter(at => isWanted(page, at, wanted));
        assert.deepEqual(
          [...found].sort((a, b) => a - b),
          expected,
        );
      }),
    );
  });

  test('is in order, and equal questions stay as they were asked', () => {
    const rank = ['wrong', 'refused', 'failed', 'ungraded', 'right'];
    fc.assert(
      fc.property(data, choices, (page, wanted) => {
        const found = listed(page, wanted, new QuestionSearch(page));
        const keyOf = (at: number): number | string => {
          const question = page.questions[at]!;
          const own = question.by[wanted.first]!;
          const { reached, of } = reachedOf(own);
          const keys = { question: question.text, order: at, answer: rank.indexOf(own.verdict) };
          return { ...keys, evidence: of === 0 ? 1 : reached / of }[wanted.sort];
        };
        for (const [place, at] of found.entries()) {
          if (place === 0) continue;
          const [before, after] = [keyOf(found[place - 1]!), keyOf(at)];
          if (before === after) assert.ok(found[place - 1]! < at);
          else assert.equal(before < after, !wanted.descending);
        }
      }),
    );
  });
});

test('data in a script element parses back and cannot end it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ unit: 'binary' }), word, fc.constant('<!--\u2028"\'')), {
        maxLength: 6,
      }),
      texts => {
        const json = scriptJson(texts);
        assert.doesNotMatch(json, /[<>&\u2028\u2029]/);
        assert.deepEqual(JSON.parse(json), texts);
      },
    ),
  );
});
