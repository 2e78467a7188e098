/** The parts of ChainRAG one by one: rewriting, each type of edge, and the graph as a whole. */
import { formatValue } from '../../../src/evaluation/report/format-value.ts';
import { isMeasure } from '../measure-known.ts';
import {
  type Block,
  differenceOf,
  type Evaluation,
  type Given,
  type MeasuredRow,
  meanOf,
  type Results,
  type Section,
  text,
} from '../report.ts';
import { deltaText, fixed, table } from '../tables.ts';
import {
  ABLATION_COLUMNS,
  PUBLISHED_ABLATIONS,
  SUB_QUESTION_COLUMNS,
  SUB_QUESTIONS,
} from './graphs-published.ts';
import {
  ABLATION_QUESTIONS,
  ABLATIONS,
  type Declared,
  FULL_CHAIN,
  type GraphSet,
  known,
  labelOf,
  NO_REWRITING,
  rowOf,
  SETS,
} from './graphs-rows.ts';
import { filesOf, versionOfRow } from './graphs-steps.ts';

const MEASURES = ['Recall@5', 'AllRecall@5', 'AnswerF1(hotpot)'];
const NTH = (sub: number): string => `SubQuestionRecall@2[${sub}]`;
const SUB_MEASURES = [NTH(1), NTH(2)].filter(isMeasure);

const stepOf = ({ id }: GraphSet, { step, strategy }: Declared): string =>
  `${id}.ablation-${step}-${versionOfRow(strategy)}`;

/** One step an ablation and set, of at most 200 questions. */
export const ablationEvaluations = (given: Given): Evaluation[] =>
  SETS.flatMap(set =>
    ABLATIONS.filter(known).map(
      (declared): Evaluation => ({
        ...{ name: stepOf(set, declared), dataSet: set.id, rows: [rowOf(declared, set)] },
        ...{ measures: [...MEASURES, ...SUB_MEASURES], ...filesOf(set, given) },
        ...(set.questions > ABLATION_QUESTIONS ? { sample: ABLATION_QUESTIONS } : {}),
      }),
    ),
  );

const rowIn = ({ measured }: Results, set: GraphSet, label: string): MeasuredRow | undefined => {
  const declared = ABLATIONS.find(row => labelOf(row) === label)!;
  return measured.get(stepOf(set, declared))?.rows[0];
};

/** Each change with its difference from the whole system. */
const ablationTable =
  (set: GraphSet): Block =>
  results => {
    const full = rowIn(results, set, FULL_CHAIN);
    if (!full) return undefined;
    const lines = ABLATIONS.flatMap(declared => {
      const row = rowIn(results, set, labelOf(declared));
      if (!row) return [];
      const cells = MEASURES.flatMap(each => [
        formatValue(each, meanOf(row, each)),
        row === full ? '' : deltaText(each, differenceOf(each, row, full)),
      ]);
      return [[labelOf(declared), ...cells]];
    });
    const columns = MEASURES.flatMap(each => [each, `${each} less full`]);
    return `${set.heading}:\n\n${table(['chain(integration=contexts)', ...columns], lines)}`;
  };

/** Recall of each sub-question: the second one as it was written, and as it was rewritten. */
export const subQuestionTable: Block = results => {
  const sets = SETS.filter(({ wikipedia }) => wikipedia);
  const line = (says: string, label: string, nth: number): string[] => [
    `ours: ${says}`,
    ...sets.map(set => {
      const row = rowIn(results, set, label);
      return formatValue('Recall@2', row && meanOf(row, NTH(nth)));
    }),
  ];
  const less = sets.map(set => {
    const [after, before] = [FULL_CHAIN, NO_REWRITING].map(label => rowIn(results, set, label));
    const difference = after && before && differenceOf(NTH(2), after, before);
    return difference ? deltaText('Recall@2', difference) : '–';
  });
  const lines = [
    line('sub-question 1', FULL_CHAIN, 1),
    line('sub-question 2', NO_REWRITING, 2),
    line('sub-question 2, rewritten', FULL_CHAIN, 2),
    ['ours: rewritten less not', ...less],
  ];
  return lines.every(([, ...cells]) => cells.every(cell => cell === '–'))
    ? undefined
    : table(SUB_QUESTION_COLUMNS, [...SUB_QUESTIONS, ...lines]);
};

const SUB_NOTE = `The second sub-question finds its gold among the first two by itself, or once it was rewritten with
the answer of the first. Published with GPT-4o-mini (arXiv 2502.14245, Table 2): not comparable, for
its sub-questions are written by that model. Ours are gold sub-questions on MuSiQue; on the other
sets a sub-question counts by the gold documents that match it.`;

const ABLATION_NOTE = `Up to ${ABLATION_QUESTIONS} questions a set, drawn by seed. EC: two sentences share a name; SS: they are alike;
SA: they stand close to each other. Published with GPT-4o-mini over 200 other questions (Tables 5 and
6): not comparable but for the sign. Their text says that every type of edge helps; their own table
has F1 without a graph above that without EC or SS edges on MuSiQue where answers are integrated.`;

export const ablationSections = (): readonly Section[] => {
  const missing = ABLATIONS.filter(row => !known(row));
  const lacking = [
    ...missing.map(({ strategy }) => `\`${strategy}\``),
    ...[NTH(1), NTH(2)].filter(name => !isMeasure(name)).map(name => `\`${name}\``),
  ];
  const skipped = lacking.length === 0 ? [] : [text(`Not in this version: ${lacking.join(', ')}.`)];
  return [
    {
      heading: 'Sub-questions before and after rewriting',
      blocks: [text(SUB_NOTE), subQuestionTable, ...skipped],
    },
    {
      heading: 'Ablations of the chain',
      blocks: [
        text(ABLATION_NOTE),
        ...SETS.map(ablationTable),
        fixed(ABLATION_COLUMNS, PUBLISHED_ABLATIONS),
        ...skipped,
      ],
    },
  ];
};
