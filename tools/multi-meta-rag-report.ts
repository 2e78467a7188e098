/** The rows of tools/results-multi-meta-rag.ts, and the report on them. */

import { contexts } from '../src/context/contexts.ts';
import type { EvaluationResult, Pair, RowResult } from '../src/evaluation/evaluation-result.ts';
import { formatDelta, formatInterval, formatValue } from '../src/evaluation/report/format-value.ts';
import { markdownTable } from '../src/evaluation/report/markdown-report.ts';
import { retrievers } from '../src/retrieval/retrievers.ts';
import { strategies } from '../src/strategies/strategies.ts';

export interface LabelledRow {
  readonly label: string;
  readonly strategy: string;
  readonly retriever: string;
  readonly context?: string;
}

export interface Section {
  /** Of the step. */
  readonly name: string;
  readonly heading: string;
  readonly says: string;
  readonly rows: readonly LabelledRow[];
  readonly measures: readonly string[];
  /** Questions of a fixed seeded sample; all when missing. */
  readonly sample?: number;
  /** What is compared, by label: from, to. */
  readonly steps: readonly (readonly [from: string, to: string])[];
}

const RANKED = [
  ...[
    'Hits@4',
    'Hits@10',
    'MRR@10',
    'MAP@10(official)',
    'MAP@10(standard)',
    'PassageRecall@10',
    'PassageF1@10',
  ],
  ...['FilterAccuracy(exact)', 'FilterAccuracy(keeps)', 'FilterAccuracy(passes)'],
];
const COMPARED = ['Hits@4', 'Hits@10', 'MRR@10'];

const BM25 = 'lexical(bm25(stop=english), unit=passage)';
const dense = (space: string): string => `dense(${space}, unit=passage)`;
const weighted = (...parts: readonly string[]): string =>
  `fused(${parts.join(', ')}, method=weighted)`;
/**
 * Words and vectors, each asked with the clauses of the question, over passages and over their
 * sentences.
 */
const hybrid = (space: string, vectors = 'unit'): string => `hybrid(${space}, vectors=${vectors})`;
const CLAUSES = 'hybrid(none)';
const RERANKER = 'ms-marco-MiniLM-L-12-v2';
const reranked = (inside: string, settings: string): string =>
  `reranked(${inside}, ${RERANKER}${settings})`;
const BGE = 'bge-small-en-v1.5';
const MINILM = 'all-MiniLM-L6-v2';
/**
 * The order that the project stands for: clauses, hybrid first stage, a cross-encoder that reads
 * the best sentence for each clause.
 */
const ASKED = ', ask=clauses, read=sentence, interpolate=1';
const HYBRID = hybrid(BGE, 'sentence');
const BEST = reranked(HYBRID, ASKED);

const RULES = 'multi-meta-rag';
const of = (extractor: string): string => `multi-meta-rag(extractor=${extractor})`;

const FIRST_STAGES: readonly (readonly [label: string, retriever: string])[] = [
  ['BM25', BM25],
  ['lsa', dense('lsa')],
  ['MiniLM', dense(MINILM)],
  ['bge', dense(BGE)],
  ['BM25 + lsa', weighted(BM25, dense('lsa'))],
  ['BM25 + MiniLM', weighted(BM25, dense(MINILM))],
  ['BM25 + bge', weighted(BM25, dense(BGE))],
  ['hybrid(none)', CLAUSES],
  ['hybrid(lsa)', hybrid('lsa')],
  ['hybrid(MiniLM)', hybrid(MINILM)],
  ['hybrid(bge)', hybrid(BGE)],
  ['hybrid(bge), vectors of sentences', HYBRID],
];

const FILTERS: readonly (readonly [label: string, strategy: string])[] = [
  ['no filter', of('none')],
  ['rules', RULES],
  ['GPT-3.5', of('replayed')],
];

const filterRows = (retriever: readonly [string, string], filters = FILTERS): LabelledRow[] =>
  filters.map(([label, strategy]) => ({
    label: `${retriever[0]}; ${label}`,
    strategy,
    retriever: retriever[1],
  }));

const RERANKED_WAYS: readonly (readonly [label: string, settings: string])[] = [
  ['whole question, whole passage', ''],
  ['whole question, whole passage, interpolated', ', interpolate=1'],
  ['whole question, best sentence', ', read=sentence'],
  ['whole question, best sentence, interpolated', ', read=sentence, interpolate=1'],
  ['clauses, best sentence', ', ask=clauses, read=sentence'],
  ['clauses, best sentence, interpolated', ASKED],
];

