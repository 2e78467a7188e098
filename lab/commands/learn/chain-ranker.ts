/**
 * `learn chain-ranker`: fits the weights by which `fact-lanes` chains what open questions
 * ask for, on training questions of several data sets.
 */
import { readFileSync } from 'node:fs';
import type { CommandContext } from '../../../src/cli/command.ts';
import { percent } from '../../../src/cli/learn-rows.ts';
import type { Option } from '../../../src/cli/option.ts';
import { InputError } from '../../../src/core/errors.ts';
import { readDataSet } from '../../../src/documents/data-sets.ts';
import type { Example } from '../../../src/evaluation/example.ts';
import type { Embedder } from '../../../src/models/embedder.ts';
import type { RankerKind } from '../../../src/models/fact-ranker/fact-ranker.ts';
import { monotonicClock, takeTurns } from '../../../src/platform/clock.ts';
import { sha256 } from '../../../src/platform/sha256.ts';
import { EmbeddedEngine } from '../../../src/search/embedded-engine.ts';
import { retrievers } from '../../../src/search/retrievers.ts';
import { spaceEmbedder } from '../../../src/stores/disk/store-embedders.ts';
import {
  type ChainedSet,
  chainSteps,
  type LearntChains,
  learnChains,
  type SetFigures,
} from '../../learning/fact-ranker/fit-chains.ts';
import { PACKED_FIGURES } from '../../learning/fact-ranker/packed.ts';
import {
  type RankedQuestion,
  rankedQuestions,
} from '../../learning/fact-ranker/ranked-question.ts';
import { checkRanker, writeRanker } from './ranker-file.ts';
import { rankerKinds } from './ranker-kinds.ts';
import { type LearnTask, learnTask, trainedBy, withModels } from './task.ts';

export const TRAIN_OPTION: Option = {
  name: 'train',
  value: 'DATASET=FILE',
  repeatable: true,
  summary:
    'training questions with their paragraphs: chain-ranker reads DATASET=FILE, such as 2wikimultihopqa=train.jsonl, and all paragraphs of a file form one corpus; open-reader reads FILE',
};

/** Limits the questions that are learnt from each file or set. */
export const LIMIT_OPTION: Option<number> = {
  name: 'limit',
  value: 'N',
  type: 'integer',
  min: 1,
  read: Number,
  summary:
    'chain-ranker learns from the first N questions of each file, open-reader of each data set',
};

export const chainRankerTask: LearnTask = learnTask<Learnt>({
  name: 'chain-ranker',
  summary:
    'the weights by which fact-lanes follows chains of documents that titles link, from training questions',
  options: [TRAIN_OPTION, LIMIT_OPTION],
  learn: learnChainRanker,
  object: ({ rankers }) => ({ rankers }),
  lines: linesOf,
  write: (out, { rankers, files }) =>
    writeRanker(
      out,
      rankers.map(({ kind, weights, ...more }) => ({
        kind,
        weights,
        provenance: provenanceOf(more, files),
      })),
    ),
});

interface TrainFile {
  readonly name: string;
  readonly path: string;
  readonly examples: readonly Example[];
  readonly engine: ChainedSet['engine'];
}

interface Ranker extends LearntChains {
  readonly retriever: string;
  readonly kind: RankerKind;
}

interface Learnt {
  readonly rankers: readonly Ranker[];
  readonly files: readonly TrainFile[];
}

async function learnChainRanker(context: CommandContext): Promise<Learnt> {
  const { options } = context;
  checkRanker(options);
  const names = options.texts('retriever').length > 0 ? options.texts('retriever') : ['lexical'];
  return withModels(context, 'steps', async (models, progress) => {
    const files = await openTrainFiles(
      context,
      (await models.forSearch(names)).map(model => spaceEmbedder(model)),
    );
    const total = names.length * chainSteps(files.length);
    let done = 0;
    const step = async (): Promise<void> => {
      progress.update({ count: ++done, done, total });
      await takeTurns();
    };
    const rankers: Ranker[] = [];
    for (const [name, kind] of rankerKinds(names, files[0]!.engine, true)) {
      const retriever = retrievers.create(name).name;
      const learnt = await learnChains(files.map(chainedSet(retriever, context.signal)), step);
      rankers.push({ retriever, kind, ...learnt });
    }
    return { rankers, files };
  });
}

