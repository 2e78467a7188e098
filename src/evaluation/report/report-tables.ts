/** The tables of a report, from the result of an evaluation; facts in the context lead. */
import { resourcesIn } from '../../core/trace/trace.ts';
import { CONTROL_FIGURES } from '../control-figures.ts';
import { isControl } from '../controls.ts';
import type { EvaluationResult, RowResult, Values } from '../evaluation-result.ts';
import { BUDGETED_AGENT_PAPER } from '../published.ts';
import { type Curves, curveTable } from './abstention-section.ts';
import { publishedTables, subsetNote } from './against-published.ts';
import { controlsTable } from './controls-table.ts';
import { costTable } from './cost-table.ts';
import { formatDelta, formatEstimate, formatValue } from './format-value.ts';
import { isJudgeMeasure, judgeTable } from './judge-table.ts';
import { isRankingMeasure, rankingTable } from './ranking-table.ts';
import type { ReportTable } from './report-table.ts';
import { rowLabels } from './row-labels.ts';

const FACTS = ['FactRecall', 'AllFacts', 'GroundedEM', 'GroundedRecall'];
const DOCUMENT_LEVEL = [
  'RetrievalConditionedEM(paper)',
  'RetrievalConditionedEM(honest)',
  'RetrievalConditionedEM(answerable)',
  'EvidenceRecall',
];
const COST = [
  'Retrievals',
  'RerankedPairs',
  'Documents',
  'ContextTokens',
  'EMPer100Tokens',
  'ModelCalls',
  'ModelTokens',
  'Usd',
];
const TIME = ['Hops', 'Milliseconds', 'Milliseconds(p50)', 'Milliseconds(p95)'];
const CUT_OFFS = [
  'EvidenceRecall@1',
  'EvidenceRecall@2',
  'EvidenceRecall@4',
  'EvidenceRecall@6',
  'EvidenceRecall@8',
  'ReciprocalRank',
];
const ANSWERS = [
  'QaAccuracy(official)',
  'QaAccuracy(strict)',
  'QaAccuracy(clean)',
  'AnswerEM(hotpot)',
  'AnswerF1(hotpot)',
  'AbstainedNull',
  'RefusedAnswerable',
  'UnsupportedAnswers',
  ...CONTROL_FIGURES,
];
const BY_GROUP = [
  'FactRecall',
  'GroundedRecall',
  'RetrievalConditionedEM(answerable)',
  'EvidenceRecall',
  'ContextTokens',
];
/** Measures whose paired differences a report prints; the JSON output has more. */
const PAIRED = [
  'FactRecall',
  'RetrievalConditionedEM(answerable)',
  'QaAccuracy(strict)',
  'Recall@5',
  'Recall@10',
  'NDCG@10',
];

/**
 * Everything a report has to say. `curves` are abstention curves by row id, where readers state
 * their support.
 */
export function reportTables(result: EvaluationResult, curves: Curves = {}): ReportTable[] {
  const labels = rowLabels(result.rows);
  const label = (row: RowResult): string =>
    `${labels.get(row.id)!}${row.failed > 0 ? ` (${row.failed} failed)` : ''}`;
  const shown = new Set([...FACTS, ...DOCUMENT_LEVEL, ...COST, ...TIME, ...CUT_OFFS, ...ANSWERS]);
  const others = [...new Set(result.rows.flatMap(row => Object.keys(row.measures)))].filter(
    name => !shown.has(name) && !isJudgeMeasure(name) && !isRankingMeasure(name),
  );
  const tables = [
    overview(result, label),
    measureTable(result, label, 'intervals', '95 % intervals', [...FACTS, ...DOCUMENT_LEVEL], true),
    ...publishedTables(result, BUDGETED_AGENT_PAPER),
    rankingTable(result, label),
    measureTable(result, label, 'recall', 'Evidence recall by cut-off', CUT_OFFS),
    measureTable(
      result,
      label,
      'answers',
      'Answers, beside controls that never read a document',
      ANSWERS,
    ),
    controlsTable(result, labels),
    judgeTable(result, (id, heading, names) =>
      measureTable(result, label, id, heading, names, true),
    ),
    ...['QaAccuracy(official)', 'QaAccuracy(strict)'].map(name =>
      groupTable(result, label, 'byType', name),
    ),
    curveTable(curves, labels),
    ...BY_GROUP.flatMap(name => [
      groupTable(result, label, 'byType', name),
      groupTable(result, label, 'byEvidence', name),
    ]),
    measureTable(result, label, 'others', 'Further measures', others),
    { ...measureTable(result, label, 'time', 'Time', TIME), notes: timeNotes(result) },
    costTable(result.costs ?? []),
    pairTable(result, labels),
  ];
  return tables.filter(table => table.rows.length > 0);
}

/** Returns the lines above the tables. */
export function reportSummary(result: EvaluationResult): string[] {
  const sizes = (groups: Readonly<Record<string, number>>): string =>
    Object.entries(groups)
      .map(([key, n]) => `${key} ${n}`)
      .join(', ');
  const subset =
    result.dataset === BUDGETED_AGENT_PAPER.dataset
      ? subsetNote(result.questions, BUDGETED_AGENT_PAPER)
      : undefined;
  return [
    `${result.questions.toLocaleString('en-GB')} questions${subset ? ` (${subset})` : ''}: ${sizes(result.groups.byType)}.`,
    `By number of distinct gold documents: ${sizes(result.groups.byEvidence)}.`,
    'Shares are in percent (EMPer100Tokens: points), reciprocal ranks from 0 to 1, tokens are word runs; an en dash: no value.',
  ];
}

