/**
 * A training run, epoch by epoch: learn from shuffled batches, look at the questions held out, know
 * the best epoch and when to stop.
 */
import { InputError } from '../../../src/core/errors.ts';
import { mulberry32 } from '../../../src/core/mulberry32.ts';
import {
  initialParameters,
  type TreeHopParameters,
} from '../../../src/models/tree-hop/parameters.ts';
import { prepareTreeHop } from '../../../src/models/tree-hop/tree-hop.ts';
import { HeldOutEvaluation, type HeldOutScores } from './held-out.ts';
import { infoNce } from './info-nce.ts';
import { rateFactor } from './rate-schedule.ts';
import { TreeHopTrainer } from './trainer.ts';
import {
  batchOf,
  inBatches,
  mostUpdates,
  shuffledBatches,
  streamOf,
  updatesOf,
} from './training-batches.ts';
import type { TrainingExample, TrainingSet } from './training-set.ts';
import { checkSettings, fingerprintOf, type TrainingSettings } from './training-settings.ts';
import type { TrainingState } from './training-state.ts';
import { checkVectors, type TrainingVectors } from './training-vectors.ts';

export interface TrainingData {
  readonly set: Pick<TrainingSet, 'examples' | 'paragraphs'>;
  readonly vectors: TrainingVectors;
  /** Indices of the examples. */
  readonly learnt: readonly number[];
  readonly heldOut: readonly number[];
  /** Further values that must be equal for a run to resume, by name: the data, the encoder. */
  readonly identity: Readonly<Record<string, string>>;
}

/**
 * Mean losses of the updates; that of training is of each batch before its step. Null: there is
 * none.
 */
export interface EpochRecord {
  /** 0: before training. */
  readonly epoch: number;
  readonly trainingLoss: number | null;
  readonly heldOutLoss: number | null;
  readonly scores: HeldOutScores | null;
}

export interface GroupScores {
  readonly name: string;
  readonly scores: HeldOutScores;
  /** With h = q. */
  readonly baseline: HeldOutScores;
}

export class TrainingRun {
  readonly settings: TrainingSettings;
  readonly #data: TrainingData;
  readonly #trainer: TreeHopTrainer;
  readonly #heldOut: HeldOutEvaluation | undefined;
  readonly #history: EpochRecord[];

