/** Blocks that compare what a strategy keeps with Direct-R at equal K. */

import { defined } from '../../src/core/defined.ts';
import { groupedFolds } from '../../src/evaluation/fitting/folds.ts';
import {
  type Columns,
  type Comparison,
  compare,
  type Definition,
  difference,
  drawResamples,
  type Estimated,
} from './equal-k.ts';
import type { Block, Measured, MeasuredRow } from './report.ts';
import { percent, table } from './tables.ts';

/** The evaluation of the rows, and that of one deep ranking of Direct-R. */
export interface Sides {
  readonly rows: string;
  readonly direct: string;
}

export const COMPARED: readonly string[] = [
  ...['K', 'recall', 'Direct-R, average K', 'gain at average K'],
  ...['Direct-R, same K', 'gain at the same K'],
];

const interval = ({ value, low, high }: Estimated): string =>
  `${percent(value)} [${percent(low)}, ${percent(high)}]`;
/** A true minus, for a hyphen wraps. */
const points = (share: number): string => {
  const shown = percent(Math.abs(share));
  return shown === '0.0' ? '0.0' : `${share < 0 ? '−' : '+'}${shown}`;
};
const signed = ({ value, low, high }: Estimated): string =>
  `${points(value)} [${points(low)}, ${points(high)}]`;

const keptOf = ({ scores }: MeasuredRow): number[] =>
  scores['Documents']!.map(score => score as number);

function comparedAt(
  definition: Definition,
  rows: readonly MeasuredRow[],
  direct: Columns,
  only?: ReadonlySet<number>,
): Comparison {
  const runs = rows.map(row => ({ row: row.scores, kept: keptOf(row) }));
  const drawn = drawResamples(runs[0]!.kept.length);
  return compare(definition, defined({ runs, direct, only }), drawn);
}

const cells = (comparison: Comparison): string[] => {
  const { averageK, recall, directAtAverageK, overAverageK } = comparison;
  return [
    ...[averageK.toFixed(1), interval(recall)],
    ...[percent(directAtAverageK.value), signed(overAverageK)],
    ...[percent(comparison.directAtSameK.value), signed(comparison.overSameK)],
  ];
};

const sidesOf = (
  { rows, direct }: Sides,
  measured: ReadonlyMap<string, Measured>,
): { readonly rows: Measured; readonly direct: Columns } | undefined => {
  const [shallow, deep] = [measured.get(rows), measured.get(direct)];
  return shallow && deep ? { rows: shallow, direct: deep.rows[0]!.scores } : undefined;
};

const rowOf = ({ rows }: Measured, label: string): MeasuredRow =>
  rows.find(each => each.label === label)!;

/** Each of the rows beside both controls, and a published figure if `paper` has it. */
export const equalK =
  (
    heading: string,
    sides: Sides,
    definition: Definition,
    labels: readonly string[],
    paper: Readonly<Record<string, string>> = {},
  ): Block =>
  ({ measured }) => {
    const both = sidesOf(sides, measured);
    if (!both) return undefined;
    const published = Object.keys(paper).length > 0;
    return table(
      [`Recall ${heading}`, ...COMPARED, ...(published ? ['paper'] : [])],
      labels.map(label => {
        const row = rowOf(both.rows, label);
        const figures = cells(comparedAt(definition, [row], both.direct));
        return [label, ...figures, ...(published ? [paper[label] ?? '–'] : [])];
      }),
    );
  };

/** One row in each of several settings, and the sign of both gains. */
export const glance =
  (
    settings: readonly (readonly [id: string, sides: Sides])[],
    definition: Definition,
    label: string,
  ): Block =>
  ({ measured }) => {
    const lines = settings.flatMap(([id, sides]) => {
      const both = sidesOf(sides, measured);
      if (!both) return [];
      const row = rowOf(both.rows, label);
      const compared = comparedAt(definition, [row], both.direct);
      const gains = [compared.overAverageK, compared.overSameK];
      const above = gains.every(({ low }) => low > 0);
      const below = gains.every(({ high }) => high < 0);
      const sign = above ? 'above' : below ? 'below' : 'no measurable difference';
      return [[id, String(both.rows.result.questions), ...cells(compared), sign]];
    });
    return lines.length === 0
      ? undefined
      : table(['data set', 'questions', ...COMPARED, 'Direct-R'], lines);
  };

/** A system of several runs: a line is the mean of the runs, and tells the gain of each. */
export interface System {
  readonly says: string;
  /** Evaluation and row of each run. */
  readonly runs: readonly (readonly [evaluation: string, label: string])[];
  readonly paper: string;
}

/** Systems beside both controls, the paper's gain beside the gain. */
export const systemsK =
  (heading: string, direct: string, definition: Definition, systems: readonly System[]): Block =>
  ({ measured }) => {
    const deep = measured.get(direct)?.rows[0]?.scores;
    const lines = systems.flatMap(({ says, runs, paper }) => {
      const rows = runs.flatMap(([name, label]) => {
        const evaluation = measured.get(name);
        return evaluation ? [rowOf(evaluation, label)] : [];
      });
      if (!deep || rows.length === 0) return [];
      const each = rows.map(row => comparedAt(definition, [row], deep).overSameK.value);
      const gains = rows.length === 1 ? '' : each.map(points).join(', ');
      return [[says, ...cells(comparedAt(definition, rows, deep)), gains, paper]];
    });
    return lines.length === 0
      ? undefined
      : table([heading, ...COMPARED, 'of each seed', 'paper'], lines);
  };

