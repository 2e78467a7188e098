/**
 * Indexes vectors as rows and searches them exactly by inner product, for one or several queries at
 * once; pure and synchronous.
 */
import { InputError } from '../../../core/errors.ts';
import type { ScoredItem } from '../../../core/ranking/top.ts';
import type { SearchMode } from '../../../core/search-mode.ts';
import { type Centre, centreRows } from './centred.ts';
import { exactScore } from './exact-score.ts';
import { searchExhaustively } from './exhaustive.ts';
import { type Codes, codesLength, quantiseRows } from './quantise.ts';
import { checkDimensions, countRows, fillRows, type Rows, readQuery, strideOf } from './rows.ts';
import { Scan } from './scan.ts';
import {
  centredMemory,
  codeMemory,
  floatMemory,
  MOST_RIDERS,
  type ScanMemory,
} from './scan-memory.ts';
import type { Rider, ScanQuery } from './scan-queries.ts';
import { type PackedVectors, packedVectorBytes, packVectors, unpackVectors } from './stored.ts';

export type { PackedVectors, ScoredItem };

export interface VectorQuery {
  readonly vector: Float32Array;
  /**
   * One byte per item, 1 if the item may be returned; applied before top-k. Queries of one search
   * that share an array share a pass.
   */
  readonly allowed?: Uint8Array;
}

export interface VectorOptions {
  /**
   * Controls 8-bit codes beside the rows: a quarter more memory, several times faster, equal
   * results. true: built and packed; false: never built; undefined: built when they pay off, and
   * not packed.
   */
  readonly quantise?: boolean;
  readonly mode?: SearchMode;
}

/** Least number of values (rows x stride) for which a kernel pays off. */
const PAYS_FROM = 32_768;

export class VectorIndex {
  /** Number of items; item i is row i. */
  readonly size: number;
  readonly dimensions: number;
  /** True if 8-bit codes are packed with the rows. */
  readonly quantised: boolean;
  private readonly mode: SearchMode;
  private rows: Rows;
  private codes: Codes | undefined;
  /** null until the first search. */
  private scan: Scan | undefined | null = null;
  private memoryBytes = 0;

  private constructor(rows: Rows, codes: Codes | undefined, mode: SearchMode) {
    this.rows = rows;
    this.codes = codes;
    this.mode = mode;
    this.size = rows.size;
    this.dimensions = rows.dimensions;
    this.quantised = codes !== undefined;
  }

  /**
   * Builds an index of a copy of `vectors`: n * dimensions contiguous numbers, or one array per
   * vector. Throws `InputError('bad-dimensions' | 'wrong-dimensions' | 'not-finite')`, naming the
   * row.
   */
  static build(
    vectors: Float32Array | Iterable<Float32Array>,
    dimensions: number,
    options: VectorOptions = {},
  ): VectorIndex {
    checkDimensions(dimensions);
    const { quantise, mode = 'auto' } = options;
    const source = vectors instanceof Float32Array ? vectors : [...vectors];
    const size = countRows(source, dimensions);
    const stride = strideOf(dimensions);
    const memory = memoryFor(mode, size, stride, quantise);
    const rows = fillRows(
      source,
      dimensions,
      memory ? vectorsOf(memory, size * stride) : new Float32Array(size * stride),
    );
    const placed = memory && codesOf(memory, size, stride);
    const codes =
      quantise || placed
        ? quantiseRows(
            rows,
            placed?.codes ?? new Int8Array(codesLength(size, stride)),
            placed?.scales ?? new Float32Array(size),
          )
        : undefined;
    const index = new VectorIndex(rows, quantise ? codes : undefined, mode);
    index.startScan(memory, codes);
    return index;
  }

  /**
   * Restores an index from the result of `pack`. Uses the arrays in place; the first search copies
   * the scanned ones into the kernel's memory.
   */
  static unpack(packed: PackedVectors, mode: SearchMode = 'auto'): VectorIndex {
    const { rows, codes } = unpackVectors(packed);
    return new VectorIndex(rows, codes, mode);
  }

