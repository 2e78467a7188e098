/**
 * A tiny world for the laws of measures: three documents, one question of each type, and the traces
 * that do everything and nothing for them.
 */
import type { Trace } from '../core/trace/trace.ts';
import { emptyTrace } from './empty-trace.ts';
import type { Example, Gold, Records, Verdict } from './example.ts';
import { ABSTENTION } from './given-answer.ts';
import { verdictLookup } from './verdicts.ts';

const texts: Readonly<Record<string, string>> = {
  d1: 'Harbour lights were lit at dusk. The keeper wrote down the hour. Nobody came.',
  d2: 'The mayor opened the bridge in May. It had cost nine millions. Ferries stopped the same week.',
  d3: 'Ferries had run for a century. Their last captain was Ida Holm. She kept the bell.',
};
const titles: Readonly<Record<string, string>> = {
  d1: 'Harbour lights',
  d2: 'The bridge',
  d3: 'The last ferry',
};

function gold(documentId: string, fact: string): Gold {
  const start = texts[documentId]!.indexOf(fact);
  return { documentId, title: titles[documentId]!, fact, span: [start, start + fact.length] };
}

function example(id: string, type: string, answer: string, evidence: readonly Gold[]): Example {
  return { id, question: { id, text: `Question ${id}?` }, answers: [answer], type, gold: evidence };
}

/** One question of each type; the inference question cites one document twice. */
export const lawExamples: readonly Example[] = [
  example('c', 'comparison', 'Yes', [
    gold('d1', 'The keeper wrote down the hour.'),
    gold('d2', 'It had cost nine millions.'),
  ]),
  example('i', 'inference', 'Ida Holm', [
    gold('d2', 'Ferries stopped the same week.'),
    gold('d3', 'Ferries had run for a century.'),
    gold('d3', 'Their last captain was Ida Holm.'),
  ]),
  example('t', 'temporal', 'no', [gold('d1', 'Nobody came.'), gold('d3', 'She kept the bell.')]),
  example('n', 'null', ABSTENTION, []),
];

/** A judge who knows gold has judged the right answers and one wrong one. */
const verdicts: readonly Verdict[] = lawExamples.flatMap(({ id, answers }) =>
  [answers[0]!, 'Somebody else'].map(answer => ({
    judge: 'law',
    question: id,
    answer,
    match: answer === answers[0],
  })),
);

export const lawRecords: Records = {
  text: id => texts[id] ?? '',
  title: id => titles[id] ?? '',
  verdicts: verdictLookup(verdicts),
};

const row = {
  strategy: 'law',
  retriever: 'lexical(s1)',
  context: 'whole',
  reader: 'law',
  budget: {},
};

/**
 * A trace that found nothing and says nothing. It did search, so that measures of passages have a
 * value.
 */
export function emptyLawTrace({ question }: Example): Trace {
  const nothing = emptyTrace(question, row);
  return {
    ...nothing,
    hops: [
      {
        searches: [{ retriever: row.retriever, unit: 'passage', hits: [] }],
        kept: [],
        rejected: [],
        spent: {},
      },
    ],
  };
}

const rightAnswer = ({ type: questionType = 'none', answers }: Example): Trace['answer'] =>
  questionType === 'null'
    ? { kind: 'abstained', reason: 'support', questionType }
    : { kind: 'answered', text: answers[0]!, citations: [], questionType };

/**
 * The trace that finds exactly the gold documents, in one hop, passes them on whole and answers
 * right. `ids` in another order is another such trace.
 */
export function perfectLawTrace(
  asked: Example,
  ids: readonly string[] = [...new Set(asked.gold.map(item => item.documentId))],
): Trace {
  const score = (index: number): number => 0.9 - index / 10;
  const hits = ids.map((id, index) => ({
    id: `${id}#0`,
    documentId: id,
    start: 0,
    end: texts[id]!.length,
    score: score(index),
  }));
  const text = ids.map(id => texts[id]).join('\n');
  const starts = ids.map((_, index) =>
    ids.slice(0, index).reduce((sum, id) => sum + texts[id]!.length + 1, 0),
  );
  return {
    ...emptyLawTrace(asked),
    hops: [
      {
        searches: [{ retriever: row.retriever, unit: 'passage', hits }],
        kept: hits.map(({ id, documentId, score: kept }) => ({
          id,
          documentId,
          search: { hop: 0, search: 0 },
          score: kept,
        })),
        rejected: [],
        spent: { hops: 1, retrievals: 1 },
      },
    ],
    evidence: hits.map(({ id, documentId, start, end, score: kept }) => ({
      id,
      documentId,
      title: titles[documentId]!,
      metadata: {},
      score: kept,
      spans: [[start, end]],
    })),
    ranking: ids,
    context: {
      name: 'whole',
      text,
      tokens: text.match(/\w+/g)?.length ?? 0,
      parts: hits.map((hit, index) => ({
        ...hit,
        start: starts[index]!,
        end: starts[index]! + hit.end,
        spans: [[hit.start, hit.end]],
      })),
    },
    answer: rightAnswer(asked),
    spent: { hops: 1, retrievals: 1, documents: ids.length },
    ms: 1,
  };
}
