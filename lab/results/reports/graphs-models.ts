/** The chain with the local models that its paper uses: an embedder and a cross-encoder. */
import { formatValue } from '../../../src/evaluation/report/format-value.ts';
import { RECALL } from '../graph-tables.ts';
import {
  type Block,
  differenceOf,
  type Evaluation,
  type Given,
  meanOf,
  type Results,
  type Section,
  text,
} from '../report.ts';
import { deltaText, table } from '../tables.ts';
import { type Declared, type GraphSet, labelOf, rowOf, SETS } from './graphs-rows.ts';
import { filesOf, RANKED, versionOfRow } from './graphs-steps.ts';
import { TEMPLATE } from './settings.ts';

const CROSS_ENCODER = 'ms-marco-MiniLM-L-12-v2';
const DENSE = 'dense(bge-small-en-v1.5)';
const CHAIN = `chain(reranker=${CROSS_ENCODER})`;
const PLAIN = 'fixed-top-k(k=5)';

/** Pairs: the chain, and the same models over one search, which reads 100 pairs a question. */
const PAIRS: readonly (readonly [control: Declared, chain: Declared])[] = [
  [
    {
      ...{ step: 'cross-encoder', strategy: PLAIN, label: 'BM25, reranked' },
      retriever: `reranked(lexical, ${CROSS_ENCODER})`,
    },
    {
      ...{ step: 'chain-cross-encoder', strategy: CHAIN, label: 'chain over BM25, reranked' },
      sentences: true,
    },
  ],
  [
    {
      ...{ step: 'cross-encoder-bge', strategy: PLAIN, label: 'bge, reranked' },
      retriever: `reranked(${DENSE}, ${CROSS_ENCODER})`,
    },
    {
      ...{ step: 'chain-cross-encoder-bge', strategy: CHAIN, label: 'chain over bge, reranked' },
      ...{ sentences: true, retriever: DENSE },
    },
  ],
];

const F1 = 'AnswerF1(hotpot)';
const TIME = 'Milliseconds(p50)';
/** A cross-encoder reads some 50 pairs a second, the chain a thousand pairs a question. */
const SAMPLE = 100;

const stepOf = ({ id }: GraphSet, { step, strategy }: Declared): string =>
  `${id}.models-${step}-${versionOfRow(strategy)}`;

/** One step a row and set; they run with `--embed` only. */
export const modelEvaluations = (given: Given): Evaluation[] =>
  SETS.flatMap(set =>
    PAIRS.flat().map(declared => ({
      ...{ name: stepOf(set, declared), dataSet: set.id, rows: [rowOf(declared, set)] },
      ...{ measures: [...RANKED, F1, TIME], embeds: true, words: TEMPLATE, ...filesOf(set, given) },
      ...(set.wikipedia ? {} : { sample: SAMPLE }),
    })),
  );

/** Each row, and the chain less its control. */
const modelTable =
  (set: GraphSet): Block =>
  ({ measured }: Results) => {
    const rowIn = (declared: Declared) => measured.get(stepOf(set, declared))?.rows[0];
    const lines = PAIRS.flatMap(pair => {
      const [control] = pair.map(rowIn);
      return pair.flatMap(declared => {
        const row = rowIn(declared);
        if (!row) return [];
        const values = [...RANKED, F1, TIME].map(each => formatValue(each, meanOf(row, each)));
        const less =
          control && row !== control ? deltaText(RECALL, differenceOf(RECALL, row, control)) : '';
        return [[labelOf(declared), ...values, less]];
      });
    });
    const columns = ['row', ...RANKED, F1, TIME, `${RECALL} less the same models without a chain`];
    return lines.length === 0 ? undefined : `${set.heading}:\n\n${table(columns, lines)}`;
  };

const NOTE = `Seeds of each sub-question are chosen by the cross-encoder \`${CROSS_ENCODER}\` among a hundred
sentences, found by words or by \`bge-small-en-v1.5\`, and neighbours are ordered by it. The paper uses a
larger embedder, a larger cross-encoder and a language model; here rules split and complete. The
control asks the same models once: the first hundred documents, reranked. All questions of the
Wikipedia sets, ${SAMPLE} of MultiHop-RAG, drawn by seed.`;

export const modelSection = (): Section => ({
  heading: 'The chain with an embedder and a cross-encoder',
  blocks: [text(NOTE), ...SETS.map(modelTable)],
});
