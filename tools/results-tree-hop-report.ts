/**
 * The report of TreeHop: each data set's rows beside Direct-R at equal K and the paper's,
 * ablations, types of question, and what the model was.
 */
import { availableParallelism } from 'node:os';
import type { ComparedRow, GroupRow, SettingResult, Times } from './tree-hop-comparisons.ts';
import {
  AIM,
  ablationTable,
  glance,
  groupsTable,
  publishedGains,
  recallTable,
  table,
  timesTable,
} from './tree-hop-report-tables.ts';
import { BY_PATH, UNABLATED } from './tree-hop-rows.ts';

/** The checkpoint that was measured. */
export interface CheckpointResult {
  readonly file: string;
  readonly sha256: string;
  readonly parameters: number;
  readonly d: number;
  readonly g: number;
  readonly m: number;
  readonly nMlp: number;
  readonly heads: number;
  readonly provenance: Readonly<Record<string, string>>;
}

const introduction = ({
  provenance: { encoder, queryPooling },
}: CheckpointResult): string => `# TreeHop

\`tree-hop(k, hops)\` searches by the question's vector, then by one new vector for each passage that a layer keeps, made by a small trained model
(arXiv 2504.20114). Every question searches the whole corpus of its setting over \`dense(${encoder})\`, template \`title-context\`; query pooling \`${queryPooling ?? 'normalised'}\`, hops
as the paper counts its iterations (hops=1 is Direct-R itself).

Recall in percent is that of all that the hops kept, with 95 % percentile bootstrap intervals over questions. By title, any document with a gold title counts: micro (over all
gold titles, as TreeHop counts) and macro (question by question); by id, only the gold document itself. K is the average number of distinct documents kept.

**Direct-R at equal K** is the control: one dense search with the question, cut as deep as TreeHop's list. Two ways, both from one ranking of depth 30:
*at average K*: the recall of the first K documents of every question, K the row's average, on a straight line between the two whole numbers around it;
*at the same K*: for each question as many documents as TreeHop kept for that question. Gains are TreeHop's recall less the control's, paired: both are counted on the same resampled questions.
TreeHop keeps fewer where its new queries find nothing new, and the second control is then cut on that very question, which a list of fixed length is not; the first is what setting k alone would have given.`;

const PUBLISHED_NOTE = `Paper figures are Table 2, 3 and 4 of arXiv 2504.20114: by title, micro, bge-m3 (1,024 dimensions), mean-pooled query vectors, 111,239 training graphs, 56,709 passages
of 2WikiMultiHopQA (no comparison questions) and 21,100 of MuSiQue. Ours: another and smaller encoder, corpora of a few thousand documents (of MultiHop-RAG the same 609 articles, and the
inference questions of the dev half), fewer published training questions (see Checkpoint). The paper's layer-wise pruning was in all likelihood that of the released code, \`pruning=argsort\` here, which keeps an
arbitrary part of a layer; \`rank\` is what the paper describes. So neither recall nor K can be compared from one system to the other; what can be is each one's gain over its own Direct-R.`;

