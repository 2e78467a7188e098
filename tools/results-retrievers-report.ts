/** The rows of tools/results-retrievers.ts, and the report on them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { costTable } from '../src/evaluation/report/cost-table.ts';
import { markdownTable } from '../src/evaluation/report/markdown-report.ts';
import type { ReportTable } from '../src/evaluation/report/report-table.ts';
import {
  differencesTable,
  intervalsTable,
  type Labelled,
  matrixTable,
  type RetrieverMatrix,
} from '../src/evaluation/report/retriever-matrix.ts';
import type { EvaluationResult } from '../src/evaluation/run.ts';
import { retrievers } from '../src/retrieval/retrievers.ts';
import { strategies } from '../src/strategies/strategies.ts';

export interface Part {
  readonly name: string;
  readonly unit: 'document' | 'passage';
  readonly context: string;
  /** The cap on context tokens of every row. */
  readonly tokens: number;
}

export interface Group {
  readonly name: string;
  /** Questions of a fixed seeded sample; all when missing. */
  readonly sample?: number;
  /** The strategies by their slugs; all when missing. */
  readonly strategies?: readonly string[];
  retrievers(unit: Part['unit']): readonly Labelled[];
}

export const PARTS: readonly Part[] = [
  { name: 'documents', unit: 'document', context: 'lead(words=90)', tokens: 620 },
  { name: 'passages', unit: 'passage', context: 'whole', tokens: 1240 },
];

/**
 * Where a strategy has a parameter that would stop it short of the cap, that is raised, so that the
 * cap binds.
 */
export const STRATEGIES: readonly { readonly slug: string; of(tokens: number): string }[] = [
  { slug: 'equal-budget-top-k', of: tokens => `equal-budget-top-k(tokens=${tokens})` },
  { slug: 'fixed-top-k', of: () => 'fixed-top-k(k=6)' },
  { slug: 'multi-meta-rag', of: () => 'multi-meta-rag' },
  { slug: 'slot-agent', of: () => 'slot-agent' },
  { slug: 'decomposition', of: () => 'decomposition' },
  { slug: 'budgeted-agent', of: tokens => `budgeted-agent(tokens=${tokens})` },
  { slug: 'iterative', of: () => 'iterative(rounds=2, per-round=4)' },
];

const RERANKER = 'ms-marco-MiniLM-L-12-v2';
const RERANK_DEPTH = 10;
const named = (name: string, label: string): Labelled => ({
  name: retrievers.canonical(name),
  label,
});
const of = (unit: Part['unit']) => {
  const [bare, inside] =
    unit === 'document' ? ['lexical', ''] : [`lexical(unit=${unit})`, `, unit=${unit}`];
  const dense = (space: string): string => `dense(${space}${inside})`;
  const fused = (space: string, more = ''): string => `fused(${bare}, ${dense(space)}${more})`;
  const stopped = `lexical(bm25(stop=english)${inside})`;
  return { bm25: bare, stopped, s1: `lexical(s1${inside})`, dense, fused };
};
const fusions = (unit: Part['unit'], space: string, label: string): Labelled[] => [
  named(of(unit).fused(space), `BM25 + ${label}, rrf`),
  named(of(unit).fused(space, ', method=weighted'), `BM25 + ${label}, weighted`),
];
const hybridOf = (unit: Part['unit'], space: string, vectors = 'sentence'): string =>
  `hybrid(${space}, unit=${unit}${space === 'none' ? '' : `, vectors=${vectors}`})`;
const rerankedBy = (inside: string, more = ''): string =>
  `reranked(${inside}, ${RERANKER}, depth=${RERANK_DEPTH}${more})`;
/** Each clause reads the best sentence of each hit, and the first ranking keeps half of the say. */
const ASKED = ', ask=clauses, read=sentence, interpolate=1';
const BM25 = (unit: Part['unit']): Labelled => named(of(unit).bm25, 'BM25');
const [MINILM, BGE] = ['all-MiniLM-L6-v2', 'bge-small-en-v1.5'];

