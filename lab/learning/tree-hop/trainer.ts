/**
 * Training of TreeHop, one step at a time: forward, loss, backward and AdamW in one memory, nothing
 * else allocated; no clock, no randomness.
 */
import { InputError } from '../../../src/core/errors.ts';
import type { SearchMode } from '../../../src/core/search-mode.ts';
import { placeActivations, roomFrom } from '../../../src/models/tree-hop/activations.ts';
import { forwardRows, type Network } from '../../../src/models/tree-hop/forward.ts';
import { createMatrixKernel } from '../../../src/models/tree-hop/kernel.ts';
import { LN_EPS, type TreeHopParameters } from '../../../src/models/tree-hop/parameters.ts';
import type { TreeHopVariant } from '../../../src/models/tree-hop/shape.ts';
import { fillRows } from '../../../src/models/tree-hop/tree-hop.ts';
import { packTensors, placeWeights, unpackTensors } from '../../../src/models/tree-hop/weights.ts';
import { type AdamWSettings, adamWFactors, checkAdamW, PUBLISHED_ADAM_W } from './adam-w.ts';
import { backwardQueries, backwardRows, weightGradients } from './backward.ts';
import { type BatchSizes, measureBatch, type TreeHopBatch } from './batch.ts';
import { type Dropout, dropValues, keptScale } from './dropout.ts';
import { type Gradients, placeGradients } from './gradients.ts';
import { TEMPERATURE } from './info-nce.ts';
import { ownNegativesLosses } from './own-negatives-loss.ts';
import { PoolInfoNce, placePool } from './pool-info-nce.ts';

export interface TrainerOptions {
  readonly optimiser?: Partial<AdamWSettings>;
  readonly temperature?: number;
  readonly variant?: TreeHopVariant;
  /**
   * The most updates of a batch; 64 questions of which some have two first passages fit in the
   * default of 128.
   */
  readonly mostRows?: number;
  /** Vectors row by row against all of which updates can be held; they stay in the memory. */
  readonly pool?: Float32Array | undefined;
  /** 'plain' never uses WebAssembly; the weights are the same to the bit. */
  readonly mode?: SearchMode;
}

/** The state of the optimiser: with the parameters, a stopped run resumes with equal results. */
export interface OptimiserState {
  /** Steps taken. */
  readonly step: number;
  /** Mean of the gradients and of their squares, by the names of the parameters. */
  readonly first: ReadonlyMap<string, Float32Array>;
  readonly second: ReadonlyMap<string, Float32Array>;
}

/** Options of one step. */
export interface StepOptions {
  /** The learning rate is multiplied by it. */
  readonly rateFactor?: number;
  readonly dropout?: Dropout | undefined;
}

export interface BatchLoss {
  /** The mean of the updates' losses. */
  readonly loss: number;
  /** The loss of each update. */
  readonly losses: Float64Array;
}

export class TreeHopTrainer {
  readonly #network: Network;
  readonly #gradients: Gradients;
  readonly #variant: TreeHopVariant;
  readonly #temperature: number;
  readonly #settings: AdamWSettings;
  readonly #pool: PoolInfoNce | undefined;
  readonly #poolRows: number;
  #step = 0;