export function treeHopReport(
  checkpoint: CheckpointResult,
  ablated: readonly CheckpointResult[],
  settings: readonly SettingResult[],
  unmeasured: readonly string[] = [],
): string {
  return `${[
    introduction(checkpoint),
    ...checkpointSection(checkpoint),
    '## At a glance',
    `\`${UNABLATED}\`, by title, micro. The aim is a gain of ${AIM} points on 2WikiMultiHopQA and MuSiQue. TreeHop is above or below where both gains' intervals are.`,
    glance(settings, UNABLATED),
    `\`${BY_PATH}\`: the same with each layer cut by the sum of the scores on the path, which is ours:`,
    glance(settings, BY_PATH),
    ...(unmeasured.length === 0
      ? []
      : [`Not measured with this checkpoint: ${unmeasured.join(', ')}.`]),
    ...settings.flatMap(settingSection),
    '## Published',
    PUBLISHED_NOTE,
    "The paper's own gain over its Direct-R at equal K, where K lies between the two that it prints (5 and 10), on a straight line between them:",
    publishedGains(),
    '## Manifests',
    ...[checkpoint, ...ablated].map(one => details(one.file, one)),
    ...settings.map(({ id, manifest }) => details(id, manifest)),
  ].join('\n\n')}\n`;
}

function checkpointSection({
  file,
  sha256,
  parameters,
  d,
  g,
  m,
  nMlp,
  heads,
  provenance,
}: CheckpointResult): string[] {
  const {
    encoder,
    encoderId,
    variant = 'full',
    split,
    epoch,
    step,
    settings,
    trainedOn,
  } = provenance;
  const rows: [string, string | undefined][] = [
    ['file', `${file}, sha256 ${sha256}`],
    ['embedder', encoderId ?? encoder],
    [
      'model',
      `${parameters.toLocaleString('en')} parameters (d ${d}, g ${g}, mlp ${m}, ${nMlp} blocks, ${heads} heads), variant ${variant}`,
    ],
    ['trained on', trainedOn && learntFrom(JSON.parse(trainedOn) as LearntFrom)],
    ['held out', split],
    ['settings', settings],
    ['stopped at', epoch && `epoch ${epoch}, step ${step}`],
  ];
  return [
    '## Checkpoint',
    table(
      ['', ' '],
      rows.flatMap(([name, says]) => (says === undefined ? [] : [[name, says]])),
      ['', ' '],
    ),
  ];
}

interface LearntFrom {
  readonly questions?: number;
  readonly mentions?: number;
  readonly paragraphs?: number;
}

function learntFrom({ questions, mentions = 0, paragraphs }: LearntFrom): string {
  const written =
    mentions > 0
      ? ` and ${mentions.toLocaleString('en')} written by rules of paragraphs that name others`
      : '';
  return `${questions?.toLocaleString('en')} questions${written}, ${paragraphs?.toLocaleString('en')} paragraphs`;
}

function settingSection({
  id,
  questions,
  published,
  rows,
  terms,
  trainedWithout,
  prunings,
  groups,
  groupsByPath,
  times,
  manifest,
}: SettingResult): string[] {
  return [
    `## ${id}`,
    `${questions} questions, ${(manifest as { documents?: number }).documents} documents.`,
    recallTable(rows, 'micro', 'by title, micro (TreeHop)', published),
    recallTable(rows, 'macro', 'by title, macro'),
    recallTable(rows, 'id', 'by document id, micro'),
    ...timesSection(rows, times, published),
    `### ${id}: ablations`,
    `All at \`${UNABLATED}\` but for what is left out; recall by title, micro. Beside them the paired difference to the row as it was trained, and the paper's recall (and K), whose models were trained without the term.`,
    'A term of h = q − c + gate left out at inference, from the same checkpoint:',
    ablationTable('h', terms),
    ...(trainedWithout.length === 0
      ? []
      : [
          'Other checkpoints, whose settings stand under Manifests:',
          ablationTable('checkpoint', trainedWithout),
        ]),
    'Pruning rules left out (K counts distinct documents; the paper counted repeated ones too: 10 and 30):',
    ablationTable('pruning', prunings),
    ...groupsSection(groups, UNABLATED),
    ...groupsSection(groupsByPath, BY_PATH),
  ];
}

function timesSection(
  rows: readonly ComparedRow[],
  times: readonly Times[],
  published: SettingResult['published'],
): string[] {
  if (times.length === 0) return [];
  return [
    `One question at a time, the whole run (searches, updates, pruning, store look-ups), on ${availableParallelism()} cores, wall time. The question's vector comes from the cache: embedding it is not in these times.${published ? " The paper's are of whole batches on an A100, divided by their questions." : ''}`,
    timesTable(rows, times, published),
  ];
}

const groupsSection = (groups: readonly GroupRow[], strategy: string): string[] =>
  groups.length === 0
    ? []
    : [`By type of question, \`${strategy}\`, by title, micro:`, groupsTable(groups)];

const details = (name: string, value: unknown): string =>
  `\`${name}\`\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
