/** The report of fact-lanes: its sections as Markdown, each from the steps that are finished. */
import { availableParallelism } from 'node:os';
import {
  type Curves,
  curveTable as thresholdTable,
} from '../src/evaluation/report/abstention-section.ts';
import { formatValue } from '../src/evaluation/report/format-value.ts';
import { markdownTable } from '../src/evaluation/report/markdown-report.ts';
import { BOOTSTRAP } from '../src/evaluation/resamples.ts';
import { GENERALITY, GENERALITY_TOKENS } from './fact-lanes-generality.ts';
import { type MeasuredRow, type MeasuredStep, meanOf } from './fact-lanes-measured.ts';
import { JUST_BELOW, type Misses } from './fact-lanes-misses.ts';
import { ANSWERS, REREAD, SWITCHES, WARM_UP } from './fact-lanes-steps.ts';
import { MAIN_TOKENS, TOKENS } from './fact-lanes-systems.ts';
import {
  ablationTable,
  answerTable,
  curveTable,
  differenceTable,
  figureTable,
  generalityTable,
  goalTable,
  groupTable,
  labelOf,
  mainTable,
  missesTable,
} from './fact-lanes-tables.ts';
import type { ShippedWeights } from './fact-lanes-versions.ts';

export interface ReportParts {
  readonly questions: number;
  readonly goals: MeasuredStep | undefined;
  readonly thresholds: Curves;
  readonly currency: MeasuredStep | undefined;
  /** A system in a form each, at ascending tokens. */
  readonly curves: readonly MeasuredStep[];
  readonly ablation: MeasuredStep | undefined;
  readonly reread: MeasuredStep | undefined;
  /** By data set. */
  readonly generality: Readonly<Record<string, readonly MeasuredStep[]>>;
  readonly latency: MeasuredStep | undefined;
  readonly misses: Readonly<Record<string, Misses>> | undefined;
  /** What the commands printed that fitted the shipped weights. */
  readonly learnt: Readonly<Record<string, string>>;
  readonly bench: readonly BenchLine[];
  /** Files beside the report. */
  readonly pictures: readonly { readonly file: string; readonly says: string }[];
  readonly unfinished: readonly string[];
  readonly weights: ShippedWeights;
}

export interface BenchLine {
  readonly task: string;
  readonly n: number;
  readonly unit: string;
  readonly ours: number;
  readonly note?: string;
}

/** Of the held-out half; the figures here are of the other, on which the weights were fitted. */
const GOALS: Readonly<Record<string, string>> = {
  FactRecall: '≥ 65',
  AllFacts: '≥ 40',
  GroundedEM: '≥ 42',
  GroundedRecall: '≥ 68',
  ContextTokens: '≤ 510',
  'QaAccuracy(official)': '≥ 70',
  'QaAccuracy(strict)': '≥ 60',
  AbstainedNull: '≥ 90',
  RefusedAnswerable: '≤ 3',
  'TypeF1(macro)': '≥ 95',
};

const GROUNDED = ['FactRecall', 'AllFacts', 'GroundedEM', 'GroundedRecall'];
const PAPER = ['RetrievalConditionedEM(answerable)', 'EvidenceRecall'];

export function factLanesReport(parts: ReportParts): string {
  return `${[
    introduction(parts),
    ...section('What it reaches', goalsSection(parts)),
    ...section('In the paper’s currency: whole documents', currencySection(parts)),
    ...section('Tokens against what they hold', curvesSection(parts)),
    ...section('What each part is worth', ablationSection(parts)),
    ...section('Other data sets, the same constants', generalitySection(parts)),
    ...section('Time', timeSection(parts)),
    ...section('Facts that are missed, by cause', missesSection(parts)),
    ...section('How the weights were fitted', fittingSection(parts)),
    ...section('Manifests', manifests(parts)),
  ].join('\n\n')}\n`;
}

const section = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`## ${heading}`, ...lines];
const fenced = (text: string): string => `\`\`\`text\n${text}\n\`\`\``;

