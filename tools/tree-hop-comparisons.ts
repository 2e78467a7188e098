/**
 * What the report of TreeHop prints, from scores of single questions: every row beside Direct-R at
 * equal K.
 */
import type { Manifest } from '../src/trace/trace.ts';
import type { Setting } from './direct-r-report.ts';
import {
  averageOf,
  type Columns,
  type Comparison,
  compare,
  type Definition,
  difference,
  drawResamples,
  type Estimated,
  type Resamples,
} from './equal-k.ts';
import {
  type Ablation,
  BY_PATH,
  PRUNING_ABLATIONS,
  PUBLISHED,
  ROWS,
  termAblations,
  UNABLATED,
  type Variant,
} from './tree-hop-rows.ts';

export type DefinitionName = 'micro' | 'macro' | 'id';
export const DEFINITIONS: Readonly<Record<DefinitionName, Definition>> = {
  micro: k => `TitleRecall@${k}(micro)`,
  macro: k => `TitleRecall@${k}(macro)`,
  id: k => `ParagraphRecall@${k}`,
};

/** Scores of a strategy, one a question. `Documents` and `Retrievals` stand among the columns. */
export interface Measured {
  readonly strategy: string;
  readonly columns: Columns;
}

/** What was measured of a data set. */
export interface MeasuredSetting {
  readonly setting: Setting;
  /** Of each question. */
  readonly types: readonly string[];
  readonly direct: Columns;
  readonly rows: readonly Measured[];
  /** One a checkpoint that was trained without something; all at the settings of `UNABLATED`. */
  readonly ablated: readonly (Measured & { readonly says: string; readonly variant: Variant })[];
  readonly times: readonly Times[];
  readonly manifest: Manifest;
}

export interface Times {
  readonly strategy: string;
  readonly p50: number;
  readonly p95: number;
}

export interface ComparedRow {
  readonly strategy: string;
  /** Distinct documents kept, on average. */
  readonly averageK: number;
  readonly searches: number;
  readonly recall: Readonly<Record<DefinitionName, Comparison>>;
}

/** Recall is by title, micro. */
export interface AblatedRow {
  readonly says: string;
  readonly averageK: number;
  readonly recall: Comparison;
  /** Less the row that nothing was left out of. */
  readonly overUnablated: Estimated;
  readonly published?: readonly [recall: number, k?: number];
}

/** Recall is by title, micro. */
export interface GroupRow {
  readonly group: string;
  readonly questions: number;
  readonly averageK: number;
  readonly recall: Comparison;
}

export interface SettingResult {
  readonly id: string;
  readonly published?: Setting['published'];
  readonly questions: number;
  readonly rows: readonly ComparedRow[];
  readonly terms: readonly AblatedRow[];
  readonly trainedWithout: readonly AblatedRow[];
  readonly prunings: readonly AblatedRow[];
  readonly groups: readonly GroupRow[];
  /** Of the row whose layers are cut by path. */
  readonly groupsByPath: readonly GroupRow[];
  readonly times: readonly Times[];
  readonly manifest: Manifest;
}

export function compared(measured: MeasuredSetting, trained: Variant): SettingResult {
  const { setting, types, direct, rows, ablated, times, manifest } = measured;
  const drawn = drawResamples(types.length);
  const named = (strategy: string): Measured => rows.find(row => row.strategy === strategy)!;
  const unablated = named(UNABLATED).columns;
  const without = (
    says: string,
    { columns }: Measured,
    published: Ablation['published'],
  ): AblatedRow => ({
    says,
    averageK: averageOf(keptOf(columns)),
    recall: compare(DEFINITIONS.micro, { row: columns, kept: keptOf(columns), direct }, drawn),
    overUnablated: difference(DEFINITIONS.micro, columns, unablated, drawn),
    ...(published && setting.published ? { published: published(setting.published) } : {}),
  });
  const ablation = ({ says, strategy, published }: Ablation): AblatedRow =>
    without(says, named(strategy), published);
  return {
    ...{ id: setting.id, questions: types.length, times, manifest },
    ...(setting.published ? { published: setting.published } : {}),
    rows: ROWS.map(strategy => rowOf(named(strategy), direct, drawn)),
    terms: termAblations(trained).map(ablation),
    trainedWithout: ablated.map(one =>
      without(one.says, one, data => [PUBLISHED[data].terms[one.variant]]),
    ),
    prunings: PRUNING_ABLATIONS.map(ablation),
    groups: groupsOf(types).map(([group, only]) => groupOf(group, only, unablated, direct, drawn)),
    groupsByPath: groupsOf(types).map(([group, only]) =>
      groupOf(group, only, named(BY_PATH).columns, direct, drawn),
    ),
  };
}

const numbersOf = (columns: Columns, name: string): number[] =>
  columns[name]!.map(score => score as number);
const keptOf = (columns: Columns): number[] => numbersOf(columns, 'Documents');

function rowOf({ strategy, columns }: Measured, direct: Columns, drawn: Resamples): ComparedRow {
  const kept = keptOf(columns);
  const recall = (name: DefinitionName): Comparison =>
    compare(DEFINITIONS[name], { row: columns, kept, direct }, drawn);
  return {
    strategy,
    averageK: averageOf(kept),
    searches: averageOf(numbersOf(columns, 'Retrievals')),
    recall: { micro: recall('micro'), macro: recall('macro'), id: recall('id') },
  };
}

function groupOf(
  group: string,
  only: ReadonlySet<number>,
  row: Columns,
  direct: Columns,
  drawn: Resamples,
): GroupRow {
  const kept = keptOf(row);
  const recall = compare(DEFINITIONS.micro, { row, kept, direct, only }, drawn);
  return {
    group,
    questions: only.size,
    averageK: averageOf(kept.filter((_, index) => only.has(index))),
    recall,
  };
}

/**
 * Some of MuSiQue's types have one question: its groups are numbers of hops. The paper counts no
 * comparisons, where 2WikiMultiHopQA has them. None where all are of one type.
 */
export function groupsOf(
  types: readonly string[],
): [group: string, questions: ReadonlySet<number>][] {
  const names = types.map(type => type.replace(/^(\d+hop)\d+$/, '$1'));
  const of = (holds: (name: string) => boolean): Set<number> =>
    new Set([...names.keys()].filter(index => holds(names[index]!)));
  const distinct = [...new Set(names)].sort();
  if (distinct.length < 2) return [];
  return [
    ...distinct.map((group): [string, Set<number>] => [group, of(name => name === group)]),
    ...(distinct.includes('comparison') && distinct.length > 2
      ? ([['all but comparison', of(name => name !== 'comparison')]] as [string, Set<number>][])
      : []),
  ];
}
