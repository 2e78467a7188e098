/**
 * Estimates how many bytes of the files have been read, from their documents, for progress bars.
 */
import type { Document } from '../../corpus/document.ts';
import { walk } from '../formats/walk.ts';

export class FileSizes {
  readonly total: number;
  private readonly sizes: ReadonlyMap<string, number>;
  private finished = 0;
  private current = '';
  private within = 0;

  private constructor(sizes: ReadonlyMap<string, number>) {
    this.sizes = sizes;
    this.total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  static async of(paths: readonly string[]): Promise<FileSizes> {
    const sizes = new Map<string, number>();
    for (const path of paths)
      for await (const walked of walk(path))
        if ('source' in walked) sizes.set(walked.source.path, walked.source.size);
    return new FileSizes(sizes);
  }

  /** Counts a document by its `from`: "path", "path:line" or "path[index]". */
  read(from: string, { title, text }: Document): void {
    const path = this.sizes.has(from) ? from : from.replace(/(?::\d+|\[\d+\])$/, '');
    if (path !== this.current) {
      this.finished += this.sizes.get(this.current) ?? 0;
      this.current = path;
      this.within = 0;
    }
    this.within += title.length + text.length;
  }

  get done(): number {
    return this.finished + Math.min(this.within, this.sizes.get(this.current) ?? 0);
  }
}