/** BM25 stands in every group: what a group's rows are compared with is of the same run. */
export const GROUPS: readonly Group[] = [
  {
    name: 'plain',
    retrievers: unit => [
      named(of(unit).s1, 'TF-IDF (s1)'),
      BM25(unit),
      named(of(unit).dense('lsa'), 'lsa'),
      ...fusions(unit, 'lsa', 'lsa'),
    ],
  },
  {
    name: 'stop',
    retrievers: unit => [BM25(unit), named(of(unit).stopped, 'BM25, stop list')],
  },
  {
    name: 'dense',
    retrievers: unit => [
      ...[BM25(unit), named(of(unit).dense(MINILM), 'MiniLM'), named(of(unit).dense(BGE), 'bge')],
      ...[...fusions(unit, MINILM, 'MiniLM'), ...fusions(unit, BGE, 'bge')],
    ],
  },
  {
    // One ratio that trusts words more, tried once: whether vectors help at all where equal weights
    // do not.
    name: 'weighted',
    retrievers: unit => [
      BM25(unit),
      ...[['lsa', 'lsa'] as const, [MINILM, 'MiniLM'] as const, [BGE, 'bge'] as const].map(
        ([space, label]) =>
          named(
            of(unit).fused(space, ', method=weighted, weights=4:1'),
            `BM25 + ${label}, weighted 4:1`,
          ),
      ),
    ],
  },
  {
    name: 'hybrid',
    retrievers: unit => [
      BM25(unit),
      named(hybridOf(unit, 'none'), 'hybrid(none)'),
      named(hybridOf(unit, 'lsa', 'unit'), 'hybrid(lsa)'),
      named(hybridOf(unit, BGE), 'hybrid(bge), of sentences'),
    ],
  },
  {
    // Asked with the whole question a cross-encoder does harm, and reading whole items takes a
    // second a pair of them: seen under the plain control alone.
    name: 'reranked-whole',
    sample: 300,
    strategies: ['equal-budget-top-k'],
    retrievers: unit => {
      const [bm25, fused] = [of(unit).bm25, of(unit).fused(BGE)];
      return [
        ...[BM25(unit), named(rerankedBy(bm25), 'BM25, re-ranked')],
        ...[
          named(fused, 'BM25 + bge, rrf'),
          named(rerankedBy(fused), 'BM25 + bge, rrf, re-ranked'),
        ],
      ];
    },
  },
  {
    name: 'reranked',
    sample: 300,
    retrievers: unit => {
      const hybrid = hybridOf(unit, BGE);
      return [
        BM25(unit),
        named(hybrid, 'hybrid(bge), of sentences'),
        named(rerankedBy(hybrid, ASKED), 'hybrid(bge), re-ranked by clauses'),
      ];
    },
  },
];

const GLANCE = {
  documents: [
    'RetrievalConditionedEM(answerable)',
    'EvidenceRecall',
    'GroundedRecall',
    'ContextTokens',
  ],
  passages: ['FactRecall', 'GroundedEM', 'GroundedRecall', 'EvidenceRecall', 'ContextTokens'],
} as Readonly<Record<string, readonly string[]>>;
const DETAIL = [
  'FactRecall',
  'GroundedEM',
  'GroundedRecall',
  'RetrievalConditionedEM(answerable)',
  'EvidenceRecall',
  'ContextTokens',
];

const HEADINGS: Readonly<Record<string, string>> = {
  documents: 'Documents: the paper’s snippets (title, source, day, 90 words), at most 620 tokens',
  passages: 'Passages of 256 tokens, whole, at most 1,240 tokens',
};

/** Writes report.md and result.json from what was run. `steps`: everything that could be. */
export function writeReport(
  out: string,
  done: ReadonlyMap<string, EvaluationResult>,
  steps: readonly string[],
): void {
  const missing = steps.filter(name => !done.has(name));
  const of = (part: Part, group: string): EvaluationResult[] =>
    STRATEGIES.flatMap(({ slug }) => done.get(`${part.name}.${group}.${slug}`) ?? []);
  const full = PARTS.map(part =>
    matrixOf(part, ['plain', 'stop', 'dense', 'weighted', 'hybrid'], group => of(part, group)),
  );
  const sampled = PARTS.map(part =>
    matrixOf(part, ['reranked-whole', 'reranked'], group => of(part, group)),
  ).filter(({ results }) => results.length > 0);
  const costs = PARTS.flatMap(part => {
    const labels = new Map(
      GROUPS.flatMap(group => group.retrievers(part.unit)).map(({ name, label }) => [name, label]),
    );
    const found = [...done].flatMap(([name, result]) =>
      name.startsWith(`${part.name}.costs.`) ? (result.costs ?? []) : [],
    );
    return found.length === 0
      ? []
      : [{ part, table: costTable(found, name => labels.get(name) ?? name) }];
  });
  const text = [
    '# What vectors, fusion and re-ranking bring to each strategy: MultiHop-RAG, dev half',
    INTRODUCTION,
    ...(missing.length > 0 ? [`Not run yet: ${counted(missing)}.`] : []),
    ...full.flatMap(matrix => [
      `## ${HEADINGS[matrix.id]}`,
      ...GLANCE[matrix.id]!.map(name => section(matrixTable(matrix, name))),
    ]),
    ...sampled.flatMap(matrix => [
      `## Re-ranked, on 300 questions. ${HEADINGS[matrix.id]}`,
      RERANKED,
      ...GLANCE[matrix.id]!.map(name => section(matrixTable(matrix, name))),
    ]),
    '## Cost',
    COST,
    ...costs.map(({ part, table }) => section({ ...table, heading: `One search of ${part.name}` })),
    ...[...full, ...sampled].flatMap(matrix => [
      `## Details. ${matrix === sampled.find(one => one === matrix) ? 'Re-ranked. ' : ''}${HEADINGS[matrix.id]}`,
      section(intervalsTable(matrix, DETAIL)),
      section(differencesTable(matrix, DETAIL)),
    ]),
    '## Manifests',
    ...manifests(done),
  ].join('\n\n');
  writeFileSync(join(out, 'report.md'), `${text}\n`);
  writeFileSync(
    join(out, 'result.json'),
    `${JSON.stringify(Object.fromEntries([...done].map(([name, result]) => [name, kept(result)])))}\n`,
  );
}

