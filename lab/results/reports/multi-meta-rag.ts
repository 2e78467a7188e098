/** The contribution of each part of Multi-Meta-RAG on MultiHop-RAG, dev half. */
import { join } from 'node:path';
import { defined } from '../../../src/core/defined.ts';
import type { Evaluation, Given, Report, Row } from '../report.ts';
import { differences, rowNames, values } from '../tables.ts';

const RANKED = [
  ...['Hits@4', 'Hits@10', 'MRR@10', 'MAP@10(official)', 'MAP@10(standard)'],
  ...['PassageRecall@10', 'PassageF1@10'],
];
const FILTERED = ['exact', 'keeps', 'passes'].map(what => `FilterAccuracy(${what})`);
const SHOWN = [
  ...['FactRecall', 'AllFacts', 'GroundedEM', 'GroundedRecall', 'EvidenceRecall', 'ContextTokens'],
];
const COMPARED = ['Hits@4', 'Hits@10', 'MRR@10'];

const [BGE, MINILM, RULES] = ['bge-small-en-v1.5', 'all-MiniLM-L6-v2', 'multi-meta-rag'];
const BM25 = 'lexical(bm25(stop=english), unit=passage)';
const dense = (space: string): string => `dense(${space}, unit=passage)`;
const withWords = (space: string): string => `fused(${BM25}, ${dense(space)}, method=weighted)`;
/** Words and vectors, each asked with the clauses of the question. */
const hybrid = (space: string, vectors = 'unit'): string => `hybrid(${space}, vectors=${vectors})`;
const [CLAUSES, HYBRID] = ['hybrid(none)', hybrid(BGE, 'sentence')];
const reranked = (inside: string, settings = ''): string =>
  `reranked(${inside}, ms-marco-MiniLM-L-12-v2${settings})`;
const ASKED = ', ask=clauses, read=sentence, interpolate=1';
const BEST = reranked(HYBRID, ASKED);
const by = (extractor: string): string => `${RULES}(extractor=${extractor})`;

const row = (label: string, strategy: string, retriever: string, context = 'headers'): Row => ({
  label,
  strategy,
  retriever,
  context,
  reader: 'evidence-only',
});

const STAGES: readonly (readonly [label: string, retriever: string])[] = [
  ['BM25', BM25],
  ['MiniLM', dense(MINILM)],
  ['bge', dense(BGE)],
  ['BM25 + MiniLM', withWords(MINILM)],
  ['BM25 + bge', withWords(BGE)],
  ['hybrid(none)', CLAUSES],
  ['hybrid(MiniLM)', hybrid(MINILM)],
  ['hybrid(bge)', hybrid(BGE)],
  ['hybrid(bge), vectors of sentences', HYBRID],
];
const FILTERS = { 'no filter': by('none'), rules: RULES, 'GPT-3.5': by('replayed') };
const WAYS = {
  'whole question, whole passage': '',
  'whole question, whole passage, interpolated': ', interpolate=1',
  'whole question, best sentence': ', read=sentence',
  'whole question, best sentence, interpolated': ', read=sentence, interpolate=1',
  'clauses, best sentence': ', ask=clauses, read=sentence',
  'clauses, best sentence, interpolated': ASKED,
};
const to = (from: string, labels: readonly string[]): [string, string][] =>
  labels.map(label => [from, label]);
const chain = (labels: readonly string[]): [string, string][] =>
  labels.slice(1).map((label, index) => [labels[index]!, label]);

interface Part {
  readonly heading: string;
  readonly rows: readonly Row[];
  readonly measures?: readonly string[];
  readonly sample?: number;
  readonly pairs?: readonly (readonly [from: string, to: string])[];
}

const WHOLE: readonly Row[] = [
  row('BM25', by('none'), BM25),
  row('+ filter', RULES, BM25),
  row('+ clauses and sentences', RULES, CLAUSES),
  row('+ vectors of sentences by clauses', RULES, HYBRID),
  row('+ cross-encoder', RULES, BEST),
];