export const SECTIONS: readonly Section[] = [
  {
    name: 'first-stages',
    heading: 'First stages, with and without the filter',
    says: 'All 1,330 questions, no re-ranker. A "+" is a sum of scores from 0 to 1; `hybrid(none)` sums BM25 by the whole question, by its clauses, and by its clauses over sentences; with a model, vectors by its clauses too.',
    rows: FIRST_STAGES.flatMap(stage =>
      filterRows(stage, /lsa|MiniLM/.test(stage[0]) ? FILTERS.slice(0, 2) : FILTERS),
    ),
    measures: RANKED,
    steps: [
      ...FIRST_STAGES.map(([label]): [string, string] => [
        `${label}; no filter`,
        `${label}; rules`,
      ]),
      ['BM25; rules', 'BM25; GPT-3.5'],
      ...FIRST_STAGES.slice(1).map(([label]): [string, string] => [
        'BM25; rules',
        `${label}; rules`,
      ]),
      ...FIRST_STAGES.slice(8).map(([label]): [string, string] => [
        'hybrid(none); rules',
        `${label}; rules`,
      ]),
      ['hybrid(bge); rules', 'hybrid(bge), vectors of sentences; rules'],
    ],
  },
  {
    name: 'policies',
    heading: 'What the filter holds, and what happens when nothing passes it',
    says: 'All 1,330 questions, BM25.',
    rows: [
      { label: 'sources and days, strict', strategy: RULES, retriever: BM25 },
      { label: 'sources alone, strict', strategy: 'multi-meta-rag(dates=false)', retriever: BM25 },
      {
        label: 'sources and days, relax',
        strategy: 'multi-meta-rag(policy=relax)',
        retriever: BM25,
      },
      { label: 'soft: 0.12 added', strategy: 'multi-meta-rag(soft=0.12)', retriever: BM25 },
      { label: 'soft: 1 added', strategy: 'multi-meta-rag(soft=1)', retriever: BM25 },
    ],
    measures: RANKED,
    steps: [
      ['sources alone, strict', 'sources and days, strict'],
      ['sources and days, strict', 'sources and days, relax'],
      ['sources and days, strict', 'soft: 1 added'],
    ],
  },
  {
    name: 'reranked-sample',
    heading: 'How a cross-encoder is asked',
    says: 'A fixed seeded sample of 300 questions; the 20 best of `hybrid(bge)` with vectors of sentences, filtered by rules, in the order of the cross-encoder.',
    sample: 300,
    rows: [
      { label: 'not re-ranked', strategy: RULES, retriever: HYBRID },
      ...RERANKED_WAYS.map(([label, settings]) => ({
        label,
        strategy: RULES,
        retriever: reranked(HYBRID, settings),
      })),
    ],
    measures: RANKED.slice(0, 7),
    steps: RERANKED_WAYS.map(([label]): [string, string] => ['not re-ranked', label]),
  },
  {
    name: 'parts-sample',
    heading: 'What each part is worth to the whole',
    says: 'The same sample of 300; the whole, and the whole without one of its parts.',
    sample: 300,
    rows: [
      { label: 'the whole', strategy: RULES, retriever: BEST },
      { label: 'without the filter', strategy: of('none'), retriever: BEST },
      { label: 'without the cross-encoder', strategy: RULES, retriever: HYBRID },
      { label: 'without vectors', strategy: RULES, retriever: reranked(CLAUSES, ASKED) },
      { label: 'lsa for bge', strategy: RULES, retriever: reranked(hybrid('lsa'), ASKED) },
    ],
    measures: RANKED.slice(0, 7),
    steps: [
      ['without the filter', 'the whole'],
      ['without the cross-encoder', 'the whole'],
      ['without vectors', 'the whole'],
      ['lsa for bge', 'the whole'],
    ],
  },
  {
    name: 'whole',
    heading: 'The whole of it',
    says: 'All 1,330 questions. Each row adds one part.',
    rows: [
      { label: 'BM25', strategy: of('none'), retriever: BM25 },
      { label: '+ filter', strategy: RULES, retriever: BM25 },
      { label: '+ clauses and sentences', strategy: RULES, retriever: CLAUSES },
      { label: '+ vectors of sentences by clauses', strategy: RULES, retriever: HYBRID },
      { label: '+ cross-encoder', strategy: RULES, retriever: BEST },
    ],
    measures: RANKED.slice(0, 7),
    steps: [
      ['BM25', '+ filter'],
      ['+ filter', '+ clauses and sentences'],
      ['+ clauses and sentences', '+ vectors of sentences by clauses'],
      ['+ vectors of sentences by clauses', '+ cross-encoder'],
      ['BM25', '+ cross-encoder'],
    ],
  },
  {
    name: 'kept',
    heading: 'What reaches a reader',
    says: 'All 1,330 questions; the context holds the whole passages that are kept (the paper keeps 10 for its measures and 6 for its reader).',
    rows: [10, 6].flatMap(keep => [
      {
        label: `BM25, keep ${keep}`,
        strategy: `multi-meta-rag(keep=${keep})`,
        retriever: BM25,
        context: 'whole',
      },
      {
        label: `the whole of it, keep ${keep}`,
        strategy: `multi-meta-rag(keep=${keep})`,
        retriever: BEST,
        context: 'whole',
      },
    ]),
    measures: [
      'FactRecall',
      'AllFacts',
      'GroundedEM',
      'GroundedRecall',
      'EvidenceRecall',
      'ContextTokens',
    ],
    steps: [],
  },
];