  /**
   * Begins, or goes on from a state. Throws `InputError`: 'nothing-to-learn', 'bad-setting',
   * 'wrong-dimensions', or 'other-run' where the state is of other settings or data.
   */
  constructor(data: TrainingData, settings: TrainingSettings, state?: TrainingState) {
    checkSettings(settings);
    checkVectors(data.set, data.vectors);
    const { examples } = data.set;
    const mostRows = mostUpdates(examples, settings.batch);
    if (data.learnt.every(question => updatesOf(examples[question]!).length === 0))
      throw new InputError('nothing-to-learn', 'There is no question to learn from', {
        expected: 'at least one with a second hop',
      });
    this.settings = settings;
    this.#data = data;
    this.#heldOut =
      data.heldOut.length > 0
        ? new HeldOutEvaluation(examples, data.vectors, data.heldOut, settings.k)
        : undefined;
    const {
      shape,
      variant,
      rate: learningRate,
      weightDecay,
      temperature,
      seed,
      outputScale,
      valueScale,
    } = settings;
    if (state) checkSame({ ...data.identity, ...fingerprintOf(settings) }, state.notes);
    const parameters =
      state?.parameters ?? initialParameters(shape, mulberry32(seed), outputScale, valueScale);
    const options = {
      optimiser: { learningRate, weightDecay },
      temperature,
      variant,
      mostRows,
      pool: settings.lossNegatives === 'pool' ? data.vectors.paragraphs : undefined,
    };
    this.#trainer = new TreeHopTrainer(parameters, options, state?.optimiser);
    this.#history = state
      ? (JSON.parse(state.notes['history'] ?? '[]') as EpochRecord[])
      : [this.#looked(0, null)];
  }

  get history(): readonly EpochRecord[] {
    return this.#history;
  }

  /** Epochs done. */
  get epoch(): number {
    return this.#history.at(-1)!.epoch;
  }

  get step(): number {
    return this.#trainer.step;
  }

  /**
   * The epoch whose weights are to be kept; of equals the first. Without questions held out the
   * last.
   */
  get best(): EpochRecord {
    const trained = this.#history.slice(1);
    if (!this.#heldOut || trained.length === 0) return this.#history.at(-1)!;
    return trained.reduce((best, each) => (isBetter(each, best) ? each : best));
  }

  get finished(): boolean {
    const { epochs, patience, variant } = this.settings;
    // Without the gate nothing changes.
    if (this.epoch >= (variant === 'no-gate' ? 1 : epochs)) return true;
    return (
      this.#heldOut !== undefined &&
      patience > 0 &&
      this.epoch > 0 &&
      this.epoch - this.best.epoch >= patience
    );
  }

  /**
   * One epoch; tells after each batch how many are done. Throws `InputError('diverged')` where
   * losses or weights are no longer finite.
   */
  *learn(): Generator<{ readonly done: number; readonly total: number }, EpochRecord, void> {
    const { seed, batch: size, lossNegatives, schedule, epochs, dropout: share } = this.settings;
    const { set, vectors, learnt } = this.#data;
    const epoch = this.epoch + 1;
    const batches = shuffledBatches(learnt, size, streamOf(seed, 1, epoch));
    let [sum, updates] = [0, 0];
    for (const [at, questions] of batches.entries()) {
      const batch = batchOf(set.examples, vectors, questions, lossNegatives);
      if (batch) {
        const dropout = share > 0 ? { share, random: streamOf(seed, 3, epoch, at) } : undefined;
        const step = (epoch - 1) * batches.length + at + 1;
        const { losses } = this.#trainer.learn(batch, {
          rateFactor: rateFactor(schedule, step, epochs * batches.length),
          dropout,
        });
        sum += losses.reduce((total, loss) => total + loss, 0);
        updates += losses.length;
      }
      yield { done: at + 1, total: batches.length };
    }
    checkFinite(epoch, sum, ...this.#trainer.parameters().tensors.values());
    const record = this.#looked(epoch, sum / updates);
    this.#history.push(record);
    return record;
  }

  /** A copy of the weights as they are now. */
  parameters(): TreeHopParameters {
    return this.#trainer.parameters();
  }

  /** Everything that is needed to go on. */
  state(): TrainingState {
    const notes = {
      ...this.#data.identity,
      ...fingerprintOf(this.settings),
      history: JSON.stringify(this.#history),
    };
    return { parameters: this.#trainer.parameters(), optimiser: this.#trainer.state(), notes };
  }

  /** Scores the question itself as every next query: the baseline to beat. */
  baseline(): Pick<EpochRecord, 'heldOutLoss' | 'scores'> {
    const { set, vectors, heldOut } = this.#data;
    if (!this.#heldOut) return { heldOutLoss: null, scores: null };
    return {
      heldOutLoss: questionLoss(set.examples, vectors, heldOut, this.settings.temperature),
      scores: this.#heldOut.scores(undefined),
    };
  }

  /**
   * Scores held-out questions by a name for each: with these weights, and with the question
   * itself as every next query.
   */
  scoresBy(
    parameters: TreeHopParameters,
    nameOf: (example: TrainingExample) => string,
  ): GroupScores[] {
    if (!this.#heldOut) return [];
    const { set, heldOut } = this.#data;
    const treeHop = prepareTreeHop(parameters, { variant: this.settings.variant });
    const names = [...new Set(heldOut.map(question => nameOf(set.examples[question]!)))].sort();
    return names.map(name => {
      const isOf = (example: TrainingExample): boolean => nameOf(example) === name;
      return {
        name,
        scores: this.#heldOut!.scores(treeHop, isOf),
        baseline: this.#heldOut!.scores(undefined, isOf),
      };
    });
  }

  #looked(epoch: number, trainingLoss: number | null): EpochRecord {
    if (!this.#heldOut) return { epoch, trainingLoss, heldOutLoss: null, scores: null };
    const heldOutLoss = this.#heldOutLoss();
    checkFinite(epoch, heldOutLoss);
    const treeHop = prepareTreeHop(this.#trainer.parameters(), { variant: this.settings.variant });
    return { epoch, trainingLoss, heldOutLoss, scores: this.#heldOut.scores(treeHop) };
  }

  #heldOutLoss(): number {
    const { set, vectors, heldOut } = this.#data;
    let [sum, updates] = [0, 0];
    for (const questions of inBatches(heldOut, this.settings.batch)) {
      const batch = batchOf(set.examples, vectors, questions);
      if (!batch) continue;
      const { losses } = this.#trainer.loss(batch);
      sum += losses.reduce((total, loss) => total + loss, 0);
      updates += losses.length;
    }
    return sum / updates;
  }
}

function checkFinite(epoch: number, loss: number, ...tensors: readonly Float32Array[]): void {
  if (Number.isFinite(loss) && tensors.every(tensor => tensor.every(Number.isFinite))) return;
  throw new InputError(
    'diverged',
    `Training diverged in epoch ${epoch}: losses or weights are no longer finite numbers`,
    {
      hint: 'A smaller rate or a larger temperature keeps the steps small.',
      remedy: { id: 'lower-rate' },
    },
  );
}

/** Recall after two hops, then of the next hop, then the loss. */
function isBetter(a: EpochRecord, b: EpochRecord): boolean {
  const loss = a.heldOutLoss! < b.heldOutLoss!;
  if (a.scores!.hop2 !== b.scores!.hop2) return a.scores!.hop2 > b.scores!.hop2;
  return a.scores!.nextHop === b.scores!.nextHop ? loss : a.scores!.nextHop > b.scores!.nextHop;
}

/** The mean loss of the updates with the question in the place of the next query. */
export function questionLoss(
  examples: readonly TrainingExample[],
  { d, questions: queries, paragraphs }: TrainingVectors,
  questions: readonly number[],
  temperature: number,
): number {
  let [sum, updates] = [0, 0];
  for (const question of questions)
    for (const { positive, negatives } of updatesOf(examples[question]!)) {
      sum += infoNce({
        d,
        temperature,
        negatives: paragraphs,
        chosen: Int32Array.from(negatives),
        from: 0,
        count: negatives.length,
        state: { values: queries, at: question * d },
        positive: { values: paragraphs, at: positive * d },
      });
      updates++;
    }
  return sum / updates;
}

function checkSame(
  expected: Readonly<Record<string, string>>,
  notes: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(expected))
    if (notes[name] !== value)
      throw new InputError('other-run', `The run that was begun differs in "${name}"`, {
        expected: value,
        received: notes[name] ?? 'none',
        hint: 'A run goes on with the same data and settings; only the patience may change, and the epochs where the rate is constant.',
      });
}
