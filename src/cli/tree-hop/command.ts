/**
 * `multihop treehop TASK`: TreeHop's training data, training, ablations, and checkpoints in and
 * out.
 */

import { InputError } from '../../core/errors.ts';
import type { Command, CommandContext } from '../command.ts';
import { exportCheckpoint, importCheckpoint } from './checkpoints.ts';
import { TREE_HOP_OPTIONS, TREE_HOP_TASKS, type TreeHopTask, taskOf } from './options.ts';
import { dataLines, dataObject } from './tables.ts';
import { ablate, openTreeHopData, train } from './train-task.ts';

export const command: Command = {
  positionals: [
    { name: 'TASK', summary: TREE_HOP_TASKS.join(', ') },
    {
      name: 'FILE',
      summary: 'for import a .pt or .safetensors, for export a checkpoint',
      optional: true,
    },
  ],
  options: TREE_HOP_OPTIONS,
  notes: [
    'data prints what a training would learn from, and what it leaves out and why. train learns next-hop queries for one embedder; ablate trains it whole, without q, without c and without the gate on the same data. Both write checkpoint, losses (JSON, SVG) and a .state.safetensors after each epoch: killed and run again with --resume they end with the same bytes.',
    '--json prints for train and ablate { runs: [{ name, files, learnt, heldOut, best, baseline, groups, epochs }] }, with --folds also mean and final; for data { questions, paragraphs, rejected, kinds, files }; for import and export { out, parameters, d, g, m, nMlp, heads, provenance }.',
  ],
  examples: [
    { line: 'multihop treehop data --data train', says: 'counts, without embedding anything' },
    {
      line: 'multihop treehop train --data train --embedder bge-small-en-v1.5 --cache vectors --out tree-hop.safetensors --resume',
      says: 'begin, or go on',
    },
    {
      line: 'multihop treehop import model.safetensors --encoder bge-m3 --out tree-hop.safetensors',
      says: 'a published checkpoint',
    },
    {
      line: 'multihop treehop export tree-hop.safetensors --format published --out folder',
      says: 'model.safetensors and config.json',
    },
  ],
  run: runTreeHop,
};

const RUN: Readonly<Record<TreeHopTask, (context: CommandContext) => Promise<number>>> = {
  data: describeData,
  train,
  ablate,
  import: importCheckpoint,
  export: exportCheckpoint,
};

async function runTreeHop(context: CommandContext): Promise<number> {
  const { positionals, options } = context;
  const task = taskOf(positionals[0]!, options);
  if (positionals[1] !== undefined && task !== 'import' && task !== 'export')
    throw new InputError('too-many-arguments', `multihop treehop ${task} takes no file`, {
      expected: '--data PATH',
      received: `"${positionals[1]}"`,
    });
  return RUN[task](context);
}

async function describeData(context: CommandContext): Promise<number> {
  const data = await openTreeHopData(context);
  if (context.output.json) context.output.object(dataObject(data));
  else for (const line of dataLines(data)) context.output.line(line);
  return 0;
}
