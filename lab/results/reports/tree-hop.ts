/** TreeHop beside Direct-R at equal K: what each checkpoint learned, with ablations and groups. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defined } from '../../../src/core/defined.ts';
import { readDataSet } from '../../../src/documents/data-sets.ts';
import type { Example } from '../../../src/evaluation/example.ts';
import { findData } from '../../../src/experiments/find-data.ts';
import { readCheckpoint } from '../../../src/models/tree-hop/checkpoint.ts';
import { parameterCount } from '../../../src/models/tree-hop/shape.ts';
import { shippedTreeHopPath } from '../../../src/providers/tree-hop/weights.ts';
import { PUBLISHED_TRAINING } from '../../learning/tree-hop/training-settings.ts';
import { ALL_KEPT } from '../equal-k.ts';
import {
  type Ablated,
  ablatedK,
  equalK,
  glance,
  groupsK,
  heldOutChoice,
  type Sides,
  type System,
  systemsK,
} from '../equal-k-tables.ts';
import {
  type Evaluation,
  type Given,
  type Report,
  type Row,
  type Section,
  text,
} from '../report.ts';
import { fixed, sizes } from '../tables.ts';
import { DEFINITIONS, HEADINGS, SETTINGS, type Setting, TEMPLATE } from './settings.ts';
import {
  type Ablation,
  BY_BRIDGE,
  BY_BRIDGE_ALONE,
  BY_PATH,
  CHOICES,
  DEPTH,
  OUR_ROWS,
  PRUNING_ABLATIONS,
  PUBLISHED,
  type Published,
  ROWS,
  UNABLATED,
  WITHOUT_GATE,
} from './tree-hop-rows.ts';
import { INTRODUCTION, PUBLISHED_NOTE, publishedGains } from './tree-hop-text.ts';

interface Opened {
  readonly path: string;
  readonly sha256: string;
  readonly encoder: string;
  readonly variant: keyof Published['terms'];
  /** The variant and what of its training is not as published: equal for all seeds. */
  readonly recipe: string;
  readonly parameters: number;
  readonly provenance: Readonly<Record<string, string>>;
}

function opened(file: string): Opened {
  const path = resolve(file);
  const bytes = new Uint8Array(readFileSync(path));
  const { parameters: shape, provenance } = readCheckpoint(bytes);
  const { encoder } = provenance;
  if (encoder === undefined) throw new Error(`${path} names no embedder`);
  const variant = (provenance['variant'] ?? 'full') as Opened['variant'];
  const recipe = [variant, ...changesOf(provenance, shape.nMlp)].join(', ');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { path, sha256, encoder, variant, recipe, parameters: parameterCount(shape), provenance };
}

/** Names the settings in which a training differs from the published one. */
function changesOf(provenance: Opened['provenance'], blocks: number): string[] {
  const read = (name: string): Record<string, unknown> =>
    JSON.parse(provenance[name] ?? '{}') as Record<string, unknown>;
  const { mentions } = read('trainedOn');
  const settings = Object.entries(PUBLISHED_TRAINING).flatMap(([name, published]) => {
    const used = read('settings')[name] ?? published;
    return used === published || ['variant', 'seed', 'k', 'epochs'].includes(name)
      ? []
      : [`${name} ${used}`];
  });
  return [
    ...(blocks === 3 ? [] : [`blocks ${blocks}`]),
    ...settings,
    ...(mentions ? [`mentions ${mentions}`] : []),
  ];
}

const nameOf = ({ variant, sha256 }: Opened): string => `${variant}-${sha256.slice(0, 8)}`;
const MICRO = DEFINITIONS.micro;
const COUNTED = [MICRO(ALL_KEPT), 'Documents', 'Retrievals'];
const CUT_OFFS = Array.from({ length: DEPTH }, (_, index) => MICRO(index + 1));

/** The row that ablations are taken from, by a checkpoint of that name. */
const strategyOf = (model: Opened): string => UNABLATED.replace(/\)$/, `, model=${nameOf(model)})`);