export interface Ablated {
  readonly says: string;
  readonly label: string;
  readonly paper?: string;
}

/** Rows by label and heading, each with its paired difference from `full`. */
export const ablatedK =
  (
    heading: string,
    sides: Sides,
    definition: Definition,
    full: string,
    rows: readonly Ablated[],
  ): Block =>
  ({ measured }) => {
    const both = sidesOf(sides, measured);
    if (!both) return undefined;
    const base = rowOf(both.rows, full);
    const drawn = drawResamples(keptOf(base).length);
    const published = rows.some(({ paper }) => paper !== undefined);
    return table(
      [
        ...[heading, 'K', 'recall', 'gain at average K', 'gain at the same K', 'minus the first'],
        ...(published ? ['paper'] : []),
      ],
      rows.map(({ says, label, paper }) => {
        const row = rowOf(both.rows, label);
        const comparison = comparedAt(definition, [row], both.direct);
        const over = difference(definition, row.scores, base.scores, drawn);
        return [
          ...[says, comparison.averageK.toFixed(1), interval(comparison.recall)],
          ...[comparison.overAverageK, comparison.overSameK, over].map(signed),
          ...(published ? [paper ?? '–'] : []),
        ];
      }),
    );
  };

/**
 * One row by groups of questions, under a line that says which; `groupsIn` returns the group of
 * each question, `groupsOf` the sets of questions.
 */
export const groupsK =
  (
    says: string,
    sides: Sides,
    definition: Definition,
    label: string,
    groupsIn: () => Promise<readonly string[]>,
    sets: typeof groupsOf = groupsOf,
  ): Block =>
  async ({ measured }) => {
    const both = sidesOf(sides, measured);
    if (!both) return undefined;
    const row = rowOf(both.rows, label);
    // A sample asks some of the questions: their groups are not known by position.
    const names = await groupsIn();
    if (names.length !== both.rows.result.questions) return undefined;
    const groups = sets(names);
    if (groups.length === 0) return undefined;
    const lines = groups.map(([group, only]) => [
      ...[group, String(only.size)],
      ...cells(comparedAt(definition, [row], both.direct, only)),
    ]);
    return `${says}, \`${label}\`:\n\n${table(['questions', 'number', ...COMPARED], lines)}`;
  };

/** Folds of the choice of a row. */
const FOLDS = 5;
const SEED = 20231226;

/**
 * The row of `labels` with the most gain at the same K on the other folds, fold by fold, and what
 * it gains on the fold that was left out. Folds share no key, such as a gold title; `keysIn`
 * returns the keys of each question.
 */
export const heldOutChoice =
  (
    sides: Sides,
    definition: Definition,
    choices: Readonly<Record<string, readonly string[]>>,
    keysIn: () => Promise<readonly (readonly string[])[]>,
  ): Block =>
  async ({ measured }) => {
    const both = sidesOf(sides, measured);
    if (!both) return undefined;
    const keys = await keysIn();
    if (keys.length !== both.rows.result.questions) return undefined;
    const fold = groupedFolds(keys, FOLDS, SEED);
    const questions = (holds: (at: number) => boolean): Set<number> =>
      new Set([...fold.keys()].filter(at => holds(fold[at]!)));
    const lines = Object.entries(choices).map(([says, labels]) => {
      const rows = labels.map(label => rowOf(both.rows, label));
      const chosen = Array.from({ length: FOLDS }, (_, left) => {
        const others = questions(label => label !== left);
        const gain = (row: MeasuredRow): number =>
          comparedAt(definition, [row], both.direct, others).overSameK.value;
        return rows.reduce((best, row) => (gain(row) > gain(best) ? row : best));
      });
      const composed = composedRow(chosen, fold);
      const counts = [...Map.groupBy(chosen, ({ label }) => label)].map(
        ([label, of]) => `${label} in ${of.length}`,
      );
      return [
        ...[says, counts.join(', ')],
        ...cells(comparedAt(definition, [composed], both.direct)),
      ];
    });
    return table(['choice', `chosen, of ${FOLDS} folds`, ...COMPARED], lines, [
      `chosen, of ${FOLDS} folds`,
    ]);
  };

/** Returns a row whose scores of each question are those of the row that its fold has chosen. */
function composedRow(chosen: readonly MeasuredRow[], fold: Int32Array): MeasuredRow {
  const names = Object.keys(chosen[0]!.scores);
  const scores = Object.fromEntries(
    names.map(name => [name, Array.from(fold, (of, at) => chosen[of]!.scores[name]![at])]),
  );
  return { ...chosen[0]!, scores };
}

/**
 * Groups questions by type, MuSiQue's by number of hops, since some of its types have one question.
 * The paper counts no comparisons: they are left out once. Returns none if all have one type.
 */
export function groupsOf(
  types: readonly string[],
): [group: string, questions: ReadonlySet<number>][] {
  const names = types.map(type => type.replace(/^(\d+hop)\d+$/, '$1'));
  const where = (holds: (name: string) => boolean): Set<number> =>
    new Set([...names.keys()].filter(index => holds(names[index]!)));
  const distinct = [...new Set(names)].sort();
  if (distinct.length < 2) return [];
  const groups = distinct.map((group): [string, Set<number>] => [
    group,
    where(name => name === group),
  ]);
  if (distinct.includes('comparison') && distinct.length > 2)
    groups.push(['all but comparison', where(name => name !== 'comparison')]);
  return groups;
}
