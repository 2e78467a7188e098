/** EfficientRAG-lite beside Direct-R at equal K. */
import { resolve } from 'node:path';
import { loopTable } from '../loop-table.ts';
import type { Given, Report, Row } from '../report.ts';
import { EMBEDDERS } from '../steps.ts';
import { sizes } from '../tables.ts';
import { TEMPLATE } from './settings.ts';

const SETTINGS = ['2wikimultihopqa-open', 'hotpotqa-pooled', 'musique-pooled'];
const RETRIEVERS = ['lexical', ...EMBEDDERS.toReversed().map(name => `dense(${name})`)];
const rows = RETRIEVERS.flatMap(retriever =>
  [10, 5].map(
    (k): Row => ({
      label: `${retriever}, k=${k}`,
      strategy: `efficient-rag(k=${k})`,
      retriever,
      context: 'lead',
      reader: 'evidence-only',
    }),
  ),
);

const INTRODUCTION = `The loop of EfficientRAG (arXiv 2408.04259) with the small token classifiers that ship: our
approximation, not the published models (two fine-tuned DeBERTa-v3-large). They were trained on
questions of the train splits alone (\`npm run lab -- efficient-rag train\`) with the lexical retriever; the
figures here are of the dev half, on which nothing was chosen. No language model is asked.

Recall in percent, macro, by document, of all that was kept. K is the mean number of kept documents.
Direct-R is one search: the first K of the same retriever's hits for the question, at the mean K
(interpolated between two whole numbers) and at each question's own K. 95 % percentile bootstrap
intervals over questions; the difference is paired, to Direct-R at each question's K.`;

export const report = ({ data, options }: Given): Report => {
  const classifiers = options['token-classifiers'];
  return {
    folder: 'efficient-rag',
    title: 'EfficientRAG-lite',
    introduction: INTRODUCTION,
    evaluations: SETTINGS.map(dataSet => ({
      name: dataSet,
      dataSet,
      rows,
      measures: ['EvidenceRecall'],
      keeps: ['traces'],
      words: [
        ...TEMPLATE,
        '--full-trace',
        ...(classifiers ? ['--token-classifiers', resolve(classifiers)] : []),
      ],
    })),
    sections: SETTINGS.map(dataSet => ({
      heading: dataSet,
      blocks: [sizes(dataSet), loopTable(dataSet, dataSet, data)],
    })),
  };
};