function evaluationsOf(
  { id, evaluated, published }: Setting,
  main: Opened,
  others: readonly Opened[],
) {
  const step = (
    name: string,
    strategies: readonly string[],
    measures: readonly string[],
    files: readonly string[] = [],
  ): Evaluation => ({
    name: `${id}.${name}`,
    ...evaluated,
    measures,
    rows: strategies.map(
      (strategy): Row => ({
        label: strategy,
        strategy,
        retriever: `dense(${main.encoder})`,
        context: 'headers',
        reader: 'evidence-only',
      }),
    ),
    words: [...TEMPLATE, ...files.flatMap(file => ['--query-updater', file])],
  });
  const rows = published
    ? [...new Set([...ROWS, ...PRUNING_ABLATIONS.map(({ strategy }) => strategy)])]
    : OUR_ROWS;
  const files = others.map(model => `${nameOf(model)}=${model.path}`);
  return {
    direct: step('direct-r', [`fixed-top-k(k=${DEPTH})`], CUT_OFFS),
    rows: step(`tree-hop-${nameOf(main)}`, rows, COUNTED, [main.path]),
    trained: step('trained', others.map(strategyOf), COUNTED, files),
  };
}

const [SHARED, UNSHARED] = ['share a gold title with a train question', 'share none'];
const halves = (names: readonly string[]): [string, ReadonlySet<number>][] =>
  [SHARED, UNSHARED].flatMap(group => {
    const places = [...names.keys()].filter(at => names[at] === group);
    return places.length === 0 ? [] : [[group, new Set(places)]];
  });

/** Reads the types and gold titles of the questions, in order; none where they have one type. */
function questionsOf({ evaluated: { dataSet, type } }: Setting, { data }: Given) {
  const examples = async (): Promise<readonly Example[]> =>
    type === undefined ? (await readDataSet(dataSet, findData(dataSet, {}, data))).examples : [];
  const goldTitles = async (): Promise<string[][]> =>
    (await examples()).map(({ gold }) => gold.map(({ title }) => title));
  return {
    types: async (): Promise<string[]> =>
      (await examples()).map(example => example.type ?? 'untyped'),
    goldTitles,
    trained: async (): Promise<string[]> => {
      const known = trainingTitles(data);
      return (await goldTitles()).map(titles =>
        titles.some(title => known.has(title)) ? SHARED : UNSHARED,
      );
    },
  };
}

/** Titles of gold paragraphs of the train questions, from which the checkpoint learned. */
function trainingTitles(data: string): Set<string> {
  const lines = readFileSync(join(data, 'train', 'gold_chains.jsonl'), 'utf8').split('\n');
  return new Set(
    lines.flatMap(line =>
      line.trim() === ''
        ? []
        : (JSON.parse(line) as { gold: readonly { title: string }[] }).gold.map(
            document => document.title,
          ),
    ),
  );
}

const printed = ([recall, k]: readonly [number, number]): string => `${recall.toFixed(1)} (K ${k})`;

/** Every recipe, its seeds together; then the rule that is no part of TreeHop. */
function systemsOf(
  { published }: Setting,
  { rows, trained }: ReturnType<typeof evaluationsOf>,
  main: Opened,
  others: readonly Opened[],
): System[] {
  const paper = (variant: Opened['variant']): string =>
    published ? PUBLISHED[published].terms[variant].toFixed(1) : '–';
  const shipped = (says: string, label: string, of = '–'): System => ({
    says,
    runs: [[rows.name, label]],
    paper: of,
  });
  return [
    ...[...Map.groupBy(others, ({ recipe }) => recipe)].map(
      ([says, models]): System => ({
        says,
        runs: models.map(model => [trained.name, strategyOf(model)]),
        paper: paper(models[0]!.variant),
      }),
    ),
    shipped('no-gate: nothing to train', WITHOUT_GATE, paper('no-gate')),
    shipped(`shipped, our recipe: ${main.recipe}`, UNABLATED, paper(main.variant)),
    shipped('rule bridge=rank, no part of TreeHop, over the shipped vectors', BY_BRIDGE),
    shipped('the same rule over no-gate', BY_BRIDGE_ALONE),
  ];
}

