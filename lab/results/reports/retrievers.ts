/** Vectors, fusion and re-ranking under each strategy on MultiHop-RAG, dev half. */

import { defined } from '../../../src/core/defined.ts';
import { retrievers } from '../../../src/search/retrievers.ts';
import { strategies } from '../../../src/strategies/strategies.ts';
import type { Evaluation, Report, Section } from '../report.ts';
import { costs, matrix } from '../tables.ts';

interface Part {
  readonly unit: 'document' | 'passage';
  readonly context: string;
  /** The limit on context tokens of every row. */
  readonly tokens: number;
  readonly heading: string;
}
const PARTS: Readonly<Record<string, Part>> = {
  documents: {
    unit: 'document',
    context: 'lead(words=90)',
    tokens: 620,
    heading: 'Documents: the paper’s snippets (title, source, day, 90 words), at most 620 tokens',
  },
  passages: {
    unit: 'passage',
    context: 'whole',
    tokens: 1240,
    heading: 'Passages of 256 tokens, whole, at most 1,240 tokens',
  },
};

/** Parameters that would stop a strategy short of the limit are raised, so that the limit binds. */
const STRATEGIES: Readonly<Record<string, (tokens: number) => string>> = {
  'equal-budget-top-k': tokens => `equal-budget-top-k(tokens=${tokens})`,
  'fixed-top-k': () => 'fixed-top-k(k=6)',
  'multi-meta-rag': () => 'multi-meta-rag',
  'slot-agent': () => 'slot-agent',
  decomposition: () => 'decomposition',
  'budgeted-agent': tokens => `budgeted-agent(tokens=${tokens})`,
  iterative: () => 'iterative(rounds=2, per-round=4)',
};

const [MINILM, BGE] = ['all-MiniLM-L6-v2', 'bge-small-en-v1.5'];
const MEASURES = [
  ...['FactRecall', 'AllFacts', 'GroundedEM', 'GroundedRecall'],
  ...['RetrievalConditionedEM(answerable)', 'EvidenceRecall'],
  ...['Retrievals', 'Documents', 'ContextTokens'],
];
const GLANCE: Readonly<Record<string, readonly string[]>> = {
  documents: [
    ...['RetrievalConditionedEM(answerable)', 'EvidenceRecall', 'GroundedRecall', 'ContextTokens'],
  ],
  passages: ['FactRecall', 'GroundedEM', 'GroundedRecall', 'EvidenceRecall', 'ContextTokens'],
};
const COST_QUESTIONS = '20';

type Labels = Readonly<Record<string, string>>;
const words = (unit: string): string => (unit === 'document' ? 'lexical' : 'lexical(unit=passage)');
const inside = (unit: string): string => (unit === 'document' ? '' : `, unit=${unit}`);
const dense = (unit: string, space: string): string => `dense(${space}${inside(unit)})`;
const fused = (unit: string, space: string, more = ''): string =>
  `fused(${words(unit)}, ${dense(unit, space)}${more})`;
const fusions = (unit: string, space: string, label: string): Labels => ({
  [`BM25 + ${label}, rrf`]: fused(unit, space),
  [`BM25 + ${label}, weighted`]: fused(unit, space, ', method=weighted'),
});
const trusted = (unit: string, space: string): string =>
  fused(unit, space, ', method=weighted, weights=4:1');
const ofBge = (unit: string): string => `hybrid(${BGE}, unit=${unit}, vectors=sentence)`;
const reranked = (retriever: string, more = ''): string =>
  `reranked(${retriever}, ms-marco-MiniLM-L-12-v2, depth=10${more})`;

/** BM25 is in every group: the rows of a group are compared with it within one run. */
const GROUPS: Readonly<Record<string, (unit: string) => Labels>> = {
  plain: unit => ({
    'TF-IDF (s1)': `lexical(s1${inside(unit)})`,
    BM25: words(unit),
  }),
  stop: unit => ({
    BM25: words(unit),
    'BM25, stop list': `lexical(bm25(stop=english)${inside(unit)})`,
  }),
  dense: unit => ({
    BM25: words(unit),
    MiniLM: dense(unit, MINILM),
    bge: dense(unit, BGE),
    ...fusions(unit, MINILM, 'MiniLM'),
    ...fusions(unit, BGE, 'bge'),
  }),
  weighted: unit => ({
    BM25: words(unit),
    'BM25 + MiniLM, weighted 4:1': trusted(unit, MINILM),
    'BM25 + bge, weighted 4:1': trusted(unit, BGE),
  }),
  hybrid: unit => ({
    BM25: words(unit),
    'hybrid(none)': `hybrid(none, unit=${unit})`,
    'hybrid(bge), of sentences': ofBge(unit),
  }),
  'reranked-whole': unit => ({
    BM25: words(unit),
    'BM25, re-ranked': reranked(words(unit)),
    'BM25 + bge, rrf': fused(unit, BGE),
    'BM25 + bge, rrf, re-ranked': reranked(fused(unit, BGE)),
  }),
  reranked: unit => ({
    BM25: words(unit),
    'hybrid(bge), of sentences': ofBge(unit),
    'hybrid(bge), re-ranked by clauses': reranked(
      ofBge(unit),
      ', ask=clauses, read=sentence, interpolate=1',
    ),
  }),
};
const isSampled = (group: string): boolean => group.startsWith('reranked');
/** A cross-encoder over whole items takes a second a pair: under the plain control alone. */
const strategiesOf = (group: string): string[] =>
  Object.keys(STRATEGIES).slice(0, group === 'reranked-whole' ? 1 : undefined);

