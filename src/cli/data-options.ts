/** The options that name a benchmark data set, shared by the commands that read one. */
import { statSync } from 'node:fs';
import { InputError } from '../core/errors.ts';
import { readCorpusQueries } from '../documents/corpus-queries.ts';
import { dataSets, readDataSet } from '../documents/data-sets.ts';
import type { DataSet } from '../evaluation/example.ts';
import { type DataFiles, findData, type GivenFiles } from '../experiments/find-data.ts';
import { corpusDigest } from '../stores/disk/segment.ts';
import { Store } from '../stores/disk/store.ts';
import { isServerAddress } from '../stores/servers/engine-address.ts';
import type { CommandContext, Positional } from './command.ts';
import type { Option } from './option.ts';

export const DATA_OPTIONS: readonly Option[] = [
  {
    name: 'corpus',
    value: 'FILE',
    access: 'read',
    summary: 'the documents of the data set; for jsonl also a folder of documents',
  },
  {
    name: 'store',
    value: 'PLACE',
    access: 'read',
    summary:
      'for jsonl: the documents of a store, as the corpus; else a server that holds the corpus, which is asked',
  },
  { name: 'questions', value: 'FILE', access: 'read', summary: 'its graded questions' },
  { name: 'folder', value: 'DIR', access: 'read', summary: 'a BEIR folder, for the data set beir' },
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
}: CommandContext): Promise<OpenedData> {
  const name = positionals[0]!;
  const given = {
    corpus: options.text('corpus'),
    questions: options.text('questions'),
    folder: options.text('folder'),
    split: options.text('split'),
  };
  const place = options.text('store');
  const store = place === undefined || isServerAddress(place) ? undefined : place;
  const { dataSet, files } =
    store === undefined
      ? await openFiles(name, given, env['MULTIHOP_DATA'])
      : await openStored(name, store, given);
  warnOf(dataSet.problems, output);
  return { dataSet, files };
}

/** Prints the first problems of data one by one, and the number of the others. */
export function warnOf(problems: readonly string[], output: CommandContext['output']): void {
  for (const problem of problems.slice(0, PROBLEMS_SHOWN)) output.warn(problem);
  if (problems.length > PROBLEMS_SHOWN)
    output.warn(`and ${problems.length - PROBLEMS_SHOWN} more problems in the data`);
}

interface OpenedData {
  readonly dataSet: DataSet;
  readonly files: DataFiles;
}

async function openFiles(
  name: string,
  given: GivenFiles,
  data: string | undefined,
): Promise<OpenedData> {
  const files = findData(name, given, data);
  const dataSet = await readDataSet(name, files);
  const { corpus } = files;
  if (corpus === undefined || !statSync(corpus).isDirectory()) return { dataSet, files };
  // One digest for folder and store: their documents are the same.
  return { dataSet, files: { ...files, corpusDigest: digestOf(dataSet) } };
}

/** Asks questions of one's own over the documents of a store. */
async function openStored(name: string, folder: string, given: GivenFiles): Promise<OpenedData> {
  const { questions, ...others } = given;
  const more = Object.entries(others).filter(([, value]) => value !== undefined);
  if (name !== 'jsonl' || more.length > 0 || questions === undefined)
    throw new InputError('bad-option', 'The corpus of --store', {
      expected: 'multihop eval jsonl --store DIR --questions FILE',
      received: [name, ...more.map(([option, value]) => `--${option} ${value}`)].join(' '),
    });
  const store = await Store.open(folder, { create: false });
  await using snapshot = await store.snapshot();
  const { documents } = snapshot;
  const dataSet = await readCorpusQueries(documents, questions, { checkFields: true });
  return { dataSet, files: { questions, corpusDigest: digestOf(dataSet) } };
}

const digestOf = ({ documents }: DataSet): string => corpusDigest(documents, 'whole');
