/** Graphs, claims and long units without a language model, each beside its own search. */
import {
  costTable,
  type GraphSteps,
  lossList,
  modelUseText,
  pairedTable,
  plannedTable,
  questionOnly,
  RECALL,
  rowValues,
} from '../graph-tables.ts';
import { type Given, type Report, type Section, text } from '../report.ts';
import { CLUSTERED, sizes } from '../tables.ts';
import { ablationEvaluations, ablationSections, graphItself } from './graphs-ablations.ts';
import { modelEvaluations, modelSection } from './graphs-models.ts';
import { fieldBar } from './graphs-published.ts';
import { DECLARED, type GraphSet, LEFT_OUT, labelOf, MUSIQUE, SETS } from './graphs-rows.ts';
import { ANSWERS, RANKED, setEvaluations, setSteps, shownSentences } from './graphs-steps.ts';
import { variantEvaluations, variantSection } from './graphs-variants.ts';
import { bestGain, noLoss, worth } from './graphs-verdicts.ts';

function sectionOf(set: GraphSet, steps: GraphSteps): Section {
  return {
    heading: set.heading,
    blocks: [
      text(`${set.says}.`),
      sizes(steps.searches),
      rowValues(steps, [
        ...[...RANKED, ...(set.ranked ? [] : [...shownSentences(set), ...ANSWERS])],
        'ContextTokens',
      ]),
      questionOnly(steps),
      pairedTable(steps),
    ],
  };
}

const INTRODUCTION = `Systems that reach evidence over a graph, claims, sub-questions or long units, run without a language
model at their defaults, each beside the first items of the search that it starts from: \`lexical\`
by document, passage or sentence. Shares in percent, tokens are word runs; 95 % percentile bootstrap
intervals, differences paired on the same resamples. ${CLUSTERED}`;

const READ = `${RECALL} counts gold documents among the first five of the final order: every row is compared at five
documents, whatever its unit. “Its own search” takes a hundred items, so that five documents are
found; it is that of the unit that a row's first search has, and “the best search” is the one of the
three units that finds most on the set. “Other first five”: questions with other documents among the first five, in whatever order.
“Loses”: one of the two intervals lies wholly below 0; “gains”: both lie wholly above. Rows over a
graph read co-occurrence of names, adjacency or links; no row was given a model, so triples are
names in one sentence, \`longrag-units\` joins by words, and \`chain\` has no edges of similarity. “Swapped”: the reader gets the evidence of another question.
Paragraphs are shown whole; single sentences, and articles of MultiHop-RAG, by the best five
sentences a document. Answers are read from what each row shows, at its own number of tokens: rows
with more tokens have an easier task. Direct-R embeds the first 512 tokens of a document: of articles
of MultiHop-RAG that is a part, and its figures there are low for that reason too.`;

const CHOSEN = `\`fact-lanes\` and the readers are in-domain here: their weights were fitted on train questions of the
three sets of Wikipedia, and for news on the half of MultiHop-RAG that is printed, by folds that share
no fact. Constants of the other rows come from their papers. Their rules without a model are ours, and
dev questions of these four sets were at hand while they were written: a gain here is what was looked
for, and no evidence for another domain. The searches alone have no fitted constant. All intervals are
over questions of these sets, none over domains.`;

const LEFT_OUT_NOTE = `No rule or constant of a row of the goal was written with these questions or documents in view; the
members of \`fact-lanes\` were. Relevance is judged, not answers.`;

const TIMES = `Milliseconds of a question at a time on a machine that other work shares; the first question builds
what the row derives from the corpus, and is the build time of a graph without embeddings.`;

export const report = (request: Given): Report => {
  const sets = SETS.map(set => setSteps(set, DECLARED));
  const cheap = DECLARED.filter(row => row.retriever === undefined);
  const leftOut = LEFT_OUT.map(set => setSteps(set, cheap));
  const musique = sets[SETS.findIndex(({ id }) => id === MUSIQUE)]!;
  return {
    folder: 'graphs',
    title: 'Graphs without a language model',
    introduction: INTRODUCTION,
    evaluations: [
      ...[...SETS, ...LEFT_OUT].flatMap(set =>
        setEvaluations(set, set.ranked ? cheap : DECLARED, request),
      ),
      ...ablationEvaluations(request),
      ...variantEvaluations(request),
      ...modelEvaluations(request),
    ],
    sections: [
      { heading: 'How to read the tables', blocks: [text(READ)] },
      { heading: 'What a graph is worth without a model', blocks: [worth(sets), graphItself] },
      { heading: 'Goals', blocks: [noLoss(sets), bestGain(musique)] },
      ...SETS.map((set, at) => sectionOf(set, sets[at]!)),
      {
        heading: 'Domains for which nothing was chosen',
        blocks: [text(LEFT_OUT_NOTE), noLoss(leftOut)],
      },
      ...LEFT_OUT.map((set, at) => sectionOf(set, leftOut[at]!)),
      ...ablationSections(),
      variantSection(),
      modelSection(),
      { heading: 'Published', blocks: [fieldBar(sets)] },
      {
        heading: 'Cost',
        blocks: [
          results => modelUseText(results, sets),
          lossList(sets),
          text('With a model, as the strategies plan it for the longest prompts (`--dry-run`):'),
          plannedTable(DECLARED.map(row => ({ label: labelOf(row), strategy: row.strategy }))),
          text(TIMES),
          ...sets.map(costTable),
        ],
      },
      { heading: 'On which domain numbers were chosen', blocks: [text(CHOSEN)] },
    ],
  };
};