function sectionOf(
  setting: Setting,
  main: Opened,
  others: readonly Opened[],
  request: Given,
): Section {
  const { id, published } = setting;
  const all = evaluationsOf(setting, main, others);
  const sides: Sides = { rows: all.rows.name, direct: all.direct.name };
  const paper = published
    ? Object.fromEntries(Object.entries(PUBLISHED[published].rows).map(([r, p]) => [r, printed(p)]))
    : {};
  const ablated = ({ says, strategy, published: of }: Ablation): Ablated =>
    defined({ says, label: strategy, paper: published ? printed(of(published)) : undefined });
  const { types, goldTitles, trained } = questionsOf(setting, request);
  return {
    heading: id,
    blocks: [
      sizes(sides.rows),
      systemsK('trained', sides.direct, MICRO, systemsOf(setting, all, main, others)),
      equalK(HEADINGS.micro, sides, MICRO, published ? ROWS : OUR_ROWS, paper),
      ...(published
        ? [ablatedK('pruning', sides, MICRO, UNABLATED, PRUNING_ABLATIONS.map(ablated))]
        : []),
      groupsK('By type of question', sides, MICRO, UNABLATED, types),
      ...[UNABLATED, BY_BRIDGE].map(label =>
        groupsK('By what training saw', sides, MICRO, label, trained, halves),
      ),
      heldOutChoice(sides, MICRO, CHOICES, goldTitles),
    ],
  };
}

/** One line a recipe. */
function checkpointsTable(models: readonly Opened[]): string[][] {
  const recipes = Map.groupBy(models, ({ recipe }) => recipe);
  return [...recipes].map(([recipe, of]) => [
    ...[recipe, of.map(({ provenance }) => provenance['seed'] ?? '–').join(', ')],
    of[0]!.parameters.toLocaleString('en'),
    of.map(({ provenance }) => provenance['epoch'] ?? '–').join(', '),
    of.map(({ sha256 }) => sha256.slice(0, 8)).join(', '),
  ]);
}

export const report = (request: Given): Report => {
  const main = opened(request.options['query-updater'] ?? shippedTreeHopPath());
  const others = (request.options['ablated'] ?? '').split(',').filter(Boolean).map(opened);
  const sides = SETTINGS.map((setting): [string, Sides] => {
    const { rows, direct } = evaluationsOf(setting, main, others);
    return [setting.id, { rows: rows.name, direct: direct.name }];
  });
  return {
    folder: 'tree-hop',
    title: 'TreeHop',
    introduction: INTRODUCTION,
    evaluations: SETTINGS.flatMap(setting => {
      const { direct, rows, trained } = evaluationsOf(setting, main, others);
      return [direct, rows, ...(others.length > 0 && setting.published ? [trained] : [])];
    }),
    sections: [
      {
        heading: 'Checkpoints',
        blocks: [
          fixed(
            ['trained', 'seeds', 'parameters', 'epoch kept', 'sha256'],
            checkpointsTable([...others, main]),
          ),
        ],
      },
      {
        heading: 'At a glance',
        blocks: [UNABLATED, BY_PATH, BY_BRIDGE].flatMap(label => [
          text(`\`${label}\`, shipped:`),
          glance(sides, MICRO, label),
        ]),
      },
      ...SETTINGS.map(setting => sectionOf(setting, main, others, request)),
      { heading: 'Published', blocks: [text(PUBLISHED_NOTE), publishedGains] },
    ],
    figures: () => ({
      checkpoints: [main, ...others].map(({ sha256, recipe }) => [sha256, recipe]),
    }),
  };
};