  /** Returns the index for storage; the arrays are views, not copies. */
  pack(): PackedVectors {
    return packVectors(this.rows, this.codes);
  }

  /** Returns the bytes of typed arrays and kernel memory held now. */
  get bytes(): number {
    const bytes = packedVectorBytes(this.pack());
    const { codes, rows, memoryBytes } = this;
    if (memoryBytes === 0) return bytes;
    const inside = [rows.values, codes?.codes, codes?.scales].filter(
      array => array && array.buffer === rows.values.buffer,
    );
    return inside.reduce((sum, array) => sum - array!.byteLength, bytes) + memoryBytes;
  }

  /** Returns a copy of an item's vector. Throws `InputError('unknown-item')`. */
  vector(item: number): Float32Array {
    this.checkItem(item);
    const { values, stride } = this.rows;
    return values.slice(item * stride, item * stride + this.dimensions);
  }

  /**
   * Returns the scores that `search` gives these items, to the bit; one array per query. Throws as
   * `search` and `vector` do.
   */
  scores(queries: readonly Float32Array[], items: readonly number[]): Float64Array[] {
    for (const item of items) this.checkItem(item);
    const padded = queries.map((vector, i) => readQuery(vector, this.rows, `query ${i}`));
    if (this.scan === null && this.size > 0) this.prepare();
    const { scan, rows } = this;
    return padded.map(query =>
      scan
        ? scan.exactly(query, items)
        : Float64Array.from(items, item => exactScore(query.padded, rows.values, item)),
    );
  }

  private checkItem(item: number): void {
    if (Number.isInteger(item) && item >= 0 && item < this.size) return;
    throw new InputError('unknown-item', 'Unknown item of this vector index', {
      expected: this.size === 0 ? 'no item: the index is empty' : `0 to ${this.size - 1}`,
      received: String(item),
    });
  }

  /**
   * Returns the best k allowed items of each query, score descending, then item ascending; fewer
   * only if fewer are allowed. A score is the inner product in float64 (exact-score.ts): its bits
   * do not depend on mode, quantisation, k, filter or the other queries. Throws `InputError('bad-k'
   * | 'bad-filter-length' | 'wrong-dimensions' | 'not-finite')`.
   */
  search(queries: readonly VectorQuery[], k: number): ScoredItem[][] {
    if (!Number.isInteger(k) || k < 0)
      throw new InputError('bad-k', 'Invalid number of results', {
        expected: 'a whole number of at least 0',
        received: String(k),
      });
    const padded = queries.map((query, i) => this.read(query, i));
    if (k === 0 || this.size === 0) return queries.map(() => []);
    if (this.scan === null) this.prepare();
    const results: ScoredItem[][] = new Array(queries.length);
    const scanned = new Map<Uint8Array | undefined, number[]>();
    for (const [i, query] of padded.entries()) {
      const { allowed } = queries[i]!;
      // Bounds save nothing if every row is returned.
      if (k >= this.size || !this.scan?.holds(query))
        results[i] = searchExhaustively(this.rows, query.padded, allowed, k);
      else scanned.set(allowed, [...(scanned.get(allowed) ?? []), i]);
    }
    const riders = ridersOf(queries, scanned);
    for (const [allowed, together] of scanned) {
      const along = allowed === undefined ? riders : [];
      const scanResults = this.scan!.search(
        together.map(i => padded[i]!),
        allowed,
        k,
        along,
      );
      for (const [at, i] of [...together, ...along.map(({ index }) => index)].entries())
        results[i] = scanResults[at]!;
    }
    return results;
  }

  private read({ vector, allowed }: VectorQuery, i: number): ScanQuery {
    if (allowed !== undefined && allowed.length !== this.size)
      throw new InputError('bad-filter-length', 'A filter has the wrong length', {
        expected: `${this.size} bytes, one per item`,
        received: `${allowed.length}`,
      });
    return readQuery(vector, this.rows, `query ${i}`);
  }

