/** Holds an immutable inverted index over some items of a collection. */
import { InputError } from '../../../core/errors.ts';
import type { SearchMode } from '../../../core/search-mode.ts';
import { finish, type Steps } from '../../../core/steps.ts';
import { RecentlyUsed } from '../recently-used.ts';
import { invert } from './build.ts';
import { compilePostings } from './compiled-postings.ts';
import { CompiledSearch } from './compiled-search.ts';
import { type FactColumn, factColumns } from './facts.ts';
import { documentFrequency, type Inverted } from './inverted.ts';
import type { Analysis, LexicalItem, LexicalItems } from './item.ts';
import type { Collection, WeighedTerm, Weighing } from './scorer.ts';
import type { SegmentView } from './segment-view.ts';
import { type Packed, packedBytes, packIndex, unpackIndex } from './stored.ts';

/** Least number of postings for which compiling pays off. */
const PAYS_FROM = 4000;

/** Most scorers that stay compiled. */
const KEEP_COMPILED = 4;

/** Compiled statistics are stale once the collection has grown by this factor. */
const STALE_AT = 2;

/** Costs of compiling, in postings that a plain search reads in the same time. */
const COST_OF_POSTING = 0.5;
const COST_OF_LOOKUP = 8;
/** Cost of a result and a term in a plain search, which looks the term up in the leading items. */
const COST_OF_RESULT = 8;

interface Compiled {
  /** Undefined before it pays off, and without WebAssembly. */
  readonly search: CompiledSearch | undefined;
  /** The size of the collection whose statistics were compiled. */
  readonly size: number;
  /** Cost of the searches without a compilation, or with a stale one. */
  read: number;
  /** The compilation that is under way. */
  building?: Building;
}

interface Building {
  readonly steps: Steps<CompiledSearch | undefined>;
  readonly size: number;
}

export class LexicalSegment {
  readonly analysis: Analysis;
  /** Number of items. */
  readonly size: number;
  /** Number of terms in all items, counted with repetition. */
  readonly total: number;
  readonly inverted: Inverted;
  readonly facts: readonly FactColumn[];
  readonly mode: SearchMode;
  private readonly compiled = new RecentlyUsed<Compiled>(KEEP_COMPILED);

  constructor(
    analysis: Analysis,
    inverted: Inverted,
    facts: readonly FactColumn[],
    mode: SearchMode = 'auto',
  ) {
    this.analysis = analysis;
    this.size = inverted.size;
    this.inverted = inverted;
    this.facts = facts;
    this.mode = mode;
    let total = 0;
    for (let item = 0; item < inverted.size; item++) total += inverted.lengths[item]!;
    this.total = total;
  }

  /**
   * Builds a segment. Throws `InputError('unsorted-items')` unless the ids ascend by UTF-16 code
   * units without duplicates.
   */
  static build(
    items: readonly LexicalItem[],
    analysis: Analysis,
    mode: SearchMode = 'auto',
  ): LexicalSegment {
    return finish(LexicalSegment.buildInSteps(items, analysis, mode));
  }

  /** Builds a segment like `build`, in steps. */
  static *buildInSteps(
    items: readonly LexicalItem[],
    analysis: Analysis,
    mode: SearchMode = 'auto',
  ): Steps<LexicalSegment> {
    for (let item = 1; item < items.length; item++) {
      const [before, id] = [items[item - 1]!.id, items[item]!.id];
      if (before >= id)
        throw new InputError('unsorted-items', 'Items of a lexical index must ascend by id', {
          expected: `an id after "${before}"`,
          received: `"${id}"`,
        });
    }
    return yield* LexicalSegment.buildSorted(items, analysis, mode);
  }

  /** Builds a segment like `buildInSteps` of items whose ids are known to ascend. */
  static *buildSorted(
    items: LexicalItems,
    analysis: Analysis,
    mode: SearchMode = 'auto',
  ): Steps<LexicalSegment> {
    const facts = analysis === 's1' ? factColumns(items) : [];
    const inverted = yield* invert(items, analysis, mode);
    return new LexicalSegment(analysis, inverted, facts, mode);
  }

  /** Restores a segment from the result of `pack`, using the arrays in place. */
  static unpack(packed: Packed, mode: SearchMode = 'auto'): LexicalSegment {
    const { analysis, inverted, facts } = unpackIndex(packed);
    return new LexicalSegment(analysis, inverted, facts, mode);
  }

  /** Returns the bytes of the segment for storage; the arrays are views, not copies. */
  pack(): Packed {
    return packIndex(this.analysis, this.inverted, this.facts);
  }

  /** Bytes of typed arrays held now, including compiled scorers. */
  get bytes(): number {
    let bytes = packedBytes(this.pack());
    for (const { search } of this.compiled.values()) bytes += search?.bytes ?? 0;
    return bytes;
  }

  /**
   * Returns the fast search of a scorer; undefined if there is none yet. Postings are compiled once
   * searches have cost as much as compiling does, so that a segment that is soon merged or rarely
   * searched is never compiled; and one step a search, so that no search waits for all of it.
   * A search compiled with the statistics of an earlier collection
   * serves a later one, because it bounds the difference.
   */
  fastSearch(
    scorer: string,
    view: SegmentView,
    weighing: Weighing,
    collection: Collection,
    { terms, k }: { readonly terms: readonly WeighedTerm[]; readonly k: number },
  ): CompiledSearch | undefined {
    const postings = this.inverted.items.length;
    if (this.mode === 'plain' || (this.mode === 'auto' && postings < PAYS_FROM)) return undefined;
    if (!weighing.compilable) return undefined;
    let compiled = this.compiled.get(scorer);
    if (compiled?.search && collection.size <= compiled.size * STALE_AT) return compiled.search;
    if (this.mode === 'auto') {
      if (!compiled)
        this.compiled.set(scorer, (compiled = { search: undefined, size: 0, read: 0 }));
      if (compiled.read < this.compileCost(collection)) {
        for (const { term } of terms) {
          const found = documentFrequency(this.inverted, term);
          compiled.read += found + COST_OF_RESULT * Math.min(k, found);
        }
        return compiled.search;
      }
      const { steps, size } = (compiled.building ??= {
        steps: this.compile(view, weighing, collection),
        size: collection.size,
      });
      const step = steps.next();
      if (!step.done) return compiled.search;
      this.compiled.set(scorer, { search: step.value, size, read: 0 });
      return step.value;
    }
    const search = finish(this.compile(view, weighing, collection));
    this.compiled.set(scorer, { search, size: collection.size, read: 0 });
    return search;
  }

  /** Reads all postings, and looks all terms up in the other segments. */
  private compileCost({ views }: Collection): number {
    const { items, terms } = this.inverted;
    return COST_OF_POSTING * items.length + COST_OF_LOOKUP * terms * (views.length - 1);
  }

  private *compile(
    view: SegmentView,
    weighing: Weighing,
    collection: Collection,
  ): Steps<CompiledSearch | undefined> {
    const frequencies = yield* collection.frequencies(view);
    const idfs = Float64Array.from(frequencies, frequency => weighing.idf(frequency));
    const postings = yield* compilePostings(view, weighing, idfs);
    return postings && new CompiledSearch(this.inverted, postings);
  }
}
