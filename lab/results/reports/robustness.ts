/** MultiHop-RAG questions perturbed by rule and seed, each beside the untouched questions. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Series } from '../../../src/evaluation/bootstrap.ts';
import type { Measure } from '../../../src/evaluation/example.ts';
import { measure } from '../../../src/evaluation/measures.ts';
import { sampleQuestions } from '../../../src/evaluation/question-sample.ts';
import { formatValue } from '../../../src/evaluation/report/format-value.ts';
import { valueOfScores } from '../../../src/evaluation/value-of-scores.ts';
import { findData } from '../../../src/experiments/find-data.ts';
import { ANSWERS_AT, ANSWERS_AT_TEXT, answersAt } from '../answers-at.ts';
import { BOTH_CONTROLS, CONTROLS_TEXT, stepsBesideControls } from '../control-tables.ts';
import type { RawArticle, RawData, RawQuestion } from '../perturbations/perturbation.ts';
import { PERTURBATION_SEED, PERTURBATIONS } from '../perturbations/perturbations.ts';
import {
  type Block,
  type Evaluation,
  type Given,
  type MeasuredRow,
  pairedEstimate,
  type Report,
  seriesOf,
  text,
} from '../report.ts';
import { CLUSTERED, deltaText, table } from '../tables.ts';
import { versionOf } from '../versions.ts';
import { factLanesRow } from './fact-lanes-systems.ts';

const RETRIEVED = ['FactRecall', 'AllFacts', 'ContextTokens'];
const STRICT = 'QaAccuracy(strict)';
const REFUSED = ['AbstainedNull', 'RefusedAnswerable'] as const;
const MEASURES = [...RETRIEVED, STRICT, ...REFUSED, ...ANSWERS_AT];
const COVERAGE = 'coverage';
const SHOWN = ['FactRecall', 'AllFacts', STRICT, COVERAGE, ...REFUSED];

/** A step belongs to the code that reads questions, and to the rules that rewrite them. */
const VERSION: string = versionOf(
  ...['src/strategies/fact-lanes', 'src/models/fact-ranker'],
  ...['src/readers', 'src/models/fact-reader', 'src/planning'],
  ...['src/language', 'src/core/text'],
  'lab/results/perturbations',
);
const UNTOUCHED = 'untouched';
const ROW = factLanesRow({ by: 'words', reader: 'fact-reader' });
const stepOf = (name: string): string => `${name}-${VERSION}`;

interface Files {
  readonly given: RawData;
  readonly corpus: string;
}

/** Reads the questions, or the sample of them that every perturbation rewrites. */
function readFiles({ data, sample }: Given): Files {
  const { questions, corpus } = findData('multihop-rag', {}, data);
  const all = JSON.parse(readFileSync(questions, 'utf8')) as RawQuestion[];
  return {
    corpus: corpus!,
    given: {
      questions: sample === undefined ? all : sampleQuestions(all, sample).examples,
      articles: JSON.parse(readFileSync(corpus!, 'utf8')) as RawArticle[],
    },
  };
}

