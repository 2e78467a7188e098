/** Holds an immutable inverted index over some items of a collection. */
import { InputError } from '../../../core/errors.ts';
import type { SearchMode } from '../../../core/search-mode.ts';
import { finish, type Steps } from '../../../core/steps.ts';
import { RecentlyUsed } from '../recently-used.ts';
import { invert } from './build.ts';
import { CompiledSearch } from './compiled-search.ts';
import { type FactColumn, factColumns } from './facts.ts';
import { allPostings, documentFrequency, type Inverted, postingCount } from './inverted.ts';
import type { Analysis, LexicalItem, LexicalItems } from './item.ts';
import type { WeighedTerm, Weighing } from './scorer.ts';
import type { SegmentView } from './segment-view.ts';
import { type Packed, packedBytes, packIndex, unpackIndex } from './stored.ts';

/** Least number of postings for which compiling pays off. */
const PAYS_FROM = 4000;

/** Most scorers that stay compiled. */
const KEEP_COMPILED = 4;

/** Compiled statistics are stale once the collection has grown by this factor. */
const STALE_AT = 2;

/**
 * Terms that at most one item in this many holds, or so few, are compiled as soon as all terms of a
 * query are.
 */
const RARE_SHARE = 64;
const FEW = 1024;

/** Time of compiling a posting, in that of reading it in a plain search. */
const COMPILING = 2;

interface Compiled {
  /** Undefined before it pays off, and without WebAssembly. */
  search: CompiledSearch | undefined;
  /** The size of the collection whose statistics were compiled. */
  readonly size: number;
  /** Frequent terms that were searched. */
  readonly searched: Set<number>;
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

  /** Returns an equal segment with its postings in memory. */
  held(): LexicalSegment {
    const all = allPostings(this.inverted);
    const inverted = { ...this.inverted, postings: () => all };
    return new LexicalSegment(this.analysis, inverted, this.facts, this.mode);
  }

  /** Bytes of typed arrays held now, including compiled scorers. */
  get bytes(): number {
    // Without a range to read, postings in memory are all returned, those of a file not.
    const held = this.inverted.postings(0, 0);
    let bytes = packedBytes(packIndex(this.analysis, this.inverted, this.facts, held));
    for (const { search } of this.compiled.values()) bytes += search?.bytes ?? 0;
    return bytes;
  }

  /**
   * Returns the fast search of a scorer for these terms; undefined if it does not pay yet. A
   * frequent term is compiled when it is searched again, or beside compiled terms of more postings:
   * compiling costs as much as a plain search or two, so that what is soon merged or rarely
   * searched is never compiled. A search compiled with the statistics of an earlier collection
   * serves a later one, of `size` items, because it bounds the difference.
   */
  fastSearch(
    scorer: string,
    view: SegmentView,
    weighing: Weighing,
    size: number,
    terms: readonly WeighedTerm[],
  ): CompiledSearch | undefined {
    const postings = postingCount(this.inverted);
    if (this.mode === 'plain' || (this.mode === 'auto' && postings < PAYS_FROM)) return undefined;
    if (!weighing.compilable) return undefined;
    let compiled = this.compiled.get(scorer);
    if (!compiled || size > compiled.size * STALE_AT)
      this.compiled.set(scorer, (compiled = { search: undefined, size, searched: new Set() }));
    if (this.mode === 'auto' && !this.pays(compiled, terms)) return undefined;
    return (compiled.search ??= CompiledSearch.create(view, weighing));
  }

  /**
   * Notes frequent terms that are not compiled. Returns true if there is no new one, or if
   * compiling the new ones takes less time than a plain search of the query.
   */
  private pays({ search, searched }: Compiled, terms: readonly WeighedTerm[]): boolean {
    const few = Math.max(FEW, this.size / RARE_SHARE);
    let [postings, fresh] = [0, 0];
    for (const { term } of terms) {
      const frequency = documentFrequency(this.inverted, term);
      postings += frequency;
      if (frequency <= few || search?.has(term) || searched.has(term)) continue;
      searched.add(term);
      fresh += frequency;
    }
    if (fresh === 0) return search !== undefined || searched.size > 0;
    return search !== undefined && fresh * COMPILING <= postings;
  }
}
