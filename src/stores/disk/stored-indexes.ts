/**
 * Reads packed indexes of one generation from disk at first use; omits damaged ones, so that they
 * are rebuilt.
 */
import type { Unit } from '../../core/ranking/ranking.ts';
import type { PackedIndexes } from '../../search/corpus/segment.ts';
import type { StoredSegment } from '../../search/corpus/segmented-corpus.ts';
import type { Disk } from './disk.ts';
import { itemsOfTable, TABLE_KEY } from './document-table.ts';
import { readsPages, type Segment } from './generation.ts';
import { LITTLE_ENDIAN } from './index-file.ts';
import { STORED_INDEXES } from './manifest.ts';
import { KeptPostings } from './paged-index.ts';
import { damageWarning, type OnWarning, readPacked } from './read-packed.ts';

export interface StoredIndexesOptions {
  /** Returns true while a file belongs to the store. */
  isThere(file: string): boolean;
  readonly warn: OnWarning;
  /** Called once before indexes are built that a closed store holds. */
  building(): void;
}

/** Returns the documents of each file, with its indexes. */
export function storedSegments(
  disk: Disk,
  folder: string,
  segments: readonly Segment[],
  options: StoredIndexesOptions,
): StoredSegment[] {
  let said = false;
  const building = (): void => {
    if (!said) options.building();
    said = true;
  };
  const files = segments.map(({ file }) => file);
  const kept = readsPages(disk, files) ? new KeptPostings() : undefined;
  return segments.map(segment => ({
    documents: segment.documents,
    indexes: storedIndexes(disk, folder, segment, { ...options, building, kept }),
  }));
}

/** Returns the packed indexes of one file of documents, each read at first use. */
function storedIndexes(
  disk: Disk,
  folder: string,
  { file: { indexes = [] }, table }: Segment,
  {
    isThere,
    warn,
    building,
    kept,
  }: StoredIndexesOptions & { readonly kept?: KeptPostings | undefined },
): PackedIndexes {
  const isTrusted = trusted(indexes, table !== undefined);
  const files = new Map(
    LITTLE_ENDIAN ? indexes.filter(({ key }) => isTrusted(key)).map(file => [file.key, file]) : [],
  );
  return {
    get(key) {
      const file = files.get(key);
      if (file === undefined && STORED_INDEXES.includes(key)) building();
      if (!file || !isThere(file.file)) return undefined;
      try {
        return readPacked(disk, folder, file, file.key, kept);
      } catch (error) {
        files.delete(key);
        warn(damageWarning('index-damaged', { folder, file: file.file }, error));
        return undefined;
      }
    },
    items(unit) {
      try {
        if (table) return itemsOfTable(table, unit);
      } catch (error) {
        const { file } = indexes.find(({ key }) => key === TABLE_KEY)!;
        warn(damageWarning('index-damaged', { folder, file }, error));
      }
      if (unit !== 'document') building();
      return undefined;
    },
  };
}

/**
 * Returns whether an index numbers items as documents are cut now. Without a readable table beside
 * it, another release may have cut them; the stores of a release without tables are trusted.
 */
function trusted(
  indexes: NonNullable<Segment['file']['indexes']>,
  hasTable: boolean,
): (key: string) => boolean {
  const mayDiffer = !hasTable && indexes.some(({ key }) => key === TABLE_KEY);
  return key => !mayDiffer || key.startsWith('document' satisfies Unit);
}