/** `passages.dense: slot-agent, iterative; ...` */
function counted(names: readonly string[]): string {
  const groups = Map.groupBy(names, name => name.split('.').slice(0, 2).join('.'));
  return [...groups]
    .map(([group, all]) => `${group} (${all.map(name => name.slice(group.length + 1)).join(', ')})`)
    .join('; ');
}

function matrixOf(
  part: Part,
  groups: readonly string[],
  resultsOf: (group: string) => EvaluationResult[],
): RetrieverMatrix {
  const all = GROUPS.filter(({ name }) => groups.includes(name)).flatMap(group =>
    group.retrievers(part.unit),
  );
  return {
    id: part.name,
    strategies: STRATEGIES.map(strategy => ({
      name: strategies.canonical(strategy.of(part.tokens)),
      label: strategy.slug,
    })),
    retrievers: [...new Map(all.map(retriever => [retriever.name, retriever])).values()],
    baseline: BM25(part.unit).name,
    results: groups.flatMap(resultsOf),
  };
}

const section = (table: ReportTable): string =>
  [`### ${table.heading}`, ...table.notes, markdownTable(table)].join('\n\n');

/**
 * Differences from BM25 are kept; the others, groups of questions and times that a cache shortened
 * are not.
 */
function kept({ rows, pairs, manifest, costs, questions }: EvaluationResult): object {
  const base = new Set(
    rows
      .filter(
        ({ retriever }) =>
          retriever === BM25('document').name || retriever === BM25('passage').name,
      )
      .map(({ id }) => id),
  );
  return {
    questions,
    rows: rows.map(({ byType: _, byEvidence: __, measures, ...row }) => ({
      ...row,
      measures: Object.fromEntries(
        Object.entries(measures).filter(([name]) => !name.startsWith('Milliseconds')),
      ),
    })),
    pairs: pairs.filter(({ a, b }) => base.has(a) || base.has(b)),
    ...(costs ? { costs } : {}),
    manifest,
  };
}

/** Each once: those of one group differ in the rows that failed alone. */
function manifests(done: ReadonlyMap<string, EvaluationResult>): string[] {
  const texts = new Map<string, string[]>();
  for (const [name, { manifest }] of done) {
    const { failed: _, groups: __, ...rest } = manifest;
    const text = JSON.stringify(rest, null, 2);
    texts.set(text, [...(texts.get(text) ?? []), name]);
  }
  return [...texts].map(([text, names]) => `${names.join(', ')}:\n\n\`\`\`json\n${text}\n\`\`\``);
}

const INTRODUCTION = `Every row of a table stands under the same cap on context tokens (word runs, evaluation.md 4.3): the budget \`context-tokens\` refuses
what does not fit, and parameters that would stop a strategy short of it are raised: \`fixed-top-k(k=6)\`, \`iterative(rounds=2, per-round=4)\`, \`tokens=\`
of the agent and of the control. \`decomposition\` keeps one item a clause and \`slot-agent\` as many as the question's form suggests: these stay below
the cap, as the tables of ContextTokens show. At one cap \`fixed-top-k\` and \`equal-budget-top-k\` differ only in whether a shorter hit may follow one that does
not fit. \`multi-meta-rag\` filters by source and day with its rules (\`policy=strict\`).

▲ and ▼: above or below BM25 under the same strategy, and the 95 % interval of the paired difference does not hold 0. Shares in percent. Only answerable
questions count (null questions have no evidence). An embedder reads the header (title, source, day) and the first 512 (bge) or 256 (MiniLM) of its
own tokens: of an article only the beginning, of a passage of 256 words nearly all (bge) or the larger part (MiniLM). RetrievalConditionedEM is
compared between rows of the same context only; with 90-word snippets no system can show more than some 15 % of the facts, so that the grounded
measures say little there and much in the tables of passages.`;

const RERANKED = `A fixed seeded sample (\`--sample 300\`; seed, method and generator stand in the manifest), the rows without re-ranking on the same questions
beside. ${RERANKER} reads the first ${RERANK_DEPTH} hits of each search. "Re-ranked": with the search's own query, whole items cut at 512 tokens, and the model alone decides
(under \`equal-budget-top-k\` alone). "Re-ranked by clauses": asked with each clause of the query, it reads the one sentence of each hit that answers best by its
words, and its scores and the first ones count the same.`;

const COST = `Times of the evaluations above are not printed: their query vectors and pair scores come from a cache after the first run. These are
searches whose models are asked anew, one process a retriever, on two cores that other work may share: the ratios say more than the numbers.`;