const introduction = ({ questions, unfinished, weights }: ReportParts): string =>
  [
    '# fact-lanes',
    `\`fact-lanes(tokens=${MAIN_TOKENS})\` keeps single sentences, a place for each thing that the question asks; \`fact-reader\` answers from them. No language model is asked, here by no system.
${questions.toLocaleString('en-GB')} questions of MultiHop-RAG (dev half) unless another data set is named.`,
    weights.unfitted.length > 0
      ? `**No result: the ranker that ships has no weights yet (${weights.unfitted.join(', ')}), so every score of it is the same. The rows of \`fact-lanes\` are of a placeholder.**`
      : `**The weights that ship with the ranker and the reader were fitted on these very questions**, so their figures on MultiHop-RAG are in-sample, those of every row that \`fact-reader\` reads among them; what they do on questions
that they were not fitted on stands under *How the weights were fitted*. Questions that name no source, as all of the other data sets, are ranked by weights of their own: fitted on train questions of 2WikiMultiHopQA, HotpotQA and MuSiQue, as \`efficient-rag\` and \`tree-hop\` were trained
on train splits of them. The questions here took no part in that fit; what the weights do on a data set that they never saw stands under *How the weights were fitted* (\`elsewhere\`).`,
    ...(weights.unexplained.length > 0
      ? [
          `**The file of the ranker does not say how the weights for ${weights.unexplained.join(' and ')} were fitted: the rows of \`fact-lanes\` that they rank are no result yet.**`,
        ]
      : []),
    `Shares in percent, tokens are word runs; 95 % percentile bootstrap intervals over questions (${BOOTSTRAP.resamples} resamples, seed ${BOOTSTRAP.seed}), differences paired on the same resamples.`,
    ...(unfinished.length === 0 ? [] : [`Not evaluated: ${unfinished.join(', ')}.`]),
  ].join('\n\n');

function goalsSection({ goals, thresholds }: ReportParts): string[] {
  if (!goals) return [];
  const { rows, controls, groups } = goals;
  const [ours, ...others] = rows;
  const cited = [ours!, rows.find(row => row.system === 'control: sentences by words')!];
  const curves = Object.entries(thresholds).filter(([id]) => id === ours!.result.id);
  return [
    'Goals are for the half that is held out.',
    goalTable([...GROUNDED, 'ContextTokens', ...ANSWERS], GOALS, rows),
    'Answers that read no document:',
    answerTable(ANSWERS, controls),
    `Paired differences (${IN_SAMPLE}):`,
    differenceTable(
      ['FactRecall', 'GroundedRecall', 'QaAccuracy(official)', 'QaAccuracy(strict)'],
      ours!,
      others,
    ),
    'By type of question and number of distinct gold documents:',
    ...[
      'FactRecall',
      'GroundedRecall',
      'GroundedEM',
      'QaAccuracy(official)',
      'QaAccuracy(strict)',
    ].map(name => groupTable(name, cited, groups)),
    ...(curves.length === 0
      ? []
      : [
          `Abstention curve of ${labelOf(ours!)}:`,
          markdownTable(
            thresholdTable(
              Object.fromEntries(curves),
              new Map([[ours!.result.id, labelOf(ours!)]]),
            ),
          ),
        ]),
  ];
}

function currencySection({ currency }: ReportParts): string[] {
  if (!currency) return [];
  const [ours, ...others] = currency.rows;
  return [
    `${currency.questions} questions. \`fact-lanes(unit=document)\` under \`lead(words=90)\`, the context of the budgeted-agent paper: only there can its exact match of documents be compared. Goal: RetrievalConditionedEM(answerable) ≥ 72. 620 tokens are the limit of the published agent.`,
    figureTable([...PAPER, 'GroundedEM', 'ContextTokens', 'Documents'], currency.rows),
    `Paired differences (${IN_SAMPLE}):`,
    differenceTable(PAPER, ours!, others),
  ];
}

/**
 * The form of each system that shows most facts at the main tokens: the others are no fair
 * opponents.
 */
export function bestForms(curves: readonly MeasuredStep[]): MeasuredStep[] {
  const atMain = (step: MeasuredStep): number =>
    meanOf(step.rows.find(({ tokens }) => tokens === MAIN_TOKENS)!, 'FactRecall') ?? 0;
  const best = new Map<string, MeasuredStep>();
  for (const step of curves) {
    const { system } = step.rows[0]!;
    const known = best.get(system);
    if (!known || atMain(step) > atMain(known)) best.set(system, step);
  }
  return [...best.values()];
}