  /**
   * Moves rows and codes into the memory of a kernel, if one can be created, and releases the
   * arrays they came from.
   */
  private prepare(): void {
    const { rows, mode } = this;
    const { size, stride } = rows;
    const memory = memoryFor(mode, size, stride, this.codes && true);
    if (memory) {
      const values = vectorsOf(memory, size * stride);
      values.set(rows.values);
      this.rows = { ...rows, values };
    }
    const placed = memory && codesOf(memory, size, stride);
    let { codes } = this;
    if (placed && codes) {
      placed.codes.set(codes.codes);
      placed.scales.set(codes.scales);
      this.codes = codes = { ...codes, ...placed };
    } else if (placed) codes = quantiseRows(this.rows, placed.codes, placed.scales);
    this.startScan(memory, codes);
  }

  private startScan(memory: ScanMemory | undefined, codes: Codes | undefined): void {
    const centre = memory && centreIn(memory, this.rows);
    this.scan =
      memory &&
      new Scan(
        this.rows,
        memory,
        memory.scales === undefined ? undefined : codes?.residuals,
        centre,
      );
    this.memoryBytes = memory?.kernel.buffer.byteLength ?? 0;
  }
}

interface PlacedRider extends Rider {
  /** Index of the filtered query in the search. */
  readonly index: number;
}

/**
 * Removes from `scanned` the filtered queries whose vector is also searched without a filter, and
 * returns them as riders on its products.
 */
function ridersOf(
  queries: readonly VectorQuery[],
  scanned: Map<Uint8Array | undefined, readonly number[]>,
): PlacedRider[] {
  const places = new Map(
    (scanned.get(undefined) ?? []).map((i, place) => [queries[i]!.vector, place]),
  );
  const riders: PlacedRider[] = [];
  for (const [allowed, together] of scanned) {
    if (allowed === undefined) continue;
    const apart = together.filter(index => {
      const query = places.get(queries[index]!.vector);
      const rides = query !== undefined && riders.length < MOST_RIDERS;
      if (rides) riders.push({ index, query, allowed });
      return !rides;
    });
    if (apart.length > 0) scanned.set(allowed, apart);
    else scanned.delete(allowed);
  }
  return riders;
}

/**
 * Returns memory with codes if they are enabled and fit beside the vectors (centred ones if
 * supported and no codes are to be packed), otherwise with floats only; undefined if a kernel does
 * not pay off or cannot be created.
 */
function memoryFor(
  mode: SearchMode,
  size: number,
  stride: number,
  quantise: boolean | undefined,
): ScanMemory | undefined {
  const pays = mode === 'fast' || (mode === 'auto' && size * stride >= PAYS_FROM);
  if (!pays) return undefined;
  const codes =
    quantise === false
      ? undefined
      : ((quantise ? undefined : centredMemory(size, stride)) ?? codeMemory(size, stride));
  return codes ?? floatMemory(size, stride);
}

function centreIn({ kernel, rows, scales, centred }: ScanMemory, of: Rows): Centre | undefined {
  if (!centred) return undefined;
  const floats = (at: number): Float32Array => new Float32Array(kernel.buffer, at, of.size);
  const codes = new Int8Array(kernel.buffer, rows, codesLength(of.size, of.stride));
  return centreRows(of, { codes, scales: floats(scales!), shares: floats(centred.shares) });
}

const vectorsOf = ({ kernel, vectors }: ScanMemory, length: number): Float32Array =>
  new Float32Array(kernel.buffer, vectors, length);

/** Returns the arrays for 8-bit codes; undefined if vectors or centred rows are scanned. */
function codesOf(
  { kernel, rows, scales, centred }: ScanMemory,
  size: number,
  stride: number,
): Pick<Codes, 'codes' | 'scales'> | undefined {
  if (scales === undefined || centred) return undefined;
  return {
    codes: new Int8Array(kernel.buffer, rows, codesLength(size, stride)),
    scales: new Float32Array(kernel.buffer, scales, size),
  };
}
