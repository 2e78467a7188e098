/** The chain with the local models that its paper uses: an embedder and a cross-encoder. */
import { cellsOf, lessRow, RECALL } from '../graph-tables.ts';
import { type Block, type Evaluation, type Given, type Section, text } from '../report.ts';
import { table } from '../tables.ts';
import { type Declared, type GraphSet, labelOf, SETS } from './graphs-rows.ts';
import { evaluationOf, RANKED, rowIn } from './graphs-steps.ts';
import { TEMPLATE } from './settings.ts';

const CROSS_ENCODER = 'ms-marco-MiniLM-L-12-v2';
const DENSE = 'dense(bge-small-en-v1.5)';
const CHAIN = `chain(reranker=${CROSS_ENCODER})`;
const PLAIN = 'fixed-top-k(k=5)';

/** Pairs: the chain, and the same models over one search, which reads 100 pairs a question. */
const PAIRS: readonly (readonly [control: Declared, chain: Declared])[] = [
  [
    {
      step: 'models-cross-encoder',
      strategy: PLAIN,
      label: 'BM25, reranked',
      retriever: `reranked(lexical, ${CROSS_ENCODER})`,
    },
    {
      step: 'models-chain-cross-encoder',
      strategy: CHAIN,
      label: 'chain over BM25, reranked',
      sentences: true,
    },
  ],
  [
    {
      step: 'models-cross-encoder-bge',
      strategy: PLAIN,
      label: 'bge, reranked',
      retriever: `reranked(${DENSE}, ${CROSS_ENCODER})`,
    },
    {
      step: 'models-chain-cross-encoder-bge',
      strategy: CHAIN,
      label: 'chain over bge, reranked',
      sentences: true,
      retriever: DENSE,
    },
  ],
];

const F1 = 'AnswerF1(hotpot)';
const TIME = 'Milliseconds(p50)';
/** A cross-encoder reads some 50 pairs a second, the chain a thousand pairs a question. */
const SAMPLE = 100;

const MEASURES = [...RANKED, F1, TIME];

/** One step a row and set; they run with `--embed` only. */
export const modelEvaluations = (setting: Given): Evaluation[] =>
  SETS.flatMap(set =>
    PAIRS.flat().map(declared =>
      evaluationOf(set, declared, setting, {
        measures: MEASURES,
        embeds: true,
        words: TEMPLATE,
        sample: set.wikipedia ? undefined : SAMPLE,
      }),
    ),
  );

/** Each row, and the chain less its control. */
const modelTable =
  (set: GraphSet): Block =>
  results => {
    const lines = PAIRS.flatMap(pair => {
      const control = rowIn(results, set, pair[0]);
      return pair.flatMap(declared => {
        const row = rowIn(results, set, declared);
        if (!row) return [];
        const less = control && row !== control ? (lessRow(row, control)?.text ?? '–') : '';
        return [[labelOf(declared), ...cellsOf(row, MEASURES), less]];
      });
    });
    const columns = ['row', ...MEASURES, `${RECALL} less the same models without a chain`];
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
