/**
 * The steps of the report of fact-lanes: what each section evaluates, and in which order its rows
 * stand.
 */
import type { Step } from './evaluation-step.ts';
import {
  GENERALITY,
  type GeneralitySetting,
  generalityRows,
  templateOf,
  VECTORS,
  type Vectors,
} from './fact-lanes-generality.ts';
import {
  controlRows,
  FACT_LANES_RETRIEVERS,
  factLanesRow,
  MAIN_TOKENS,
  rowOf,
  type SystemRow,
  systemRows,
  TOKENS,
  WORDS_AND_BGE,
} from './fact-lanes-systems.ts';

export interface Planned {
  readonly step: Step;
  readonly rows: readonly SystemRow[];
  /**
   * Vectors that an evaluation of MultiHop-RAG does not leave in the cache: made only where that is
   * asked for.
   */
  readonly embeds?: boolean;
}

export const QUALITY: readonly string[] = [
  ...[
    'FactRecall',
    'AllFacts',
    'GroundedEM',
    'GroundedRecall',
    'RetrievalConditionedEM(answerable)',
    'EvidenceRecall',
  ],
  ...['ContextTokens', 'Documents', 'Retrievals'],
];
export const ANSWERS: readonly string[] = [
  ...[
    'QaAccuracy(official)',
    'QaAccuracy(strict)',
    'AbstainedNull',
    'RefusedAnswerable',
    'TypeF1(macro)',
  ],
];
export const TIMES: readonly string[] = ['Milliseconds(p50)', 'Milliseconds(p95)'];

/** Measured first, so that the rows that are timed find compiled code; printed nowhere. */
export const WARM_UP: SystemRow = {
  ...factLanesRow({ by: 'bge', tokens: 300 }),
  system: 'warm-up',
};
/** Questions of the curves, which are many rows: the first table and the ablation ask all. */
const CURVED = 200;
/** Questions of the ablation, whose differences are paired. */
const ABLATED = 600;
/** Questions of the cross-encoder, which reads some fifty pairs of each. */
const REREAD_QUESTIONS = 300;
/** Questions of the step that times. */
const TIMED = 200;
const READER = 'fact-reader';

const SENTENCES = 'sentences(perDocument=5)';
const LEAD = 'lead(words=90)';

/** The switches of fact-lanes, each put off alone. */
export const SWITCHES: Readonly<Record<string, string>> = {
  'clauses=false': 'one lane: the whole question',
  'sources=false': 'no search within the sources and days that are named',
  'vectors=false': 'words alone',
  'bridge=off': 'names that the best sentences share are not used',
  'bridge=search': 'they are searched for too, in two more hops',
  'ranker=sum': 'plain sum in the place of the learned weights',
  'fill=false': 'lanes are not filled in turn',
  'duplicates=1.01': 'near-duplicates are kept',
  'margin=3': 'stop at what is 20 times less likely than the best',
  'margin=5': 'at what is 148 times less likely',
};

/** A cross-encoder as the third stage: what it reads is printed beside what it brings. */
export const REREAD: Readonly<Record<string, string>> = {
  'reranker=ms-marco-MiniLM-L-12-v2': 'it reads the best 12 sentences of each lane',
  'reranker=ms-marco-MiniLM-L-12-v2, pairs=4': 'the best 4',
};

/**
 * What stands beside other systems: lsa brings nothing over words alone, as the first table shows.
 */
const COMPARED = ['bge', 'words'];

const byRetriever = (options: {
  readonly settings?: string;
  readonly context?: string;
  readonly reader?: string;
  readonly tokens?: number;
}): SystemRow[] => Object.keys(FACT_LANES_RETRIEVERS).map(by => factLanesRow({ by, ...options }));

const named = (system: string, parts: Parameters<typeof rowOf>[0]): SystemRow => ({
  system,
  tokens: MAIN_TOKENS,
  row: rowOf(parts),
});

/** At the published agent's tokens: its own mean is 509. */
function goalRows(): SystemRow[] {
  const control = (system: string, retriever: string, context: string, tokens: number): SystemRow =>
    named(system, {
      strategy: `equal-budget-top-k(tokens=${tokens})`,
      retriever,
      context,
      reader: READER,
    });
  return [
    ...byRetriever({ reader: READER }),
    {
      ...factLanesRow({ by: 'bge', reader: 'extractive' }),
      system: 'fact-lanes, bge; reader extractive',
    },
    named('budgeted-agent as published', {
      strategy: 'budgeted-agent(tokens=620, calls=4)',
      retriever: 'lexical(s1)',
      context: LEAD,
      reader: READER,
    }),
    control('control: documents, first 90 words, up to 620 tokens', 'lexical(s1)', LEAD, 620),
    control('control: sentences by words', 'lexical(unit=sentence)', SENTENCES, MAIN_TOKENS),
    control('control: sentences by words and vectors', WORDS_AND_BGE, SENTENCES, MAIN_TOKENS),
  ];
}

/** Whole documents under the paper's context: there its exact match can be compared. */
function currencyRows(): SystemRow[] {
  const paper = (strategy: string): SystemRow =>
    named(strategy, { strategy, retriever: 'lexical(s1)', context: LEAD });
  return [
    // 620 is the published agent's limit, which spends 509 of it on average.
    ...[620, MAIN_TOKENS].flatMap(tokens =>
      COMPARED.map(by => factLanesRow({ by, settings: 'unit=document', context: LEAD, tokens })),
    ),
    ...[
      'budgeted-agent(tokens=620, calls=4)',
      'slot-agent',
      'equal-budget-top-k(tokens=510)',
      'equal-budget-top-k(tokens=620)',
    ].map(paper),
  ];
}

