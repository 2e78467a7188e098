/**
 * Estimates how many bytes of the files have been read, from their documents, for progress bars.
 */
import type { Document } from '../core/corpus/document.ts';
import { type WalkOptions, walk } from '../documents/files/walk.ts';

export class FileSizes {
  readonly total: number;
  private readonly sizes: ReadonlyMap<string, number>;
  /** Bytes of the files before each, in the order in which they are read. */
  private readonly before = new Map<string, number>();
  private current = '';
  private within = 0;

  private constructor(sizes: ReadonlyMap<string, number>) {
    this.sizes = sizes;
    let total = 0;
    for (const [path, size] of sizes) {
      this.before.set(path, total);
      total += size;
    }
    this.total = total;
  }

  static async of(paths: readonly string[], options: WalkOptions = {}): Promise<FileSizes> {
    const sizes = new Map<string, number>();
    for (const path of paths)
      for await (const walked of walk(path, options))
        if ('source' in walked) sizes.set(walked.source.path, walked.source.size);
    return new FileSizes(sizes);
  }

  /**
   * Counts a document by its `from`: "path", "path:line" or "path[index]". The document of a whole
   * file ends it, however little text it has: a PDF is mostly no text.
   */
  read(from: string, { title, text }: Document): void {
    const isWhole = this.sizes.has(from);
    const path = isWhole ? from : from.replace(/(?::\d+|\[\d+\])$/, '');
    if (path !== this.current) this.within = 0;
    this.current = path;
    this.within = isWhole ? Number.POSITIVE_INFINITY : this.within + title.length + text.length;
  }

  /** Files without a document count once a file after them is read. */
  get done(): number {
    const read = Math.min(this.within, this.sizes.get(this.current) ?? 0);
    return (this.before.get(this.current) ?? 0) + read;
  }
}