const PARTIAL =
  '**Not all forms are evaluated yet: where a system is said to stand in its best form, a better one may be missing.**';
/** Beside whatever compares what was fitted with what was not. */
const IN_SAMPLE =
  'fact-lanes by weights that were fitted on these questions, the others as they are';

function curvesSection({ curves, latency, pictures, unfinished }: ReportParts): string[] {
  if (curves.length === 0) return [];
  const rows = curves.map(step => step.rows);
  const best = bestForms(curves).flatMap(step =>
    step.rows.filter(({ tokens }) => tokens === MAIN_TOKENS),
  );
  const ours = best[0]!;
  const lead = rows.filter(([row]) => row!.result.context === 'lead(words=90)');
  const { groups } = curves[0]!;
  return [
    `${curves[0]!.questions} questions. Every strategy that runs without a language model, with room for as many items as the tokens could hold. Its own limit on tokens where it has one, else the run’s budget cuts it. In brackets what it really used: where that is well below, it had no more to give (\`decomposition\` keeps one item a clause, \`efficient-rag\` what its classifier marks, \`slot-agent\` searches no deeper than 30), and its row is one of fewer tokens. \`ir-cot\` and \`iter-retgen\` keep passages where others keep documents.`,
    ...(unfinished.some(name => name.startsWith('curves.')) ? [PARTIAL] : []),
    ...inWords(best),
    ...pictures.map(({ file, says }) => `![${says}](${file})`),
    ...['FactRecall', 'GroundedRecall', 'GroundedEM'].map(name => curveTable(name, TOKENS, rows)),
    ...(lead.length === 0
      ? []
      : [
          'Exact match of documents means something only between rows of one context:',
          curveTable(PAPER[0]!, TOKENS, lead),
        ]),
    `At ${MAIN_TOKENS} tokens, each system in the form that shows most facts (${IN_SAMPLE}); times of one question on ${availableParallelism()} cores, vectors of queries from the cache:`,
    mainTable(
      ['FactRecall', 'GroundedRecall', 'GroundedEM', 'ContextTokens'],
      ours,
      best.map(row => ({ row, times: timesOf(row, latency) })),
    ),
    'By type and by number of distinct gold documents:',
    ...['FactRecall', 'GroundedRecall'].map(name => groupTable(name, best, groups)),
  ];
}

const timesOf = (
  row: MeasuredRow,
  latency: MeasuredStep | undefined,
): MeasuredRow['result'] | undefined => latency?.rows.find(other => other.row === row.row)?.result;

function inWords(best: readonly MeasuredRow[]): string[] {
  const of = (row: MeasuredRow): string =>
    `${labelOf(row)} ${formatValue('FactRecall', meanOf(row, 'FactRecall'))} %`;
  const sorted = best
    .filter(({ system }) => !system.startsWith('fact-lanes'))
    .sort((a, b) => (meanOf(b, 'FactRecall') ?? 0) - (meanOf(a, 'FactRecall') ?? 0));
  const ours = best.filter(({ system }) => system.startsWith('fact-lanes'));
  const control = sorted.find(({ system }) => system.startsWith('control'));
  const other = sorted.find(({ system }) => !system.startsWith('control'));
  if (ours.length === 0 || !other) return [];
  return [
    `Of the gold facts, at ${MAIN_TOKENS} tokens: ${ours.map(of).join('; ')}. The best of the other strategies: ${of(other)}${control ? `; of the controls: ${of(control)}` : ''}.`,
  ];
}

function ablationSection({ ablation, reread }: ReportParts): string[] {
  if (!ablation) return [];
  return [
    `${ablation.questions} questions. One switch off at a time, at the same tokens, by bge. The weights were fitted with everything on and are not fitted anew, so a part that others could stand in for seems worth more than it is.`,
    ablationTable(
      ['FactRecall', 'AllFacts', 'GroundedRecall', 'GroundedEM'],
      SWITCHES,
      ablation.rows,
    ),
    ...(reread ? rereadLines(reread) : []),
  ];
}

