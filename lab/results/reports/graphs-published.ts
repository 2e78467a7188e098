/** Published figures beside ours, each marked comparable or not, with the reason. */
import { formatValue } from '../../../src/evaluation/report/format-value.ts';
import { finishedRows, type GraphSteps, RECALL } from '../graph-tables.ts';
import { type Block, type Evaluation, type Given, meanOf, type Results } from '../report.ts';
import { table } from '../tables.ts';
import {
  BM25,
  CHAIN,
  DECLARED,
  type Declared,
  DIRECT_R,
  FACT_LANES,
  labelOf,
  OWN,
} from './graphs-rows.ts';
import { ANSWERS, evaluationOf, rowIn } from './graphs-steps.ts';

/** Data sets in the order of the columns of published tables. */
const WIKIPEDIA = ['2WikiMultiHopQA open', 'HotpotQA pooled', 'MuSiQue pooled'];

const CORPORA =
  '2WikiMultiHopQA only: the same corpus, other questions; the other corpora are larger than ours';
const MODELS = 'no: ';
/** Recall@5 in percent over corpora of 6,119, 9,811 and 11,656 passages. */
const BAR: readonly (readonly string[])[] = [
  ['BM25 (arXiv 2502.14802)', '65', '75', '43', CORPORA],
  ['NV-Embed-v2 (2502.14802)', '77', '95', '70', `${MODELS}an embedder of 7B parameters`],
  ['HippoRAG 2 (2502.14802)', '90', '96', '75', `${MODELS}its graph is written by a model of 70B`],
  ['PropRAG (2504.18070)', '94', '97', '78', `${MODELS}propositions are written by a model`],
  [
    ...['BridgeRAG (2604.03384)', '95.3', '98.8', '81.5'],
    `${MODELS}three calls of a model of 70B a question`,
  ],
];

const percent = (value: number | undefined): string =>
  value === undefined ? '–' : formatValue(RECALL, value);

/** Ours by label, a cell a column; undefined where no set has the row. */
function ours(results: Results, sets: readonly GraphSteps[], label: string): string[] | undefined {
  const cells = WIKIPEDIA.map(name => {
    const rows = sets.find(({ heading }) => heading === name)?.rows ?? [];
    const found = finishedRows(results, rows).find(row => row.label === label);
    return found && meanOf(found.row, RECALL);
  });
  return cells.some(cell => cell !== undefined) ? cells.map(percent) : undefined;
}

/** The bar of the field beside every row of ours that searches the same sets. */
export const fieldBar =
  (sets: readonly GraphSteps[]): Block =>
  results => {
    const goal = new Set(
      sets.flatMap(({ rows }) => rows.filter(row => row.goal).map(({ label }) => label)),
    );
    const lines = [BM25, DIRECT_R, FACT_LANES, ...goal].flatMap(label => {
      const cells = ours(results, sets, label);
      return cells ? [[`ours: ${label}`, ...cells, '']] : [];
    });
    if (lines.length === 0) return undefined;
    return table(
      [`${RECALL}, percent`, ...WIKIPEDIA, 'comparable with ours'],
      [...BAR, ...lines],
      ['comparable with ours'],
    );
  };

interface PublishedAnswers {
  readonly name: string;
  /** F1 / EM on 2WikiMultiHopQA, HotpotQA and MuSiQue. */
  readonly cells: readonly string[];
  /** The label of our row. */
  readonly label: string;
}

/**
 * Zhu et al., ChainRAG, ACL 2025, arXiv 2502.14245, Table 1, GPT-4o-mini, 200 questions a set;
 * cells with † are impossible as printed (an F1 below its EM, or no multiple of half a point).
 */
