/** The steps of the report on graphs: one a row and set, named by the version of its code. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { COSTS, type GraphSteps, RECALL } from '../graph-tables.ts';
import { TRACES } from '../kept-traces.ts';
import type { Evaluation, Given } from '../report.ts';
import { ROOT } from '../steps.ts';
import { versionOf } from '../versions.ts';
import { type Declared, type GraphSet, labelOf, rowOf, SEARCHES } from './graphs-rows.ts';
import { TEMPLATE } from './settings.ts';

export const RANKED: readonly string[] = ['Recall@2', RECALL, 'AllRecall@5'];
export const ANSWERS: readonly string[] = ['AnswerEM(hotpot)', 'AnswerF1(hotpot)'];
export const shownSentences = ({ sentences }: GraphSet): readonly string[] =>
  sentences === undefined ? [] : [sentences];
const CONTROLS = ['question-only', 'swapped-evidence'].flatMap(name => ['--control', name]);

/** Rooms that every row of the report runs through. */
const SHARED = [
  ...['src/planning', 'src/retrieval', 'src/indexes', 'src/context', 'src/reading'],
  'src/corpus',
];
const STRATEGIES = 'src/strategies';

const versions = new Map<string, string>();

/** Returns the version of the code of a row: the files of its strategy, and the shared rooms. */
export function versionOfRow(strategy: string): string {
  // `hipporag1` and `hipporag2` may share files.
  const name = /^[\w-]+?(?=\d*(?:\(|$))/.exec(strategy)![0];
  const known = versions.get(name);
  if (known !== undefined) return known;
  const own = readdirSync(join(ROOT, STRATEGIES)).filter(
    file => file.startsWith(name) && /^\d*(?:[.-]|$)/.test(file.slice(name.length)),
  );
  const version = versionOf(...SHARED, ...own.sort().map(file => `${STRATEGIES}/${file}`));
  versions.set(name, version);
  return version;
}

export const filesOf = ({ files }: GraphSet, given: Given): { readonly files?: () => string[] } =>
  files ? { files: () => files(given) } : {};

const stepOf = ({ id }: GraphSet, { step, strategy }: Declared): string =>
  `${id}.${step}-${versionOfRow(strategy)}`;
const searchesOf = ({ id }: GraphSet): string => `${id}.searches-${versionOfRow('fixed-top-k')}`;
const embeds = ({ retriever }: Declared): boolean => retriever?.startsWith('dense(') === true;

/** The searches alone, and one step a row. */
export function setEvaluations(
  set: GraphSet,
  rows: readonly Declared[],
  given: Given,
): Evaluation[] {
  const { id: dataSet, sample } = set;
  const common = {
    ...{ dataSet, keeps: [TRACES], ...filesOf(set, given) },
    ...(sample === undefined ? {} : { sample }),
  };
  return [
    { ...common, name: searchesOf(set), rows: SEARCHES, measures: RANKED },
    ...rows.map(declared => ({
      ...{ ...common, name: stepOf(set, declared), rows: [rowOf(declared, set)] },
      measures: [...RANKED, ...shownSentences(set), ...ANSWERS, ...COSTS],
      words: [...CONTROLS, ...(embeds(declared) ? TEMPLATE : [])],
      embeds: embeds(declared),
    })),
  ];
}

/** Says where the steps of a set stand, for the blocks. */
export const setSteps = (set: GraphSet, rows: readonly Declared[]): GraphSteps => ({
  ...{ heading: set.heading, searches: searchesOf(set) },
  rows: rows.map(declared => ({
    ...{ step: stepOf(set, declared), label: labelOf(declared) },
    plain: declared.strategy.startsWith('fixed-top-k'),
    ...{ goal: declared.goal === true, graph: declared.graph === true },
  })),
});
