/** The tables of a report, from the result of an evaluation; facts in the context lead. */
import { resourcesIn } from '../../core/trace/trace.ts';
import { isControl } from '../controls.ts';
import type { EvaluationResult, RowResult, Values } from '../evaluation-result.ts';
import { type Curves, curveTable } from './abstention-section.ts';
import { controlsTable } from './controls-table.ts';
import { costTable } from './cost-table.ts';
import { formatDelta, formatValue } from './format-value.ts';
import { judgeNotes } from './judge-notes.ts';
import { leadMeasures } from './lead-measures.ts';
import { type Labelled, measuresIn, measureTable } from './measure-table.ts';
import type { ReportTable } from './report-table.ts';
import { rowLabels } from './row-labels.ts';

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
  const labelled = { result, label };
  const tables = [
    ...evidenceTables(labelled),
    ...answerTables(labelled, labels),
    ...['QaAccuracy(official)', 'QaAccuracy(strict)'].map(name =>
      groupTable(labelled, 'byType', name),
    ),
    curveTable(curves, labels),
    ...BY_GROUP.flatMap(name => [
      groupTable(labelled, 'byType', name),
      groupTable(labelled, 'byEvidence', name),
    ]),
    measureTable(labelled, {
      id: 'others',
      heading: 'Further measures',
      names: measuresIn(result, undefined),
      folded: true,
    }),
    measureTable(labelled, {
      id: 'time',
      heading: 'Time',
      names: measuresIn(result, 'time'),
      notes: timeNotes(result),
    }),
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
  return [
    `${result.questions.toLocaleString('en-GB')} questions: ${sizes(result.groups.byType)}.`,
    `By number of distinct gold documents: ${sizes(result.groups.byEvidence)}.`,
    'Shares are in percent (EMPer100Tokens: points), reciprocal ranks from 0 to 1, tokens are word runs; an en dash: no value.',
  ];
}

/** Builds the first table of the HTML report: right answers and evidence of every system. */
export function leadTable(result: EvaluationResult): ReportTable {
  const labels = rowLabels(result.rows);
  const { right, evidence } = leadMeasures(result);
  const failed = result.rows.some(row => row.failed > 0);
  return measureTable(
    { result, label: row => labels.get(row.id)! },
    {
      id: 'lead',
      heading: 'Accuracy and evidence',
      notes: [
        `Percent with 95 % intervals over resampled questions; of fewer than 20 questions their number instead.${right === undefined ? '' : ` Right answers: ${right}.`}`,
      ],
      names: [right ?? '', ...evidence, 'AbstainedNull', 'RefusedAnswerable'],
      rows: result.rows,
      intervals: 'plain',
      after: [
        ...(failed ? [['failed runs', (row: RowResult) => String(row.failed)] as const] : []),
        [
          'context tokens',
          row => formatValue('ContextTokens', row.measures['ContextTokens']?.mean),
        ],
      ],
    },
  );
}

/** The evidence that systems find, and how they rank it. */
function evidenceTables(labelled: Labelled): ReportTable[] {
  const { result } = labelled;
  const [facts, documents, cost] = (['facts', 'documents', 'cost'] as const).map(table =>
    measuresIn(result, table),
  ) as [readonly string[], readonly string[], readonly string[]];
  const ranked = measuresIn(result, 'ranking');
  return [
    measureTable(labelled, {
      id: 'overview',
      heading: 'What reaches the reader',
      notes: [
        'FactRecall, AllFacts, GroundedEM and GroundedRecall ask whether gold facts stand in the words that are passed on.',
        'Document-level EM and recall are compared only between rows of the same context: under headers alone they are close to 100 without one fact.',
      ],
      names: [...facts, ...documents.filter(name => !name.endsWith('(honest)')), ...cost],
      rows: result.rows.filter(row => !isControl(row)),
    }),
    measureTable(labelled, {
      id: 'intervals',
      heading: '95 % intervals',
      notes: [bootstrapNote(result)],
      names: [...facts, ...documents],
      intervals: 'clustered',
    }),
    measureTable(labelled, {
      id: 'ranking',
      heading: 'Ranked documents',
      notes: [
        'Documents in the order in which a system hands them over, evidence first, with 95 % intervals. n: questions with a relevant document; one without hits counts 0.',
      ],
      names: ranked,
      intervals: 'plain',
      before: [
        ['n', row => [...new Set(ranked.flatMap(name => row.measures[name]?.n ?? []))].join(' / ')],
      ],
    }),
    measureTable(labelled, {
      id: 'recall',
      heading: 'Evidence recall by cut-off',
      names: measuresIn(result, 'cut-offs'),
    }),
  ];
}

/** Answers, what they rest on, and what a judge says of them. */
function answerTables(labelled: Labelled, labels: ReadonlyMap<string, string>): ReportTable[] {
  const { result } = labelled;
  const judged = measuresIn(result, 'judge');
  const beside = judged.length === 0 ? [] : ['QaAccuracy(strict)', 'QaAccuracy(clean)'];
  return [
    measureTable(labelled, {
      id: 'answers',
      heading: 'Answers, beside controls that never read a document',
      names: measuresIn(result, 'answers'),
    }),
    controlsTable(result, labels),
    measureTable(labelled, {
      id: 'judge',
      heading: 'Answers by a judge, beside the offline rules',
      notes: [...judgeNotes(result.manifest['judge']), bootstrapNote(result)],
      names: [...judged, ...beside],
      intervals: 'clustered',
    }),
  ];
}

function bootstrapNote({ manifest, rows }: EvaluationResult): string {
  const settings = Object.entries((manifest['bootstrap'] ?? {}) as Record<string, unknown>).map(
    ([key, value]) => `${key} ${String(value)}`,
  );
  const clustered = rows.some(row =>
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
  { result, label }: Labelled,
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