  /**
   * Copies the parameters, and the optimiser's state where a run goes on. Memory: 16 bytes a
   * parameter.
   */
  constructor(parameters: TreeHopParameters, options: TrainerOptions = {}, state?: OptimiserState) {
    const { d, g, m, nMlp, heads } = parameters;
    const shape = { d, g, m, nMlp, heads };
    this.#settings = { ...PUBLISHED_ADAM_W, ...options.optimiser };
    checkAdamW(this.#settings);
    this.#variant = options.variant ?? 'full';
    this.#temperature = options.temperature ?? TEMPERATURE;
    if (!(this.#temperature > 0))
      throw new InputError('bad-temperature', 'The temperature', {
        expected: 'a number above 0',
        received: String(this.#temperature),
      });
    const rows = options.mostRows ?? 128;
    const weights = placeWeights(shape);
    // Weights, gradients, first and second moments, each as large as the first.
    const room = roomFrom(4 * weights.floats);
    const activations = placeActivations(room, shape, rows, true);
    this.#gradients = placeGradients(room, shape, rows);
    this.#poolRows = (options.pool?.length ?? 0) / d;
    const places = options.pool ? placePool(room, d, this.#poolRows, rows) : undefined;
    this.#network = {
      shape,
      weights,
      activations,
      kernel: createMatrixKernel(room.end, options.mode),
    };
    if (places) this.#pool = new PoolInfoNce(this.#network.kernel, places, options.pool!);
    this.#pack(0, parameters.tensors);
    if (state) this.#restore(state);
  }

  get step(): number {
    return this.#step;
  }

  /**
   * One step of AdamW on the batch; the loss is that before it. Without the gate there is nothing
   * to learn, and nothing changes.
   */
  learn(batch: TreeHopBatch, { rateFactor = 1, dropout }: StepOptions = {}): BatchLoss {
    const outcome = this.#differentiate(batch, dropout);
    this.#step++;
    const settings = { ...this.#settings, learningRate: rateFactor * this.#settings.learningRate };
    const { kernel, weights } = this.#network;
    if (this.#variant !== 'no-gate')
      kernel.adamW(weights.floats, weights.floats, adamWFactors(settings, this.#step));
    return outcome;
  }

  /** The loss alone: for questions held out. */
  loss(batch: TreeHopBatch): BatchLoss {
    const sizes = this.#forward(batch);
    return this.#losses(batch, sizes, false);
  }

  /** The gradients of a batch by name, and its loss; nothing is changed. */
  gradients(
    batch: TreeHopBatch,
    dropout?: Dropout,
  ): BatchLoss & { readonly tensors: Map<string, Float32Array> } {
    return { ...this.#differentiate(batch, dropout), tensors: this.#unpack(1) };
  }

  /** A copy of the parameters as they are now. */
  parameters(): TreeHopParameters {
    return { ...this.#network.shape, lnEps: LN_EPS, tensors: this.#unpack(0) };
  }

  /** A copy of the optimiser's state as it is now. */
  state(): OptimiserState {
    return { step: this.#step, first: this.#unpack(2), second: this.#unpack(3) };
  }

  #differentiate(batch: TreeHopBatch, dropout?: Dropout): BatchLoss {
    const sizes = this.#forward(batch, dropout);
    const { kernel, weights } = this.#network;
    kernel.floats.fill(0, weights.floats, 2 * weights.floats);
    const outcome = this.#losses(batch, sizes, true);
    if (this.#variant === 'no-gate') return outcome;
    for (let depth = sizes.depths.length - 2; depth >= 0; depth--) {
      const [from, end] = [sizes.depths[depth]!, sizes.depths[depth + 1]!];
      backwardRows(this.#network, this.#gradients, from, end - from, keptScale(dropout));
      if (depth > 0)
        backwardQueries(
          this.#network,
          this.#gradients,
          batch.parents!,
          this.#variant !== 'no-q',
          from,
          end - from,
        );
    }
    weightGradients(this.#network, this.#gradients, sizes.rows);
    return outcome;
  }

  /** One depth after the other: the state of a parent is the query of its children. */
  #forward(batch: TreeHopBatch, dropout?: Dropout): BatchSizes {
    const { shape, activations, kernel } = this.#network;
    const { queries, passages, h } = activations;
    const change =
      dropout && ((at: number, width: number) => dropValues(kernel.floats, at, width, dropout));
    const sizes = measureBatch(batch, shape.d, activations.rows, this.#poolRows);
    fillRows(kernel.floats, queries, batch.queries, 0, sizes.rows, shape.d);
    fillRows(kernel.floats, passages, batch.passages, 0, sizes.rows, shape.d);
    for (let depth = 0; depth + 1 < sizes.depths.length; depth++) {
      const [from, end] = [sizes.depths[depth]!, sizes.depths[depth + 1]!];
      if (depth > 0)
        for (let row = from; row < end; row++) {
          const parent = h.at + batch.parents![row]! * h.stride;
          kernel.floats.copyWithin(queries.at + row * queries.stride, parent, parent + shape.d);
        }
      forwardRows(this.#network, this.#variant, from, end - from, change);
    }
    return sizes;
  }

  #losses(batch: TreeHopBatch, sizes: BatchSizes, withGradient: boolean): BatchLoss {
    const { shape, activations, kernel } = this.#network;
    const { rows } = sizes;
    const gradient = withGradient ? { to: this.#gradients.h, factor: 1 / rows } : undefined;
    const common = { temperature: this.#temperature, states: activations.h, gradient };
    const losses = batch.pool
      ? this.#pool!.losses({ ...batch.pool, ...common, rows })
      : ownNegativesLosses(batch, sizes, { ...common, floats: kernel.floats, d: shape.d });
    return { loss: losses.reduce((sum, loss) => sum + loss, 0) / rows, losses };
  }

  #pack(region: number, tensors: ReadonlyMap<string, Float32Array>): void {
    const { weights, kernel } = this.#network;
    packTensors(weights, tensors, kernel.floats, region * weights.floats);
  }

  #unpack(region: number): Map<string, Float32Array> {
    const { weights, kernel } = this.#network;
    return unpackTensors(weights, kernel.floats, region * weights.floats);
  }

  #restore({ step, first, second }: OptimiserState): void {
    for (const { name, rows, groups, width } of this.#network.weights.all)
      for (const moments of [first, second])
        if (moments.get(name)?.length !== rows * groups * width)
          throw new InputError('bad-optimiser-state', `The moment of "${name}"`, {
            expected: `${rows * groups * width} numbers`,
            received: String(moments.get(name)?.length ?? 'none'),
          });
    this.#step = step;
    this.#pack(2, first);
    this.#pack(3, second);
  }
}