const evaluations = (part: string, group: string): Evaluation[] => {
  const { unit, context, tokens } = PARTS[part]!;
  return strategiesOf(group).map(slug =>
    defined({
      name: `${part}.${group}.${slug}`,
      dataSet: 'multihop-rag',
      measures: MEASURES,
      rows: Object.entries(GROUPS[group]!(unit)).map(([label, retriever]) => ({
        label,
        retriever,
        strategy: STRATEGIES[slug]!(tokens),
        context,
        reader: 'extractive',
      })),
      words: ['--budget', `context-tokens=${tokens}`],
      sample: isSampled(group) ? 300 : undefined,
    }),
  );
};

const labelsOf = (unit: string, groups: readonly string[]): Labels =>
  Object.assign({}, ...groups.map(group => GROUPS[group]!(unit))) as Labels;

/** A process for each retriever, so that the memory that it holds is its own. */
const costSteps = (part: string): Evaluation[] =>
  Object.entries(labelsOf(PARTS[part]!.unit, Object.keys(GROUPS))).map(([label, retriever]) => ({
    name: `${part}.costs.${label.replace(/\W+/g, '-')}`,
    dataSet: 'multihop-rag',
    rows: [{ label, strategy: 'fixed-top-k', retriever, context: 'lead', reader: 'extractive' }],
    measures: ['Documents'],
    sample: 20,
    words: ['--cost', COST_QUESTIONS],
    timed: true,
  }));

const sectionOf = (part: string, groups: readonly string[], prefix: string): Section => {
  const { unit, tokens, heading } = PARTS[part]!;
  const names = groups.flatMap(group =>
    strategiesOf(group).map(slug => `${part}.${group}.${slug}`),
  );
  const axes = {
    strategies: Object.entries(STRATEGIES).map(([label, of]) => ({
      label,
      name: strategies.canonical(of(tokens)),
    })),
    retrievers: Object.entries(labelsOf(unit, groups)).map(([label, name]) => ({
      label,
      name: retrievers.canonical(name),
    })),
    baseline: retrievers.canonical(words(unit)),
  };
  return {
    heading: `${prefix}${heading}`,
    blocks: GLANCE[part]!.map(measure => matrix(measure, names, axes)),
  };
};

const INTRODUCTION = `Every row of a table has the same limit on context tokens (word runs): the budget \`context-tokens\`
refuses what does not fit, and parameters that would stop a strategy short of it are raised.
\`decomposition\` keeps one item a clause and \`slot-agent\` as many as the question's form suggests:
these stay below the limit, as the tables of ContextTokens show. \`multi-meta-rag\` filters by source
and day with its rules (\`policy=strict\`).

▲ and ▼: above or below BM25 under the same strategy, with a 95 % interval of the paired difference
that excludes 0. Shares in percent. Only answerable questions count. An embedder reads the header
(title, source, day) and the first 512 (bge) or 256 (MiniLM) of its own tokens.
RetrievalConditionedEM is compared between rows of the same context only; with 90-word snippets no
system can show more than some 15 % of the facts.

Re-ranked rows ask a seeded sample of 300 questions; ms-marco-MiniLM-L-12-v2 reads the first 10 hits
of each search. "Re-ranked": by the search's own query and whole items cut at 512 tokens, the model
alone decides. "Re-ranked by clauses": by each clause of the query and the one sentence of each hit
that answers best by its words; its scores and the first ones count the same.`;

const [FULL, SAMPLED] = [false, true].map(sampled =>
  Object.keys(GROUPS).filter(group => isSampled(group) === sampled),
) as [string[], string[]];

export const report = (): Report => ({
  folder: 'retrievers-multihop-rag-dev',
  title: 'Vectors, fusion and re-ranking under each strategy: MultiHop-RAG, dev half',
  introduction: INTRODUCTION,
  evaluations: [
    ...Object.keys(GROUPS).flatMap(group =>
      Object.keys(PARTS).flatMap(part => evaluations(part, group)),
    ),
    ...Object.keys(PARTS).flatMap(costSteps),
  ],
  sections: [
    ...Object.keys(PARTS).map(part => sectionOf(part, FULL, '')),
    ...Object.keys(PARTS).map(part => sectionOf(part, SAMPLED, 'Re-ranked, on 300 questions. ')),
    {
      heading: 'Cost',
      blocks: [costs(Object.fromEntries(Object.keys(PARTS).map(part => [`${part}.costs.`, part])))],
    },
  ],
});
