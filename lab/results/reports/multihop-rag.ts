/** Every strategy of the budgeted-agent paper and its controls on MultiHop-RAG, dev half. */

import { markdownTable } from '../../../src/evaluation/report/markdown-report.ts';
import { reportSummary, reportTables } from '../../../src/evaluation/report/report-tables.ts';
import { BOTH_CONTROLS, besideControls, CONTROLS_TEXT } from '../control-tables.ts';
import { of, type Report, type Row, text } from '../report.ts';
import { QUESTION_ONLY, sizes } from '../tables.ts';

const NAME = 'all';
const CONTROLS = 'controls';
const row = (strategy: string, retriever: string, context = 'lead'): Row => ({
  label: strategy,
  strategy,
  retriever,
  context,
  reader: 'extractive',
});
const [S1, BM25] = ['lexical(s1)', 'lexical'];
const AGENT_BUDGETS = [
  '360, calls=3',
  '500, calls=3',
  '620, calls=4',
  '760, calls=4',
  '900, calls=5',
];

const ROWS: readonly Row[] = [
  // The paper's four policies, its ablation, and the control at each of its budgets.
  row('fixed-top-k(k=2)', S1),
  row('iterative', S1),
  row('iterative(profile=drift)', S1),
  row('decomposition', S1),
  ...AGENT_BUDGETS.map(tokens => row(`budgeted-agent(tokens=${tokens})`, S1)),
  ...[360, 500, 620, 760, 900].map(tokens => row(`equal-budget-top-k(tokens=${tokens})`, S1)),
  // Document-level exact match if a system chooses how much of a document it passes on.
  row('equal-budget-top-k(tokens=620)', S1, 'headers'),
  // Better plans under the same scorer.
  row('budgeted-agent(planner=source-restricted)', S1),
  row('slot-agent', S1),
  // The default retriever.
  ...[
    ...['fixed-top-k(k=2)', 'iterative', 'decomposition', 'budgeted-agent', 'equal-budget-top-k'],
    'slot-agent',
  ].map(strategy => row(strategy, BM25)),
];

/** Each system once, at the budget of the paper's comparison: all rows have the same reader. */
const READ: readonly Row[] = [
  row('fixed-top-k(k=2)', S1),
  row('decomposition', S1),
  row('budgeted-agent(tokens=620, calls=4)', S1),
  ...['lead', 'headers'].map(context => row('equal-budget-top-k(tokens=620)', S1, context)),
  row('slot-agent', S1),
].map(each => ({ ...each, label: `${each.label}, ${each.context}` }));
const STRICT = 'QaAccuracy(strict)';

/**
 * Tables of groups that the report prints: those of its main measures. The report `seeds` has the
 * paper's tables beside ours, and times say nothing on a shared machine.
 */
const GROUPED = /^(?:FactRecall|QaAccuracy\(strict\)) by /;
const printed = (heading: string): boolean =>
  GROUPED.test(heading) ||
  (!(
    /^\S+ by (?:question type|number of distinct gold documents)$/.test(heading) ||
    ['Time', '95 % intervals'].includes(heading)
  ) &&
    !heading.startsWith('Paired differences'));

export const report = (): Report => ({
  folder: 'multihop-rag-dev',
  title: 'MultiHop-RAG, dev half',
  introduction:
    'Shares in percent; tokens are word runs. Intervals (95 % percentile bootstrap over questions) stand in result.json.',
  evaluations: [
    {
      name: NAME,
      dataSet: 'multihop-rag',
      rows: ROWS,
      measures: [],
      words: ['--controls', ...QUESTION_ONLY],
    },
    {
      name: CONTROLS,
      dataSet: 'multihop-rag',
      rows: READ,
      measures: [STRICT],
      words: BOTH_CONTROLS,
      sample: 400,
    },
  ],
  sections: [
    {
      heading: 'Answers beside their controls',
      blocks: [
        text(CONTROLS_TEXT),
        text('A sample of the questions, drawn by seed:'),
        ...[sizes(CONTROLS), besideControls(CONTROLS)],
      ],
    },
    {
      heading: 'All tables',
      blocks: [
        // `eval --out DIR` and `report DIR` print paired differences and abstention curves too.
        of(NAME, ({ result }) =>
          [
            reportSummary(result).join('\n'),
            ...reportTables(result)
              .filter(({ heading }) => printed(heading))
              .map(each =>
                [`### ${each.heading}`, ...each.notes, markdownTable(each)].join('\n\n'),
              ),
          ].join('\n\n'),
        ),
      ],
    },
  ],
});
