/**
 * Fits weights for open questions, whose facts form chains. The best candidates of a stage
 * determine the next searches, so that each stage is fitted on the candidates of the stages before
 * it.
 */
import type { RankerWeights } from '../../../src/models/fact-ranker/fact-ranker.ts';
import { rank, secondFeatures } from '../../../src/strategies/fact-lanes/rank.ts';
import { bestPacking, meanOf, PACKINGS } from './cross-validation.ts';
import { fitListwise, isUseful, type Listed } from './listwise.ts';
import { type PackedFigures, packedFigures } from './packed.ts';
import { defaultLanes, NO_WEIGHTS, type RankedQuestion } from './ranked-question.ts';

/**
 * A data set: returns its questions with the candidates that the strategy finds in a number of
 * later hops by the given weights, always the same questions in the same order.
 */
export interface ChainedSet {
  readonly name: string;
  ranked(hops: number, weights: RankerWeights): Promise<readonly RankedQuestion[]>;
  readonly engine: Parameters<typeof packedFigures>[4];
}

export interface SetFigures extends PackedFigures {
  readonly name: string;
  readonly questions: number;
}

export interface LearntChains {
  readonly weights: RankerWeights;
  /** Figures of every fifth question per data set, by weights fitted on the others. */
  readonly heldOut: readonly SetFigures[];
  /**
   * Figures of the same questions by weights fitted on the other data sets alone; empty for a
   * single data set.
   */
  readonly elsewhere: readonly SetFigures[];
}

/** Every fifth question is held out. */
const HELD_OUT_EVERY = 5;
/** Number of rounds, the default of the strategy. */
const ROUNDS = 2;
/** Number of fitted stages: before the first round, and after each. */
const STAGES = 1 + ROUNDS;

type Counts = (at: number) => boolean;

const held: Counts = at => at % HELD_OUT_EVERY === HELD_OUT_EVERY - 1;

/**
 * Returns the number of `onStep` calls of `learnChains`: one per held-out set, and one per stage of
 * each fit; two fits, and one more without each of several sets.
 */
export const chainSteps = (sets: number): number =>
  sets + 2 * STAGES + (sets > 1 ? sets * (STAGES + 1) : 0);

/** Fits and cross-validates the weights. `onStep` is called after each part of the work. */
export async function learnChains(
  sets: readonly ChainedSet[],
  onStep: () => Promise<void>,
): Promise<LearntChains> {
  const stages = await fitChains(sets, at => !held(at), onStep);
  const heldOut: SetFigures[] = [];
  for (const set of sets) {
    heldOut.push(await heldFigures(set, stages));
    await onStep();
  }
  const weights = await fitChains(sets, () => true, onStep);
  const elsewhere: SetFigures[] = [];
  for (const set of sets.length > 1 ? sets : []) {
    const others = sets.filter(other => other !== set);
    elsewhere.push(await heldFigures(set, await fitChains(others, () => true, onStep)));
    await onStep();
  }
  return { weights, heldOut, elsewhere };
}

async function heldFigures(set: ChainedSet, weights: RankerWeights): Promise<SetFigures> {
  const figures = (await packedBy(set, weights)).filter((_, at) => held(at));
  return { name: set.name, questions: figures.length, ...meanOf(figures) };
}

async function fitChains(
  sets: readonly ChainedSet[],
  counts: Counts,
  onStep: () => Promise<void>,
): Promise<RankerWeights> {
  const first = await fitStage(sets, counts, 0, NO_WEIGHTS);
  await onStep();
  let weights: RankerWeights = { ...NO_WEIGHTS, first };
  for (let round = 1; round <= ROUNDS; round++) {
    weights = { ...weights, second: await fitStage(sets, counts, round, weights) };
    await onStep();
  }
  return { ...weights, packing: await packingFor(sets, counts, weights) };
}

/**
 * Fits one stage to open questions after a number of rounds. Data sets weigh equally, regardless of
 * their numbers of useful questions.
 */
async function fitStage(
  sets: readonly ChainedSet[],
  counts: Counts,
  rounds: number,
  weights: RankerWeights,
): Promise<RankerWeights['first']> {
  const listed: Listed[] = [];
  for (const set of sets) {
    const questions = (await set.ranked(rounds, weights)).filter(
      ({ view }, at) => counts(at) && view.kind === 'linked',
    );
    const useful = questions.map(question => listedAt(question, rounds, weights)).filter(isUseful);
    for (const question of useful) listed.push({ ...question, weight: 1 / useful.length });
  }
  return fitListwise(listed, Object.keys(listed[0]?.features ?? {}));
}

function listedAt(
  { view, first, lanes, right }: RankedQuestion,
  rounds: number,
  weights: RankerWeights,
): Listed {
  const before = rounds === 0 ? undefined : rank(view, weights, rounds - 1).scores;
  return {
    features: before ? secondFeatures(view, first, lanes, before) : first,
    right,
    seen: [...right.keys()],
  };
}

/** Chooses the packing by the figures of each question. */
async function packingFor(
  sets: readonly ChainedSet[],
  counts: Counts,
  weights: RankerWeights,
): Promise<RankerWeights['packing']> {
  const byPacking: PackedFigures[][] = PACKINGS.map(() => []);
  for (const set of sets) {
    const questions = (await set.ranked(ROUNDS, weights)).filter((_, at) => counts(at));
    for (const [index, packing] of PACKINGS.entries())
      byPacking[index]!.push(meanOf(await packed(set, questions, { ...weights, packing })));
  }
  return PACKINGS[bestPacking(byPacking, () => true)]!;
}

const packedBy = async (set: ChainedSet, weights: RankerWeights): Promise<PackedFigures[]> =>
  packed(set, await set.ranked(ROUNDS, weights), weights);

async function packed(
  { engine }: ChainedSet,
  questions: readonly RankedQuestion[],
  weights: RankerWeights,
): Promise<PackedFigures[]> {
  const figures: PackedFigures[] = [];
  for (const question of questions) {
    const { scores } = rank(question.view, weights, ROUNDS);
    figures.push(await packedFigures(question, scores, weights.packing, defaultLanes(), engine));
  }
  return figures;
}