function present(rows: readonly RowResult[], names: readonly string[]): string[] {
  return names.filter(name => rows.some(row => row.measures[name] !== undefined));
}

function overview(result: EvaluationResult, label: (row: RowResult) => string): ReportTable {
  const rows = result.rows.filter(row => !isControl(row));
  const names = present(rows, [
    ...FACTS,
    ...DOCUMENT_LEVEL.filter(name => !name.endsWith('(honest)')),
    ...COST,
  ]);
  return {
    id: 'overview',
    heading: 'What reaches the reader',
    notes: [
      'FactRecall, AllFacts, GroundedEM and GroundedRecall ask whether gold facts stand in the words that are passed on.',
      'Document-level EM and recall are compared only between rows of the same context: under headers alone they are close to 100 without one fact.',
    ],
    columns: ['system', ...names],
    rows: (names.length > 0 ? rows : []).map(row => [
      label(row),
      ...names.map(name => formatValue(name, row.measures[name]?.mean)),
    ]),
  };
}

function measureTable(
  result: EvaluationResult,
  label: (row: RowResult) => string,
  id: string,
  heading: string,
  wanted: readonly string[],
  intervals = false,
): ReportTable {
  const names = present(result.rows, wanted);
  const rows = result.rows.filter(row => names.some(name => row.measures[name] !== undefined));
  const cell = (row: RowResult, name: string): string => {
    const estimate = row.measures[name];
    return intervals && estimate
      ? formatEstimate(name, estimate)
      : formatValue(name, estimate?.mean);
  };
  const notes = intervals ? [bootstrapNote(result)] : [];
  const columns = ['system', ...names];
  return {
    id,
    heading,
    notes,
    columns,
    rows: rows.map(row => [label(row), ...names.map(name => cell(row, name))]),
    folded: id === 'others',
  };
}

function bootstrapNote(result: EvaluationResult): string {
  const { manifest } = result;
  const settings = Object.entries((manifest['bootstrap'] ?? {}) as Record<string, unknown>).map(
    ([key, value]) => `${key} ${String(value)}`,
  );
  const clustered = result.rows.some(row =>
    Object.values(row.measures).some(estimate => estimate.clustered !== undefined),
  );
  const second = clustered
    ? ' The second interval resamples clusters of questions that share a gold article.'
    : '';
  return `Percentile bootstrap of the value over questions: ${settings.join(', ')}.${second}`;
}

/** A time that a cache made short must not pass for the model's. */
function timeNotes({ manifest }: EvaluationResult): string[] {
  const models = ['embedder', 'reranker'].some(port => resourcesIn(manifest, port) !== undefined);
  return models
    ? [
        'Query vectors and pair scores may have come from a cache here; a table of costs measures searches whose models are asked anew.',
      ]
    : [];
}

const GROUP_WORDS = {
  byType: 'by question type',
  byEvidence: 'by number of distinct gold documents',
} as const;

function groupTable(
  result: EvaluationResult,
  label: (row: RowResult) => string,
  by: keyof typeof GROUP_WORDS,
  name: string,
): ReportTable {
  const rows = result.rows.filter(row =>
    Object.values(row[by]).some((values: Values) => values[name] !== undefined),
  );
  const keys = Object.keys(result.groups[by]).filter(key =>
    rows.some(row => row[by][key]?.[name] !== undefined),
  );
  return {
    id: `${name}-${by}`.replace(/[^\w-]+/g, '-'),
    heading: `${name} ${GROUP_WORDS[by]}`,
    notes: [],
    columns: ['system', ...keys.map(key => `${key} (n=${result.groups[by][key]})`)],
    rows: rows.map(row => [
      label(row),
      ...keys.map(key => formatValue(name, row[by][key]?.[name])),
    ]),
    folded: !name.startsWith('QaAccuracy'),
  };
}

function pairTable(result: EvaluationResult, labels: ReadonlyMap<string, string>): ReportTable {
  const pairs = result.pairs.filter(pair => PAIRED.includes(pair.measure));
  return {
    id: 'pairs',
    heading: 'Paired differences',
    notes: [
      `A minus B on the same resamples, for ${PAIRED.filter(name => pairs.some(pair => pair.measure === name)).join(', ')}; the JSON output has more measures.`,
    ],
    columns: ['A', 'B', 'measure', 'A − B', '95 % interval', 'resamples with A > B'],
    leftColumns: ['B', 'measure'],
    rows: pairs.map(pair => [
      labels.get(pair.a) ?? pair.a,
      labels.get(pair.b) ?? pair.b,
      pair.measure,
      formatDelta(pair.measure, pair.difference),
      `[${formatDelta(pair.measure, pair.low)}, ${formatDelta(pair.measure, pair.high)}]`,
      `${(pair.shareAGreater * 100).toFixed(1)} %`,
    ]),
    folded: true,
  };
}
