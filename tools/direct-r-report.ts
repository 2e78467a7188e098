/**
 * The report of Direct-R: one table a data set, recall by its three definitions, and the published
 * figures beside.
 */
import { availableParallelism } from 'node:os';
import type { Estimate, EvaluationResult, RowResult } from '../src/evaluation/evaluation-result.ts';
import { markdownTable } from '../src/evaluation/report/markdown-report.ts';
import type { ReportTable } from '../src/evaluation/report/report-table.ts';

export interface Setting {
  /** The data set, unless `dataSet` names it. */
  readonly id: string;
  readonly dataSet?: string;
  /** Only questions of this type. */
  readonly type?: string;
  /** Documents are longer than a passage: search by passage too. */
  readonly passages?: boolean;
  readonly published?: keyof typeof PUBLISHED;
}

const CUT_OFFS = [2, 5, 10];
const DEFINITIONS: readonly (readonly [heading: string, measure: (k: number) => string])[] = [
  ['by title, micro (TreeHop)', k => `TitleRecall@${k}(micro)`],
  ['by title, macro', k => `TitleRecall@${k}(macro)`],
  ['by document id, micro', k => `ParagraphRecall@${k}`],
];
export const MEASURES: readonly string[] = DEFINITIONS.flatMap(([, name]) => CUT_OFFS.map(name));

/** TreeHop, Table 1 and Table 2: Direct-R@5 and Direct-R@10 in percent (treehop.md section 12). */
const PUBLISHED = {
  '2wiki': { name: '2WikiMultiHopQA', questions: 9536, passages: 56_709, at5: 49.3, at10: 53.2 },
  musique: { name: 'MuSiQue', questions: 2417, passages: 21_100, at5: 45.4, at10: 53.8 },
  multihop_rag: { name: 'MultiHop-RAG', questions: 816, passages: 609, at5: 48.6, at10: 67.8 },
} as const;

const INTRODUCTION = `# Direct-R

Direct-R is TreeHop's baseline: the question is embedded, and the first K items by inner product are the result: \`fixed-top-k(k=K)\` over \`dense(MODEL)\`.
Beside it stand words (BM25 without and with a stop list, the budgeted-agent paper's S1), \`lsa\`, and a fusion.

Every question searches the whole corpus of its setting. Embedders read the template \`title-context\`: TreeHop's \`Title:\`, \`Source:\` and \`Context:\` lines, characters cleaned.
\`bge-small-en-v1.5\` (384 dimensions, CLS pooling) and \`all-MiniLM-L6-v2\` (384 dimensions, mean pooling) are int8 models; query vectors have length 1, and bge's queries begin with its own instruction.
They read the first 512 and 256 tokens of a text: whole articles of MultiHop-RAG are cut there.

Recall in percent, with 95 % percentile bootstrap intervals over questions. By title, any document with a gold title counts (TreeHop's Recall@K, pooled over all gold titles);
by id, only the gold document itself. In rows with \`unit=passage\` (words and \`lsa\` alone) the first hundred passages are taken, documents stand in the order of their best passage, and K counts documents.`;

const PUBLISHED_NOTE = `Published by TreeHop (arXiv 2504.20114, Table 2) for bge-m3 (1,024 dimensions), by title, micro. These are not comparable with the rows above on 2WikiMultiHopQA and MuSiQue:
another and far larger encoder, mean-pooled query vectors, corpora several times as large, and no comparison questions of 2WikiMultiHopQA.
On MultiHop-RAG the corpus of 609 articles and the definition are the same; the encoder is not, and ours are the inference questions of the dev half.`;

export function directRReport(
  settings: readonly Setting[],
  results: Readonly<Record<string, EvaluationResult>>,
): string {
  const sections = settings.flatMap(setting => settingSection(setting, results[setting.id]!));
  return `${[
    INTRODUCTION,
    ...sections,
    ...costSection(settings, results),
    '## Published',
    PUBLISHED_NOTE,
    markdownTable(publishedTable(settings)),
    '## Manifests',
    ...settings.map(
      ({ id }) =>
        `\`${id}\`\n\n\`\`\`json\n${JSON.stringify(results[id]!.manifest, null, 2)}\n\`\`\``,
    ),
  ].join('\n\n')}\n`;
}

function settingSection(
  { id }: Setting,
  { questions, rows, groups, manifest }: EvaluationResult,
): string[] {
  const types = Object.entries(groups.byType).map(([type, count]) => `${type} ${count}`);
  return [
    `## ${id}`,
    `${questions} questions (${types.join(', ')}), ${(manifest as { documents: number }).documents} documents.`,
    ...DEFINITIONS.map(([heading, name]) =>
      markdownTable({
        ...empty(heading),
        columns: [`Recall ${heading}`, ...CUT_OFFS.map(k => `@${k}`)],
        rows: rows.map(row => [
          row.retriever,
          ...CUT_OFFS.map(k => interval(row.measures[name(k)])),
        ]),
      }),
    ),
    ...(types.length > 1 ? [byType(rows, Object.keys(groups.byType))] : []),
  ];
}

function byType(rows: readonly RowResult[], types: readonly string[]): string {
  const name = DEFINITIONS[0]![1](5);
  return markdownTable({
    ...empty('types'),
    columns: ['Recall@5 by title, micro, by type of question', ...types],
    rows: rows.map(row => [row.retriever, ...types.map(type => percent(row.byType[type]?.[name]))]),
  });
}

function costSection(
  settings: readonly Setting[],
  results: Readonly<Record<string, EvaluationResult>>,
): string[] {
  const rows = settings.flatMap(({ id }) =>
    (results[id]!.costs ?? []).map(({ retriever, milliseconds: { p50, p95 }, cpuMilliseconds }) => [
      ...[id, retriever],
      ...[p50, p95, cpuMilliseconds].map(value => value.toFixed(2)),
    ]),
  );
  return [
    '## Cost',
    `One search, one question at a time, the question embedded anew, on a machine of ${availableParallelism()} cores: wall milliseconds (median and 95th percentile), and CPU milliseconds over all threads. TreeHop's 2 to 19 ms are batch-amortised on an A100.`,
    markdownTable({
      ...empty('cost'),
      columns: ['setting', 'retriever', 'p50 ms', 'p95 ms', 'CPU ms'],
      leftColumns: ['retriever'],
      rows,
    }),
  ];
}

function publishedTable(settings: readonly Setting[]): ReportTable {
  const known = settings.flatMap(({ published }) =>
    published === undefined ? [] : [PUBLISHED[published]],
  );
  return {
    ...empty('published'),
    columns: ['Direct-R, bge-m3', 'questions', 'passages', 'Recall@5', 'Recall@10'],
    rows: known.map(({ name, questions, passages, at5, at10 }) => [
      name,
      questions.toLocaleString('en'),
      passages.toLocaleString('en'),
      at5.toFixed(1),
      at10.toFixed(1),
    ]),
  };
}

const empty = (id: string): Pick<ReportTable, 'id' | 'heading' | 'notes'> => ({
  id,
  heading: '',
  notes: [],
});
const percent = (share: number | undefined): string =>
  share === undefined ? '–' : (100 * share).toFixed(1);
const interval = (estimate: Estimate | undefined): string =>
  estimate === undefined
    ? '–'
    : `${percent(estimate.mean)} [${percent(estimate.low)}, ${percent(estimate.high)}]`;
