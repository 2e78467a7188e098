/** The filters of one snapshot: checks their fields, and keeps the items that pass. */
import { type Filter, matches } from '../../core/corpus/filter.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import { filterable } from '../corpus/segment.ts';
import type { SegmentedCorpus } from '../corpus/segmented-corpus.ts';
import { RecentlyUsed, type SizeBound } from '../indexes/recently-used.ts';
import { checkFilterFields } from './filter-fields.ts';

const KEEP_MASKS = 256;
const MASK_BYTES: SizeBound<Uint8Array> = { most: 2 ** 26, bytes: mask => mask.length };

export class SnapshotFilters {
  private readonly corpus: SegmentedCorpus;
  private readonly whole = new RecentlyUsed<Uint8Array>(KEEP_MASKS, MASK_BYTES);
  private known: ReadonlySet<string> | undefined;

  constructor(corpus: SegmentedCorpus) {
    this.corpus = corpus;
  }

  /** Returns 1 for live items that pass, by segment. Throws `InputError('unknown-field')`. */
  masks(unit: Unit, filter: Filter): Uint8Array[] {
    this.checkFields(filter);
    const key = keyOf(filter);
    return this.corpus.segments.map(segment => segment.filterMask(unit, key, filter));
  }

  /** Returns 1 for items that pass, as one list. Throws `InputError('unknown-field')`. */
  mask(unit: Unit, filter: Filter): Uint8Array {
    this.checkFields(filter);
    const key = `${unit} ${keyOf(filter)}`;
    let mask = this.whole.get(key);
    if (!mask) {
      const passing = this.corpus.documents.map(document => matches(filter, filterable(document)));
      const { documentOf } = this.corpus.itemsOf(unit);
      mask = new Uint8Array(documentOf.length);
      for (let item = 0; item < mask.length; item++)
        mask[item] = passing[documentOf[item]!] ? 1 : 0;
      this.whole.set(key, mask);
    }
    return mask;
  }

  /** Returns the names of all metadata fields. */
  fields(): ReadonlySet<string> {
    this.known ??= new Set(
      this.corpus.segments.flatMap(segment => [...segment.fieldCounts().keys()]),
    );
    return this.known;
  }

  /** Refuses a misspelt field, which nothing or everything would pass. */
  private checkFields(filter: Filter): void {
    // An empty corpus has no fields to misspell.
    if (this.corpus.size === 0) return;
    checkFilterFields(filter, this.fields());
  }
}

const keyOf = (filter: Filter): string => JSON.stringify(filter, exactNumber);

/** JSON writes Infinity, -Infinity and NaN alike. */
function exactNumber(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value;
}
