/** `tree-hop TASK`: TreeHop's training data, training and ablations. */

import type { Command, CommandContext } from '../../src/cli/command.ts';
import { TREE_HOP_OPTIONS, TREE_HOP_TASKS, type TreeHopTask, taskOf } from './tree-hop/options.ts';
import { dataLines, dataObject } from './tree-hop/tables.ts';
import { ablate, openTreeHopData, train } from './tree-hop/train-task.ts';

export const command: Command = {
  positionals: [{ name: 'TASK', summary: TREE_HOP_TASKS.join(', ') }],
  options: TREE_HOP_OPTIONS,
  notes: [
    'data prints what a training would learn from, and what it leaves out and why. train learns next-hop queries for one embedder; ablate trains it whole, without q, without c and without the gate on the same data. Both write checkpoint, losses (JSON, SVG) and a .state.safetensors after each epoch: killed and run again with --resume they end with the same bytes.',
    '--json prints for train and ablate { runs: [{ name, files, learnt, heldOut, best, baseline, groups, epochs }] }; for data { questions, paragraphs, rejected, kinds, files }.',
  ],
  examples: [
    { line: 'tree-hop data --data train', says: 'counts, without embedding anything' },
    {
      line: 'tree-hop train --data train --embedder bge-small-en-v1.5 --cache vectors --out tree-hop.safetensors --resume',
      says: 'begin, or go on',
    },
  ],
  run: runTreeHop,
};

const RUN: Readonly<Record<TreeHopTask, (context: CommandContext) => Promise<number>>> = {
  data: describeData,
  train,
  ablate,
};

async function runTreeHop(context: CommandContext): Promise<number> {
  const { positionals, options } = context;
  const task = taskOf(positionals[0]!, options);
  return RUN[task](context);
}

async function describeData(context: CommandContext): Promise<number> {
  const data = await openTreeHopData(context);
  if (context.output.json) context.output.object(dataObject(data));
  else for (const line of dataLines(data)) context.output.line(line);
  return 0;
}