const PARTS: Readonly<Record<string, Part>> = {
  'first-stages': {
    heading: 'First stages, with and without the filter',
    rows: STAGES.flatMap(([label, retriever]) =>
      Object.entries(FILTERS)
        .slice(0, /MiniLM/.test(label) ? 2 : 3)
        .map(([filter, strategy]) => row(`${label}; ${filter}`, strategy, retriever)),
    ),
    measures: [...RANKED, ...FILTERED],
    pairs: [
      ...STAGES.map(([label]) => [`${label}; no filter`, `${label}; rules`] as const),
      ['BM25; rules', 'BM25; GPT-3.5'],
      ...to(
        'BM25; rules',
        STAGES.slice(1).map(([label]) => `${label}; rules`),
      ),
      ...to(
        'hybrid(none); rules',
        STAGES.slice(6).map(([label]) => `${label}; rules`),
      ),
      ['hybrid(bge); rules', 'hybrid(bge), vectors of sentences; rules'],
    ],
  },
  policies: {
    heading: 'The filter by sources and days, and its policy if nothing passes (BM25)',
    rows: [
      row('sources and days, strict', RULES, BM25),
      row('sources alone, strict', 'multi-meta-rag(dates=false)', BM25),
      row('sources and days, relax', 'multi-meta-rag(policy=relax)', BM25),
      row('soft: 0.12 added', 'multi-meta-rag(soft=0.12)', BM25),
      row('soft: 1 added', 'multi-meta-rag(soft=1)', BM25),
    ],
    measures: [...RANKED, ...FILTERED],
    pairs: [
      ['sources alone, strict', 'sources and days, strict'],
      ...to('sources and days, strict', ['sources and days, relax', 'soft: 1 added']),
    ],
  },
  'reranked-sample': {
    heading: 'Queries of a cross-encoder: the 20 best of hybrid(bge), 300 questions',
    sample: 300,
    rows: [
      row('not re-ranked', RULES, HYBRID),
      ...Object.entries(WAYS).map(([label, way]) => row(label, RULES, reranked(HYBRID, way))),
    ],
    pairs: to('not re-ranked', Object.keys(WAYS)),
  },
  'parts-sample': {
    heading: 'The whole without one of its parts, the same 300 questions',
    sample: 300,
    rows: [
      row('the whole', RULES, BEST),
      row('without the filter', by('none'), BEST),
      row('without the cross-encoder', RULES, HYBRID),
      row('without vectors', RULES, reranked(CLAUSES, ASKED)),
    ],
    pairs: ['filter', 'cross-encoder', 'vectors'].map((part): [string, string] => [
      `without the ${part}`.replace('the v', 'v'),
      'the whole',
    ]),
  },
  whole: {
    heading: 'The whole, one part added a row',
    rows: WHOLE,
    pairs: [...chain(WHOLE.map(({ label }) => label)), ['BM25', '+ cross-encoder']],
  },
  kept: {
    heading: 'Passages that reach a reader (the paper keeps 10 for its measures, 6 for its reader)',
    rows: [10, 6].flatMap(keep => [
      row(`BM25, keep ${keep}`, `multi-meta-rag(keep=${keep})`, BM25, 'whole'),
      row(`the whole, keep ${keep}`, `multi-meta-rag(keep=${keep})`, BEST, 'whole'),
    ]),
    measures: SHOWN,
  },
};

const INTRODUCTION = `One search under a filter read from the question (its sources and days), the best 20 re-ranked, 10
kept: \`multi-meta-rag\`. Passages are cut by \`tokens(size=256, overlap=32)\` and read below a line of
title, source and day. Hits, MRR and MAP count the questions with gold facts; a passage is relevant
if it contains a gold fact whole. \`rules\` reads the filter by the names and dates of the corpus;
\`GPT-3.5\` replays the filters of the published run. A "+" is a sum of scores from 0 to 1;
\`hybrid(none)\` sums BM25 by the whole question, by its clauses, and by its clauses over sentences;
with a model, vectors by its clauses too. The rules were written with the dev half in sight: their
figures are in-sample. Weights are equal and not fitted. Intervals are 95 % percentile bootstrap over
questions; differences are paired.`;

export const report = ({ data }: Given): Report => ({
  folder: 'multi-meta-rag-dev',
  title: 'Multi-Meta-RAG on MultiHop-RAG, dev half',
  introduction: INTRODUCTION,
  evaluations: Object.entries(PARTS).map(
    ([name, { rows, measures = RANKED, sample }]): Evaluation =>
      defined({
        name,
        dataSet: 'multihop-rag',
        rows,
        measures,
        words: ['--filters', join(data, 'multihop-rag', 'query_metadata_filters.dev.json')],
        sample,
      }),
  ),
  sections: Object.entries(PARTS).map(([name, { heading, measures = RANKED, pairs }]) => ({
    heading,
    blocks: [
      values(name, measures),
      ...(pairs ? [differences(name, COMPARED, pairs)] : []),
      rowNames(name),
    ],
  })),
});
