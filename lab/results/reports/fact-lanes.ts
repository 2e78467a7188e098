/** The strategy fact-lanes beside every strategy that asks no language model. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readDataSet } from '../../../src/documents/data-sets.ts';
import { findData } from '../../../src/experiments/find-data.ts';
import { recordedTraces } from '../../../src/experiments/trace-reader.ts';
import { ANSWERS_AT_TEXT, answersAt } from '../answers-at.ts';
import { besideControls, CONTROLS_TEXT } from '../control-tables.ts';
import { bestGroups, bestRows, curves, curvesPicture } from '../curve-tables.ts';
import { addMisses, CAUSES, type Cause, JUST_BELOW, type Misses, missesBy } from '../misses.ts';
import { crossValidatedAnswers, crossValidatedEvidence } from '../provenance-tables.ts';
import { type Block, type Given, of, type Report, type Section, text } from '../report.ts';
import {
  ablation,
  CLUSTERED,
  controls,
  firstLess,
  goals,
  groups,
  output,
  percent,
  sizes,
  table,
  values,
} from '../tables.ts';
import { ANSWERS, evaluations, LEARNT, NAMES } from './fact-lanes-steps.ts';
import { MAIN_TOKENS, TOKENS } from './fact-lanes-systems.ts';

/** Goals for the held-out half; the figures are of the other, on which the weights were fitted. */
const GOALS: Readonly<Record<string, string>> = {
  FactRecall: '≥ 65',
  AllFacts: '≥ 40',
  GroundedEM: '≥ 42',
  GroundedRecall: '≥ 68',
  ContextTokens: '≤ 510',
  AbstainedNull: '≥ 90',
  'TypeF1(macro)': '≥ 95',
};
const GROUNDED = ['FactRecall', 'AllFacts', 'GroundedRecall', 'GroundedEM'];
const PAPER = ['RetrievalConditionedEM(answerable)', 'EvidenceRecall'];
const CITED = ['fact-lanes, bge', 'control: sentences by words'];
const CURVED_MEASURES = ['FactRecall', 'GroundedRecall', 'GroundedEM'];
/** GroundedRecall differs from FactRecall by less than a line's width. */
const PICTURED = ['FactRecall', 'GroundedEM'];
const ACCURACY = ['QaAccuracy(official)', 'QaAccuracy(strict)'];

const INTRODUCTION = `\`fact-lanes(tokens=${MAIN_TOKENS})\` keeps single sentences, one lane for each part of the question;
\`fact-reader\` answers from them. No language model is asked. Questions: MultiHop-RAG, dev half;
other data sets: [generality](../generality/report.md).

**The weights of ranker and reader were fitted on these questions**: figures of \`fact-lanes\` here are
in-sample unless called cross-validated, as are rows that \`fact-reader\` reads.
Cross-validated: below *Goals*; by fold under *Fit of the weights*.

Shares in percent, tokens are word runs; 95 % percentile bootstrap intervals, differences paired on
the same resamples. ${CLUSTERED} Times: \`npm run bench -- fact-lanes\`.`;

const CURVED = `Every strategy that runs without a language model, with as many items as the
tokens hold; its limit on tokens if it has one, else the run's budget. In brackets the tokens
used; far fewer: it had no more to give (\`decomposition\` keeps one item a clause,
\`efficient-rag\` what its classifier marks, \`slot-agent\` searches no deeper than 30).
\`ir-cot\` and \`iter-retgen\` keep passages, not documents. Compare exact match of documents only
within one context.`;

const BY_WORDS = `Systems by words, \`fact-reader\` unless another reader is named, over all questions. The
reader was fitted on them; cross-validated: [answer-controls](../answer-controls/report.md).`;

