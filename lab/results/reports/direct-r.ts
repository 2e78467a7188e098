/** Direct-R, TreeHop's baseline: one dense search, its first K items, beside words and a fusion. */
import { availableParallelism } from 'node:os';
import type { Report, Row } from '../report.ts';
import { EMBEDDERS } from '../steps.ts';
import { CLUSTERED, costs, fixed, groups, sizes, values } from '../tables.ts';
import { DEFINITIONS, HEADINGS, SETTINGS, type Setting, TEMPLATE } from './settings.ts';

const CUT_OFFS = [2, 5, 10];
const MEASURES = Object.values(DEFINITIONS).flatMap(name => CUT_OFFS.map(name));
/** Each question is embedded anew by every retriever that needs it. */
const TIMED_QUESTIONS = '100';
const WORDS = ['lexical', 'lexical(bm25(stop=english))', 'lexical(s1)'];
const VECTORS = [
  ...EMBEDDERS.map(name => `dense(${name})`),
  'fused(lexical, dense(bge-small-en-v1.5))',
];
const byPassage = (retriever: string): string =>
  retriever.endsWith(')')
    ? `${retriever.slice(0, -1)}, unit=passage)`
    : `${retriever}(unit=passage)`;
const row = (retriever: string, k: number): Row => ({
  label: retriever,
  strategy: `fixed-top-k(k=${k})`,
  retriever,
  context: 'headers',
  reader: 'evidence-only',
});
const rowsOf = ({ passages }: Setting): Row[] => [
  ...[...WORDS, ...VECTORS].map(retriever => row(retriever, 10)),
  // A hundred passages come from ten documents at least; words alone need no embedding.
  ...(passages ? WORDS.map(retriever => row(byPassage(retriever), 100)) : []),
];

const INTRODUCTION = `Direct-R is TreeHop's baseline: the question is embedded, and the first K items by inner product
are the result: \`fixed-top-k(k=K)\` over \`dense(MODEL)\`. Beside it: BM25 without and with a stop
list, the budgeted-agent paper's S1, and a fusion.

Every question searches the whole corpus of its setting. Embedders read the template
\`title-context\`. \`bge-small-en-v1.5\` (384 dimensions, CLS pooling) and \`all-MiniLM-L6-v2\` (384
dimensions, mean pooling) are int8 models; query vectors have length 1, and bge's queries begin with
its own instruction. They read the first 512 and 256 tokens of a text: whole articles of
MultiHop-RAG are cut there.

Recall in percent with 95 % percentile bootstrap intervals. ${CLUSTERED}

By title, any document with a gold title counts (TreeHop's Recall@K, pooled over all gold titles);
by id, only the gold document itself. Rows with \`unit=passage\` take the first hundred passages,
order documents by their best passage, and count K in documents.`;

const PUBLISHED_NOTE = `Published by TreeHop (arXiv 2504.20114, Tables 1 and 2) for bge-m3 (1,024 dimensions), by title,
micro. Not comparable with the rows above on 2WikiMultiHopQA and MuSiQue: another and far larger
encoder, mean-pooled query vectors, corpora several times as large, and no comparison questions of
2WikiMultiHopQA. On MultiHop-RAG the corpus of 609 articles and the definition are the same.`;
const PUBLISHED = [
  ['2WikiMultiHopQA', '9,536', '56,709', '49.3', '53.2'],
  ['MuSiQue', '2,417', '21,100', '45.4', '53.8'],
  ['MultiHop-RAG', '816', '609', '48.6', '67.8'],
];

export const report = (): Report => ({
  folder: 'direct-r',
  title: 'Direct-R',
  introduction: INTRODUCTION,
  evaluations: SETTINGS.map(setting => ({
    name: setting.id,
    ...setting.evaluated,
    rows: rowsOf(setting),
    measures: MEASURES,
    words: [...TEMPLATE, '--cost', TIMED_QUESTIONS],
  })),
  sections: [
    ...SETTINGS.map(({ id }) => ({
      heading: id,
      blocks: [
        sizes(id),
        ...(['micro', 'macro', 'id'] as const).map(name =>
          values(id, CUT_OFFS.map(DEFINITIONS[name]), { heading: `Recall ${HEADINGS[name]}` }),
        ),
        groups(id, DEFINITIONS.micro(5)),
      ],
    })),
    {
      heading: 'Cost',
      blocks: [
        () =>
          `One question at a time, embedded anew, on ${availableParallelism()} cores that other work shares. TreeHop's 2 to 19 ms are batch-amortised on an A100.`,
        costs(Object.fromEntries(SETTINGS.map(({ id }) => [id, id]))),
      ],
    },
    {
      heading: 'Published',
      blocks: [
        () => PUBLISHED_NOTE,
        fixed(['Direct-R, bge-m3', 'questions', 'passages', 'Recall@5', 'Recall@10'], PUBLISHED),
      ],
    },
  ],
});
