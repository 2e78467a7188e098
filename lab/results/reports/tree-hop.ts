/** TreeHop beside Direct-R at equal K, with ablations and by type of question. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { defined } from '../../../src/core/defined.ts';
import { readDataSet } from '../../../src/documents/data-sets.ts';
import type { Example } from '../../../src/evaluation/example.ts';
import { findData } from '../../../src/experiments/find-data.ts';
import { readCheckpoint } from '../../../src/models/tree-hop/checkpoint.ts';
import { shippedTreeHopPath } from '../../../src/providers/tree-hop/weights.ts';
import { ALL_KEPT } from '../equal-k.ts';
import {
  type Ablated,
  ablatedK,
  equalK,
  equalKUnlessSame,
  glance,
  groupsK,
  heldOutChoice,
  type Sides,
} from '../equal-k-tables.ts';
import {
  type Evaluation,
  type Given,
  type Report,
  type Row,
  type Section,
  text,
} from '../report.ts';
import { fixed, sizes, values } from '../tables.ts';
import { DEFINITIONS, HEADINGS, SETTINGS, type Setting, TEMPLATE } from './settings.ts';
import {
  type Ablation,
  BY_BRIDGE,
  BY_PATH,
  CHOICES,
  DEPTH,
  PRUNING_ABLATIONS,
  PUBLISHED,
  ROWS,
  TIMED,
  termAblations,
  UNABLATED,
  type Variant,
  WARM_UP,
} from './tree-hop-rows.ts';
import { INTRODUCTION, PUBLISHED_NOTE, publishedGains } from './tree-hop-text.ts';

interface Opened {
  readonly path: string;
  readonly sha256: string;
  readonly encoder: string;
  readonly variant: Variant;
  readonly provenance: Readonly<Record<string, string>>;
}

function opened(file: string): Opened {
  const path = resolve(file);
  const bytes = new Uint8Array(readFileSync(path));
  const { provenance } = readCheckpoint(bytes);
  const { encoder, variant = 'full' } = provenance;
  if (encoder === undefined) throw new Error(`${path} names no embedder`);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { path, sha256, encoder, variant: variant as Variant, provenance };
}

/** Another model in the same file is another step. */
const part = (name: string, { sha256 }: Opened): string => `${name}-${sha256.slice(0, 8)}`;
const COUNTED = [...Object.values(DEFINITIONS).map(at => at(ALL_KEPT)), 'Documents', 'Retrievals'];
const CUT_OFFS = Object.values(DEFINITIONS).flatMap(at =>
  Array.from({ length: DEPTH }, (_, index) => at(index + 1)),
);

function evaluationsOf({ id, evaluated }: Setting, main: Opened, others: readonly Opened[]) {
  const step = (
    name: string,
    strategies: readonly string[],
    measures: readonly string[],
    model?: Opened,
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
    words: [...TEMPLATE, ...(model ? ['--query-updater', model.path] : [])],
  });
  const ablations = [...termAblations(main.variant), ...PRUNING_ABLATIONS];
  const rows = [...new Set([...ROWS, ...ablations.map(({ strategy }) => strategy)])];
  const times = ['Milliseconds(p50)', 'Milliseconds(p95)'];
  return {
    direct: step('direct-r', [`fixed-top-k(k=${DEPTH})`], CUT_OFFS),
    rows: step(part('tree-hop', main), rows, COUNTED, main),
    others: others.map(model =>
      step(part(`ablated-${model.variant}`, model), [UNABLATED], COUNTED, model),
    ),
    times: { ...step(part('times', main), [WARM_UP, ...TIMED], times, main), timed: true },
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

const printed = ([recall, k]: readonly [number, number?]): string =>
  `${recall.toFixed(1)}${k === undefined ? '' : ` (K ${k})`}`;

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
  const micro = DEFINITIONS.micro;
  const checkpoints = others.map(
    (model, index): Ablated => ({
      says: `${basename(model.path)}, trained ${model.variant}`,
      label: UNABLATED,
      from: all.others[index]!.name,
    }),
  );
  return {
    heading: id,
    blocks: [
      sizes(sides.rows),
      equalK(HEADINGS.micro, sides, micro, ROWS, paper),
      equalK(HEADINGS.macro, sides, DEFINITIONS.macro, ROWS),
      equalKUnlessSame(HEADINGS.id, sides, [DEFINITIONS.id, micro], ROWS),
      values(all.times.name, all.times.measures, {
        intervals: false,
        heading: 'Latency',
        rows: row => row.label !== WARM_UP,
      }),
      ablatedK('term left out', sides, micro, UNABLATED, termAblations(main.variant).map(ablated)),
      ...(others.length > 0 ? [ablatedK('checkpoint', sides, micro, UNABLATED, checkpoints)] : []),
      ablatedK('pruning', sides, micro, UNABLATED, PRUNING_ABLATIONS.map(ablated)),
      ...[UNABLATED, BY_PATH, BY_BRIDGE].map(label =>
        groupsK('By type of question', sides, micro, label, types),
      ),
      ...[UNABLATED, BY_BRIDGE].map(label =>
        groupsK('By what training saw', sides, micro, label, trained, halves),
      ),
      heldOutChoice(sides, micro, CHOICES, goldTitles),
    ],
  };
}

export const report = (request: Given): Report => {
  const main = opened(request.options['query-updater'] ?? shippedTreeHopPath());
  const others = (request.options['ablated'] ?? '').split(',').filter(Boolean).map(opened);
  const sides = SETTINGS.map((setting): [string, Sides] => {
    const { rows, direct } = evaluationsOf(setting, main, others);
    return [setting.id, { rows: rows.name, direct: direct.name }];
  });
  const checkpoint = Object.entries({ sha256: main.sha256, ...main.provenance });
  return {
    folder: 'tree-hop',
    title: 'TreeHop',
    introduction: INTRODUCTION,
    evaluations: SETTINGS.flatMap(setting => {
      const { direct, rows, others: ablated, times } = evaluationsOf(setting, main, others);
      return [direct, rows, ...ablated, times];
    }),
    sections: [
      {
        heading: 'Checkpoint',
        blocks: [
          fixed(
            ['field', 'value'],
            checkpoint.filter(([name]) => name !== 'trainedOn'),
          ),
        ],
      },
      {
        heading: 'At a glance',
        blocks: [UNABLATED, BY_PATH, BY_BRIDGE].flatMap(label => [
          text(`\`${label}\`, by title, micro:`),
          glance(sides, DEFINITIONS.micro, label),
        ]),
      },
      ...SETTINGS.map(setting => sectionOf(setting, main, others, request)),
      { heading: 'Published', blocks: [text(PUBLISHED_NOTE), publishedGains] },
    ],
    figures: () => ({ checkpoints: [main, ...others].map(({ path: _, ...rest }) => rest) }),
  };
};
