/** The tables of the report of TreeHop. */
import { markdownTable } from '../src/evaluation/report/markdown-report.ts';
import type { Comparison, Estimated } from './equal-k.ts';
import type {
  AblatedRow,
  ComparedRow,
  DefinitionName,
  GroupRow,
  SettingResult,
  Times,
} from './tree-hop-comparisons.ts';
import { PUBLISHED } from './tree-hop-rows.ts';

/**
 * In points of recall by title, micro, at k=5 over Direct-R at equal K on 2WikiMultiHopQA and
 * MuSiQue.
 */
export const AIM = 5;

export function glance(settings: readonly SettingResult[], strategy: string): string {
  const cells = settings.map(({ id, rows, questions, published }) => {
    const { averageK, recall } = rows.find(row => row.strategy === strategy)!;
    const { micro } = recall;
    const gains = [micro.overAverageK, micro.overSameK];
    const aimed = published === '2wiki' || published === 'musique';
    const says = gains.every(({ low }) => low > 0)
      ? 'above'
      : gains.every(({ high }) => high < 0)
        ? 'below'
        : 'not told apart';
    return [
      ...[id, String(questions), averageK.toFixed(1), ...comparisonCells(micro)],
      ...[
        says,
        aimed ? (gains.every(({ value }) => 100 * value >= AIM) ? 'reached' : 'missed') : '–',
      ],
    ];
  });
  return table(['data set', 'questions', ...COMPARED, 'TreeHop is', 'aim'], cells);
}

export function recallTable(
  rows: readonly ComparedRow[],
  name: DefinitionName,
  heading: string,
  published?: SettingResult['published'],
): string {
  const printed = published && PUBLISHED[published];
  const paper = (strategy: string): string[] => {
    const known = (
      printed?.rows as Readonly<Record<string, readonly [number, number]>> | undefined
    )?.[strategy];
    return printed ? [known ? `${known[0].toFixed(1)} (K ${known[1]})` : '–'] : [];
  };
  return table(
    [`Recall ${heading}`, ...COMPARED, ...(printed ? ['paper'] : [])],
    rows.map(({ strategy, averageK, recall }) => [
      strategy,
      averageK.toFixed(1),
      ...comparisonCells(recall[name]),
      ...paper(strategy),
    ]),
  );
}

const COMPARED = [
  'K',
  'recall',
  'Direct-R, average K',
  'gain at average K',
  'Direct-R, same K',
  'gain at the same K',
];
const comparisonCells = ({
  recall,
  directAtAverageK,
  overAverageK,
  directAtSameK,
  overSameK,
}: Comparison): string[] => [
  interval(recall),
  percent(directAtAverageK.value),
  signed(overAverageK),
  percent(directAtSameK.value),
  signed(overSameK),
];

export function timesTable(
  rows: readonly ComparedRow[],
  times: readonly Times[],
  published?: SettingResult['published'],
): string {
  const searches = new Map(rows.map(row => [row.strategy, row.searches]));
  const printed = published && PUBLISHED[published].seconds;
  const paper = (strategy: string): string[] => {
    const seconds = printed?.[strategy];
    return printed ? [seconds === undefined ? '–' : (1000 * seconds).toFixed(0)] : [];
  };
  return table(
    ['Latency', 'searches', 'p50 ms', 'p95 ms', ...(printed ? ['paper, ms'] : [])],
    times.map(({ strategy, p50, p95 }) => [
      ...[
        strategy,
        searches.get(strategy)?.toFixed(1) ?? '–',
        p50.toFixed(2),
        p95.toFixed(2),
        ...paper(strategy),
      ],
    ]),
  );
}

export function ablationTable(heading: string, rows: readonly AblatedRow[]): string {
  const withPaper = rows.some(({ published }) => published);
  const paper = (published: AblatedRow['published']): string =>
    published
      ? `${published[0].toFixed(1)}${published[1] === undefined ? '' : ` (K ${published[1]})`}`
      : '–';
  return table(
    [
      heading,
      'K',
      'recall',
      'gain at average K',
      'gain at the same K',
      'minus as trained',
      ...(withPaper ? ['paper'] : []),
    ],
    rows.map(
      ({
        says,
        averageK,
        recall: { recall, overAverageK, overSameK },
        overUnablated,
        published,
      }) => [
        ...[
          says,
          averageK.toFixed(1),
          interval(recall),
          signed(overAverageK),
          signed(overSameK),
          signed(overUnablated),
        ],
        ...(withPaper ? [paper(published)] : []),
      ],
    ),
  );
}

export function groupsTable(groups: readonly GroupRow[]): string {
  return table(
    ['type', 'questions', ...COMPARED],
    groups.map(({ group, questions, averageK, recall }) => [
      group,
      String(questions),
      averageK.toFixed(1),
      ...comparisonCells(recall),
    ]),
  );
}

/** Over the paper's own Direct-R, where K lies between the two that it prints. */
export function publishedGains(): string {
  const rows = Object.values(PUBLISHED).flatMap(({ name, direct, rows: printed }) =>
    Object.entries(printed)
      .filter(([, [, k]]) => k > 5 && k < 10)
      .map(([strategy, [recall, k]]) => {
        const control = direct[5] + ((k - 5) / 5) * (direct[10] - direct[5]);
        const gain = recall - control;
        return [
          name,
          strategy,
          k.toFixed(1),
          recall.toFixed(1),
          control.toFixed(1),
          `${gain < 0 ? '−' : '+'}${Math.abs(gain).toFixed(1)}`,
        ];
      }),
  );
  return table(['data set', 'row', 'K', 'recall', 'Direct-R, average K', 'gain'], rows, ['row']);
}

export const table = (
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  leftColumns: readonly string[] = [],
): string => markdownTable({ id: 'tree-hop', heading: '', notes: [], columns, leftColumns, rows });
const percent = (share: number): string => (100 * share).toFixed(1);
const interval = ({ value, low, high }: Estimated): string =>
  `${percent(value)} [${percent(low)}, ${percent(high)}]`;
/** Points of a difference; a true minus, for a hyphen wraps. */
const points = (share: number): string => {
  const shown = percent(Math.abs(share));
  return shown === '0.0' ? '0.0' : `${share < 0 ? '−' : '+'}${shown}`;
};
const signed = ({ value, low, high }: Estimated): string =>
  `${points(value)} [${points(low)}, ${points(high)}]`;
