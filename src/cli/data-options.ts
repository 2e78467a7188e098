/** The options that name a benchmark data set, shared by the commands that read it. */
import { statSync } from 'node:fs';
import { chunkers } from '../core/corpus/chunk.ts';
import type { Document } from '../core/corpus/document.ts';
import { InputError } from '../core/errors.ts';
import { freeCall } from '../core/trace/call.ts';
import { readCorpusQueries } from '../documents/data-sets/corpus-queries.ts';
import { dataSets, readDataSet } from '../documents/data-sets.ts';
import type { DataSet } from '../evaluation/example.ts';
import type { EvaluationRequest } from '../experiments/compose-evaluation.ts';
import { type DataFiles, type FileOptions, findData } from '../experiments/find-data.ts';
import { DEFAULT_CHUNKER } from '../search/embedded-engine.ts';
import { pagesOf } from '../search/place.ts';
import { DEFAULT_TEMPLATE } from '../search/vectors/text-templates.ts';
import type { Environment } from '../session/notices.ts';
import { openPlace } from '../session/places/open-place.ts';
import type { OnWarning } from '../stores/disk/read-packed.ts';
import { corpusDigest } from '../stores/disk/segment.ts';
import type { CommandContext, Positional } from './command.ts';
import type { Option, OptionValues } from './option.ts';

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
      'a store or a server that holds the corpus, which eval asks with its vectors; for jsonl without --corpus its documents are the corpus',
  },
  {
    name: 'questions',
    value: 'FILE',
    access: 'read',
    summary: 'the questions of the data set, with answers',
  },
  { name: 'folder', value: 'DIR', access: 'read', summary: 'a BEIR folder, for the data set beir' },
  {
    name: 'split',
    value: 'NAME',
    summary: 'the judgements qrels/NAME.tsv of the BEIR folder; test if there are several',
  },
];

export const DATASET_POSITIONAL: Positional = {
  name: 'DATASET',
  summary: dataSets.map(({ name }) => name).join(', '),
};

export const DATA_NOTE =
  'Without --corpus and --questions the files are looked for in MULTIHOP_DATA, one folder a data set.';

/** Number of problems of a data set that are printed singly. */
const PROBLEMS_SHOWN = 5;

/** Reads the data set that the command names, and warns of its problems. */
export async function openDataSet({
  positionals,
  options,
  env,
  output,
}: CommandContext): Promise<OpenedData> {
  const name = positionals[0]!;
  const paths = {
    corpus: options.text('corpus'),
    questions: options.text('questions'),
    folder: options.text('folder'),
    split: options.text('split'),
  };
  const store = askedPlace(options);
  // Without a file its documents are the corpus.
  const { dataSet, files } =
    store !== undefined && name === 'jsonl' && paths.corpus === undefined
      ? await openStored(store, paths, env)
      : await openFiles(name, paths, env['MULTIHOP_DATA']);
  warnOf(dataSet.problems, output);
  return { dataSet, files };
}

/** Prints the first problems of data singly, and the number of the others. */
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
  paths: FileOptions,
  data: string | undefined,
): Promise<OpenedData> {
  const files = findData(name, paths, data);
  const dataSet = await readDataSet(name, files);
  const { corpus } = files;
  if (corpus === undefined || !statSync(corpus).isDirectory()) return { dataSet, files };
  // One digest for folder and store: their documents are the same.
  return { dataSet, files: { ...files, corpusDigest: digestOf(dataSet) } };
}

/** Returns the place of `--store`; that of a configuration is for questions, not for data sets. */
const askedPlace = (options: OptionValues): string | undefined =>
  options.isDefault('store') ? undefined : options.text('store');

/** Opens the place of `--store` that is asked, if any, and closes it after `work`. */
export async function overPlace<T>(
  { output, env, signal, options }: CommandContext,
  request: EvaluationRequest,
  work: (request: EvaluationRequest) => Promise<T>,
): Promise<T> {
  const address = askedPlace(options);
  if (address === undefined) return work(request);
  const onWarning: OnWarning = warning => output.warn(warning.message, warning);
  await using place = await openPlace(address, { env, create: false, onWarning });
  const { chunker, spaces } = await place.state(freeCall(signal));
  const template = spaces.find(space => space.template)?.template ?? DEFAULT_TEMPLATE;
  checkRecorded('chunker', request.chunker, chunkers.canonical(DEFAULT_CHUNKER), chunker);
  checkRecorded('template', request.template, DEFAULT_TEMPLATE, template);
  signal.throwIfAborted();
  return await work({ ...request, place, chunker, template });
}

/** A store keeps what it was made with: throws `InputError('bad-option')` for something else. */
function checkRecorded(
  option: string,
  requested: string | undefined,
  usual: string,
  recorded: string | undefined,
): void {
  if (requested === usual || requested === recorded) return;
  throw new InputError('bad-option', `The option --${option} beside --store`, {
    expected: `the ${option} of the store, ${recorded}`,
    received: requested,
    hint: 'Without --store, the documents of --corpus are read anew with it.',
  });
}

/** Reads the documents of a store, for the user's questions. */
async function openStored(
  store: string,
  paths: FileOptions,
  env: Environment,
): Promise<OpenedData> {
  const { questions } = paths;
  if (questions === undefined)
    throw new InputError('bad-option', 'The corpus of --store', {
      expected: 'multihop eval jsonl --store PLACE --questions FILE',
      received: 'no --questions',
    });
  await using place = await openPlace(store, { env, create: false });
  await using snapshot = await place.snapshot();
  const documents: Document[] = [];
  for await (const page of pagesOf(snapshot, { limit: PAGE }, freeCall())) documents.push(...page);
  const dataSet = await readCorpusQueries(documents, questions, { checkFields: true });
  return { dataSet, files: { questions, corpusDigest: digestOf(dataSet) } };
}

/** Documents that are read at once. */
const PAGE = 1000;

const digestOf = ({ documents }: DataSet): string => corpusDigest(documents, 'whole');
