/** The options that name a benchmark data set, shared by the commands that read one. */
import type { DataSet } from '../../evaluation/example.ts';
import { dataSets, readDataSet } from '../formats/data-sets.ts';
import { type DataFiles, findData } from '../runs/find-data.ts';
import type { CommandContext, Option, Positional } from './command.ts';

export const DATA_OPTIONS: readonly Option[] = [
  { name: 'corpus', value: 'FILE', summary: 'the documents of the data set' },
  { name: 'questions', value: 'FILE', summary: 'its graded questions' },
  { name: 'folder', value: 'DIR', summary: 'a BEIR folder, for the data set beir' },
  {
    name: 'split',
    value: 'NAME',
    summary: 'the judgements qrels/NAME.tsv of the BEIR folder; test where there are several',
  },
];

export const DATASET_POSITIONAL: Positional = {
  name: 'DATASET',
  summary: dataSets.map(({ name }) => name).join(', '),
};

export const DATA_NOTE =
  'Without --corpus and --questions the files are looked for in MULTIHOP_DATA, one folder a data set.';

/** Number of problems of a data set that are printed one by one. */
const PROBLEMS_SHOWN = 5;

/** Reads the data set that the command names, and warns of its problems. */
export async function openDataSet({
  positionals,
  options,
  env,
  output,
}: CommandContext): Promise<{ dataSet: DataSet; files: DataFiles }> {
  const name = positionals[0]!;
  const files = findData(
    name,
    {
      corpus: options.text('corpus'),
      questions: options.text('questions'),
      folder: options.text('folder'),
      split: options.text('split'),
    },
    env['MULTIHOP_DATA'],
  );
  const dataSet = await readDataSet(name, files);
  for (const problem of dataSet.problems.slice(0, PROBLEMS_SHOWN)) output.warn(problem);
  if (dataSet.problems.length > PROBLEMS_SHOWN)
    output.warn(`and ${dataSet.problems.length - PROBLEMS_SHOWN} more problems in the data`);
  return { dataSet, files };
}
