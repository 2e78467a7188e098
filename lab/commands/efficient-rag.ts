/** `efficient-rag TASK`: makes the training data of EfficientRAG-lite, and trains it. */

import type { Command, CommandContext } from '../../src/cli/command.ts';
import { warnOf } from '../../src/cli/data-options.ts';
import type { Output } from '../../src/cli/output.ts';
import { Progress } from '../../src/cli/progress.ts';
import { InputError } from '../../src/core/errors.ts';
import { didYouMean } from '../../src/core/naming/nearest.ts';
import { liteParameters, writeLite } from '../../src/models/efficient-rag/lite-checkpoint.ts';
import { LITE_PARTS } from '../../src/models/efficient-rag/lite-classifiers.ts';
import { thisPackage } from '../../src/platform/package-root.ts';
import { replaceFile } from '../../src/platform/replace-file.ts';
import { type EfficientRagData, readEfficientRagData } from '../data/efficient-rag-data.ts';
import { type TrainingRunOutcome, trainEfficientRag } from '../data/efficient-rag-training.ts';
import type { OperatingPoint } from '../learning/efficient-rag/operating-point.ts';

const TASKS = ['data', 'train'] as const;

export const command: Command = {
  positionals: [{ name: 'TASK', summary: TASKS.join(', ') }],
  options: [
    {
      name: 'data',
      value: 'PATH',
      access: 'read',
      repeatable: true,
      required: true,
      summary:
        'train files of 2WikiMultiHopQA, MuSiQue, HotpotQA and gold_chains.jsonl, or a folder of them',
    },
    {
      name: 'out',
      value: 'FILE',
      access: 'writes',
      summary: 'train: the checkpoint, for --token-classifiers of ask and eval',
    },
    {
      name: 'folds',
      value: 'N',
      type: 'integer',
      min: 2,
      default: '5',
      summary: 'train: folds of the cross-validation that chooses the thresholds',
    },
    {
      name: 'seed',
      value: 'N',
      type: 'integer',
      min: 0,
      default: '1',
      summary: 'train: seed of folds, weights and order',
    },
    {
      name: 'k',
      value: 'N',
      type: 'integer',
      min: 1,
      default: '10',
      summary: 'train: chunks of each search',
    },
    {
      name: 'retriever',
      value: 'NAME',
      default: 'lexical',
      summary: 'train: retriever of the chunks, and so of the hard negatives',
    },
    {
      name: 'held-out',
      value: 'N',
      type: 'integer',
      min: 1,
      default: '1000',
      summary: 'train: held-out questions on which the whole loop is measured',
    },
  ],
  notes: [
    'data prints counts of the training data. train fits three small networks (which chunks are useful, which of their words, which words make the next query) without a language model, prints their figures on held-out questions, with those of the whole loop, and writes one JSON file. It is an approximation of EfficientRAG, never the published system.',
    '--json prints for data { questions, paragraphs, kinds, files }; for train { out, parameters, points, heldOut }.',
  ],
  examples: [
    { line: 'efficient-rag data --data train', says: 'counts' },
    { line: 'efficient-rag train --data train --out lite.json', says: 'the shipped checkpoint' },
    {
      line: 'multihop ask "..." --strategy "efficient-rag(model=mine)" --token-classifiers mine=lite.json',
      says: 'a question with it',
    },
  ],
  run: runEfficientRag,
};

async function runEfficientRag(context: CommandContext): Promise<number> {
  const { positionals, options, output } = context;
  const [task] = positionals;
  if (task === 'train' && options.text('out') === undefined)
    throw new InputError('missing-option', '--out FILE is missing', {
      expected: 'the file of the checkpoint',
    });
  if (task !== 'data' && task !== 'train')
    throw new InputError('unknown-task', `Unknown efficient-rag task "${task}"`, {
      expected: TASKS.join(', '),
      hint: didYouMean(task!, TASKS),
    });
  const data = await readEfficientRagData(options.texts('data'));
  warnOf(data.problems, output);
  if (task === 'train') return train(context, data);
  const { questions, documents, counts, files } = data;
  if (output.json)
    output.object({
      questions: questions.length,
      paragraphs: documents.length,
      kinds: counts,
      files,
    });
  else for (const line of dataLines(data)) output.line(line);
  return 0;
}

function dataLines({ questions, documents, counts }: EfficientRagData): string[] {
  const total = `${questions.length} questions over ${documents.length} distinct paragraphs`;
  const kinds = counts.map(
    ({ dataset, type, rounds, chunks, labelled, sentences, unresolved, questions: all }) =>
      `  ${`${dataset} ${type}`.padEnd(26)} ${String(all - unresolved).padStart(6)} questions  ${rounds} queries, ${chunks} gold chunks (${labelled} with marked words), ${sentences} sentences for the filter${unresolved > 0 ? `; ${unresolved} left out` : ''}`,
  );
  return [total, ...kinds];
}

async function train(
  { options, output, signal }: CommandContext,
  data: EfficientRagData,
): Promise<number> {
  const out = options.text('out')!;
  let [progress, shown] = [new Progress(output, 'questions'), 'questions'];
  try {
    const outcome = await trainEfficientRag(data, {
      folds: options.integer('folds', 5),
      seed: options.integer('seed', 1),
      k: options.integer('k', 10),
      retriever: options.text('retriever') ?? 'lexical',
      questions: options.integer('held-out', 1000),
      version: thisPackage().version,
      signal,
      onProgress(what, done, total) {
        if (what !== shown) {
          progress.end();
          [progress, shown] = [new Progress(output, what), what];
        }
        progress.update({ count: done, done, total });
      },
    });
    replaceFile(out, writeLite(outcome.checkpoint));
    report(output, out, outcome);
    return 0;
  } finally {
    progress.end();
  }
}

const PART_NAMES = {
  chunks: 'useful chunks',
  words: 'useful words',
  filter: 'words of the next query',
} as const;

function report(
  output: Output,
  out: string,
  { checkpoint, points, loop }: TrainingRunOutcome,
): void {
  const parameters = liteParameters(checkpoint.model);
  if (output.json) {
    output.object({ out, parameters, points, heldOut: loop });
    return;
  }
  output.line(`${out}: ${parameters.toLocaleString('en')} weights`);
  output.line('Figures of each question under networks that were not trained on it:');
  for (const part of LITE_PARTS)
    output.line(`  ${PART_NAMES[part].padEnd(24)} ${pointText(points[part])}`);
  output.line(
    'The whole loop on such questions, beside the first K of the same search (Direct-R at equal K):',
  );
  for (const { dataset, questions, recall, k, rawK, rounds, directAtMeanK, directAtOwnK } of loop)
    output.line(
      `  ${dataset.padEnd(10)} ${String(questions).padStart(5)} questions  recall ${percent(recall)}  K ${k.toFixed(2)} (${rawK.toFixed(2)} with repeats)  rounds ${rounds.toFixed(2)}  direct at the mean K ${percent(directAtMeanK)}, at each question's K ${percent(directAtOwnK)}`,
    );
}

const pointText = ({
  averagePrecision,
  threshold,
  precision,
  recall,
  things,
  trueThings,
}: OperatingPoint): string =>
  `AP ${percent(averagePrecision)}  threshold ${threshold.toFixed(3)}  precision ${percent(precision)}  recall ${percent(recall)}  (${trueThings} of ${things})`;

const percent = (share: number): string => (100 * share).toFixed(1);
