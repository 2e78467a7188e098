/** An evaluation of two systems on as many questions as wanted, with texts that break markup. */
import type { Estimate, EvaluationResult, RowResult } from '../src/evaluation/evaluation-result.ts';
import type { QuestionRecords, RowQuestion } from '../src/evaluation/question-records.ts';
import type { ScoredQuestions } from '../src/evaluation/report/scored-questions.ts';

const ODD = [
  'plain',
  '</script><b>bold</b>',
  '"quoted" \'twice\' & <!-- open',
  'من كتب هذا؟',
  'tab\tand\nline',
  '😀👩‍👩‍👧 emoji',
  `long${'word'.repeat(40)}`,
];
const RIGHT = 'QaAccuracy(strict)';

const estimate = (mean: number, n: number): Estimate => ({
  mean,
  low: Math.max(0, mean - 0.03),
  high: Math.min(1, mean + 0.03),
  n,
});

/** `first` is right on every second question, `second` on every third. */
export function manyQuestions(n: number): {
  readonly result: EvaluationResult;
  readonly questions: ScoredQuestions;
} {
  const indices = Array.from({ length: n }, (_, index) => index);
  const every = { first: 2, second: 3 } as const;
  const scoresOf = (id: keyof typeof every): number[] =>
    indices.map(index => Number(index % every[id] === 0));
  const result: EvaluationResult = {
    dataset: 'musique',
    questions: n,
    groups: { byType: { x: n / 2, y: n / 2 }, byEvidence: { 2: n } },
    rows: [rowOf('first', 0.5, n), rowOf('second', 0.33, n)],
    pairs: [],
    manifest: { note: ODD },
  };
  const scores = {
    first: { [RIGHT]: scoresOf('first') },
    second: { [RIGHT]: scoresOf('second') },
  };
  return { result, questions: { records: recordsOf(indices), scores } };
}

function rowOf(id: string, accuracy: number, n: number): RowResult {
  const values = { [RIGHT]: accuracy, AllFacts: accuracy / 2, FactRecall: 0.6 };
  const cuts = { 'EvidenceRecall@1': 0.3, 'EvidenceRecall@4': 0.6, EvidenceRecall: 0.7 };
  const measures = Object.entries({ ...values, ...cuts }).map(([name, value]) => [
    name,
    estimate(value, n),
  ]);
  const tokens = { mean: 500, low: 490, high: 510, n };
  return {
    id,
    strategy: `${id}-strategy(tokens=620, calls=4)`,
    retriever: 'lexical',
    context: 'lead',
    reader: 'extractive',
    budget: {},
    failed: 0,
    measures: { ...Object.fromEntries(measures), ContextTokens: tokens },
    byType: { x: { [RIGHT]: accuracy, FactRecall: 0.5 }, y: { [RIGHT]: accuracy, FactRecall: 1 } },
    byEvidence: {},
  };
}

function recordsOf(indices: readonly number[]): QuestionRecords {
  const oddAt = (index: number): string => ODD[index % ODD.length]!;
  const row = (every: number): RowQuestion[] =>
    indices.map(index => ({
      kind: 'answered',
      answer: index % every === 0 ? 'right' : oddAt(index),
      probability: (index % 100) / 100,
      evidence: [index, (index + 1) % indices.length],
      gold: [
        index % 4 === 0 ? { is: 'cut' } : { is: 'reached' },
        { is: 'dropped', rank: 7, hop: 1, why: 'below-top-k' },
      ].slice(0, 2) as RowQuestion['gold'],
    }));
  return {
    questions: indices.map(index => ({
      id: `q${index}`,
      text: `Question ${index} needle: ${oddAt(index)}?`,
      type: index % 2 === 0 ? 'x' : 'y',
      answers: ['right'],
      gold: [
        { documentId: `d${index}`, title: oddAt(index), fact: oddAt(index + 1) },
        { documentId: `e${index}`, title: '' },
      ],
    })),
    passages: indices.map(index => ({
      documentId: `d${index}`,
      title: oddAt(index),
      text: `${oddAt(index + 1)} ${'passage of the document '.repeat(12)}`,
    })),
    rows: { first: row(2), second: row(3) },
  };
}
