/** Answers of the default reader on MultiHop-RAG beside controls, by type of question. */
import { controlsTable } from '../../../src/evaluation/report/controls-table.ts';
import { formatEstimate, formatValue } from '../../../src/evaluation/report/format-value.ts';
import { markdownTable } from '../../../src/evaluation/report/markdown-report.ts';
import { ANSWERS_AT, ANSWERS_AT_TEXT, answersAt } from '../answers-at.ts';
import { crossValidatedControls } from '../provenance-tables.ts';
import { type Block, of, type Report, type Row, text } from '../report.ts';
import { sizes, table } from '../tables.ts';
import { openQuestionRows, openQuestions, openQuestionsTable } from './open-questions.ts';

const NAME = 'answers';
const MEASURES = ['QaAccuracy(strict)', 'AbstainedNull', 'RefusedAnswerable', ...ANSWERS_AT];
const TOKENS = 510;

const ROW: Row = {
  label: 'combined-reader',
  strategy: `fact-lanes(tokens=${TOKENS})`,
  retriever: 'lexical',
};
const CONTROLS = [
  'question-only',
  'question-only(folds=question)',
  'swapped-evidence',
  'flipped-evidence',
];

const INTRODUCTION = `The dev half of MultiHop-RAG, \`fact-lanes(tokens=${TOKENS})\` by words, the default reader,
\`combined-reader\`, which here leaves yes and no undecided and shows the evidence of each claim. **Its
\`fact-reader\` was fitted on these questions**, so its accuracy is in-sample; the second table is
cross-validated, printed by \`npm run lab -- learn fact-reader\`. No language model is asked.

- *question-only*: a classifier of the words of the question, fitted on other folds; it reads no
  document. With \`folds=question\` other questions on the same facts may be learnt from.
- *swapped-evidence*: the reader gets the evidence of another question of the same type that has the
  sources, else a name, which the question names, and none of its gold articles.
- *flipped-evidence*: a gold fact of a yes is negated, or the name, number or date that is the answer
  is replaced; accuracy is by the new gold answer. A gold no has no edit.
- *own-evidence*: the reader without abstention (\`support=0\`).`;

const OPEN = `Dev questions of other data sets, which no weights were fitted on. A refusal has F1 0. *swapped*: the
evidence of another question of the type that has a name of the question and none of its gold
documents; n counts the questions with such a partner.`;

const STRICT = 'QaAccuracy(strict)';

/** Strict accuracy by type, the controls below the reader. */
const accuracy: Block = of(NAME, ({ rows, controls }) => {
  const all = [...rows.map(row => row.result), ...controls];
  const types = Object.keys(all[0]!.byType);
  return table(
    ['row', 'reader', 'questions', 'all', ...types],
    all.map(({ control, strategy, reader, measures, byType }) => [
      control?.name ?? (strategy === 'none' ? reader : 'own evidence'),
      strategy === 'none' ? '' : reader,
      String(measures[STRICT]?.n ?? 0),
      measures[STRICT] ? formatEstimate(STRICT, measures[STRICT]) : '–',
      ...types.map(type => formatValue(STRICT, byType[type]?.[STRICT])),
    ]),
    ['reader'],
  );
});

const reliance: Block = of(NAME, ({ rows, result }) => {
  const { notes, ...rest } = controlsTable(
    result,
    new Map(rows.map(row => [row.result.id, row.label])),
  );
  return [markdownTable({ ...rest, notes: [] }), ...notes].join('\n\n');
});

const refusals: Block = of(NAME, ({ rows }) =>
  table(
    ['reader', 'AbstainedNull', 'RefusedAnswerable'],
    rows.map(({ label, result: { measures } }) => [
      label,
      ...['AbstainedNull', 'RefusedAnswerable'].map(name =>
        measures[name] ? formatEstimate(name, measures[name]) : '–',
      ),
    ]),
  ),
);

export const report = (): Report => ({
  folder: 'answer-controls',
  title: 'Answers beside what they rest on',
  introduction: INTRODUCTION,
  evaluations: [
    {
      name: NAME,
      dataSet: 'multihop-rag',
      rows: [ROW],
      measures: MEASURES,
      words: [...CONTROLS.flatMap(name => ['--control', name]), '--controls'],
      keeps: [],
    },
    ...openQuestions([ROW]),
  ],
  sections: [
    { heading: 'Strict accuracy', blocks: [sizes(NAME), accuracy, refusals] },
    { heading: 'Cross-validated', blocks: [crossValidatedControls] },
    { heading: 'What answers rest on', blocks: [reliance] },
    { heading: 'Open questions: token F1', blocks: [text(OPEN), openQuestionsTable] },
    {
      heading: 'Answers at 0.7',
      blocks: [
        text(ANSWERS_AT_TEXT),
        answersAt('questions, reader', measured => [
          ...(measured.get(NAME)?.rows ?? []).map(
            row => [`MultiHop-RAG, ${row.label}`, row] as const,
          ),
          ...openQuestionRows(measured),
        ]),
      ],
    },
  ],
  figures: ({ measured }) => ({ controls: measured.get(NAME)?.result.controls ?? [] }),
});
