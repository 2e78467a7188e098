/** The evaluations of the fact-lanes report, and the commands that fit its weights. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ANSWERS_AT } from '../answers-at.ts';
import { BOTH_CONTROLS } from '../control-tables.ts';
import type { Evaluation } from '../report.ts';
import { ROOT } from '../steps.ts';
import { QUESTION_ONLY } from '../tables.ts';
import { versionOf } from '../versions.ts';
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

export const QUALITY: readonly string[] = [
  ...['FactRecall', 'AllFacts', 'GroundedEM', 'GroundedRecall'],
  ...['RetrievalConditionedEM(answerable)', 'EvidenceRecall'],
  ...['ContextTokens', 'Documents', 'Retrievals'],
];
export const ANSWERS: readonly string[] = [
  ...['QaAccuracy(official)', 'QaAccuracy(strict)', 'AbstainedNull', 'RefusedAnswerable'],
  'TypeF1(macro)',
];

const READER = 'fact-reader';
const SENTENCES = 'sentences(perDocument=5)';
const LEAD = 'lead(words=90)';

/** The switches of fact-lanes, each changed alone. */
export const SWITCHES: Readonly<Record<string, string>> = {
  'clauses=false': 'one lane: the whole question',
  'sources=false': 'no search within the sources and days that are named',
  'vectors=false': 'words alone',
  'bridge=off': 'names that the best sentences share are not used',
  'ranker=sum': 'plain sum in the place of the learned weights',
  'duplicates=1.01': 'near-duplicates are kept',
};

/** The retrievers of fact-lanes that are compared. */
const COMPARED = ['bge', 'words'];

const systemRow = (
  system: string,
  strategy: string,
  retriever: string,
  context: string,
  reader?: string,
): SystemRow => rowOf({ system, strategy, retriever, context, reader });

/** At the published agent's tokens, whose own mean is 509. */
function goalRows(): SystemRow[] {
  const control = (system: string, tokens: number, retriever: string, context: string): SystemRow =>
    systemRow(system, `equal-budget-top-k(tokens=${tokens})`, retriever, context, READER);
  const [agent, words] = ['budgeted-agent(tokens=620, calls=4)', 'lexical(unit=sentence)'];
  const extractive = 'fact-lanes, bge; reader extractive';
  return [
    ...Object.keys(FACT_LANES_RETRIEVERS).map(by => factLanesRow({ by, reader: READER })),
    { ...factLanesRow({ by: 'bge', reader: 'extractive' }), system: extractive, label: extractive },
    systemRow('budgeted-agent as published', agent, 'lexical(s1)', LEAD, READER),
    control('control: documents, first 90 words, up to 620 tokens', 620, 'lexical(s1)', LEAD),
    control('control: sentences by words', MAIN_TOKENS, words, SENTENCES),
    control('control: sentences by words and vectors', MAIN_TOKENS, WORDS_AND_BGE, SENTENCES),
  ];
}

/** By words alone, so that no sentence is embedded: what answers rest on is the reader's doing. */
function controlledRows(): SystemRow[] {
  const extractive = 'fact-lanes, words; reader extractive';
  return [
    ...goalRows().filter(({ retriever }) => !retriever.includes('dense(')),
    {
      ...factLanesRow({ by: 'words', reader: 'extractive' }),
      system: extractive,
      label: extractive,
    },
  ];
}

/** Whole documents under the paper's context, in which its exact match is comparable. */
function currencyRows(): SystemRow[] {
  const strategies = ['budgeted-agent(tokens=620, calls=4)', 'slot-agent'].concat(
    [510, 620].map(tokens => `equal-budget-top-k(tokens=${tokens})`),
  );
  return [
    // 620 is the published agent's limit, of which it spends 509 on average.
    ...[620, MAIN_TOKENS].flatMap(tokens =>
      COMPARED.map(by => {
        const row = factLanesRow({ by, settings: 'unit=document', context: LEAD, tokens });
        return { ...row, label: `${row.label}, ${tokens} tokens` };
      }),
    ),
    ...strategies.map(strategy => systemRow(strategy, strategy, 'lexical(s1)', LEAD)),
  ];
}

