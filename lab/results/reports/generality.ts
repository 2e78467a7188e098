/** fact-lanes beside every strategy without a language model on data sets of Wikipedia. */

import { defined } from '../../../src/core/defined.ts';
import { lessBetter } from '../better-of.ts';
import { bestFormsAtEqualTokens, rankings } from '../form-tables.ts';
import { leaveOneSetOut } from '../provenance-tables.ts';
import { type Evaluation, type Given, of, type Report, type Section, text } from '../report.ts';
import { CLUSTERED, fixed, sizes } from '../tables.ts';
import { versionOf } from '../versions.ts';
import { formOf, MAIN_TOKENS, OURS, RANKED_ROWS, RIVALS, TOKEN_ROWS } from './generality-rows.ts';
import {
  GENERALITY,
  type GeneralitySetting,
  PUBLISHED,
  PUBLISHED_COLUMNS,
} from './generality-settings.ts';
import { TEMPLATE } from './settings.ts';

const RANKED = ['Recall@5', 'AllRecall@5', 'Recall@10'];
const STRATEGY: string = versionOf(
  ...['src/strategies/fact-lanes', 'src/models/fact-ranker'],
  'src/planning',
);

/** Questions of each data set, drawn by seed, on which systems are compared at equal tokens. */
const QUESTIONS = 100;

const INTRODUCTION = `The weights by which \`fact-lanes\` ranks here were fitted on train questions of the three data sets;
the questions are of their dev splits and took no part in the fit. No language model is asked. Shares
in percent, tokens are word runs; 95 % percentile bootstrap intervals, differences paired on the same
resamples. ${CLUSTERED}`;

const EQUAL = `Evidence at equal tokens, on ${QUESTIONS} questions of each data set that are drawn by seed; in brackets
the tokens that were used. Each other system stands in the form
that shows most of the first measure at ${MAIN_TOKENS} tokens, out of paragraphs whole, paragraphs cut to
their two best sentences, and single sentences, and beside it with paragraphs whole. Recall by
paragraph counts one as soon as a sentence, or its header, is shown: the row of headers alone says
what that is worth. “bridge=off”: no later hops.`;

const FIELD = `Rankings, of all questions: Recall@5 over the final order, the field's measure, and the share of questions with all gold
paragraphs among the first five.`;

const NOT_COMPARABLE = `Not comparable with the rows above but for 2WikiMultiHopQA, whose corpus is the field's: our HotpotQA
and MuSiQue corpora are smaller, hence easier (4,937 and 1,696 documents), all questions are others
than the published 1,000, and the weights of \`fact-lanes\` learned from train questions, which these
systems did not. BM25 and bge on our corpora stand above for scale.`;

const stepName = (id: string, part: string, rows: string): string =>
  `${id}.${part}.${rows}${rows === 'fact-lanes' || rows === 'bge-sentences' ? `-${STRATEGY}` : ''}`;

function evaluationsOf(setting: GeneralitySetting, request: Given) {
  const { id, measures, files } = setting;
  const step = (
    part: string,
    rows: string,
    some: Evaluation['rows'],
    scored: Evaluation['measures'],
  ): Evaluation =>
    defined({
      name: stepName(id, part, rows),
      dataSet: id,
      rows: some,
      measures: scored,
      words: rows === 'bge-paragraphs' ? TEMPLATE : [],
      embeds: rows.startsWith('bge'),
      files: files ? () => files(request) : undefined,
      sample: part === 'tokens' ? QUESTIONS : undefined,
    });
  return [
    ...(setting.ranked
      ? Object.entries(RANKED_ROWS).map(([rows, some]) => step('ranked', rows, some(), RANKED))
      : []),
    ...Object.entries(TOKEN_ROWS).map(([rows, some]) => step('tokens', rows, some(), measures)),
  ];
}

function sectionOf({ id, says, measures, ranked }: GeneralitySetting): Section {
  const steps = (part: string, rows: Readonly<Record<string, unknown>>): string[] =>
    Object.keys(rows).map(name => stepName(id, part, name));
  const rankedSteps = steps('ranked', RANKED_ROWS);
  return {
    heading: id,
    blocks: [
      text(`${says}.`),
      ...(ranked
        ? [
            sizes(stepName(id, 'ranked', 'others')),
            rankings(rankedSteps, RANKED),
            lessBetter(rankedSteps, RANKED, OURS, RIVALS),
          ]
        : []),
      bestFormsAtEqualTokens(steps('tokens', TOKEN_ROWS), {
        measures: measures.filter(name => name !== 'ContextTokens'),
        ours: OURS,
        formOf,
      }),
    ],
  };
}

const LEFT_OUT = `Share of gold paragraphs shown at 510 tokens, of every fifth train question: by weights that were
fitted on the other questions of all three sets, and by weights that were fitted on the two other
sets alone (\`npm run lab -- learn chain-ranker\`, by words; recorded with the weights).`;

export const report = (request: Given): Report => ({
  folder: 'generality',
  title: 'Other data sets, the same constants',
  introduction: INTRODUCTION,
  evaluations: GENERALITY.flatMap(setting => evaluationsOf(setting, request)),
  sections: [
    { heading: 'How to read the tables', blocks: [text(FIELD), text(EQUAL)] },
    ...GENERALITY.map(sectionOf),
    { heading: 'Without the data set', blocks: [text(LEFT_OUT), leaveOneSetOut] },
    {
      heading: 'Published',
      blocks: [
        of(stepName('2wikimultihopqa-open', 'ranked', 'others'), () => NOT_COMPARABLE),
        fixed(PUBLISHED_COLUMNS, PUBLISHED),
      ],
    },
  ],
});