const INTRODUCTION = `# Multi-Meta-RAG on the MultiHop-RAG dev half

One search under a filter that is read from the question (its sources and days), the best 20 re-ranked, 10 kept: \`multi-meta-rag\`. Passages are cut by \`tokens(size=256, overlap=32)\`
(5,147 of them, tokens are word runs) and read below a line of title, source and day. Hits, MRR and MAP count the 1,182 questions with gold facts; a passage is relevant when a gold fact stands in it whole.
\`rules\` reads the filter by the names and dates of the corpus itself; \`GPT-3.5\` replays the filters of the published run. The rules were written with the dev half in sight: their figures here are in-sample.
Weights are equal everywhere and were not fitted. Intervals are 95 % percentile bootstrap over questions; differences are paired.`;

export function multiMetaReport(results: ReadonlyMap<string, EvaluationResult>): string {
  const parts = SECTIONS.flatMap(section => {
    const result = results.get(section.name);
    return result ? sectionOf(section, result) : [];
  });
  const manifests = [...results].map(
    ([name, { manifest }]) =>
      `\`${name}\`\n\n\`\`\`json\n${JSON.stringify(manifest, null, 2)}\n\`\`\``,
  );
  return `${[INTRODUCTION, ...parts, '## Manifests', ...manifests].join('\n\n')}\n`;
}

/**
 * What the report prints: values and intervals of the rows, the differences that are compared, and
 * the manifests.
 */
export function printedResults(results: ReadonlyMap<string, EvaluationResult>): object {
  const printed = SECTIONS.flatMap(section => {
    const result = results.get(section.name);
    if (!result) return [];
    const compared = section.steps.map(labels =>
      labels.map(label => rowOf(section, result.rows, label).id),
    );
    const pairs = result.pairs.filter(
      ({ a, b, measure }) =>
        COMPARED.includes(measure) && compared.some(ids => ids.includes(a) && ids.includes(b)),
    );
    const rows = result.rows.map(({ byType: _, byEvidence: __, ...row }) => row);
    return [
      [section.name, { questions: result.questions, rows, pairs, manifest: result.manifest }],
    ];
  });
  return Object.fromEntries(printed);
}

function rowOf(section: Section, rows: readonly RowResult[], label: string): RowResult {
  const wanted = section.rows.find(row => row.label === label)!;
  const [strategy, retriever, context] = [
    strategies.canonical(wanted.strategy),
    retrievers.canonical(wanted.retriever),
    contexts.canonical(wanted.context ?? 'headers'),
  ];
  return rows.find(
    row => row.strategy === strategy && row.retriever === retriever && row.context === context,
  )!;
}

function sectionOf(section: Section, { rows, pairs }: EvaluationResult): string[] {
  const byLabel = (label: string): RowResult => rowOf(section, rows, label);
  const shown = section.measures.filter(measure =>
    rows.some(row => row.measures[measure] !== undefined),
  );
  return [
    `## ${section.heading}`,
    section.says,
    markdownTable({
      ...{ id: section.name, heading: section.heading, notes: [] },
      columns: ['', ...shown],
      rows: section.rows.map(({ label }) => [
        label,
        ...shown.map(measure => cell(measure, byLabel(label))),
      ]),
    }),
    ...(section.steps.length === 0 ? [] : [comparisons(section, byLabel, pairs)]),
    namesOf(section),
  ];
}

function cell(measure: string, row: RowResult): string {
  const estimate = row.measures[measure];
  return estimate
    ? `${formatValue(measure, estimate.mean)} ${formatInterval(measure, estimate)}`
    : '–';
}

function comparisons(
  { name, steps }: Section,
  byLabel: (label: string) => RowResult,
  pairs: readonly Pair[],
): string {
  const difference = (from: RowResult, to: RowResult, measure: string): string => {
    const pair = pairs.find(
      one =>
        one.measure === measure &&
        [one.a, one.b].includes(from.id) &&
        [one.a, one.b].includes(to.id),
    );
    if (!pair) return '–';
    const sign = pair.a === to.id ? 1 : -1;
    const [low, high] = sign > 0 ? [pair.low, pair.high] : [0 - pair.high, 0 - pair.low];
    return `${formatDelta(measure, sign * pair.difference)} ${formatInterval(measure, { low, high })}`;
  };
  return markdownTable({
    ...{ id: `${name}-differences`, heading: '', notes: [] },
    columns: ['from', 'to', ...COMPARED],
    leftColumns: ['to'],
    rows: steps.map(([from, to]) => [
      from,
      to,
      ...COMPARED.map(measure => difference(byLabel(from), byLabel(to), measure)),
    ]),
  });
}

/** The names behind the labels, so that any row can be run again. */
function namesOf({ rows }: Section): string {
  const lines = rows.map(
    ({ label, strategy, retriever }) =>
      `- ${label}: \`${strategies.canonical(strategy)}\`, \`${retrievers.canonical(retriever)}\``,
  );
  return `<details><summary>The rows by their names</summary>\n\n${lines.join('\n')}\n\n</details>`;
}
