/** Compares our rows with published ones: ours, published, difference, interval and caveats. */
import type { EvaluationResult, RowResult } from '../../../src/evaluation/evaluation-result.ts';
import {
  formatDelta,
  formatInterval,
  formatValue,
} from '../../../src/evaluation/report/format-value.ts';
import type { ReportTable } from '../../../src/evaluation/report/report-table.ts';
import type { PublishedPaper, PublishedRow, PublishedValues } from './budgeted-agent-paper.ts';

interface Match {
  readonly ours: RowResult;
  readonly published: PublishedRow;
}

/** Pairs rows with published ones: same strategy by canonical name, same retriever and context. */
function matches(result: EvaluationResult, paper: PublishedPaper): Match[] {
  if (result.dataset !== paper.dataset) return [];
  const same = (row: RowResult): boolean =>
    row.retriever === paper.retriever && row.context === paper.context;
  return paper.rows.flatMap(published =>
    result.rows
      .filter(row => same(row) && published.strategies.includes(row.strategy))
      .map(ours => ({ ours, published })),
  );
}

/** Returns the caveat of a run over other questions than the paper's. */
export function subsetNote(questions: number, paper: PublishedPaper): string | undefined {
  if (questions === paper.n) return undefined;
  const full = `not the full ${paper.n.toLocaleString('en-GB')}`;
  return questions === 1330
    ? `dev half, ${full}`
    : `${questions.toLocaleString('en-GB')} questions, ${full}`;
}

/** The caveat of one row; that of all stands above the table. */
function noteOf(name: string, { published: { approximate } }: Match): string {
  return approximate === 'all' || approximate?.includes(name) ? 'approximate' : '';
}

const difference = (ours: number | undefined, theirs: number | undefined): number | undefined =>
  ours === undefined || theirs === undefined ? undefined : ours - theirs;

function overallRows(match: Match): string[][] {
  const { ours, published } = match;
  const names = [
    ...new Set([
      ...Object.keys(published.values ?? {}),
      ...Object.keys(published.remeasured ?? {}),
    ]),
  ];
  return names.map(name => {
    const estimate = ours.measures[name];
    const theirs = published.values?.[name];
    return [
      ours.strategy,
      name,
      formatValue(name, estimate?.mean),
      formatValue(name, theirs),
      formatDelta(name, difference(estimate?.mean, theirs)),
      formatValue(name, published.remeasured?.[name]),
      estimate ? formatInterval(name, estimate) : '–',
      noteOf(name, match),
    ];
  });
}

function groupRows(
  match: Match,
  groups: Readonly<Record<string, PublishedValues>> | undefined,
  ours: RowResult['byType'],
): string[][] {
  return Object.entries(groups ?? {}).flatMap(([key, values]) =>
    Object.entries(values).map(([name, theirs]) => {
      const value = ours[key]?.[name];
      const delta = formatDelta(name, difference(value, theirs));
      return [
        match.ours.strategy,
        key,
        name,
        formatValue(name, value),
        formatValue(name, theirs),
        delta,
        noteOf(name, match),
      ];
    }),
  );
}

function intervalRows(match: Match): string[][] {
  const name = 'RetrievalConditionedEM(paper)';
  const ours = match.ours.measures[name];
  const theirs = match.published.interval;
  if (!ours || !theirs) return [];
  const [low, high] = theirs;
  return [
    [
      match.ours.strategy,
      formatValue(name, ours.mean),
      formatInterval(name, ours),
      formatInterval(name, { low, high }),
    ],
  ];
}

/** Returns the tables that compare; none if no row matches. */
export function publishedTables(result: EvaluationResult, paper: PublishedPaper): ReportTable[] {
  const found = matches(result, paper);
  if (found.length === 0) return [];
  const subset = subsetNote(result.questions, paper);
  const notes = subset === undefined ? [] : [`Ours: ${subset}.`];
  const heading = (what: string): string => `Beside the ${paper.name}: ${what}`;
  const grouped = (id: string, what: string, by: 'byType' | 'byEvidence'): ReportTable => ({
    id,
    heading: heading(what),
    notes,
    columns: GROUP_COLUMNS,
    leftColumns: LEFT_COLUMNS,
    rows: found.flatMap(match => groupRows(match, match.published[by], match.ours[by])),
    folded: true,
  });
  const tables: ReportTable[] = [
    {
      id: 'published',
      heading: heading('Tables 6, 7 and 10'),
      notes: [...notes, publishedNote(paper), ...paper.notes],
      columns: OVERALL_COLUMNS,
      leftColumns: LEFT_COLUMNS,
      rows: found.flatMap(match => overallRows(match)),
    },
    {
      id: 'published-intervals',
      heading: heading('bootstrap intervals, Table 11'),
      notes,
      columns: ['system', 'RetrievalConditionedEM(paper)', 'ours 95 %', 'published 95 %'],
      rows: found.flatMap(intervalRows),
    },
    grouped('published-types', 'by question type, Table 8', 'byType'),
    grouped('published-chains', 'by number of distinct gold documents, Table 9', 'byEvidence'),
  ];
  return tables.filter(table => table.rows.length > 0);
}

const LEFT_COLUMNS = ['group', 'measure', 'note'];
const GROUP_COLUMNS = ['system', 'group', 'measure', 'ours', 'published', 'difference', 'note'];
const OVERALL_COLUMNS = [
  ...['system', 'measure', 'ours', 'published', 'difference'],
  ...['re-measured', '95 % interval', 'note'],
];

const publishedNote = ({ n }: PublishedPaper): string =>
  `Published: n = ${n.toLocaleString('en-GB')}. Re-measured: an independent implementation on all of them.`;
