/** `multihop learn fact-ranker`: fits the weights of `fact-lanes`, and prints what they do on questions and facts that they were not fitted on. */
import { existsSync, readFileSync } from 'node:fs';
import { InputError } from '../../errors.ts';
import { type LearntRanker, learnRanker } from '../../learning/fact-ranker/cross-validation.ts';
import { PACKED_FIGURES, type PackedFigures } from '../../learning/fact-ranker/packed.ts';
import { defaultLanes, type RankedQuestion, rankedQuestions } from '../../learning/fact-ranker/ranked-question.ts';
import { type FactRanker, RANKER_FORMAT, RANKER_KINDS, type RankerKind, readFactRanker } from '../../models/fact-ranker/fact-ranker.ts';
import { DEFAULT_CHUNKER, EmbeddedEngine } from '../../retrieval/embedded-engine.ts';
import type { SearchEngine } from '../../retrieval/engine.ts';
import { retrievers } from '../../retrieval/retrievers.ts';
import { DEFAULT_TEMPLATE } from '../../retrieval/text-templates.ts';
import { kindOf, signalsOf } from '../../strategies/fact-lanes/search.ts';
import { monotonicClock, takeTurns } from '../clock.ts';
import { parseJson } from '../formats/json-text.ts';
import { thisPackage } from '../package-root.ts';
import { replaceFile } from '../runs/tree-hop-files.ts';
import { sha256 } from '../sha256.ts';
import { named } from '../storage/store-embedders.ts';
import type { CommandContext } from './command.ts';
import { type LearnRows, type LearnTask, openLearnRows, percent } from './learn-task.ts';
import { Models } from './open-models.ts';
import { Progress } from './progress.ts';

export const factRankerTask: LearnTask = {
  name: 'fact-ranker',
  summary: 'the weights by which fact-lanes ranks sentences, one retriever after another',
  run: learnFactRanker,
};

const FOLDS = 5;

async function learnFactRanker(context: CommandContext): Promise<number> {
  const { options, output } = context;
  const opened = await openLearnRows(context, 'evidence-only');
  const out = options.text('out');
  // A file that cannot be added to is refused before an hour's work, and read again behind it: another may have been learnt since.
  if (out !== undefined) rankerAt(out);
  const learnt = await learnAll(context, opened);
  if (out !== undefined) replaceFile(out, `${JSON.stringify(merged(out, learnt, opened), null, 2)}\n`);
  if (output.json) output.object({ rankers: learnt, ...(out === undefined ? {} : { out }) });
  else {
    for (const { retriever, kind, questions, ranker } of learnt) {
      output.line(`${retriever} (weights "${kind}"), ${questions} questions, each ranked by weights that saw neither it nor its facts:`);
      output.line(`  all     ${figuresLine(ranker.heldOut)}`);
      for (const [fold, { packing, ...figures }] of ranker.folds.entries())
        output.line(`  fold ${fold + 1}  ${figuresLine(figures)}  packing ${JSON.stringify(packing)}`);
      output.line(`  fitted on all: packing ${JSON.stringify(ranker.weights.packing)}`);
    }
    if (out !== undefined) output.line(`Weights are in ${out}`);
  }
  return 0;
}

interface Learnt {
  readonly retriever: string;
  readonly kind: RankerKind;
  readonly questions: number;
  readonly ranker: LearntRanker;
}

async function learnAll(context: CommandContext, { rows, dataSet }: LearnRows): Promise<Learnt[]> {
  const { options, output, signal } = context;
  const names = rows.map(({ retriever }) => retriever);
  const models = new Models(context, options.text('cache'), { queries: true });
  const progress = new Progress(output, 'steps');
  try {
    const embedders = (await models.forSearch(names)).map(named);
    const engine = await new EmbeddedEngine({
      documents: dataSet.documents,
      chunker: DEFAULT_CHUNKER,
      template: DEFAULT_TEMPLATE,
      embedders,
    }).snapshot();
    const kinds = kindsOf(names, engine);
    const learnt: Learnt[] = [];
    for (const retriever of names) {
      const questions: RankedQuestion[] = [];
      for await (const question of rankedQuestions(dataSet, { engine, retriever, signal, clock: monotonicClock })) {
        questions.push(question);
        await takeTurns();
      }
      if (questions.length < FOLDS)
        throw new InputError(
          'too-few-questions',
          `The data set "${dataSet.name}" has ${questions.length} questions whose facts stand in its documents`,
          {
            expected: `at least ${FOLDS}`,
          },
        );
      const kind = kinds.get(retriever)!;
      const ranker = await learnRanker(questions, {
        ...{ folds: FOLDS, settings: defaultLanes(), engine },
        onStep: async (done, total) => {
          progress.update({ count: done, done, total });
          await takeTurns();
        },
      });
      learnt.push({ retriever, kind, questions: questions.length, ranker });
    }
    return learnt;
  } finally {
    progress.end();
    await models.close();
  }
}

/** Throws `InputError('same-weights')` where two retrievers would have one kind of weights. */
function kindsOf(names: readonly string[], engine: SearchEngine): Map<string, RankerKind> {
  const kinds = new Map<string, RankerKind>();
  for (const name of names) {
    const kind = kindOf(signalsOf(retrievers.create(name).bind(engine), true).vectors?.space);
    const other = [...kinds].find(([, known]) => known === kind);
    if (other)
      throw new InputError('same-weights', `The weights for "${other[0]}" and "${name}" are of one kind`, {
        expected: 'one retriever for words, one for lsa, one for an embedder',
        received: `two for ${kind}`,
      });
    kinds.set(name, kind);
  }
  return kinds;
}

/** What is learnt replaces its kind in the file; the others stay, and without a file are what was learnt first. */
function merged(out: string, learnt: readonly Learnt[], { dataSet, files }: LearnRows): FactRanker {
  const before = rankerAt(out);
  const weights = new Map(learnt.map(({ kind, ranker }) => [kind, ranker.weights]));
  const provenance = learnt.map(({ retriever, kind, questions, ranker }) => [
    kind,
    {
      trainedBy: `multihop ${thisPackage().version} learn fact-ranker`,
      ...{ dataset: dataSet.name, retriever, questions, folds: FOLDS, heldOut: ranker.heldOut },
      files: Object.fromEntries(Object.entries(files).map(([what, path]) => [what, sha256(readFileSync(path as string))])),
    },
  ]);
  return {
    format: RANKER_FORMAT,
    rankers: Object.fromEntries(
      RANKER_KINDS.map(kind => [kind, weights.get(kind) ?? before?.rankers[kind] ?? learnt[0]!.ranker.weights]),
    ) as FactRanker['rankers'],
    provenance: { ...before?.provenance, ...Object.fromEntries(provenance) },
  };
}

const rankerAt = (path: string): FactRanker | undefined =>
  existsSync(path) ? readFactRanker(parseJson(readFileSync(path, 'utf8'), path)) : undefined;

const figuresLine = (figures: PackedFigures): string => PACKED_FIGURES.map(name => `${name} ${percent(figures[name])}`).join('  ');