const switchRows = (switches: Readonly<Record<string, string>>): SystemRow[] => [
  factLanesRow({ by: 'bge' }),
  ...Object.keys(switches).map(settings => factLanesRow({ by: 'bge', settings })),
];

const curveRows = (): SystemRow[][] => [
  ...COMPARED.map(by => TOKENS.map(tokens => factLanesRow({ by, tokens }))),
  ...controlRows(TOKENS),
  ...systemRows(TOKENS),
];

const slug = (text: string): string => text.replace(/[^A-Za-z0-9]+/g, '-').replace(/-$/, '');

/**
 * What the rows of fact-lanes and of its reader were made by: other code or other weights are other
 * steps.
 */
export interface Versions {
  readonly strategy: string;
  readonly reader: string;
}

interface Asked {
  readonly name: string;
  readonly dataSet?: string;
  readonly rows: readonly SystemRow[];
  readonly measures?: readonly string[];
  readonly words?: readonly string[];
  readonly keeps?: readonly string[];
  /** Times are taken, so no trace is written. */
  readonly timed?: boolean;
}

/** None without rows. */
function planned({
  name,
  dataSet = 'multihop-rag',
  rows,
  measures = QUALITY,
  words = [],
  keeps,
  timed = false,
}: Asked): Planned[] {
  const asked = [
    ...[dataSet, ...words],
    ...rows.flatMap(({ row }) => ['--row', row]),
    ...measures.flatMap(measure => ['--measure', measure]),
  ];
  const step: Step = {
    name,
    words: asked,
    ...(timed ? {} : { scores: true }),
    ...(keeps ? { keeps } : {}),
  };
  return rows.length === 0 ? [] : [{ step, rows }];
}

export const SECTIONS = [
  'goals',
  'currency',
  'curves',
  'ablation',
  'reread',
  'generality',
  'latency',
] as const;
export type Section = (typeof SECTIONS)[number];

/** All steps, by section. `sample`: so many questions alone, to try it. */
export function plan(
  { strategy, reader }: Versions,
  sample?: number,
): Readonly<Record<Section, readonly Planned[]>> {
  const words = sample === undefined ? [] : ['--sample', String(sample)];
  const timed = sample === undefined ? ['--sample', String(TIMED)] : words;
  const ablated = sample === undefined ? ['--sample', String(ABLATED)] : words;
  const reread = sample === undefined ? ['--sample', String(REREAD_QUESTIONS)] : words;
  const curved = sample === undefined ? ['--sample', String(CURVED)] : words;
  const atMain = curveRows().flatMap(rows => rows.filter(({ tokens }) => tokens === MAIN_TOKENS));
  return {
    goals: planned({
      name: `goals-${strategy}-${reader}`,
      ...{ rows: goalRows(), measures: [...QUALITY, ...ANSWERS], words: [...words, '--controls'] },
      keeps: ['curves.json', 'traces'],
    }),
    currency: planned({ name: `currency-${strategy}`, rows: currencyRows(), words }),
    curves: curveRows().flatMap(rows =>
      planned({ name: curveName(rows[0]!, strategy), rows, words: curved }),
    ),
    ablation: planned({ name: `ablation-${strategy}`, rows: switchRows(SWITCHES), words: ablated }),
    reread: planned({
      name: `reread-${strategy}`,
      rows: switchRows(REREAD),
      words: reread,
      measures: [...QUALITY, 'RerankedPairs'],
    }),
    generality: GENERALITY.flatMap(setting =>
      VECTORS.flatMap(vectors => generalitySteps(setting, vectors, strategy, words)),
    ),
    latency: planned({
      name: `latency-${strategy}`,
      rows: [WARM_UP, ...atMain],
      measures: TIMES,
      words: timed,
      timed: true,
    }),
  };
}

function curveName({ system, form, row }: SystemRow, strategy: string): string {
  const name = `curves.${form ?? 'own'}.${slug(system)}`;
  return isOurs(row) ? `${name}-${strategy}` : name;
}

const isOurs = (row: string): boolean => row.startsWith('strategy=fact-lanes');

function generalitySteps(
  { id, measures }: GeneralitySetting,
  vectors: Vectors,
  strategy: string,
  words: readonly string[],
): Planned[] {
  const rows = generalityRows(vectors);
  const step = (part: string, some: readonly SystemRow[]): Planned[] =>
    planned({
      name: `generality.${id}.${part}`,
      dataSet: id,
      rows: some,
      measures,
      words: [...words, ...templateOf(vectors)],
    });
  const steps = [
    ...step(
      `fact-lanes${vectors === 'none' ? '' : `-${vectors}`}-${strategy}`,
      rows.filter(({ row }) => isOurs(row)),
    ),
    ...step(
      `others${vectors === 'none' ? '' : `-${vectors}`}`,
      rows.filter(({ row }) => !isOurs(row)),
    ),
  ];
  return steps.map(one => ({ ...one, embeds: vectors !== 'none' }));
}