/**
 * Reads the training files. Throws `InputError('missing-option')`, and what `readDataSet` throws.
 */
async function openTrainFiles(
  { options }: CommandContext,
  embedders: readonly Embedder[],
): Promise<TrainFile[]> {
  const most = options.get(LIMIT_OPTION) ?? Number.POSITIVE_INFINITY;
  const specs = options.texts('train');
  if (specs.length === 0)
    throw new InputError('missing-option', 'No training questions', {
      expected: '--train DATASET=FILE, once or several times',
    });
  const files: TrainFile[] = [];
  for (const spec of specs) {
    const { name, path } = trainFile(spec);
    const { documents, examples: all } = await readDataSet(name, { questions: path });
    const examples = all.slice(0, most);
    const taught = examples.filter(({ gold }) => gold.length > 0).length;
    if (taught < LEAST_QUESTIONS)
      throw new InputError(
        'too-few-questions',
        `${path} has ${taught} questions with gold paragraphs among those that are read`,
        {
          expected: `at least ${LEAST_QUESTIONS}`,
        },
      );
    const withinIds = new Set(examples.flatMap(({ within = [] }) => within));
    const read = withinIds.size > 0 ? documents.filter(({ id }) => withinIds.has(id)) : documents;
    const engine = new EmbeddedEngine({ documents: read, embedders });
    files.push({ name, path, examples, engine: engine.current });
  }
  return files;
}

/** Holds out every fifth question. */
const LEAST_QUESTIONS = 5;

/** Throws `InputError('bad-train')`. */
function trainFile(spec: string): { readonly name: string; readonly path: string } {
  const at = spec.indexOf('=');
  if (at < 1 || at === spec.length - 1)
    throw new InputError('bad-train', 'Not a training file', {
      expected: '--train DATASET=FILE, as 2wikimultihopqa=train.jsonl',
      received: spec,
    });
  return { name: spec.slice(0, at), path: spec.slice(at + 1) };
}

const chainedSet =
  (retriever: string, signal: AbortSignal) =>
  ({ name, examples, engine }: TrainFile): ChainedSet => ({
    name,
    engine,
    async ranked(hops, weights) {
      const questions: RankedQuestion[] = [];
      const asked = rankedQuestions(
        { examples },
        { engine, retriever, signal, clock: monotonicClock, hops, weights, documents: true },
      );
      for await (const question of asked) {
        questions.push(question);
        await takeTurns();
      }
      return questions;
    },
  });

const provenanceOf = (
  { retriever, heldOut, elsewhere }: Pick<Ranker, 'retriever' | 'heldOut' | 'elsewhere'>,
  files: readonly TrainFile[],
): object => ({
  trainedBy: trainedBy('chain-ranker'),
  retriever,
  train: files.map(({ name, path, examples }) => ({
    dataset: name,
    questions: examples.length,
    file: sha256(readFileSync(path)),
  })),
  heldOut,
  elsewhere,
});

function linesOf({ rankers }: Learnt): string[] {
  const figuresLine = ({ name, questions, ...figures }: SetFigures): string =>
    `  ${name}, ${questions} questions  ${PACKED_FIGURES.map(figure => `${figure} ${percent(figures[figure])}`).join('  ')}`;
  return rankers.flatMap(({ retriever, kind, heldOut, elsewhere, weights }) => [
    `${retriever} (weights "${kind}"), every fifth question, by weights fitted on the others:`,
    ...heldOut.map(figuresLine),
    ...(elsewhere.length > 0
      ? ['  by weights fitted on the other data sets alone:', ...elsewhere.map(figuresLine)]
      : []),
    `  fitted on all: packing ${JSON.stringify(weights.packing)}`,
  ]);
}
