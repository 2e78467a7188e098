/** The steps of the report on graphs: one a row and set, named by the version of its code. */
import { globSync } from 'node:fs';
import { COSTS, type GraphSteps, RECALL } from '../graph-tables.ts';
import { importClosure } from '../import-closure.ts';
import { TRACES } from '../kept-traces.ts';
import type { Evaluation, Given, MeasuredRow, Results } from '../report.ts';
import { ROOT } from '../steps.ts';
import { versionOf } from '../versions.ts';
import { type Declared, type GraphSet, labelOf, rowOf, SEARCHES } from './graphs-rows.ts';
import { TEMPLATE } from './settings.ts';

export const RANKED: readonly string[] = ['Recall@2', RECALL, 'AllRecall@5'];
export const ANSWERS: readonly string[] = ['AnswerEM(hotpot)', 'AnswerF1(hotpot)'];
export const shownSentences = ({ sentences }: GraphSet): readonly string[] =>
  sentences === undefined ? [] : [sentences];
const CONTROLS = ['question-only', 'swapped-evidence'].flatMap(name => ['--control', name]);

const STRATEGIES = 'src/strategies';
/** Files that every row runs through: the corpus, the engine, its searches, the readers. */
const SHARED = [...['src/run/ask.ts', 'src/run/ingest.ts', 'src/search/embedded-engine.ts']];
/** Files that an engine serves a port from: only rows that read the port run through them. */
const SERVED: Readonly<Record<string, readonly string[]>> = {
  'src/search/ports/entity-walks-port.ts': [
    'src/search/graphs/snapshot-walks.ts',
    'src/search/graphs/entity-graph.ts',
    'src/search/graphs/sentence-entities.ts',
  ],
  'src/search/ports/neighbours-port.ts': [
    'src/search/graphs/snapshot-neighbours.ts',
    'src/search/links/link-neighbours.ts',
    'src/search/graphs/sentence-graph.ts',
    'src/search/graphs/sentence-entities.ts',
    'src/search/graphs/nearest-sentences.ts',
  ],
};

/**
 * Returns the files that a row runs through: what its strategy imports, the engine, the readers,
 * and what the engine serves by the ports that the strategy reads. `hipporag1` and `hipporag2` may
 * share files.
 */
export function filesOfRow(name: string): readonly string[] {
  const entries = globSync(
    [`${name}.ts`, `${name}/*.ts`, `${name}[0-9]/*.ts`].map(file => `${STRATEGIES}/${file}`),
    { cwd: ROOT },
  ).filter(file => !file.endsWith('.test.ts'));
  const imported = importClosure(entries.sort());
  const served = Object.entries(SERVED);
  const read = served.flatMap(([port, files]) => (imported.includes(port) ? files : []));
  const unread = served.flatMap(([, files]) => files.filter(file => !read.includes(file)));
  const ends = (path: string): boolean => unread.includes(path) || path.startsWith(STRATEGIES);
  return [...new Set([...imported, ...importClosure(SHARED, ends)])];
}

const versions = new Map<string, string>();

/** Returns the version of the code of a row. */
export function versionOfRow(strategy: string): string {
  const name = /^[\w-]+?(?=\d*(?:\(|$))/.exec(strategy)![0];
  const known = versions.get(name);
  if (known !== undefined) return known;
  const version = versionOf(...filesOfRow(name));
  versions.set(name, version);
  return version;
}

export const stepOf = ({ id }: GraphSet, { step, strategy }: Declared): string =>
  `${id}.${step}-${versionOfRow(strategy)}`;
const searchesOf = ({ id }: GraphSet): string => `${id}.searches-${versionOfRow('fixed-top-k')}`;
const embeds = ({ retriever }: Declared): boolean => retriever?.startsWith('dense(') === true;

/** One step: a row over a set. */
export const evaluationOf = (
  set: GraphSet,
  declared: Declared,
  request: Given,
  more: Pick<Evaluation, 'measures'> & Partial<Evaluation>,
): Evaluation => ({
  name: stepOf(set, declared),
  dataSet: set.dataSet ?? set.id,
  sample: set.sample,
  rows: [rowOf(declared, set)],
  files: set.files && (() => set.files!(request)),
  ...more,
});

/** The row of a step that is finished. */
export const rowIn = (
  { measured }: Results,
  set: GraphSet,
  declared: Declared,
): MeasuredRow | undefined => measured.get(stepOf(set, declared))?.rows[0];

/** The searches alone, and one step a row. */
export const setEvaluations = (
  set: GraphSet,
  rows: readonly Declared[],
  request: Given,
): Evaluation[] => [
  evaluationOf(set, rows[0]!, request, {
    name: searchesOf(set),
    rows: SEARCHES,
    measures: RANKED,
    keeps: [TRACES],
  }),
  ...rows.map(declared =>
    evaluationOf(set, declared, request, {
      keeps: [TRACES],
      measures: [...RANKED, ...(set.ranked ? [] : [...shownSentences(set), ...ANSWERS]), ...COSTS],
      words: [...(set.ranked ? [] : CONTROLS), ...(embeds(declared) ? TEMPLATE : [])],
      embeds: embeds(declared),
    }),
  ),
];

/** Says where the steps of a set stand, for the blocks. */
export const setSteps = (set: GraphSet, rows: readonly Declared[]): GraphSteps => ({
  heading: set.heading,
  searches: searchesOf(set),
  rows: rows.map(declared => ({
    step: stepOf(set, declared),
    label: labelOf(declared),
    plain: declared.strategy.startsWith('fixed-top-k'),
    goal: declared.goal === true,
    graph: declared.graph === true,
  })),
});
