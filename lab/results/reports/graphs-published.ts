/** Published figures beside ours, each marked comparable or not, with the reason. */
import { formatValue } from '../../../src/evaluation/report/format-value.ts';
import { finishedRows, type GraphSteps, RECALL } from '../graph-tables.ts';
import { type Block, meanOf, type Results } from '../report.ts';
import { table } from '../tables.ts';
import { BM25, DIRECT_R, FACT_LANES } from './graphs-rows.ts';

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
