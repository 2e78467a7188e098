/** The port of stored vectors, for strategies that compute with them. */
import type { Unit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Port } from '../ports.ts';

export interface Vectors {
  /**
   * Returns one vector an item, zeros for an item without a direction in the space. Throws
   * `InputError('unknown-id' | 'unknown-space')`.
   */
  vectors(unit: Unit, ids: readonly string[], space: string, call: Call): Promise<Float32Array[]>;
  /**
   * Scores these items as an exact search by each vector does, one list a vector: for strategies
   * that compare more items than a search returns. Scores an item without a direction in the
   * space 0, although no search returns it.
   * Throws `InputError('unknown-id' | 'unknown-space' | 'wrong-dimensions' | 'not-finite')`.
   */
  scores(
    unit: Unit,
    ids: readonly string[],
    vectors: readonly Float32Array[],
    space: string,
    call: Call,
  ): Promise<Float64Array[]>;
  /**
   * Returns the unit vectors by which a search for these texts goes; undefined for a text without
   * a direction in the space, and for all texts if the engine holds no item. Throws
   * `InputError('unknown-space')`.
   */
  queryVectors(
    unit: Unit,
    texts: readonly string[],
    space: string,
    call: Call,
  ): Promise<(Float32Array | undefined)[]>;
}

export const VECTORS: Port<Vectors> = {
  name: 'vectors',
  summary: 'stored vectors',
  methods: {
    vectors: {},
    scores: {},
    queryVectors: { nothing: (_unit, texts) => texts.map(() => undefined) },
  },
};
