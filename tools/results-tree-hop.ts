/**
 * Prints TreeHop beside Direct-R at equal K into results/tree-hop/, with ablations, and by type of
 * question.
 *
 *     MULTIHOP_DATA=... MULTIHOP_MODELS=... npm run results:tree-hop -- [--query-updater FILE] [--ablated FILE...] [--cache DIR] [--out DIR] [STEP...]
 *
 * FILE is a checkpoint as `multihop treehop train` writes it, the one that ships where it is
 * missing; it says which embedder it is for. --ablated names other checkpoints for the same
 * embedder that stand beside it: trained without a term, as `multihop treehop ablate` writes them,
 * or by other settings. A step is SETTING.PART, or a beginning of several; without one all are run.
 * What is finished stays in .cache/results-tree-hop (vectors in the --cache folder), so a run that
 * was cut goes on where it was; delete that folder after the code that it measures has changed. The
 * report is written from the data sets whose steps are all there.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readDataSet } from '../src/edges/formats/data-sets.ts';
import { shippedTreeHopPath } from '../src/edges/tree-hop/shipped.ts';
import type { EvaluationResult } from '../src/evaluation/evaluation-result.ts';
import { type Checkpoint, readCheckpoint } from '../src/tree-hop/model/checkpoint.ts';
import type { Setting } from './direct-r-report.ts';
import { dataSetOf, filesOf, SETTINGS, settingWords, TEMPLATE } from './direct-r-settings.ts';
import { ALL_KEPT, type Columns } from './equal-k.ts';
import { evaluate, finished, finishedScores, ROOT, type Step } from './evaluation-step.ts';
import { type CheckpointResult, treeHopReport } from './results-tree-hop-report.ts';
import {
  compared,
  DEFINITIONS,
  type Measured,
  type MeasuredSetting,
  type SettingResult,
} from './tree-hop-comparisons.ts';
import {
  DEPTH,
  PRUNING_ABLATIONS,
  ROWS,
  TIMED,
  termAblations,
  UNABLATED,
  type Variant,
  WARM_UP,
} from './tree-hop-rows.ts';

const WORK = join(ROOT, '.cache', 'results-tree-hop');
const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    'query-updater': { type: 'string' },
    ablated: { type: 'string', multiple: true, default: [] },
    cache: { type: 'string', default: process.env['MULTIHOP_CACHE'] ?? join(WORK, 'models') },
    out: { type: 'string', default: join(ROOT, 'results', 'tree-hop') },
  },
});

interface Given {
  readonly path: string;
  readonly sha256: string;
  readonly checkpoint: Checkpoint;
  readonly variant: Variant;
}

interface Steps {
  readonly direct: Step;
  readonly rows: Step;
  readonly times: Step;
  readonly ablated: readonly { readonly given: Given; readonly step: Step }[];
}

const main = opened(options['query-updater'] ?? shippedTreeHopPath());
const ablated = options.ablated.map(opened);
const encoder = main.checkpoint.provenance['encoder']!;
const strategies = [
  ...new Set([
    ...ROWS,
    ...[...termAblations(main.variant), ...PRUNING_ABLATIONS].map(({ strategy }) => strategy),
  ]),
];
const steps = new Map(SETTINGS.map(setting => [setting, stepsOf(setting)]));
runSteps([...steps.values()].flatMap(allOf));
const results: SettingResult[] = [];
for (const setting of SETTINGS) {
  const { direct, rows, times, ablated: others } = steps.get(setting)!;
  if (![direct, rows, ...others.map(({ step }) => step)].every(step => finished(step, WORK)))
    continue;
  results.push(
    compared(await measuredOf(setting, { direct, rows, times, ablated: others }), main.variant),
  );
}
const out = resolve(options.out);
mkdirSync(out, { recursive: true });
const unmeasured = SETTINGS.map(({ id }) => id).filter(
  id => !results.some(result => result.id === id),
);
const [checkpoint, others] = [described(main), ablated.map(described)];
writeFileSync(join(out, 'report.md'), treeHopReport(checkpoint, others, results, unmeasured));
writeFileSync(
  join(out, 'result.json'),
  `${JSON.stringify({ checkpoint, ablated: others, settings: results })}\n`,
);

function opened(given: string): Given {
  const path = resolve(given);
  const bytes = new Uint8Array(readFileSync(path));
  const checkpoint = readCheckpoint(bytes);
  const { encoder: trainedFor, variant = 'full' } = checkpoint.provenance;
  if (trainedFor === undefined)
    throw new Error(`${path} does not say which embedder it was trained for`);
  return {
    path,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    checkpoint,
    variant: variant as Variant,
  };
}

function described({
  path,
  sha256,
  checkpoint: { parameters, provenance },
}: Given): CheckpointResult {
  const { d, g, m, nMlp, heads, tensors } = parameters;
  const count = [...tensors.values()].reduce((sum, tensor) => sum + tensor.length, 0);
  return { file: basename(path), sha256, parameters: count, d, g, m, nMlp, heads, provenance };
}

function stepsOf(setting: Setting): Steps {
  const name = (part: string): string => `${setting.id.replaceAll(' ', '-')}.${part}`;
  const words = (rows: readonly string[], measures: readonly string[], given?: Given): string[] => [
    ...settingWords(setting, WORK),
    ...['--template', TEMPLATE, '--embedder', encoder],
    ...(given ? ['--query-updater', given.path] : []),
    ...rows.flatMap(strategy => ['--row', `strategy=${strategy}; retriever=dense(${encoder})`]),
    ...measures.flatMap(measure => ['--measure', measure]),
  ];
  const definitions = Object.values(DEFINITIONS);
  const cutOffs = definitions.flatMap(at =>
    Array.from({ length: DEPTH }, (_, index) => at(index + 1)),
  );
  const counted = [...definitions.map(at => at(ALL_KEPT)), 'Documents', 'Retrievals'];
  // The hash of the checkpoint is part of the name: another model in the same file is another step.
  const measured = (part: string, given: Given, rows: readonly string[]): Step => ({
    name: name(`${part}-${given.sha256.slice(0, 8)}`),
    words: words(rows, counted, given),
    scores: true,
  });
  return {
    direct: {
      name: name('direct-r'),
      words: words([`fixed-top-k(k=${DEPTH})`], cutOffs),
      scores: true,
    },
    rows: measured('tree-hop', main, strategies),
    ablated: ablated.map(given => ({
      given,
      step: measured(`ablated-${given.variant}`, given, [UNABLATED]),
    })),
    times: {
      name: name(`times-${main.sha256.slice(0, 8)}`),
      words: words([WARM_UP, ...TIMED], ['Milliseconds(p50)', 'Milliseconds(p95)'], main),
    },
  };
}

function allOf({ direct, rows, times, ablated: others }: Steps): Step[] {
  return [direct, rows, ...others.map(({ step }) => step), times];
}

function runSteps(all: readonly Step[]): void {
  const unknown = wanted.find(start => !all.some(({ name }) => name.startsWith(start)));
  if (unknown !== undefined)
    throw new Error(
      `No step begins with "${unknown}"; there are ${all.map(({ name }) => name).join(', ')}`,
    );
  const isWanted = ({ name }: Step): boolean =>
    wanted.length === 0 || wanted.some(start => name.startsWith(start));
  for (const step of all) if (isWanted(step)) evaluate(step, WORK, options.cache);
}

async function measuredOf(
  setting: Setting,
  { direct, rows, times, ablated: others }: Steps,
): Promise<MeasuredSetting> {
  const { examples } = await readDataSet(dataSetOf(setting), filesOf(setting, WORK));
  const timed = finished(times, WORK)?.rows.slice(1) ?? [];
  return {
    setting,
    types: examples.map(({ type }) => type ?? 'untyped'),
    direct: columnsOf(direct, [''])[0]!.columns,
    rows: columnsOf(rows, strategies),
    ablated: others.map(({ given, step }) => ({
      says: `${basename(given.path)}, trained ${given.variant}`,
      variant: given.variant,
      ...columnsOf(step, [UNABLATED])[0]!,
    })),
    times: timed.map(({ measures }, index) => {
      const [p50, p95] = ['Milliseconds(p50)', 'Milliseconds(p95)'].map(
        name => measures[name]!.mean,
      );
      return { strategy: TIMED[index]!, p50: p50!, p95: p95! };
    }),
    manifest: finished(rows, WORK)!.manifest,
  };
}

/** By the order in which the rows were asked for: results name them canonically. */
function columnsOf(step: Step, asked: readonly string[]): Measured[] {
  const { rows } = finished(step, WORK) as EvaluationResult;
  const { scores } = finishedScores(step, WORK)!;
  const failed = rows.find(row => row.failed > 0);
  if (failed)
    throw new Error(
      `${failed.failed} questions of ${failed.id} failed: delete ${step.name} from ${WORK} and run it again`,
    );
  return rows.map(({ id }, index) => ({ strategy: asked[index]!, columns: scores[id] as Columns }));
}
