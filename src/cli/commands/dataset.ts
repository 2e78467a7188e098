/**
 * `multihop dataset DATASET`: prints what a benchmark data set holds, its problems, and how many
 * gold facts each chunker leaves whole.
 */
import { chunkers } from '../../core/corpus/chunk.ts';
import { type FactSurvival, factSurvival } from '../../documents/data-sets/fact-survival.ts';
import type { DataSet } from '../../evaluation/example.ts';
import type { Command, CommandContext } from '../command.ts';
import { DATA_NOTE, DATA_OPTIONS, DATASET_POSITIONAL, openDataSet } from '../data-options.ts';
import type { Output } from '../output.ts';
import { Progress } from '../progress.ts';

/** Chunkers of the published systems, and the finest chunker. */
const CHUNKERS = [
  'sentences',
  'tokens(size=256, overlap=32)',
  'tokens(size=300, overlap=60)',
  'tokens(size=1000, overlap=200)',
];

export const command: Command = {
  positionals: [DATASET_POSITIONAL],
  options: [
    ...DATA_OPTIONS,
    {
      name: 'chunker',
      value: 'NAME',
      repeatable: true,
      summary: 'chunker to compare, instead of the default four',
    },
  ],
  notes: [DATA_NOTE],
  examples: [
    {
      line: 'multihop dataset multihop-rag --corpus corpus.json --questions MultiHopRAG.json',
      says: 'counts, problems, and gold facts that no chunk boundary cuts',
    },
  ],
  run: describe,
};

/** Chunks every document by every chunker. */
function survivals(
  dataSet: DataSet,
  names: readonly string[],
  output: Output,
): ({ readonly tokenizer: string } & FactSurvival)[] {
  const progress = new Progress(output, 'documents');
  const total = names.length * dataSet.documents.length;
  let done = 0;
  const onChunked = (): void => progress.update({ count: ++done, done, total });
  const found = names.map(chunker => ({
    tokenizer: 'words',
    ...factSurvival(dataSet, chunkers.create(chunker), onChunked),
  }));
  progress.end();
  return found;
}

async function describe(context: CommandContext): Promise<number> {
  const { options, output } = context;
  const texts = options.texts('chunker');
  const names = (texts.length > 0 ? texts : CHUNKERS).map(name => chunkers.canonical(name));
  const { dataSet } = await openDataSet(context);
  const { documents, examples, problems, name } = dataSet;
  const types: Record<string, number> = {};
  for (const { type } of examples) types[type ?? 'untyped'] = (types[type ?? 'untyped'] ?? 0) + 1;
  const facts = examples.some(({ gold }) => gold.some(({ fact }) => fact !== undefined));
  const chunks = survivals(dataSet, names, output);
  if (output.json) {
    output.object({
      dataset: name,
      documents: documents.length,
      questions: examples.length,
      types,
      problems,
      chunkers: chunks,
    });
    return 0;
  }
  output.line(
    `${name}: ${documents.length} documents, ${examples.length} questions (${Object.entries(types)
      .map(([type, n]) => `${type} ${n}`)
      .join(', ')})`,
  );
  output.line(problems.length === 0 ? 'No problems found.' : `${problems.length} problems found.`);
  output.line(
    facts
      ? 'Gold facts that lie whole in one passage (tokenizer: words):'
      : 'This data set marks no gold facts.',
  );
  for (const { chunker, passages, facts: all, whole, share } of chunks)
    output.line(
      `  ${chunker.padEnd(34)} ${passages} passages${facts ? `, ${whole} of ${all} facts (${(100 * share).toFixed(2)} %)` : ''}`,
    );
  return 0;
}
