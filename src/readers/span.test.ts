/** Checks the answers of `span` by spans that a scripted question answerer returns. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContextText, Evidence, Trace } from '../core/trace/trace.ts';
import { ask, ingest } from '../index.ts';
import type { AnswerSpan } from '../models/question-answerer.ts';
import type { ShownPassage } from './shown-passages.ts';
import { spanDraft } from './span-answer.ts';

const DOCUMENTS = [
  {
    id: 'ada',
    title: 'Ada Lovelace',
    text: 'Ada wrote a program. She was born in London, in 1815.',
  },
  { id: 'charles', title: 'Charles Babbage', text: 'Charles built it for Ada in London.' },
];

/** A span of the given words, at their first place or that of the given number. */
type Words = readonly [words: string, score: number, place?: number];

/** Asks with an answerer that finds these words; returns the trace and the texts it was shown. */
async function asked(
  question: string,
  found: readonly Words[],
  { none = 0, reader = 'span(toy)' }: { readonly none?: number; readonly reader?: string } = {},
): Promise<{ readonly trace: Trace; readonly texts: readonly string[] }> {
  const texts: string[] = [];
  const spanOf = (text: string, [words, score, place = 0]: Words): AnswerSpan => {
    let start = text.indexOf(words);
    for (let at = 0; at < place; at++) start = text.indexOf(words, start + 1);
    return { start, end: start + words.length, score };
  };
  const answerer = {
    id: 'toy',
    async answer(_question: string, text: string) {
      texts.push(text);
      return { spans: found.map(words => spanOf(text, words)), none };
    },
  };
  const trace = await ask(question, {
    engine: await ingest(DOCUMENTS),
    strategy: 'fixed-top-k(k=2)',
    context: 'whole',
    reader,
    resources: { 'question-answerer': answerer },
  });
  return { trace, texts };
}

const cited = ({ answer }: Trace): string[] =>
  (answer?.kind === 'answered' ? answer.citations : []).map(({ documentId, start, end }) =>
    DOCUMENTS.find(({ id }) => id === documentId)!.text.slice(start, end),
  );

test('span: answers with the words of the best span and cites their sentence', async () => {
  const { trace, texts } = await asked('When was Ada born?', [
    ['1815', 3],
    ['program', 1],
  ]);
  assert.equal(texts.length, 1);
  assert.equal(texts[0], trace.context?.text);
  assert.equal(trace.answer?.kind === 'answered' && trace.answer.text, '1815');
  assert.deepEqual(cited(trace), ['She was born in London, in 1815.']);
});

test('span: spans of equal words add up, and cite all their sentences', async () => {
  // e^2 + e^2 = 14.8 > e^2.5 = 12.2: London beats 1815, with support 1 - 1 / (1 + 14.8).
  const { trace } = await asked('Where did Ada live?', [
    ['1815', 2.5],
    ['London', 2],
    ['London', 2, 1],
  ]);
  const { answer } = trace;
  assert.ok(answer?.kind === 'answered');
  assert.equal(answer.text, 'London');
  assert.ok(Math.abs(answer.support! - 1 + 1 / (1 + 2 * Math.exp(2))) < 1e-9, `${answer.support}`);
  assert.deepEqual(cited(trace).toSorted(), [
    'Charles built it for Ada in London.',
    'She was born in London, in 1815.',
  ]);
});

test('span: a span in a title cites the first sentence under it', async () => {
  const { trace } = await asked('Who wrote a program?', [['Ada Lovelace', 2]]);
  assert.equal(trace.answer?.kind === 'answered' && trace.answer.text, 'Ada Lovelace');
  assert.deepEqual(cited(trace), ['Ada wrote a program.']);
});

test('span: marks around the words are no part of the answer', async () => {
  const { trace } = await asked('Where was Ada born?', [[' London,', 2]]);
  assert.equal(trace.answer?.kind === 'answered' && trace.answer.text, 'London');
});

test('span: leaves out spans over two lines, and spans without a word', async () => {
  const { trace } = await asked('Where was Ada born?', [
    ['Lovelace\nAda', 9],
    [',', 8],
    ['London', 1],
  ]);
  assert.equal(trace.answer?.kind === 'answered' && trace.answer.text, 'London');
});

test('span: abstains below its support, and keeps the answer in the trace', async () => {
  const { trace } = await asked('Where was Ada born?', [['London', 1]], { none: 1.1 });
  assert.ok(trace.answer?.kind === 'abstained');
  assert.equal(trace.answer.withheld?.text, 'London');
  assert.equal(trace.answer.withheld?.citations.length, 1);
  const always = await asked('Where was Ada born?', [['London', 1]], {
    none: 1.1,
    reader: 'span(toy, support=0)',
  });
  assert.equal(always.trace.answer?.kind, 'answered');
});

test('span: abstains without spans', async () => {
  const { trace } = await asked('Where was Ada born?', []);
  assert.equal(trace.answer?.kind, 'abstained');
});

test('span: does not answer questions of yes or no, and asks no model', async () => {
  const { trace, texts } = await asked('Was Ada born in London?', [['London', 9]]);
  assert.equal(trace.answer?.kind, 'abstained');
  assert.deepEqual(texts, []);
});

test('span: an answerer that returns a span outside the text fails the run', async () => {
  const answerer = {
    id: 'toy',
    answer: async (_question: string, text: string) => ({
      spans: [{ start: 0, end: text.length + 1, score: 1 }],
      none: 0,
    }),
  };
  const trace = await ask('Where was Ada born?', {
    engine: await ingest(DOCUMENTS),
    reader: 'span(toy)',
    resources: { 'question-answerer': answerer },
  });
  assert.deepEqual(trace.stopped?.by === 'failure' && [trace.stopped.port, trace.stopped.code], [
    'question-answerer',
    'malformed',
  ]);
});

test('span: takes the best answer that stands in evidence, where a context shows more', () => {
  const text = 'Ada wrote. Bob built.';
  const sentence = (start: number, end: number) => ({
    part: 0,
    id: 'd',
    documentId: 'd',
    start,
    end,
    endsAt: end,
    text: text.slice(start, end),
  });
  const passage: ShownPassage = {
    head: '',
    body: text,
    sentences: [sentence(0, 10), sentence(11, 21)],
  };
  const part = { id: 'd', documentId: 'd', start: 0, end: text.length, spans: [[0, 21]] };
  const context = { text, parts: [part] } as unknown as ContextText;
  const evidence = [{ id: 'd#1', documentId: 'd', spans: [[11, 21]] }] as unknown as Evidence[];
  const spans = [
    { start: 0, end: 3, score: 2 },
    { start: 11, end: 14, score: 1 },
  ];
  const draft = spanDraft({ spans, none: 1 }, context, [passage], evidence);
  assert.deepEqual(draft, {
    text: 'Bob',
    citations: [{ id: 'd#1', documentId: 'd', start: 11, end: 21 }],
    support: 0.5,
  });
  assert.equal(spanDraft({ spans: [spans[0]!], none: 1 }, context, [passage], evidence), undefined);
});