const switchRows = (): SystemRow[] => [
  factLanesRow({ by: 'bge' }),
  ...Object.entries(SWITCHES).map(([settings, says]) => ({
    ...factLanesRow({ by: 'bge', settings }),
    label: `${settings}: ${says}`,
  })),
];

const curveRows = (): SystemRow[][] => [
  ...COMPARED.map(by => TOKENS.map(tokens => factLanesRow({ by, tokens }))),
  ...controlRows(TOKENS),
  ...systemRows(TOKENS),
];

const isOurs = ({ strategy }: SystemRow): boolean => strategy.startsWith('fact-lanes');
const slug = (text: string): string => text.replace(/[^A-Za-z0-9]+/g, '-').replace(/-$/, '');

/** Rows of fact-lanes and of its reader belong to the code and weights that they were made by. */
const STRATEGY: string = versionOf(
  ...['src/strategies/fact-lanes', 'src/models/fact-ranker'],
  'src/planning',
);
const READER_VERSION: string = versionOf(
  ...['src/readers/fact-reader.ts', 'src/readers/fact-reader', 'src/models/fact-reader'],
);
export const NAMES: Readonly<Record<'goals' | 'controls' | 'currency' | 'ablation', string>> = {
  goals: `goals-${STRATEGY}-${READER_VERSION}`,
  controls: `controls-${STRATEGY}-${READER_VERSION}`,
  currency: `currency-${STRATEGY}`,
  ablation: `ablation-${STRATEGY}`,
};

const onDev = (
  name: string,
  rows: readonly SystemRow[],
  more: Partial<Evaluation>,
): Evaluation => ({ name, dataSet: 'multihop-rag', rows, measures: QUALITY, ...more });

function curveOf(rows: readonly SystemRow[]): Evaluation {
  const name = `curves.${slug(rows[0]!.label)}`;
  return onDev(isOurs(rows[0]!) ? `${name}-${STRATEGY}` : name, rows, { sample: 200 });
}

export function evaluations(): Evaluation[] {
  const measures = [...QUALITY, ...ANSWERS];
  return [
    // The causes of missed facts are read from hits and rejections.
    onDev(NAMES.goals, goalRows(), {
      measures,
      keeps: ['traces'],
      words: ['--controls', ...QUESTION_ONLY, '--full-trace'],
    }),
    onDev(NAMES.controls, controlledRows(), {
      measures: [...ANSWERS, ...ANSWERS_AT],
      words: BOTH_CONTROLS,
    }),
    onDev(NAMES.currency, currencyRows(), {}),
    ...curveRows().map(curveOf),
    onDev(NAMES.ablation, switchRows(), { sample: 600 }),
  ];
}

type Ranker = Readonly<Record<string, { readonly retriever?: string }>>;
interface Reader {
  readonly rows?: readonly Readonly<Record<string, string>>[];
}

/** The commands that fit the weights that ship, with the arguments that their files record. */
export const LEARNT: Readonly<Record<string, readonly string[]>> = learnCommands();

function learnCommands(): Record<string, readonly string[]> {
  const provenanceOf = (path: string): unknown =>
    (JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as { provenance: unknown }).provenance;
  const ranker = provenanceOf('src/models/fact-ranker/fact-ranker.json') as Ranker;
  const { rows = [] } = provenanceOf('src/models/fact-reader/fact-reader.json') as Reader;
  // Weights of open questions are learnt from train files, which a report cannot name.
  const retrievers = Object.entries(ranker).flatMap(([kind, { retriever }]) =>
    kind.startsWith('open-') || retriever === undefined ? [] : ['--retriever', retriever],
  );
  const asked = rows.flatMap(row => [
    '--row',
    Object.entries(row)
      .map(([part, name]) => `${part}=${name}`)
      .join('; '),
  ]);
  return {
    'learn.fact-ranker': ['learn', 'fact-ranker', 'multihop-rag', ...retrievers],
    'learn.fact-reader': ['learn', 'fact-reader', 'multihop-rag', ...asked],
  };
}