/** Writes rewritten data below `work`, and returns the words that name its files. */
function written(name: string, data: RawData, { given, corpus }: Files, work: string): string[] {
  const folder = join(work, 'files');
  mkdirSync(folder, { recursive: true });
  const write = (part: string, content: unknown): string => {
    const path = join(folder, `${name}.${part}.json`);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  return [
    ...['--questions', write('questions', data.questions), '--corpus'],
    data.articles === given.articles ? corpus : write('corpus', data.articles),
  ];
}

function evaluationsOf(given: Given): Evaluation[] {
  let read: Files | undefined;
  const evaluationOf = (name: string, of: (data: RawData) => RawData): Evaluation => ({
    name: stepOf(name),
    dataSet: 'multihop-rag',
    rows: [ROW],
    measures: MEASURES,
    words: BOTH_CONTROLS,
    whole: true,
    files() {
      read ??= readFiles(given);
      return written(name, of(read.given), read, given.work);
    },
  });
  return [
    evaluationOf(UNTOUCHED, data => data),
    ...PERTURBATIONS.map(perturbation =>
      evaluationOf(perturbation.name, data => perturbation.apply(data, PERTURBATION_SEED)),
    ),
  ];
}

/** The share of questions that are answered, as a measure of scores that are at hand. */
const coverage: Measure = {
  ...measure(REFUSED[1]),
  name: COVERAGE,
  summary: 'Share of questions that were answered',
  better: 'higher',
};

/** The scores of one measure; coverage from the refusals of null and answerable questions. */
function scoredBy({ scores }: MeasuredRow, name: string): Series {
  if (name !== COVERAGE) return seriesOf(name, scores[name] ?? []);
  const [ofNull, ofAnswerable] = REFUSED.map(each => scores[each] ?? []);
  return {
    measure: coverage,
    scores: Array.from({ length: Math.max(ofNull!.length, ofAnswerable!.length) }, (_, at) => {
      const refused = ofNull![at] ?? ofAnswerable![at];
      return typeof refused === 'number' ? 1 - refused : undefined;
    }),
  };
}

const formatOf = (name: string): string => (name === COVERAGE ? REFUSED[1] : name);

function valueText(row: MeasuredRow, name: string): string {
  const { measure: by, scores } = scoredBy(row, name);
  return formatValue(formatOf(name), valueOfScores(by, scores)?.value);
}

/** Returns the difference from the untouched questions with its paired 95 % intervals. */
function differenceText(row: MeasuredRow, from: MeasuredRow, name: string): string {
  const [first, second] = [row, from].map(each => scoredBy(each, name));
  if (first!.scores.length !== second!.scores.length)
    throw new Error(`${row.label}: ${first!.scores.length} and ${second!.scores.length} questions`);
  return deltaText(formatOf(name), pairedEstimate(first!, second!, row.clusters));
}

/** One perturbation a line, each value with its difference from the untouched questions. */
const perturbed: Block = ({ measured }) => {
  const rowOf = (name: string): MeasuredRow | undefined => measured.get(stepOf(name))?.rows[0];
  const untouched = rowOf(UNTOUCHED);
  if (!untouched) return undefined;
  const lines = PERTURBATIONS.flatMap(({ name, deletes }): string[][] => {
    const row = deletes ? undefined : rowOf(name);
    if (!row) return [];
    const cells = SHOWN.map(
      each => `${valueText(row, each)} (${differenceText(row, untouched, each)})`,
    );
    return [[name, ...cells]];
  });
  return table(
    ['questions', ...SHOWN],
    [[UNTOUCHED, ...SHOWN.map(each => valueText(untouched, each))], ...lines],
  );
};

/** Perturbations that drop questions, which have no untouched row of as many. */
const dropped: Block = ({ measured }) => {
  const names = [STRICT, COVERAGE, ...REFUSED];
  const lines = PERTURBATIONS.filter(({ deletes }) => deletes).flatMap(({ name }): string[][] => {
    const found = measured.get(stepOf(name));
    const row = found?.rows[0];
    return row
      ? [[name, String(found.result.questions), ...names.map(each => valueText(row, each))]]
      : [];
  });
  return lines.length === 0 ? undefined : table(['questions', 'number', ...names], lines);
};

const rules: Block = () =>
  PERTURBATIONS.map(({ name, summary }) => `- \`${name}\`: ${summary}`).join('\n');

const INTRODUCTION = `\`fact-lanes\` by words at 510 tokens with \`fact-reader\`, over MultiHop-RAG
questions that are rewritten by rule and seed ${PERTURBATION_SEED}. In parentheses: the difference from the
untouched questions with its paired 95 % percentile bootstrap intervals. ${CLUSTERED} The shipped
weights were fitted on the untouched questions of the dev half: what a perturbation loses there
includes what the weights remember of them. Rows whose questions lose their answer (\`deleted-gold\`)
stand in a table of their own, beside the same questions over the whole corpus (\`kept-gold\`).`;

/** Refusal is the gold answer of all questions whose gold articles are deleted. */
const isAnswered = (name: string): boolean => name !== 'deleted-gold';
const besideControls = stepsBesideControls(
  'questions',
  Object.fromEntries(
    [UNTOUCHED, ...PERTURBATIONS.map(({ name }) => name)]
      .filter(isAnswered)
      .map(name => [name, stepOf(name)]),
  ),
);
const CONTROLS_NOTE = `${CONTROLS_TEXT} The questions of \`deleted-gold\` have one gold answer, refusal, and the words
of \`kept-gold\`: no control separates them.`;

const answersOfSteps = answersAt('questions', measured =>
  [UNTOUCHED, ...PERTURBATIONS.map(({ name }) => name)].flatMap(name => {
    const row = measured.get(stepOf(name))?.rows[0];
    return row ? [[name, row] as const] : [];
  }),
);

export const report = (given: Given): Report => ({
  folder: 'robustness',
  title: 'Perturbed questions',
  introduction: INTRODUCTION,
  evaluations: evaluationsOf(given),
  sections: [
    { heading: 'The rules', blocks: [rules] },
    { heading: 'Questions that keep their answer', blocks: [perturbed] },
    { heading: 'Questions whose gold articles are deleted', blocks: [dropped] },
    { heading: 'Answers beside their controls', blocks: [text(CONTROLS_NOTE), besideControls] },
    { heading: 'Answers at 0.7', blocks: [text(ANSWERS_AT_TEXT), answersOfSteps] },
  ],
});