const CHAIN_RAG: readonly PublishedAnswers[] = [
  {
    name: 'NaiveRAG',
    label: 'naive (rules)',
    cells: ['50.61 / 42.50', '56.92 / 42.00', '29.82 / 19.00'],
  },
  {
    name: 'NaiveRAG w/ QD',
    label: 'naive(decomposition=true) (rules)',
    cells: ['30.88† / 38.30†', '00.00† / 45.50', '37.49 / 20.00'],
  },
  {
    name: 'Iter-RetGen, iteration 3',
    label: 'iter-retgen(iterations=3) (rules)',
    cells: ['58.43 / 50.50', '57.77 / 42.00', '38.41 / 33.00'],
  },
  {
    name: 'LongRAG',
    label: 'longrag-dual (rules)',
    cells: ['62.39 / 49.00', '64.74 / 51.00', '44.88 / 32.00'],
  },
  {
    name: 'HippoRAG w/ IRCoT',
    label: 'hipporag1 (rules)',
    cells: ['62.38 / 48.00', '56.12 / 40.00', '46.50 / 28.50'],
  },
  {
    name: 'ChainRAG AnsInt',
    label: CHAIN,
    cells: ['62.55 / 52.00', '60.73 / 46.00', '50.54 / 37.00'],
  },
  {
    name: 'ChainRAG CxtInt',
    label: CHAIN,
    cells: ['56.54 / 50.50', '64.59 / 50.00', '47.87 / 38.50'],
  },
];

export const CHAIN_NOTE = `F1 / EM as published by ChainRAG (arXiv 2502.14245, Table 1) with GPT-4o-mini over 200 questions a
set, and ours without a language model; each question searches an index over its own passages alone
in both. Not comparable otherwise: other questions (theirs are 200 of LongBench), answers by
GPT-4o-mini where ours come from a small reader that may abstain, another embedder and reranker. † is impossible as printed: an F1 below its EM, or no
multiple of half a point.`;

const rowNamed = (label: string): Declared => DECLARED.find(row => labelOf(row) === label)!;

/** The rows of the table, over the passages of each question alone. */
export const publishedEvaluations = (request: Given): Evaluation[] =>
  OWN.flatMap(set =>
    [...new Set(CHAIN_RAG.map(({ label }) => label))].map(label =>
      evaluationOf(set, rowNamed(label), request, {
        measures: ANSWERS,
        words: ['--passages', 'own'],
      }),
    ),
  );

/** Answers as published beside those of our rows. */
export const publishedAnswers: Block = results => {
  const lines = CHAIN_RAG.flatMap(({ name, label, cells }) => {
    const rows = OWN.map(set => rowIn(results, set, rowNamed(label)));
    if (rows.every(row => row === undefined)) return [];
    const figures = rows.map(row =>
      ['AnswerF1(hotpot)', 'AnswerEM(hotpot)']
        .map(measure => percent(row && meanOf(row, measure)))
        .join(' / '),
    );
    return [[name, label, ...cells.flatMap((cell, at) => [cell, figures[at]!])]];
  });
  if (lines.length === 0) return undefined;
  const heads = OWN.flatMap(({ heading }) => [`${heading}, published`, 'ours']);
  return table(['published', 'our row', ...heads], lines, ['our row']);
};

/** Table 2 of the same paper: recall of the second sub-question before and after its rewriting. */
export const SUB_QUESTIONS: readonly (readonly string[])[] = [
  ['published: sub-question 1', '57.50', '54.67', '55.52'],
  ['published: sub-question 2', '49.87', '49.17', '40.91'],
  ['published: sub-question 2, rewritten', '54.32', '61.83', '58.81'],
];
export const SUB_QUESTION_COLUMNS: readonly string[] = ['Recall@2 of a sub-question', ...WIKIPEDIA];

/** Tables 5 and 6, contexts integrated, F1 / EM with GPT-4o-mini. */
export const PUBLISHED_ABLATIONS: readonly (readonly string[])[] = [
  ['full', '56.54 / 50.50', '64.59 / 50.00', '47.87 / 38.50'],
  ['no rewriting', '56.36 / 47.00', '61.57 / 47.00', '36.60 / 25.00'],
  ['no EC edges', '55.12 / 47.00', '61.73 / 47.00', '45.34 / 33.00'],
  ['no SS edges', '55.68 / 46.00', '60.85 / 48.00', '43.39 / 34.00'],
  ['no SA edges', '55.08 / 46.50', '61.32 / 47.00', '47.36 / 36.50'],
  ['no graph', '54.76 / 39.50', '60.19 / 44.00', '40.18 / 27.00'],
];
export const ABLATION_COLUMNS: readonly string[] = ['published, F1 / EM', ...WIKIPEDIA];
