/**
 * One inverted index over items: search and explanation for every scorer of its analysis, pure and
 * synchronous.
 */
import { InputError } from '../../errors.ts';
import type { Explanation } from '../explanation.ts';
import type { SearchMode } from '../search-mode.ts';
import type { ScoredItem } from '../top.ts';
import { invert } from './build.ts';
import { compilePostings } from './compiled-postings.ts';
import { CompiledSearch } from './compiled-search.ts';
import { searchExhaustively } from './exhaustive.ts';
import { explainItem } from './explain.ts';
import { type FactColumn, factColumns } from './facts.ts';
import type { Inverted } from './inverted.ts';
import type { Analysis, LexicalItem } from './item.ts';
import { readQuery } from './query.ts';
import type { Scorer, WeighedTerm, Weighing } from './scorer.ts';
import { type Packed, packedBytes, packIndex, unpackIndex } from './stored.ts';

export type { Analysis, LexicalItem, Packed, ScoredItem, SearchMode };

export interface LexicalQuery {
  readonly text: string;
  /** 1 where the item may be returned, one byte an item. Applied before top-k. */
  readonly allowed?: Uint8Array;
}

/** From this many postings on it pays to compile them. */
const PAYS_FROM = 20_000;

interface Ready {
  readonly weighing: Weighing;
  readonly compiled: CompiledSearch | undefined;
}

/** Scorers kept ready; the least recently used goes first. */
const KEEP_READY = 4;

export class LexicalIndex {
  readonly analysis: Analysis;
  /** The number of items. */
  readonly size: number;
  private readonly inverted: Inverted;
  private readonly facts: readonly FactColumn[];
  private readonly mode: SearchMode;
  private readonly ready = new Map<string, Ready>();

  private constructor(
    analysis: Analysis,
    inverted: Inverted,
    facts: readonly FactColumn[],
    mode: SearchMode,
  ) {
    this.mode = mode;
    this.analysis = analysis;
    this.size = inverted.size;
    this.inverted = inverted;
    this.facts = facts;
  }

  /**
   * Throws `InputError('unsorted-items')` unless the ids ascend by UTF-16 code units, each once.
   */
  static build(
    items: readonly LexicalItem[],
    analysis: Analysis,
    mode: SearchMode = 'auto',
  ): LexicalIndex {
    for (let item = 1; item < items.length; item++) {
      const [before, id] = [items[item - 1]!.id, items[item]!.id];
      if (before >= id)
        throw new InputError('unsorted-items', 'Items of a lexical index must ascend by id', {
          expected: `an id after "${before}"`,
          received: `"${id}"`,
        });
    }
    return new LexicalIndex(
      analysis,
      invert(items, analysis, mode),
      analysis === 's1' ? factColumns(items) : [],
      mode,
    );
  }

  /** An index from what `pack` returned. The arrays are used as they are, without a copy. */
  static unpack(packed: Packed, mode: SearchMode = 'auto'): LexicalIndex {
    const { analysis, inverted, facts } = unpackIndex(packed);
    return new LexicalIndex(analysis, inverted, facts, mode);
  }

  /** The bytes of the index for storage; the arrays are views, not copies. */
  pack(): Packed {
    return packIndex(this.analysis, this.inverted, this.facts);
  }

  /** Bytes of typed arrays held now, those of compiled scorers included. */
  get bytes(): number {
    let bytes = packedBytes(this.pack());
    for (const { compiled } of this.ready.values()) bytes += compiled?.bytes ?? 0;
    return bytes;
  }

  /**
   * The best k items of each query, score descending, then item ascending. Items that score 0 are
   * not returned.
   */
  search(queries: readonly LexicalQuery[], k: number, scorer: Scorer): ScoredItem[][] {
    if (!Number.isInteger(k) || k < 0)
      throw new InputError('bad-k', 'The number of results', {
        expected: 'a whole number of at least 0',
        received: String(k),
      });
    const ready = this.prepare(scorer);
    // One text is often asked within several filters.
    const known = new Map<string, readonly WeighedTerm[]>();
    const termsOf = (text: string): readonly WeighedTerm[] => {
      let terms = known.get(text);
      if (!terms)
        known.set(
          text,
          (terms = ready.weighing.weigh(readQuery(this.inverted.dictionary, text, this.analysis))),
        );
      return terms;
    };
    return queries.map(query => this.searchOne(query, termsOf, k, ready));
  }

  /** Why an item scores what it scores; the value is the score of `search`, or 0. */
  explain(query: string, item: number, scorer: Scorer): Explanation {
    if (!Number.isInteger(item) || item < 0 || item >= this.size)
      throw new InputError('unknown-item', 'There is no such item in this index', {
        expected: `0 to ${this.size - 1}`,
        received: String(item),
      });
    const { weighing } = this.prepare(scorer);
    const terms = weighing.weigh(readQuery(this.inverted.dictionary, query, this.analysis));
    return explainItem(scorer.name, this.inverted, weighing, terms, weighing.boosts(query), item);
  }

  private searchOne(
    { text, allowed }: LexicalQuery,
    termsOf: (text: string) => readonly WeighedTerm[],
    k: number,
    { weighing, compiled }: Ready,
  ): ScoredItem[] {
    if (allowed !== undefined && allowed.length !== this.size)
      throw new InputError(
        'bad-filter-length',
        'A filter must say of every item whether it is allowed',
        {
          expected: `${this.size} bytes`,
          received: `${allowed.length}`,
        },
      );
    if (k === 0) return [];
    const terms = termsOf(text);
    const boosts = weighing.boosts(text);
    if (terms.length === 0 && boosts.length === 0) return [];
    const found = compiled?.search(terms, k, allowed);
    return found ?? searchExhaustively(this.inverted, weighing, { terms, boosts, allowed }, k);
  }

  private prepare(scorer: Scorer): Ready {
    if (scorer.analysis !== this.analysis)
      throw new InputError(
        'wrong-analysis',
        `The scorer "${scorer.name}" cannot search this index`,
        {
          expected: `an index with the analysis "${scorer.analysis}"`,
          received: `"${this.analysis}"`,
        },
      );
    let ready = this.ready.get(scorer.name);
    this.ready.delete(scorer.name);
    ready ??= this.compile(scorer.prepare(this.inverted, this.facts));
    this.ready.set(scorer.name, ready);
    if (this.ready.size > KEEP_READY) this.ready.delete(this.ready.keys().next().value!);
    return ready;
  }

  private compile(weighing: Weighing): Ready {
    const { mode, inverted } = this;
    const worth = mode === 'fast' || (mode === 'auto' && inverted.items.length >= PAYS_FROM);
    const postings = worth && weighing.compilable ? compilePostings(inverted, weighing) : undefined;
    return { weighing, compiled: postings && new CompiledSearch(inverted, weighing, postings) };
  }
}