const FIGURES: readonly Section[] = [
  {
    heading: 'Goals',
    blocks: [
      sizes(NAMES.goals),
      goals(NAMES.goals, GOALS),
      crossValidatedEvidence,
      crossValidatedAnswers,
      controls(NAMES.goals, ANSWERS),
      firstLess(NAMES.goals, ['FactRecall', 'GroundedRecall', ...ACCURACY]),
      ...[...CURVED_MEASURES, ...ACCURACY].map(measure =>
        groups(NAMES.goals, measure, ({ label }) => CITED.includes(label)),
      ),
    ],
  },
  {
    heading: 'Answers beside their controls',
    blocks: [text(CONTROLS_TEXT), text(BY_WORDS), besideControls(NAMES.controls)],
  },
  {
    heading: 'Answers at 0.7',
    blocks: [
      text(ANSWERS_AT_TEXT),
      answersAt('row', measured =>
        (measured.get(NAMES.controls)?.rows ?? []).map(row => [row.label, row] as const),
      ),
    ],
  },
  {
    heading: 'Whole documents under the context of the budgeted-agent paper',
    blocks: [
      sizes(NAMES.currency),
      values(NAMES.currency, [...PAPER, 'GroundedEM', 'ContextTokens', 'Documents']),
      firstLess(NAMES.currency, PAPER),
    ],
  },
  {
    heading: 'Measures by context tokens',
    blocks: [
      text(CURVED),
      ...[...PICTURED, PAPER[0]!].map(measure => curves(measure, TOKENS, 'curves.')),
      text(
        `At ${MAIN_TOKENS} tokens, each system in the form that shows most facts; \`fact-lanes\` is in-sample here, cross-validated under *Goals*:`,
      ),
      bestRows([...CURVED_MEASURES, 'ContextTokens'], MAIN_TOKENS, 'curves.'),
      ...CURVED_MEASURES.slice(0, 2).map(measure => bestGroups(measure, MAIN_TOKENS, 'curves.')),
    ],
  },
  {
    heading: 'Ablation, one switch at a time, weights not fitted anew',
    blocks: [sizes(NAMES.ablation), ablation(NAMES.ablation, GROUNDED, 'ContextTokens')],
  },
];

const FIT: Section = {
  heading: 'Fit of the weights',
  blocks: [
    ...Object.entries(LEARNT).map(([name, words]) => output(name, words)),
    text(
      'The folds of the reader hold out its own weights alone: the evidence that it reads there was ranked by weights fitted on all questions. Data, settings and scores on held-out questions are in `fact-ranker.json` and `fact-reader.json` under `provenance`.',
    ),
  ],
};

export const report = ({ data }: Given): Report => ({
  folder: 'fact-lanes',
  title: 'fact-lanes',
  introduction: INTRODUCTION,
  evaluations: evaluations(),
  commands: LEARNT,
  pictures: PICTURED.map(measure => {
    const caption = `MultiHop-RAG, dev half: ${measure} by context tokens, each system in its best form; fact-lanes was fitted on these questions`;
    return {
      file: `${measure}-by-tokens.svg`,
      caption,
      draw: ({ measured }) =>
        curvesPicture(measured, measure, caption, TOKENS, MAIN_TOKENS, 'curves.'),
    };
  }),
  sections: [
    ...FIGURES,
    { heading: 'Missed facts by cause', blocks: [missesTable(NAMES.goals, 'multihop-rag', data)] },
    FIT,
  ],
});

const missesTable = (name: string, dataSet: string, data: string): Block =>
  of(name, async ({ rows, kept }) => {
    const { examples, documents } = await readDataSet(dataSet, findData(dataSet, {}, data));
    const texts = new Map(documents.map(({ id, text }) => [id, text]));
    const byQuestion = new Map(examples.map(example => [example.id, example]));
    const folder = join(kept, 'traces');
    const first = readdirSync(folder).sort()[0]!;
    const total: Record<string, Misses> = {};
    for (const { asked, read } of await recordedTraces(join(folder, first))) {
      const example = byQuestion.get(asked.question.id);
      const misses = example && missesBy([example], [await read()], id => texts.get(id) ?? '');
      if (misses) addMisses(total, misses);
    }
    const note = `Facts that \`${rows[0]!.label}\` misses. The first cause that holds is counted; *just below the cut*: among the first ${JUST_BELOW} refused for lack of tokens.`;
    return `${note}\n\n${causesTable(total)}`;
  });

function causesTable(misses: Readonly<Record<string, Misses>>): string {
  const groups = Object.entries(misses);
  const share = (count: number, facts: number): string =>
    `${count} (${percent(facts === 0 ? undefined : count / facts)} %)`;
  return table(
    ['cause', ...groups.map(([group, { facts }]) => `${group}: of ${facts} facts`)],
    [
      ...(Object.keys(CAUSES) as Cause[]).map(cause => [
        CAUSES[cause],
        ...groups.map(([, { causes, facts }]) => share(causes[cause], facts)),
      ]),
      ['questions that miss a fact', ...groups.map(([, { questions }]) => String(questions))],
    ],
  );
}