function rereadLines({ questions, rows: [without, ...rows] }: MeasuredStep): string[] {
  const pairs = rows.map(
    row =>
      `${formatValue('RerankedPairs', meanOf(row, 'RerankedPairs'))} pairs a question (${labelOf(row)})`,
  );
  return [
    `With a cross-encoder as a third stage, asked with the lane about title and sentence, ${questions} questions: ${pairs.join(', ')}.`,
    ablationTable(['FactRecall', 'AllFacts', 'GroundedRecall', 'GroundedEM'], REREAD, [
      without!,
      ...rows,
    ]),
  ];
}

function generalitySection({ generality }: ReportParts): string[] {
  const lines = GENERALITY.flatMap(({ id, says, measures, counts }) => {
    const steps = generality[id] ?? [];
    const systems = steps.flatMap(({ rows }) => [
      ...Map.groupBy(rows, ({ system }) => system).values(),
    ]);
    const ours = systems.find(([row]) => row!.system === 'fact-lanes, words');
    if (!ours) return [];
    return [
      `### ${id}`,
      `${says}: ${steps[0]!.questions} questions, share of ${counts}.`,
      generalityTable(measures[0]!, GENERALITY_TOKENS, ours, systems),
    ];
  });
  if (lines.length === 0) return [];
  return [
    '“bridge=off”: no later hops; “rounds=1”: one. Paragraphs are shown whole or cut to sentences, at equal tokens; in brackets the tokens that were used. “Ours less” is `fact-lanes` by words, which has no vectors, less the row. Where whole documents count, one shown sentence of a gold paragraph counts as the paragraph: that favours whoever shows little of many, so `fixed-top-k` stands there cut to two sentences and over sentences too. Titles of these corpora’s gold name one paragraph each, so recall by paragraph is recall by title.',
    ...lines,
  ];
}

function timeSection({ latency, bench }: ReportParts): string[] {
  const rows = latency
    ? [
        figureTable(
          ['Milliseconds(p50)', 'Milliseconds(p95)'],
          latency.rows.filter(({ system }) => system !== WARM_UP.system),
        ),
      ]
    : [];
  const benched = bench.map(
    ({ task, n, unit, ours, note }) =>
      `- ${task}, ${n.toLocaleString('en-GB')} sentences: ${ours.toPrecision(3)} ${unit}${note ? `; ${note}` : ''}`,
  );
  if (rows.length + benched.length === 0) return [];
  return [
    ...(rows.length > 0
      ? [
          `A whole question at ${MAIN_TOKENS} tokens (searches, choice, context, sentences shown), wall time on ${availableParallelism()} cores that other work shares; ${latency!.questions} questions, vectors of queries from the cache:`,
          ...rows,
        ]
      : []),
    ...(benched.length > 0
      ? [
          '`npm run bench -- fact-lanes` (goal: p95 below 25 ms on two threads, embedding of queries not counted; it works on one):',
          benched.join('\n'),
        ]
      : []),
  ];
}

function missesSection({ misses }: ReportParts): string[] {
  if (!misses) return [];
  return [
    `Of \`fact-lanes(tokens=${MAIN_TOKENS})\` by bge. The first cause that holds is counted; *just below the cut*: among the first ${JUST_BELOW} that were refused for want of tokens.`,
    missesTable(misses),
  ];
}

function fittingSection({ learnt, weights: { ranker, reader } }: ReportParts): string[] {
  const provenance = { 'fact-ranker': ranker, 'fact-reader': reader };
  return [
    ...Object.entries(learnt).flatMap(([command, text]) => [
      `\`multihop ${command}\``,
      fenced(text.trimEnd()),
    ]),
    'The folds of the reader hold out its own weights alone: the evidence that it reads there was ranked by weights that were fitted on all questions. What the files that ship say of themselves:',
    ...Object.entries(provenance).map(
      ([name, says]) => `\`${name}\`\n\n\`\`\`json\n${JSON.stringify(says)}\n\`\`\``,
    ),
  ];
}

function manifests({ goals, generality }: ReportParts): string[] {
  const steps = [...(goals ? [goals] : []), ...Object.values(generality).flat()];
  return steps.map(
    ({ name, manifest }) => `\`${name}\`\n\n\`\`\`json\n${JSON.stringify(manifest)}\n\`\`\``,
  );
}
