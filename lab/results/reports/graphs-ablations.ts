/** The parts of ChainRAG in turn: rewriting, each type of edge, and the graph as a whole. */
import { join } from 'node:path';
import { formatValue } from '../../../src/evaluation/report/format-value.ts';
import type { Estimated } from '../equal-k.ts';
import { lessRow } from '../graph-tables.ts';
import { changedQuestions, handedOver, TRACES } from '../kept-traces.ts';
import {
  type Block,
  differenceOf,
  type Evaluation,
  type Given,
  type MeasuredRow,
  meanOf,
  pairedEstimate,
  type Results,
  type Section,
  seriesOf,
  text,
} from '../report.ts';
import { deltaText, table } from '../tables.ts';
import { type GraphItself, graphItselfText } from '../verdicts.ts';
import {
  ABLATION_QUESTIONS,
  ABLATIONS,
  ABLATIONS_EMBEDDED,
  type Declared,
  type GraphSet,
  labelOf,
  MUSIQUE,
  probed,
  SETS,
  WITHOUT_GRAPH,
} from './graphs-rows.ts';
import { evaluationOf, rowIn, stepOf } from './graphs-steps.ts';
import { TEMPLATE } from './settings.ts';

const MEASURES = ['Recall@5', 'AllRecall@5', 'AnswerF1(hotpot)'];
/** Recall of the sub-questions of the probe, as the paper's table names them. */
const SUB_MEASURES: Readonly<Record<string, string>> = {
  'sub-question 1': 'SubQuestionRecall@2(1)',
  'sub-question 2': 'SubQuestionRecall@2(2)',
  'sub-question 2, rewritten': 'SubQuestionRecall@2(2, rewritten=true)',
};

/** One step an ablation and set, of at most 200 questions, and one of the sub-questions. */
export const ablationEvaluations = (request: Given): Evaluation[] =>
  SETS.flatMap(set => {
    const sample = set.questions > ABLATION_QUESTIONS ? ABLATION_QUESTIONS : undefined;
    const step = (declared: Declared, more: Partial<Evaluation> = {}): Evaluation =>
      evaluationOf(set, declared, request, {
        sample,
        measures: MEASURES,
        keeps: [TRACES],
        ...more,
      });
    return [
      ...ABLATIONS.map(declared => step(declared)),
      ...ABLATIONS_EMBEDDED.map(declared => step(declared, { embeds: true, words: TEMPLATE })),
      ...(set.wikipedia
        ? [
            step(probed(set), {
              measures: Object.values(SUB_MEASURES),
              words: probeWords(set, request),
            }),
          ]
        : []),
    ];
  });

/** The paper's chunks of 200 words; MuSiQue's questions hold their own sub-questions. */
const probeWords = ({ id }: GraphSet, { data }: Given): readonly string[] => [
  ...['--chunker', 'tokens(size=200, overlap=0)'],
  ...(id === MUSIQUE ? ['--sub-questions', join(data, 'musique', 'musique_ans.dev.jsonl')] : []),
];

/** A line for each change, less the whole system, which is the first. */
function ablationLines(results: Results, set: GraphSet, all: readonly Declared[]): string[][] {
  const full = rowIn(results, set, all[0]!);
  if (!full) return [];
  return all.flatMap(declared => {
    const row = rowIn(results, set, declared);
    if (!row) return [];
    const cells = MEASURES.flatMap(each => [
      formatValue(each, meanOf(row, each)),
      row === full ? '' : deltaText(each, differenceOf(each, row, full)),
    ]);
    return [[labelOf(declared), ...cells]];
  });
}

/** Each change with its difference from the whole system. */
const ablationTable =
  (set: GraphSet): Block =>
  results => {
    const lines = [ABLATIONS, ABLATIONS_EMBEDDED].flatMap(all => ablationLines(results, set, all));
    if (lines.length === 0) return undefined;
    const columns = MEASURES.flatMap(each => [each, `${each} less full`]);
    return `${set.heading}:\n\n${table(['chain(integration=contexts)', ...columns], lines)}`;
  };

const NO_GRAPH = ABLATIONS.find(row => labelOf(row) === WITHOUT_GRAPH)!;

/** The chain less itself without its graph, on every set that has both. */
export const graphItself: Block = async results => {
  const all: GraphItself[] = [];
  for (const set of SETS) {
    const pair = [ABLATIONS[0]!, NO_GRAPH].map(row => results.measured.get(stepOf(set, row)));
    const [full, without] = pair;
    const less = full && without && lessRow(full.rows[0]!, without.rows[0]!);
    if (!less) continue;
    const [whole, other] = [await handedOver(full), await handedOver(without)];
    const changed = { changed: changedQuestions(whole, other), questions: whole.first.size };
    all.push({ set: set.heading, ...less, ...changed });
  }
  return all.length === 0 ? undefined : graphItselfText(ABLATIONS[0]!.strategy, all);
};

/** Recall of each sub-question: the second one as it was written, and as it was rewritten. */
export const subQuestionTable: Block = results => {
  const sets = SETS.filter(({ wikipedia }) => wikipedia);
  const rows = sets.map(set => rowIn(results, set, probed(set)));
  if (rows.every(row => row === undefined)) return undefined;
  const lines = Object.entries(SUB_MEASURES).map(([says, name]) => [
    says,
    ...rows.map(row => formatValue('Recall@2', row && meanOf(row, name))),
  ]);
  const [, before, after] = Object.values(SUB_MEASURES);
  const less = rows.map(row => row && rewritingGain(row, before!, after!));
  return table(
    ['Recall@2 of a sub-question', ...sets.map(({ heading }) => heading)],
    [
      ...lines,
      ['rewritten less not', ...less.map(gain => (gain ? deltaText('Recall@2', gain) : '–'))],
    ],
  );
};

/** Both are measured in one run: the difference of two measures of one row. */
function rewritingGain(
  { scores, clusters }: MeasuredRow,
  before: string,
  after: string,
): Estimated | undefined {
  const [a, b] = [scores[after], scores[before]];
  return a && b && pairedEstimate(seriesOf(after, a), seriesOf(before, b), clusters);
}

const SUB_NOTE = `The second sub-question finds its gold among the first two by itself, or once it was rewritten with
the answer of the first. MuSiQue counts by its gold sub-questions; on the other sets a sub-question
counts by the gold documents that match it. The report \`seeds\` has the published figures.`;

const ABLATION_NOTE = `Up to ${ABLATION_QUESTIONS} questions a set, drawn by seed. EC: two sentences share a name; SS: they are alike;
SA: they stand close to each other. The rows of EC and of the graph also lose the documents that share a
name with the seeds in the final order, a rule of ours. SS needs an embedder: its two rows search by
\`bge-small-en-v1.5\`. The report \`seeds\` has the published figures (arXiv 2502.14245, Tables 5 and 6).
The paper says that every type of edge helps; its own table has F1 without a graph above that without
EC or SS edges on MuSiQue where answers are integrated.`;

export const ablationSections = (): readonly Section[] => [
  {
    heading: 'Sub-questions before and after rewriting',
    blocks: [text(SUB_NOTE), subQuestionTable],
  },
  {
    heading: 'Ablations of the chain',
    blocks: [text(ABLATION_NOTE), ...SETS.map(ablationTable)],
  },
];
